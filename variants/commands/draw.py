"""`python -m variants draw`: draws a variant's map, in the environment that has the libraries for it."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from variants.rulebook import VARIANTS, board_folder, facts_in

NEEDED = ("numpy", "scipy", "shapely", "pyproj", "yaml", "PIL")


class CannotDraw(RuntimeError):
    """Nothing to draw or to draw with; the message says what to do."""


def drawing_command(folder: str, variants: Path = VARIANTS) -> list[str]:
    """The command that draws the folder's map; raises CannotDraw."""
    board = board_folder(folder, facts_in(folder, variants))
    if board != folder:
        raise CannotDraw(f"{folder} uses the board of {board}. To draw it: python -m variants draw {board}")
    if not (variants / folder / "facts.yaml").exists():
        raise CannotDraw(f"{folder}/facts.yaml is missing, and a board is drawn from its facts.")
    python = drawing_python(variants.parent)
    if python is None:
        raise CannotDraw(
            "Drawing needs libraries that nothing else here needs. This builds an environment for them, once, "
            f"and draws: ./run maps draw variants/{folder}\n"
            'To the package they come with: pip install "diplomacy-variants[maps]"'
        )
    return [python, "-m", "variants.cartography", "draw", str(variants / folder)]


def drawing_python(project: Path) -> str | None:
    """A Python with the libraries for drawing: that of `./run maps`, or this one; None if neither."""
    built = project / ".maps-venv" / "bin" / "python"
    if built.exists():
        return str(built)
    return sys.executable if all(find_spec(name) for name in NEEDED) else None


def draw(folder: str, variants: Path = VARIANTS) -> int:
    """The exit code of the drawing; raises CannotDraw."""
    return subprocess.call(drawing_command(folder, variants), cwd=variants.parent)
