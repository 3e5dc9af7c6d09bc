"""A variant has versions: its folder holds the newest, and what games of earlier ones need."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING

import pytest

from tests.variants.versions import corridor_with_two_versions, forget_versions, new_version, sound_with_two_versions
from variants import by_slug
from variants.__main__ import main
from variants.commands.check import check_variant
from variants.game import Game
from variants.registry import find, offered, teaching
from variants.rulebook import VARIANTS
from variants.rulebooks import FOLDERS, UnknownVariant
from variants.travel import read_games

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def faults(folder: Path) -> str:
    return "\n".join(fault for check in check_variant(folder.name, folder.parent) for fault in check.faults)


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    forget_versions()


@pytest.fixture
def corridor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return corridor_with_two_versions(tmp_path, monkeypatch)


@pytest.mark.parametrize("variant", [*offered(), *teaching()], ids=lambda variant: variant.slug)
def test_a_released_version_is_what_it_was(variant: object) -> None:
    slug = getattr(variant, "slug", "")
    digest = (VARIANTS / FOLDERS[slug].folder / "digest").read_text("utf-8").strip()
    assert find(slug).digest == digest


def test_a_version_is_found_by_number_and_by_digest(corridor: Path) -> None:
    newest, earlier = by_slug.load("corridor"), by_slug.load("corridor@1.0")
    assert (newest.version, newest.ref, earlier.version, earlier.ref) == ("1.1", "corridor", "1.0", "corridor@1.0")
    assert find("corridor", earlier.digest) is earlier
    assert find("corridor", newest.digest) is newest
    assert find("corridor", "of no version") is newest
    assert {*earlier.ruleset.board.centres} ^ {*newest.ruleset.board.centres} == {"ISL"}
    with pytest.raises(UnknownVariant, match=r"no version 0\.9 of corridor; there are: 1\.0"):
        by_slug.load("corridor@0.9")
    assert not faults(corridor)


def test_a_version_has_only_the_files_in_which_it_differs(corridor: Path) -> None:
    kept = corridor / "versions" / "1.0"
    assert {file.name for file in kept.iterdir()} == {"board.json", "digest", "examples.toml", "variant.toml"}


def test_a_third_version_leaves_the_first_as_it_was(corridor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    digest = by_slug.load("corridor@1.0").digest
    assert main(["release", str(corridor), "1.2"]) == 0
    rules = corridor / "variant.toml"
    rules.write_text(rules.read_text("utf-8").replace('"F WES"', '"A WES"', 1), "utf-8")
    forget_versions()
    assert by_slug.load("corridor@1.0").digest == digest
    assert by_slug.load("corridor@1.1").version == "1.1"


@pytest.mark.parametrize("version", ["1.0", "1.1", "one", "1.", ""])
def test_the_next_version_has_a_new_number(corridor: Path, version: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(map(str, corridor.rglob("*")))
    code = main(["release", str(corridor), *([version] if version else [])])
    said = capsys.readouterr()
    assert (code, "new number" in said.err) == ((2, True) if version else (0, False))
    assert sorted(map(str, corridor.rglob("*"))) == before


def test_release_says_what_differs(corridor: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["release", str(corridor)]) == 0
    assert capsys.readouterr().out.splitlines() == ["1.1 after 1.0:", "    No longer supply centres: Gull Isle."]


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        ("variant.toml", 'title = "', 'title = "The ', ""),
        ("variant.toml", "format = 1", 'format = 1\npress = "public"', ""),
        ("rules.md", "# ", "# The ", ""),
        ("map.svg", "<svg ", "<svg  ", ""),
        ("variant.toml", 'first_turn = "S', 'first_turn = "F', "version 1.1 was released with another board"),
        ("versions/1.0/board.json", '"centre": true', '"centre": false', "1.0"),
    ],
    ids=["title", "press", "rules", "drawing", "first turn", "an earlier board"],
)
def test_what_decides_results_makes_another_version_and_nothing_else_does(
    corridor: Path, file: str, old: str, new: str, fault: str
) -> None:
    path = corridor / file
    text = path.read_text("utf-8")
    if file.endswith(".json"):
        board = json.loads(text)
        next(it for it in board["provinces"].values() if it["centre"])["centre"] = False
        path.write_text(json.dumps(board), "utf-8")
    else:
        assert old in text
        path.write_text(text.replace(old, new, 1), "utf-8")
    found = faults(corridor)
    assert fault in found
    assert bool(found) == bool(fault)


def test_a_game_is_saved_read_and_copied_with_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sound_with_two_versions(tmp_path, monkeypatch)
    played = Game("the-sound@1.0")
    played.push({})
    played.save(tmp_path / "played.json", "record")
    for again in (Game.load(tmp_path / "played.json"), pickle.loads(pickle.dumps(played))):  # noqa: S301 - our own
        assert again.variant.ref == "the-sound@1.0"
        assert again.position == played.position
    text = (tmp_path / "played.json").read_text("utf-8")
    assert [game.heading.variant.version for game in read_games(text, "")] == ["1.0"]


def test_other_powers_are_another_variant(corridor: Path) -> None:
    text = (corridor / "variant.toml").read_text("utf-8")
    (corridor / "variant.toml").write_text(text.replace("WESTLAND", "WEST"), "utf-8")
    (corridor / "examples.toml").write_text("", "utf-8")
    assert "1.0 has other powers. That is another variant: give it a folder and a slug of its own." in faults(corridor)


def test_a_board_in_use_elsewhere_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new_version("balkan", tmp_path, "1.1", also=("balkan_three",))
    assert "balkan_three plays on this board" in capsys.readouterr().out
