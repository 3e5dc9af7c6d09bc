"""Words in Python that are no messages, and messages in parts: `python -m tests.house.messages_in_python [FOLDER]`.

What people read is given to gettext as a whole sentence with named fields, and no word of it is made or chosen apart.
Developers alone read logs, errors of their own and the reference of the API, which are English.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.messages import Part, report

MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop", "later", "later_as", "later_by", "ngettext", "pgettext"}
FOR_DEVELOPERS = {
    *("InApi", "OpenApiParameter", "OpenApiExample", "OpenApiResponse", "extend_schema", "Warning", "Error"),
    *("ValueError", "TypeError", "KeyError", "LookupError", "AttributeError", "AssertionError", "RuntimeError"),
    *("ImproperlyConfigured", "NoReverseMatch", "VariantChanged", "Unreachable", "compile", "RawSQL", "salted_hmac"),
    "PictureFile",  # what a picture is kept by
    *("done_answer", "changed_answer", "player_method"),  # what the API answers to programs
    *("term", "say", "clause"),  # the names of words of the rules
}
REFERENCE = {"answers.py", "creating.py", "reference.py", "schema.py", "values.py", "guide.py"}
"""Modules of `games/api` that describe it to developers."""
ELSEWHERE = {
    *("migrations", "management", "webdip", "admin.py", "checks.py", "judging.py", "rekeying.py", "crypto.py"),
    *("leaving.py", "adapter.py", "export.py"),
}
"""Folders and modules whose words the site's own people or other programs read."""
MAKERS = {"amount", "times", "possessive", "capfirst", "lower", "capitalize", "title", "replace"}
"""What makes words, and so must not stand within a sentence."""
NOT_SHOWN = {"Meta", "__str__", "get_security_definition", "about", "username", "says", "each_says", "instead", "log"}
"""Classes, functions and arguments within which no words are for people who use the site."""
NO_WORDS = re.compile(
    r"^[A-Z\d ]+$|no-store|no-cache|<|\\|filename=|charset=|\b(?:SELECT|COPY|EXISTS|DejaVu)\b|^[\w.:-]+$"
)
FIELD = re.compile(r"{[^}]*}")
TWO_WORDS = re.compile(r"[A-Za-z’]{2,}[,:;.!?”]* [“(]?[A-Za-z0-9’]+")
WORD = re.compile(r"[A-Za-z]{2}")


def found_in(file: str, source: str) -> Iterator[Part]:
    tree = ast.parse(source)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        text, why = _text_of(node), ""
        if text is not None and not isinstance(above.get(node), ast.Expr | ast.JoinedStr | ast.FormattedValue):
            why = _is_unmarked(node, text, above)
        elif isinstance(node, ast.Call):
            text, why = ast.unparse(node), _is_in_parts(node, above)
        if text and why:
            yield Part(f"{file}:{getattr(node, 'lineno', 0)}", text, why)


def _text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if not isinstance(node, ast.JoinedStr):
        return None
    return "".join(str(it.value) if isinstance(it, ast.Constant) else "{}" for it in node.values)


def _is_unmarked(node: ast.AST, text: str, above: dict[ast.AST, ast.AST]) -> str:
    bare = FIELD.sub("7", text)
    if not TWO_WORDS.search(bare) or NO_WORDS.search(bare) or "\n" in bare.strip():
        return ""
    while node in above:
        inner, node = node, above[node]
        if isinstance(node, ast.Call) and inner is not node.func:
            name = ast.unparse(node.func)
            if name.rpartition(".")[2] in FOR_DEVELOPERS | MARKS or name.startswith(("log.", "serializers.")):
                return ""
        if isinstance(node, ast.Assert | ast.Compare | ast.Subscript) or getattr(node, "annotation", None) is inner:
            return ""
        if isinstance(node, ast.Tuple) and inner is node.elts[0] and any(map(_is_mark, node.elts[1:])):
            return ""  # what is stored of a choice, beside its label
        if getattr(node, "arg", getattr(node, "name", "")) in NOT_SHOWN:
            return ""
    return "is no message"


def _is_mark(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS


def _is_in_parts(call: ast.Call, above: dict[ast.AST, ast.AST]) -> str:
    """Is this message, or what is filled into it, only a part of a sentence?"""
    if _is_mark(call):
        outer = above.get(call)
        if isinstance(outer, ast.FormattedValue) or (isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Add)):
            return "is a part of a longer text"
        texts = [_text_of(each) for each in call.args]
        return "begins or ends with a space" if any(text and text != text.strip() for text in texts) else ""
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "format" and _is_mark(call.func.value)):
        return ""
    for field in call.keywords:
        for node in ast.walk(field.value):
            if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in MAKERS:
                return f"has words that are made in {field.arg}"
            if WORD.search(_text_of(node) or "") and not isinstance(above[node], ast.Subscript | ast.Call):
                return f"has words that are chosen in {field.arg}"
    return ""


def all_found(root: Path) -> Iterator[Part]:
    spoken = [*(root / "games").rglob("*.py"), *(root / "diplomacy_site" / "accounts").rglob("*.py")]
    for path in sorted([*spoken, root / "diplomacy_site" / "patience.py"]):
        if ELSEWHERE & {*path.parts} or (path.parent.name == "api" and path.name in REFERENCE):
            continue
        yield from found_in(str(path.relative_to(root)), path.read_text())


if __name__ == "__main__":
    report(all_found)
