"""`python -m tests.supply sbom`: what the site depends on, under which licences, and whether it is known to be
vulnerable."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.supply import advisories, images, licences
from tests.supply.sbom import sbom


def main() -> int:
    made = argparse.ArgumentParser(prog="python -m tests.supply", allow_abbrev=False)
    commands = made.add_subparsers(dest="command", required=True)
    listed = commands.add_parser("sbom", help="write the components of the site as CycloneDX")
    listed.add_argument("file", type=Path)
    commands.add_parser("licences", help="list the licences of all dependencies")
    known = commands.add_parser("advisories", help="ask the package index for published vulnerabilities of the pins")
    known.add_argument("names", nargs="*", help="only of these packages")
    commands.add_parser("images", help="pin the images of compose files and Dockerfile by digest")
    options = made.parse_args()
    if options.command == "sbom":
        options.file.write_text(sbom())
        return 0
    if options.command == "licences":
        return _licences()
    return _advisories(options.names) if options.command == "advisories" else _images()


def _licences() -> int:
    _say(*licences.show())
    problems = list(licences.problems())
    _say(*problems)
    return 1 if problems else 0


def _advisories(names: list[str]) -> int:
    found = advisories.check(advisories.pinned(names))
    _say(*(f"known: {one}" for one in found.advisories), *(f"not checked: {one}" for one in found.unchecked))
    _say(f"{found.checked} checked, {len(found.unchecked)} not checked, {len(found.advisories)} advisories")
    return 1 if found.advisories or found.unchecked else 0


def _images() -> int:
    pinned, missing = images.pin()
    _say(*(f"pinned: {one}" for one in pinned), *(f"not fetched: {one}" for one in missing))
    if missing:
        _say("Nothing was written.")
    return 1 if missing else 0


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    sys.exit(main())
