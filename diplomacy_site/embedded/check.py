"""`./run check`: the linters, the type checker and Django's own checks; all of them, even when one fails."""

import subprocess
import sys
import time
from pathlib import Path

from diplomacy_site.embedded import places
from diplomacy_site.embedded.errors import EmbeddedError
from diplomacy_site.embedded.stack import attached_or_started

# Tools that cannot be run as modules lie beside the Python of the environment.
PYTHON = [sys.executable, "-m"]
MANAGE = [sys.executable, "manage.py"]
CHECKS = {
    "ruff check": [*PYTHON, "ruff", "check", "--quiet", ".", "run"],
    "ruff format": [*PYTHON, "ruff", "format", "--check", "--output-format", "concise", ".", "run"],
    "mypy": [*PYTHON, "mypy", "--no-error-summary"],
    "import-linter": [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
    "djlint": [*PYTHON, "djlint", "--lint", "--quiet", "templates"],
    "migrations": [*MANAGE, "makemigrations", "--check", "--dry-run"],
    "django check": [*MANAGE, "check", "--fail-level", "WARNING"],
    "deployment": [*PYTHON, "diplomacy_site.embedded.deployment"],
}


def main(arguments: list[str]) -> int:
    if arguments:
        raise EmbeddedError("check takes no arguments; it runs every check.")
    with attached_or_started():
        failed = [name for name, command in CHECKS.items() if not passes(name, command)]
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


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
