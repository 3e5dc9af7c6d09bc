"""`./run test`: which tests, and what they need."""

import os
import sys

from diplomacy_site.embedded import places

RULES = ("adjudication", "variants")
"""Folders of tests that need neither Django nor a server."""

CORES = os.cpu_count() or 1
"""One process for each core, and one more, because tests spend a third of their time waiting for browsers and
servers."""


def main(arguments: list[str]) -> None:
    """Hand over to pytest. Every process that it starts would compile all modules again if none kept its bytecode."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *command(arguments)])


def command(arguments: list[str]) -> list[str]:
    """The arguments for pytest: a subject or the slow tests if the first word names them, and all else unchanged. Slow
    tests are left out unless they, a path or marks are named."""
    subject, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if subject == "slow":
        return [*parallel(rest, CORES + 1, "loadfile"), "-m", "slow", *rest]
    if subject == "rules" or subject in RULES:
        folders = [f"tests/{folder}" for folder in RULES if subject in {"rules", folder}]
        return ["-c", "tests/rules.ini", "--rootdir", ".", *parallel(rest, CORES), *folders, *rest]
    if subject.isidentifier() and (places.CHECKOUT / "tests" / subject).is_dir():
        return [*parallel(rest, CORES + 1), *quick(rest), "--reuse-db", f"tests/{subject}", *rest]
    if is_one_file(arguments):
        return ["--reuse-db", *arguments]
    return [*parallel(arguments, CORES + 1), *quick(arguments), *arguments]


def quick(arguments: list[str]) -> list[str]:
    """Leave slow tests out, unless the arguments say what to take."""
    return [] if any(part.startswith(("tests", "-m")) for part in arguments) else ["-m", "not slow"]


def is_one_file(arguments: list[str]) -> bool:
    """More processes would take longer to start than they save."""
    named = [part.partition("::")[0] for part in arguments if part.startswith("tests/")]
    return len(named) == 1 and named[0].endswith(".py")


def parallel(arguments: list[str], processes: int, shared: str = "worksteal") -> list[str]:
    """Run that many processes, which share the tests, unless the arguments say how many. With `loadfile`, one takes all
    tests of a file, which share a site that takes long to set up."""
    chosen = any(part.startswith(("-n", "--numprocesses", "--pdb")) for part in arguments)
    return [] if chosen else ["-n", str(processes), "--dist", shared]


if __name__ == "__main__":
    main(sys.argv[1:])
