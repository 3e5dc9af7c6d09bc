"""`./run test`: which tests, and what they need."""

import os
import sys

from diplomacy_site.embedded import places

RULES = ("adjudication", "variants")
"""Folders of tests that need neither Django nor a server."""

CORES = os.cpu_count() or 1
"""There is a process for each, and one more where tests wait for browsers and servers a third of their time."""


def main(arguments: list[str]) -> int:
    """Hand over to pytest."""
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *command(arguments)])


def command(arguments: list[str]) -> list[str]:
    """What pytest is told: a subject if the first word names one, and everything else as it is."""
    subject, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if subject == "rules" or subject in RULES:
        folders = [f"tests/{folder}" for folder in RULES if subject in {"rules", folder}]
        return ["-c", "tests/rules.ini", "--rootdir", ".", *parallel(rest, CORES), *folders, *rest]
    if subject.isidentifier() and (places.CHECKOUT / "tests" / subject).is_dir():
        return [*parallel(rest, CORES + 1), "--reuse-db", f"tests/{subject}", *rest]
    return [*parallel(arguments, CORES + 1), *arguments]


def parallel(arguments: list[str], processes: int) -> list[str]:
    """So many processes, which take tests from each other, unless the arguments say how many."""
    chosen = any(part.startswith(("-n", "--numprocesses", "--pdb")) for part in arguments)
    return [] if chosen else ["-n", str(processes), "--dist", "worksteal"]
