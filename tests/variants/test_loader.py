"""Reading a variant's files: what games pin, and what is refused."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from adjudication.units import UnitKind, may_stand
from variants import by_slug
from variants.drawing import draw_board
from variants.loader import BOARD_FILES, Sources, load
from variants.rulebook import VARIANTS, BrokenVariant, spaces
from variants.signs import UnitMark
from variants.standard.rules import rules as standard
from variants.variant import Variant
from variants.y1926.rules import rules

TEXTS: Mapping[str, str] = Sources.read("y1926").texts
CAMPS = """
board = "y1926"
[camps.BU1]
within = "BUL"
name = "Bulgaria (first camp)"
"""


def digest(**changed: tuple[str, str]) -> str:
    """The digest after replacing one text by another in these files, which are named without their extension."""
    texts = dict(TEXTS)
    for name in TEXTS:
        old, new = changed.get(Path(name).stem, ("", ""))
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new, 1) if old else texts[name]
    return Sources("y1926", texts).digest


def test_the_digest_changes_with_the_board_and_with_the_rules() -> None:
    digests = {
        digest(),
        digest(board=('"kind": "land"', '"kind": "coast"')),
        digest(variant=('"F EDI"', '"A EDI"')),
        digest(variant=("most_per_turn = 3", "most_per_turn = 4")),
    }
    assert len(digests) == 4


def test_the_digest_stays_when_the_map_is_drawn_better_or_a_rule_is_said_clearer() -> None:
    assert (
        digest(map=("<path", "<path "), rules=("# 1926", "# The year 1926"), variant=("Seven powers", "7")) == digest()
    )


def lay(variants: Path, folder: str, texts: Mapping[str, str], **changed: tuple[str, str]) -> None:
    """Add a variant's folder, with one text replaced by another in these files, which are named without their
    extension."""
    (variants / folder).mkdir()
    for name, text in texts.items():
        old, new = changed.get(Path(name).stem, ("", ""))
        assert old in text
        (variants / folder / name).write_text(text.replace(old, new, 1) if old else text, encoding="utf-8")


def test_a_board_that_does_not_count_as_declared_is_refused(tmp_path: Path) -> None:
    lay(tmp_path, "atlantis", TEXTS, variant=("centres = 47", "centres = 46"))
    with pytest.raises(BrokenVariant, match="atlantis: 47 centres on the board, 46 declared"):
        load("atlantis", rules, tmp_path)


def test_a_border_listed_one_way_only_is_refused(tmp_path: Path) -> None:
    lay(tmp_path, "atlantis", TEXTS, board=('"ALB": [\n   "GRE",\n', '"ALB": [\n'))
    with pytest.raises(BrokenVariant, match="atlantis: The army border GRE-ALB is listed one way only"):
        load("atlantis", rules, tmp_path)


# A board that several variants share.


def playing(folder: str, variants: Path) -> Variant:
    """One of our variants under standard rules and without a rules text, added to `variants`."""
    facts = (VARIANTS / folder / "variant.toml").read_text(encoding="utf-8")
    (variants / folder).mkdir()
    (variants / folder / "variant.toml").write_text(facts, encoding="utf-8")
    (variants / folder / "rules.md").write_text("", encoding="utf-8")
    for file in BOARD_FILES:
        if (VARIANTS / folder / file).exists():
            (variants / folder / file).write_bytes((VARIANTS / folder / file).read_bytes())
    return load(folder, standard, variants)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("variants")


@pytest.fixture(scope="module")
def two(folder: Path) -> Variant:
    return playing("balkan", folder)


@pytest.fixture(scope="module")
def three(two: Variant, folder: Path) -> Variant:
    return playing("balkan_three", folder)


def test_a_variant_may_play_on_the_board_of_another(two: Variant, three: Variant) -> None:
    assert three.art.pieces == two.art.pieces
    assert spaces(three.ruleset.board) == tuple(two.ruleset.board.provinces)


def test_the_digest_covers_the_board_that_is_borrowed_whatever_its_folder_is_called(tmp_path: Path) -> None:
    for name in ("atlantis", "lemuria"):
        lay(tmp_path, name, TEXTS)
    lay(tmp_path, "mu", TEXTS, board=('"kind": "land"', '"kind": "coast"'))
    own = TEXTS["variant.toml"]

    def borrowing(folder: str) -> str:
        text = own.replace("[counts]", f'board = "{folder}"\n[counts]', 1)
        return Sources("guest", {**Sources.read(folder, tmp_path).texts, "variant.toml": text}).digest

    assert borrowing("atlantis") == borrowing("lemuria") == digest()
    assert borrowing("mu") != digest()


# Camps.


def test_the_powers_of_the_three_way_game_stand_in_three_camps_within_bulgaria(three: Variant) -> None:
    provinces = three.ruleset.board.provinces
    assert [(unit.power, unit.location) for unit in three.start.units] == [
        ("AUSTRIA", "BU1"),
        ("RUSSIA", "BU2"),
        ("TURKEY", "BU3"),
    ]
    assert {provinces[camp].within for camp in ("BU1", "BU2", "BU3")} == {"BUL"}
    assert provinces["BU2"].name == "Bulgaria (Russian camp)"


@pytest.mark.parametrize("camp", ["BU1", "BU2", "BU3"])
def test_ways_lead_out_of_a_camp_as_out_of_bulgaria_and_none_leads_in(camp: str, three: Variant) -> None:
    board = three.ruleset.board
    assert board.army[camp] == board.army["BUL"]
    assert board.fleet[f"{camp}/EC"] == board.fleet["BUL/EC"]
    assert board.fleet[f"{camp}/SC"] == board.fleet["BUL/SC"]
    assert [here for here, near in {**board.army, **board.fleet}.items() if camp in {n[:3] for n in near}] == []
    assert all(may_stand(UnitKind.FLEET, f"{camp}/{coast}", board) for coast in ("EC", "SC"))


def test_a_camp_is_neither_a_space_nor_a_centre(three: Variant) -> None:
    board = three.ruleset.board
    assert len(spaces(board)) == 27
    assert len(board.centres) == 14
    assert not set(board.centres) & {"BU1", "BU2", "BU3"}


@pytest.mark.parametrize("coast", ["", "/EC", "/SC"])
def test_three_units_in_one_province_are_seen_side_by_side(coast: str, three: Variant) -> None:
    at = [three.art.places[f"BU{number}{coast}"] for number in (1, 2, 3)]
    assert at[0] == three.art.places[f"BUL{coast}"]
    assert all(abs(a[0] - b[0]) >= 27 or abs(a[1] - b[1]) >= 20 for i, a in enumerate(at) for b in at[i + 1 :])
    kind = "F" if coast else "A"
    marks = [UnitMark(kind, f"BU{number}{coast}", "1", "A", f"unit {number}") for number in (1, 2, 3)]
    assert all(f"unit {number}" in draw_board(three.art, {}, marks) for number in (1, 2, 3))


def camped(tmp_path: Path, old: str, new: str) -> None:
    text = CAMPS.replace(old, new)
    lay(tmp_path, "y1926", TEXTS)
    lay(tmp_path, "guest", TEXTS, variant=("\n[counts]", f"{text}\n[counts]"))
    load("guest", rules, tmp_path)


def test_a_camp_in_a_province_that_is_not_on_the_board_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenVariant, match="guest: The camp BU1 lies within ATL, which is not on the board"):
        camped(tmp_path, '"BUL"', '"ATL"')


def test_a_camp_with_the_id_of_a_province_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenVariant, match="guest: The camp BER has the id of a province"):
        camped(tmp_path, "camps.BU1", "camps.BER")


def test_more_camps_than_the_map_has_places_for_are_refused(tmp_path: Path) -> None:
    second = CAMPS.partition("\n[")[2].replace("BU1", "BU2")
    with pytest.raises(BrokenVariant, match="guest: The map has 1 unit places in BUL, too few for its camps"):
        camped(tmp_path, 'first camp)"', f'first camp)"\n[{second}')


BEGUN_WITH = {
    "1926": "cf090ce139206fda",
    "ambition-and-empire": "7ed8c856a84e66ac",
    "balkan-battle": "023d326d5c025e77",
    "collapse-of-the-dual-empire@1.0": "2ed4e81ec0ca018b",
    "collapse-of-the-dual-empire": "8c574a963d4e3b24",
    "corridor": "6a48675d9dd83577",
    "formal-diplomacy": "bba3a8d42caa84c3",
    "locarno": "00f098dd5dcd9b4c",
    "standard": "8ff121e0bbb83602",
    "the-sound": "e9f88139f25700ae",
    "three-way-balkan-battle": "27e12e8fe74e0a07",
}
"""The beginnings of the digests. A game that has begun goes on only while its board's digest stays the same."""


@pytest.mark.parametrize("ref", BEGUN_WITH)
def test_games_that_have_begun_play_on(ref: str) -> None:
    variant = by_slug.load(ref)
    assert variant.digest.startswith(BEGUN_WITH[ref])
    assert by_slug.find(variant.slug, variant.digest) is variant
