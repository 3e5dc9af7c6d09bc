"""`./run test`: which tests, and what they need."""

import os
import sys

from diplomacy_site.embedded import places

RULES = ("adjudication", "variants")
"""Folders of tests that need neither Django nor a server."""


def main(arguments: list[str]) -> int:
    """Hand over to pytest."""
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *command(arguments)])


def command(arguments: list[str]) -> list[str]:
    """What pytest is told: a subject if the first word names one, and everything else as it is."""
    subject, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if subject == "rules" or subject in RULES:
        folders = [f"tests/{folder}" for folder in RULES if subject in {"rules", folder}]
        return ["-c", "tests/rules.ini", "--rootdir", ".", *parallel(rest), *folders, *rest]
    if subject.isidentifier() and (places.CHECKOUT / "tests" / subject).is_dir():
        return [*parallel(rest), "--reuse-db", f"tests/{subject}", *rest]
    return [*parallel(arguments), *arguments]


def parallel(arguments: list[str]) -> list[str]:
    """A process for each core, and they take tests from each other, unless the arguments say how many."""
    chosen = any(part.startswith(("-n", "--numprocesses", "--pdb")) for part in arguments)
    return [] if chosen else ["-n", "auto", "--dist", "worksteal"]
