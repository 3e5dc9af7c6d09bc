"""How strong are the tests? `python -m tests.house.small_faults 1926 150 adjudication news` draws 150 small faults in
functions by the seed 1926 and makes those of these subjects (or of all), one at a time in a copy of the checkout: does
the subject's own folder of tests find it, and in how many seconds of processor?"""

import ast
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from diplomacy_site.embedded.places import CHECKOUT

CODE = ("adjudication", "variants", "games", "diplomacy_site")
LEFT_OUT = {"migrations", "cartography"}
PAIRS = ("Eq NotEq", "Lt GtE", "Gt LtE", "In NotIn", "Is IsNot", "And Or")
OPPOSITE = {one: other for pair in PAIRS for one, other in (pair.split(), reversed(pair.split()))}
COPIED = shutil.ignore_patterns(".git", ".venv", ".kept", "node_modules", "__pycache__", ".*_cache")


class Fault(NamedTuple):
    file: Path
    node: Any
    instead: str

    @property
    def subject(self) -> str:
        package, folder, *_ = self.file.parts
        return {"games": folder.removesuffix(".py"), "diplomacy_site": "operation"}.get(package, package)

    def put_into(self, source: bytes) -> bytes:
        lines, node = source.splitlines(keepends=True), self.node
        before = b"".join(lines[: node.lineno - 1]) + lines[node.lineno - 1][: node.col_offset]
        after = lines[node.end_lineno - 1][node.end_col_offset :] + b"".join(lines[node.end_lineno :])
        return before + self.instead.encode() + after


def faults_in(file: Path) -> Iterator[Fault]:
    """Each place in a function where a fault can be made."""
    functions = (node for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.FunctionDef))
    for node in dict.fromkeys(inner for function in functions for part in function.body for inner in ast.walk(part)):
        if instead := fault_of(node):
            yield Fault(file.relative_to(CHECKOUT), node, instead)


def fault_of(node: Any) -> str:
    """What stands there instead, or nothing."""
    match node:
        case ast.Compare(ops=[operator]):
            node.ops = [getattr(ast, OPPOSITE[type(operator).__name__])()]
        case ast.BoolOp(op=operator):
            node.op = getattr(ast, OPPOSITE[type(operator).__name__])()
        case ast.UnaryOp(op=ast.Not()):
            return f"bool({ast.unparse(node.operand)})"
        case ast.Constant(value=int(number)) if number is not True and number is not False:
            return f"({number + 1})"
        case ast.Return(value=ast.expr()) | ast.Expr(value=ast.Call()):
            fault = "return None" if isinstance(node, ast.Return) else "pass"
            return fault if ast.unparse(node) != fault else ""
        case _:
            return ""
    return f"({ast.unparse(node)})"


def main(seed: str, count: str, *subjects: str) -> None:
    files = sorted(file for package in CODE for file in (CHECKOUT / package).rglob("*.py"))
    known = [fault for file in files if not LEFT_OUT & {*file.parts} for fault in faults_in(file)]
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(CHECKOUT, Path(folder) / "copy", ignore=COPIED)
        (copy / ".venv").symlink_to(CHECKOUT / ".venv")
        for fault in random.Random(int(seed)).sample(known, int(count)):
            if (copy / "tests" / fault.subject).is_dir() and fault.subject in (subjects or [fault.subject]):
                sys.stdout.write(f"{tried(fault, copy)}\n")
                sys.stdout.flush()


def tried(fault: Fault, copy: Path) -> str:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    file = copy / fault.file
    whole = file.read_bytes()  # not the checkout's, which may change meanwhile
    file.write_bytes(fault.put_into(whole))
    command = ["./run", "test", f"tests/{fault.subject}", "-x", "-q", "-n", "0"]
    found = subprocess.run(command, check=False, cwd=copy, capture_output=True).returncode != 0
    file.write_bytes(whole)
    where = f"{fault.file}:{fault.node.lineno}:{fault.node.col_offset}"
    seconds = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - sum(before[:2])
    return f"{'found' if found else 'NOT':<5} {seconds:>4.0f} s  {where} {fault.instead!r:.80}"


if __name__ == "__main__":
    main(*sys.argv[1:])
