"""`python -m variants new`: makes the folder of a new variant, with standard rules on the small teaching board."""

import keyword
import re
import shutil
from pathlib import Path
from string import Template

from variants.commands.folders import folders
from variants.loader import BOARD_FILES
from variants.rulebook import VARIANTS, facts_in

SKELETON = Path(__file__).parent / "skeleton"
TEACHING_BOARD = "corridor"
COPIED = ("facts.yaml", *BOARD_FILES)
FOLDER_NAME = re.compile(r"[a-z][a-z0-9_]*")
NEXT = Template(
    """variants/$name/ is ready: standard rules on a small board. It can be played as it is. Make it yours:
  1. facts.yaml     spaces, borders, towns      then: python -m variants draw $name
  2. variant.toml   powers, units, counts, and in words what it is and who made it
  3. rules.py       what differs from standard rules, as policies
  4. rules.md       the rules as players read them
  5. python -m variants check $name      says what is still wrong
Then offer it: CONTRIBUTING.md, “A new variant”.
"""
)


class NameRefused(ValueError):
    """A name a new variant can't have; the message says why and what to use instead."""


def make(name: str, variants: Path = VARIANTS) -> str:
    """Makes `variants/<name>/` and returns what to do next; raises NameRefused."""
    if not FOLDER_NAME.fullmatch(name) or keyword.iskeyword(name):
        raise NameRefused(
            f"{name!r} cannot name a variant's folder: use lower-case letters, digits and _, starting with a letter."
        )
    slug = name.replace("_", "-")
    if (variants / name).exists() or (variants / f"{name}.py").exists():
        raise NameRefused(f"variants/{name} already exists; choose another name.")
    for folder in folders(variants):
        if facts_in(folder, variants)["slug"] == slug:
            raise NameRefused(f"The slug {slug} belongs to variants/{folder}; choose another name.")
    _lay(variants / name, name, slug)
    return NEXT.substitute(name=name)


def _lay(folder: Path, name: str, slug: str) -> None:
    folder.mkdir()
    words = {"slug": slug, "title": name.replace("_", " ").title()}
    for template in sorted(SKELETON.iterdir()):
        text = Template(template.read_text(encoding="utf-8")).substitute(words)
        (folder / template.name.removesuffix(".txt")).write_text(text, encoding="utf-8")
    for file in COPIED:
        shutil.copy(VARIANTS / TEACHING_BOARD / file, folder / file)
