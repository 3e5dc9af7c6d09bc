"""The shape of a checkout in figures: where modules are, what they import from each other, and how far a bid travels.

    python -m tests.house.shape [FOLDER] [--moves FILE] [--walk]

Counts the Python of the four packages, without migrations and the drawing of maps. Imports for types alone don't count.

- *modules*, *lines*: including every `__init__.py`. *statements*: without imports and docstrings. `ceiling.toml` says
  how many lines and statements there may be. *flat*: modules directly in `games/`.
- *one caller*: private functions that their module names once. *doors*: the lines of views, forms, addresses and of all
  of `games/api`. *scripts*, *templates*, *TOML*: lines; libraries and drawn maps are not counted.
- *names*: what one module of `games` takes from another, one for each name in a `from … import`. An `__init__.py` that
  only passes names on is not a taker; whatever is taken through it counts for the module that defines it.
- *cross a folder*: taker and giver are in different folders; each flat module counts as a folder of its own.
- *tie subjects*: taker and giver belong to different folders of `games/`, and neither is the kernel, a door (DOORS) or
  flat. `sealed` is a subject. With `--moves`, lines such as "games/old.py moves to games/subject/new.py", modules
  belong where they are moved to, and those that are not moved are doors.
- *both ways*: pairs of subjects, including the kernel, that take from each other; *in circles*: subjects from which a
  chain of takers leads back to them.
- *leave a subject*: taker and giver belong to different subjects; doors and flat modules count as subjects.
- *point up*: pairs of modules of `games` of which one imports from another that lies higher in the layers of
  `.importlinter`, at run time and, in brackets, with those for types alone.
- *press lies in*: the folders that hold the modules of that subject.
- *doubles*: class names that are defined more than once, without Django's `Command`.
- *the walk* (`--walk`, with the checkout's own test database): saving a form with one bid, then the order page. A
  *stay* is a function of ours that received or returned a value containing the bid's points, a number found nowhere
  else; *calls* counts every time. Values are searched if they are text, lists, mappings or dataclasses of ours;
  requests, templates and rows are not. *Read* is how often the engine read a sheet. Then how many of our functions,
  in how many files, run for a player's page of a game and for a save.

The plan of the house gives these figures for 0.1.0: 1,716 names, 1,220 of them across folders, 1,137 across packages
once grouped, 237 ties. This program counts 1,716, 1,226, 1,145 and, with the plan's list of moves, 274, as that list
says itself: the 237 were grouped differently. For a bid the plan gives 29 stays in 14 files for a save, and 58 in 26
for the page. Those are steps of someone reading the code; here every function that handles the bid counts, including
templates and small helpers such as properties and formatters.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import subprocess
import sys
from collections import Counter
from configparser import ConfigParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

PACKAGES = ("adjudication", "variants", "games", "diplomacy_site")
APART = {"migrations", "cartography"}
SHOWN = {"views", "forms", "urls"}
DOORS = {"api", "management", "templatetags", "delivery", "pages"}
MOVE = re.compile(r"^\s*(games/\S+)\.py moves to (games/\S+)\.py", re.MULTILINE)


class House:
    """The modules of a checkout by name, and the subjects of those in `games`."""

    def __init__(self, folder: Path, moves: Mapping[str, str]) -> None:
        self.root = folder
        files = [file for package in PACKAGES for file in sorted((folder / package).rglob("*.py"))]
        self.files = [file for file in files if not APART & set(file.parts)]
        self.trees = {_name(file, folder): ast.parse(file.read_text("utf-8")) for file in self.files}
        self.passing = {_name(file, folder) for file in self.files if file.name == "__init__.py"}
        self.moves = moves
        self.layers = layers_in(folder / ".importlinter")

    @property
    def games(self) -> list[str]:
        return [name for name in self.trees if name.partition(".")[0] == "games"]

    def folder(self, module: str) -> str:
        """A module's folder; a flat one is its own."""
        alone = module in self.passing or module.count(".") == 1
        return module if alone else module.rpartition(".")[0]

    def subject(self, module: str) -> str:
        """A module's subject; "" for a door or a flat module."""
        parts = self.moves.get(module, module).split(".")
        stays = bool(self.moves) and module not in self.moves and parts[1:2] != ["sealed"]
        is_flat = len(parts) < 3 and module not in self.passing
        return "" if stays or is_flat or parts[1:2] == [] or parts[1] in DOORS else parts[1]

    def taken(self, *, types: bool = False) -> Iterator[tuple[str, str]]:
        """(taker, giver) for every name that a module of `games` imports from another at run time, or for `types`."""
        for taker in self.games:
            for module, name in _imports(self.trees[taker], types=types) if taker not in self.passing else ():
                giver = self.home(module, name)
                if giver.partition(".")[0] == "games" and giver != taker:
                    yield taker, giver

    def home(self, module: str, name: str) -> str:
        """The module that defines a name, or that the name means."""
        if f"{module}.{name}" in self.trees:
            return f"{module}.{name}"
        if module in self.passing:
            for passed, known in _imports(self.trees[module]):
                if known == name:
                    return self.home(passed, name)
        return module

    def upward(self, *, types: bool = False) -> set[tuple[str, str]]:
        """(taker, giver) where the giver lies higher; the highest layer is 0."""
        return {pair for pair in self.taken(types=types) if self.layer(pair[1]) < self.layer(pair[0])}

    def layer(self, module: str) -> int:
        return self.layers.get(module.split(".")[1], 0)

    def python(self) -> int:
        return sum(map(_lines_of, self.files))

    def statements(self) -> int:
        every = (node for tree in self.trees.values() for node in ast.walk(tree) if isinstance(node, ast.stmt))
        return sum(not (isinstance(it, ast.Import | ast.ImportFrom) or _is_text(it)) for it in every)

    def called_once(self) -> tuple[int, int]:
        """How many private functions have one caller in their module, and how many functions there are."""
        once = every = 0
        for tree in self.trees.values():
            nodes = list(ast.walk(tree))
            named = Counter(it.id for it in nodes if isinstance(it, ast.Name))
            named.update(it.attr for it in nodes if isinstance(it, ast.Attribute))
            names = [it.name for it in nodes if isinstance(it, ast.FunctionDef | ast.AsyncFunctionDef)]
            once += sum(name.startswith("_") and not name.startswith("__") and named[name] == 1 for name in names)
            every += len(names)
        return once, every

    def lines(self, ending: str) -> int:
        """The lines of all files of that kind, but for those of libraries and of boards as they are drawn."""
        files = [it for top in (*PACKAGES, "static", "templates") for it in (self.root / top).rglob(f"*{ending}")]
        return sum(_lines_of(it) for it in files if not {"vendor", *APART} & {*it.relative_to(self.root).parts})

    def doors(self) -> int:
        """The lines of what turns a request into a call and a page."""
        games = self.root / "games"
        found = [file.relative_to(games) for file in self.files if file.is_relative_to(games)]
        return sum(_lines_of(games / it) for it in found if it.parts[0] == "api" or SHOWN & {*_words(it)})

    def doubles(self) -> list[str]:
        written = (node for tree in self.trees.values() for node in tree.body)
        classes = (node.name for node in written if isinstance(node, ast.ClassDef))
        return sorted(name for name, times in Counter(classes).items() if times > 1 and name != "Command")


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _lines_of(file: Path) -> int:
    return len(file.read_text("utf-8").splitlines())


def _words(file: Path) -> Iterator[str]:
    """The parts of a path; of names such as views_desk.py, the first word."""
    return (part.removesuffix(".py").partition("_")[0] for part in file.parts)


def _name(file: Path, folder: Path) -> str:
    return ".".join(file.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")


def layers_in(file: Path) -> dict[str, int]:
    """The layer of each subject, by the contract of that name; the highest is 0."""
    contracts = ConfigParser()
    contracts.read(file, encoding="utf-8")
    layers = contracts.get("importlinter:contract:subjects", "layers", fallback="").split("\n")
    return {subject.strip("() "): place for place, line in enumerate(layers) for subject in line.split("|")}


def _imports(node: ast.AST, *, types: bool = False) -> Iterator[tuple[str, str]]:
    """(module, name) for every import at run time, or for `types` as well."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom) and child.module:
            yield from ((child.module, each.name) for each in child.names)
        elif types or not (isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING")):
            yield from _imports(child, types=types)


def ties_of(house: House) -> Counter[tuple[str, str]]:
    """How many names one subject takes from another, including the kernel."""
    pairs = ((house.subject(taker), house.subject(giver)) for taker, giver in house.taken())
    return Counter((taker, giver) for taker, giver in pairs if taker and giver and taker != giver)


def in_circles(ties: Collection[tuple[str, str]]) -> list[str]:
    """The subjects with a chain of imports back to themselves."""
    reached = {taker: {giver for one, giver in ties if one == taker} for taker, _ in ties}
    for _ in reached:
        for givers in reached.values():
            givers.update(*(reached.get(giver, set()) for giver in tuple(givers)))
    return sorted(taker for taker, givers in reached.items() if taker in givers)


def figures(house: House) -> dict[str, str]:
    """Everything measured without running the code, as text."""
    taken, ties = list(house.taken()), ties_of(house)
    crossing = sum(house.folder(taker) != house.folder(giver) for taker, giver in taken)
    leaving = sum(
        (house.subject(taker) or house.folder(taker)) != (house.subject(giver) or house.folder(giver))
        for taker, giver in taken
    )
    flat = [name for name in house.games if name.count(".") == 1 and name not in house.passing]
    press = [name for name in house.games if house.subject(name) == "press" and name not in house.passing]
    both = {tuple(sorted(pair)) for pair in ties if pair[::-1] in ties}
    circles, doubles = in_circles(ties), house.doubles()
    return {
        "modules": f"{len(house.trees):,}",
        "lines": f"{house.python():,}",
        "statements": f"{house.statements():,}",
        "one caller": "{:,} of {:,} functions".format(*house.called_once()),
        "doors": f"{house.doors():,}",
        "scripts": f"{house.lines('.js'):,}",
        "templates": f"{house.lines('.html'):,}",
        "TOML": f"{house.lines('.toml'):,}",
        "flat in games": str(len(flat)),
        "names taken in games": f"{len(taken):,}",
        "cross a folder": f"{crossing:,}",
        "leave a subject": f"{leaving:,}",
        "tie subjects": str(sum(times for pair, times in ties.items() if "kernel" not in pair)),
        "both ways": f"{len(both)} pairs",
        "in circles": f"{len(circles)} {', '.join(circles)}".strip(),
        "point up": f"{len(house.upward())} ({len(house.upward(types=True))} with types)",
        "press lies in": f"{len({name.rpartition('.')[0] for name in press})} folders, {len(press)} modules",
        "doubles": f"{len(doubles)} {', '.join(doubles)}".strip(),
    }


def walked(folder: Path) -> str:
    """A bid's path through that checkout, with its own test database."""
    with TemporaryDirectory() as elsewhere:  # so that it finds that checkout's tests and not ours
        copy = shutil.copy(Path(__file__).with_name("walk.py"), elsewhere)
        flags = ["-q", "-s", "-n", "0", "--noconftest", "--import-mode=importlib", f"--rootdir={folder}"]
        command = [sys.executable, "-m", "pytest", *flags, "-c", f"{folder}/pyproject.toml", copy]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.stdout


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.house.shape", description="Measure a checkout.")
    parser.add_argument("folder", nargs="?", default=".", type=Path)
    parser.add_argument("--moves", type=Path, help="a list of where the modules of games belong")
    parser.add_argument("--walk", action="store_true", help="let a bid walk, too")
    asked = parser.parse_args()
    for what, figure in figures(House(asked.folder, moves_in(asked.moves))).items():
        sys.stdout.write(f"{what:<22}  {figure}\n")
    if asked.walk:
        sys.stdout.write(walked(asked.folder.resolve()))


def moves_in(file: Path | None) -> dict[str, str]:
    moves = MOVE.findall(file.read_text("utf-8")) if file else []
    return {old.replace("/", "."): new.replace("/", ".") for old, new in moves}


if __name__ == "__main__":
    main()
