"""`python -m variants list`, `new` and `draw`: list the folders of variants, create one, and draw its map in the
environment that has the libraries for it."""

import keyword
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from string import Template

from variants.loader import BOARD_FILES
from variants.rulebook import VARIANTS, Rulebook, board_folder, facts_in, spaces


class NoSuchVariant(LookupError):
    """No such folder; the message lists the existing ones."""


def variant_folders(variants: Path = VARIANTS) -> tuple[str, ...]:
    """The folders that hold a variant, sorted."""
    return tuple(sorted(file.parent.name for file in variants.glob("*/variant.toml")))


def folder_of(name: str, variants: Path = VARIANTS) -> str:
    """The folder with this name or this variant slug; raises NoSuchVariant."""
    folders = variant_folders(variants)
    if name in folders:
        return name
    for folder in folders:
        if facts_in(folder, variants).get("slug") == name:
            return folder
    raise NoSuchVariant(f"There is no variant {name!r}; there are: {', '.join(folders)}.")


def variant_home(name: str) -> tuple[str, Path]:
    """A variant's folder and its parent, from a path or the name or slug of one of ours. Raises NoSuchVariant."""
    home = Path(name).resolve()
    if (home / "variant.toml").is_file():
        return home.name, home.parent
    return folder_of(name), VARIANTS


HEADINGS = ("slug", "title", "players", "spaces", "centres")


def variant_list(rulebooks: Mapping[str, Callable[[], Rulebook]]) -> Iterator[str]:
    """A line for each variant, under a line of headings."""
    rows: list[tuple[str, ...]] = [HEADINGS]
    for slug, read in rulebooks.items():
        book = read()
        powers, board = book.ruleset.powers, book.ruleset.board
        rows.append((slug, book.title, *map(str, (len(powers), len(spaces(board)), len(board.centres)))))
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    for row in rows:
        words = (cell.ljust(width) for cell, width in zip(row[:2], widths, strict=False))
        numbers = (cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True))
        yield "  ".join((*words, *numbers))


NEEDED = ("numpy", "scipy", "shapely", "pyproj", "yaml", "PIL")


class CannotDraw(RuntimeError):
    """There is nothing to draw, or nothing to draw with; the message says what to do."""


def drawing_command(folder: str, variants: Path = VARIANTS) -> list[str]:
    """The command that draws the folder's map; raises CannotDraw."""
    board = board_folder(folder, facts_in(folder, variants))
    if board != folder:
        raise CannotDraw(f"{folder} uses the board of {board}. To draw it: python -m variants draw {board}")
    if not (variants / folder / "facts.yaml").exists():
        raise CannotDraw(f"{folder}/facts.yaml is missing, and a board is drawn from its facts.")
    python = drawing_python(variants.parent) or drawing_python(VARIANTS.parent)
    if python is None:
        here = (VARIANTS.parent / "run").exists()
        way = f"./run maps draw {variants / folder}" if here else 'pip install ".[maps]" in a checkout of the project'
        raise CannotDraw(f"Drawing needs libraries that nothing else here needs. This installs them, once: {way}")
    return [python, "-m", "variants.cartography", "draw", str(variants / folder)]


def drawing_python(project: Path) -> str | None:
    """A Python with the libraries for drawing: the one of `./run maps`, or this one; None if neither has them."""
    python = project / ".maps-venv" / "bin" / "python"
    if python.exists():
        return str(python)
    return sys.executable if all(find_spec(name) for name in NEEDED) else None


def draw_map(folder: str, variants: Path = VARIANTS) -> int:
    """Draw the folder's map and return the exit code; raises CannotDraw."""
    return subprocess.call(drawing_command(folder, variants), cwd=VARIANTS.parent)


SKELETON = Path(__file__).parent / "skeleton"
TEACHING_BOARD = "corridor"
COPIED = ("facts.yaml", *BOARD_FILES)
FOLDER_NAME = re.compile(r"[a-z][a-z0-9_]*")
NEXT = Template(
    """$name/ is ready: standard rules on a small board. It can be played as it is, as in
python -m variants start --variant $name. Make it yours:
  1. facts.yaml     spaces, borders, towns      then: python -m variants draw $name
  2. variant.toml   powers, units, counts, and in words what it is and who made it
  3. rules.py       what differs from standard rules, as policies
  4. rules.md       the rules as players read them
  5. python -m variants check $name      says what is still wrong
Then offer it: “A new variant” in variants/CONTRIBUTING.md.
"""
)


class NameRefused(ValueError):
    """A name a new variant can't have; the message says why and what to use instead."""


def make_variant(name: str, here: Path = Path()) -> str:
    """Make the folder with this name or path, and return what to do next; raises NameRefused."""
    home = (here / name).resolve()
    if not name or not FOLDER_NAME.fullmatch(home.name) or keyword.iskeyword(home.name):
        raise NameRefused(
            f"{name!r} cannot name a variant's folder: use lower-case letters, digits and _, starting with a letter."
        )
    slug = home.name.replace("_", "-")
    if home.exists() or home.with_suffix(".py").exists():
        raise NameRefused(f"{name} already exists; choose another name.")
    if not home.parent.is_dir():
        raise NameRefused(f"There is no folder {home.parent} to put {home.name} in.")
    for variants in (home.parent, VARIANTS):
        for folder in variant_folders(variants):
            if facts_in(folder, variants)["slug"] == slug:
                raise NameRefused(f"The slug {slug} belongs to {variants.name}/{folder}; choose another name.")
    _copy_skeleton(home, home.name, slug)
    return NEXT.substitute(name=name)


def _copy_skeleton(folder: Path, name: str, slug: str) -> None:
    folder.mkdir()
    words = {"slug": slug, "title": name.replace("_", " ").title()}
    for template in sorted(SKELETON.iterdir()):
        text = Template(template.read_text(encoding="utf-8")).substitute(words)
        (folder / template.name.removesuffix(".txt")).write_text(text, encoding="utf-8")
    for file in COPIED:
        shutil.copy(VARIANTS / TEACHING_BOARD / file, folder / file)
