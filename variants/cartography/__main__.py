"""`python -m variants.cartography draw|check FOLDER`: FOLDER holds facts.yaml and what is made from it.

`draw` writes board.json, anchors.json and map.svg; `check` draws again and compares byte for byte.
Both print the checks and exit with 1 if anything is wrong; `draw` circles the faults in faults.html.
"""

import argparse
import sys
from pathlib import Path

from variants.cartography.drawn_files import DrawnFiles, draw
from variants.cartography.keys import UnknownKeys
from variants.commands.look import faults_page
from variants.rulebook import BrokenVariant

FAULTS_PAGE = "faults.html"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m variants.cartography")
    parser.add_argument("action", choices=("draw", "check"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--draft", action="store_true", help="draw coarsely, in a few seconds, to find most faults")
    given = parser.parse_args(arguments)
    try:
        drawn = draw(given.folder / "facts.yaml", draft=given.draft)
    except (BrokenVariant, UnknownKeys) as faults_of_keys:
        print(faults_of_keys)
        return 1
    print(*drawn.checks, sep="\n")
    faults = sum(bool(check.faults) for check in drawn.checks)
    print(f"{len(drawn.checks) - faults} of {len(drawn.checks)} checks pass")
    if given.action == "draw":
        write(drawn, given.folder)
        return 1 if faults else 0
    return 1 if differing(drawn, given.folder) or faults else 0


def write(drawn: DrawnFiles, folder: Path) -> None:
    for name, text in drawn.files.items():
        (folder / name).write_bytes(text.encode())
        print(f"wrote {folder / name} ({len(text.encode()) / 1000:.0f} kB)")
    page = folder / FAULTS_PAGE
    page.unlink(missing_ok=True)
    if drawn.faults:
        page.write_text(faults_page(drawn.files["map.svg"], drawn.faults), encoding="utf-8")
        print(f"Open {page.resolve().as_uri()} in a browser to see the faults circled.")


def differing(drawn: DrawnFiles, folder: Path) -> bool:
    """Whether a committed file differs from the facts."""
    different = False
    for name, text in drawn.files.items():
        file = folder / name
        same = file.exists() and file.read_bytes() == text.encode()
        print(f"{'same' if same else 'DIFFERENT'}  {file}")
        different |= not same
    return different


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
