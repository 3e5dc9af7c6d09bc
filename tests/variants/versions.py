"""A variant in a folder of its own that gets a second version."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

from variants import by_slug
from variants.__main__ import main
from variants.rulebook import VARIANTS, rules_in
from variants.rulebooks import FOLDERS, Home

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

CAN_BE_KEPT = shutil.ignore_patterns("__pycache__")


def new_version(folder: str, where: Path, version: str, also: tuple[str, ...] = ()) -> Path:
    """A copy of one of our folders, with others beside it, in which this version begins."""
    for name in (folder, *also):
        shutil.copytree(VARIANTS / name, where / name, ignore=CAN_BE_KEPT)
    assert main(["release", str(where / folder), version]) == 0
    return where / folder


def corridor_with_two_versions(where: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The board to learn on, whose version 1.1 has one centre less. Until the test ends it is found there."""

    def change(folder: Path) -> None:
        board = json.loads((folder / "board.json").read_text("utf-8"))
        board["provinces"]["ISL"]["centre"] = False
        (folder / "board.json").write_text(json.dumps(board), "utf-8")
        rewrite(folder, "centres = 7", "centres = 6")

    return _with_two_versions("corridor", where, monkeypatch, change)


def sound_with_two_versions(where: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The Sound, in whose version 1.1 Stockholm has a fleet at the start, and Sweden wins with one centre less."""

    def change(folder: Path) -> None:
        rewrite(folder, '"A STO"', '"F STO"')
        rewrite(folder, "[victory]\ncentres = 7", "[victory]\ncentres = 6")

    return _with_two_versions("sound", where, monkeypatch, change)


def _with_two_versions(name: str, where: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]) -> Path:
    folder = new_version(name, where, "1.1")
    change(folder)
    first, *examples = (folder / "examples.toml").read_text("utf-8").split("[[example]]")
    (folder / "examples.toml").write_text("[[example]]".join([first, *examples[:2]]), "utf-8")
    assert main(["release", str(folder)]) == 0
    slug = next(slug for slug, home in FOLDERS.items() if home.folder == name)
    monkeypatch.setitem(FOLDERS, slug, Home(name, rules_in(name, where), where))
    forget_versions()
    return folder


def rewrite(folder: Path, old: str, new: str) -> None:
    text = (folder / "variant.toml").read_text("utf-8")
    assert old in text
    (folder / "variant.toml").write_text(text.replace(old, new), "utf-8")


def forget_versions() -> None:
    by_slug.load.cache_clear()
    by_slug.versions_by_digest.cache_clear()
