"""The engine as a package: what its documents say is so, and what the wheel holds."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import adjudication
import variants

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, WHEEL = PYPROJECT["project"], PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
PACKAGES = WHEEL["packages"]
NOT_PACKED = {".pyc", ".html"}


@pytest.mark.parametrize("document", ["README.md", "REFERENCE.md"])
def test_every_example_of_a_document_gives_what_it_says(document: str) -> None:
    failed, tried = doctest.testfile(
        str(ROOT / "variants" / document), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert tried > 10
    assert not failed


@pytest.mark.parametrize("module", [adjudication, variants])
def test_the_reference_explains_every_public_word(module: ModuleType) -> None:
    reference = (ROOT / "variants" / "REFERENCE.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"`(\w+)[^`]*`", reference))
    assert set(module.__all__) - explained == set()
    assert module.__all__ == sorted(module.__all__, key=lambda name: (not name.isupper(), name[0].islower(), name))
    assert all(hasattr(module, name) for name in module.__all__)


def test_the_readme_begins_with_five_lines_that_work() -> None:
    readme = (ROOT / "variants" / "README.md").read_text(encoding="utf-8")
    first = readme.split("```")[1]
    assert readme.startswith(f"# {PROJECT['name']}\n\n```python\n")
    assert len(re.findall(r"^>>> ", first, re.MULTILINE)) == 5


def test_the_newest_entry_of_the_changelog_is_the_version() -> None:
    changelog = (ROOT / "variants" / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", changelog, re.MULTILINE)[0] == PROJECT["version"] == variants.__version__


def test_the_package_needs_nothing_else() -> None:
    assert PROJECT["dependencies"] == []
    assert [*PROJECT["optional-dependencies"]] == ["maps"]


SCRIPT = """
import sys, variants
assert not any("site-packages" in place for place in sys.path), sys.path
game = variants.Game("1926")
assert "A MUN - CZE" in game.lawful("GERMANY")["MUN"]
result = game.push({power: game.bot(power, level="easy", seed=1) for power in game.deciding})
assert game.turn != "S1926M" and len(result.outcomes) > 20, game.turn
print(game.svg())
"""


def test_the_package_alone_judges_lists_orders_plays_and_draws(tmp_path: Path) -> None:
    """Laid out as in the wheel, away from the project, in a Python without any other package."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.pyc"))
    for source, target in WHEEL["force-include"].items():
        shutil.copy(ROOT / source, tmp_path / target)
    bare = f"import sys; sys.path.insert(0, {str(tmp_path)!r}){SCRIPT}"
    run = subprocess.run([sys.executable, "-I", "-S", "-c", bare], capture_output=True, text=True, check=False)
    assert (run.stderr, run.stdout.count("<svg"), ".board .coast" in run.stdout) == ("", 1, True)


@pytest.mark.skipif(find_spec("hatchling") is None, reason="hatchling, which builds the wheel, is not installed")
def test_the_wheel_holds_both_packages_whole_and_nothing_of_the_site(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, check=True, cwd=ROOT, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    ours = {file for package in PACKAGES for file in (ROOT / package).rglob("*") if file.is_file()}
    wanted = {str(file.relative_to(ROOT)) for file in ours if file.suffix not in NOT_PACKED}
    assert held == {*wanted, *WHEEL["force-include"].values()}
    assert {"adjudication/py.typed", "variants/standard/map.svg", "variants/research/first_steps.ipynb"} <= held
