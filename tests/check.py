"""`./run check`: the linters, the type checkers, Django's own checks, the tests of the scripts that pages run, and the
quickest tests of what a change may forget.

All of them run, even when one fails. Checks that need Node are skipped without it.
"""

import fcntl
import hashlib
import shutil
import subprocess
import sys
import time
from pathlib import Path

from diplomacy_site.embedded import EmbeddedError, places
from diplomacy_site.embedded.stack import attached_or_started

# Tools that cannot be run as modules are beside the environment's Python.
PYTHON = [sys.executable, "-m"]
MANAGE = [sys.executable, "manage.py"]
PROMISES = (
    "tests/house/test_sentences.py",
    "tests/house/test_documents.py",
    "tests/api/test_contract.py",
    "tests/secrecy/test_who_may_see.py",
)
"""What a change forgets most easily: its words, its documents, what the API says of it, and which roles may see it."""
CHECKS = {
    "ruff check": [*PYTHON, "ruff", "check", "--quiet", ".", "run", "host"],
    "ruff format": [*PYTHON, "ruff", "format", "--check", "--output-format", "concise", ".", "run", "host"],
    "mypy": [*PYTHON, "mypy", "--no-error-summary"],
    "import-linter": [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
    "djlint": [*PYTHON, "djlint", "--lint", "--quiet", "templates"],
    "messages": [*PYTHON, "tests.house.messages"],
    "messages in Python": [*PYTHON, "tests.house.messages_in_python"],
    "migrations": [*MANAGE, "makemigrations", "--check", "--dry-run"],
    "deployment": [*PYTHON, "tests.deployment"],
    "promises": [*PYTHON, "pytest", "-q", "-n", "0", "-m", "not django_db", *PROMISES],
}
NODE_TESTS = "tests/js"
LOCK, PACKAGES = "package-lock.json", "node_modules"
PACKAGE_CHECKS = {
    "eslint": [f"{PACKAGES}/.bin/eslint", "static", "templates", "tests/js", "eslint.config.js"],
    "tsc": [f"{PACKAGES}/.bin/tsc"],
}
NPM_CI = ["npm", "ci", "--fetch-retries=1"]


def main(arguments: list[str]) -> int:
    if arguments:
        raise EmbeddedError("check takes no arguments; it runs every check.")
    checks = {**CHECKS, **script_checks(places.CHECKOUT)}
    with attached_or_started():
        failed = [name for name, command in checks.items() if not passes(name, command)]
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


def script_checks(checkout: Path) -> dict[str, list[str]]:
    """The JavaScript checks that can be run here; says which cannot."""
    if not shutil.which("node"):
        print("Skipped the JavaScript checks: Node is not installed.", flush=True)
        return {}
    tests = sorted(str(file.relative_to(checkout)) for file in (checkout / NODE_TESTS).glob("*.test.js"))
    checks = {"js tests": ["node", "--test", *tests]}
    if has_packages(checkout):
        return {**PACKAGE_CHECKS, **checks}
    print("Skipped eslint and tsc: npm could not install their packages.", flush=True)
    return checks


def has_packages(checkout: Path) -> bool:
    """The packages are those of the lock; they are installed first if they are missing or stale."""
    lock, stamp = checkout / LOCK, checkout / PACKAGES / ".built-from"
    with lock.open("rb") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)  # two checks at once must not install into one folder
        wanted = hashlib.sha256(turn.read()).hexdigest()
        if stamp.exists() and stamp.read_text() == wanted:
            return True
        if not shutil.which("npm") or not succeeds(NPM_CI, checkout):
            return False
        stamp.write_text(wanted)
    return True


def succeeds(command: list[str], folder: Path) -> bool:
    done = subprocess.run(command, check=False, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True)
    return done.returncode == 0


def passes(name: str, command: list[str]) -> bool:
    began = time.monotonic()
    done = subprocess.run(
        command,
        check=False,
        cwd=places.CHECKOUT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    verdict = "failed" if done.returncode else "ok"
    print(f"{name:<14} {verdict:<6} {time.monotonic() - began:5.1f} s", flush=True)
    if done.returncode:
        print(done.stdout, flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except EmbeddedError as problem:
        sys.exit(f"run: {problem}")
    except KeyboardInterrupt:
        sys.exit("run: stopped")
