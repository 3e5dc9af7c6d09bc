import dataclasses

import pytest

from adjudication.board import Board, BoardError, Province, ProvinceKind, province_of
from tests.adjudication.boards import BOARD, FACTS


def test_the_standard_board_counts_what_is_declared() -> None:
    counts = FACTS["counts"]
    fleet = {frozenset((here, there)) for here, near in BOARD.fleet.items() for there in near}
    army = {frozenset((here, there)) for here, near in BOARD.army.items() for there in near}
    assert len(BOARD.provinces) == counts["spaces"]
    assert len(BOARD.centres) == counts["centres"]
    assert len(army) == counts["army_borders"]
    assert len(fleet) == counts["fleet_borders"]
    assert len(BOARD.locations) == counts["spaces"] + 6


def test_coasts_are_locations_of_their_province() -> None:
    assert BOARD.provinces["SPA"].coasts == ("SPA/NC", "SPA/SC")
    assert province_of("SPA/NC") == "SPA"
    assert BOARD.name("SPA/NC") == "Spain (nc)"
    assert BOARD.fleet_locations("STP") == ("STP/NC", "STP/SC")
    assert BOARD.fleet_locations("KIE") == ("KIE",)


def test_every_name_and_alias_means_one_province() -> None:
    owner: dict[str, str] = {}
    for province in BOARD.provinces.values():
        for name in {province.name, province.abbr, *province.aliases}:
            assert owner.setdefault(name.casefold(), province.id) == province.id


def small(**changes: object) -> Board:
    provinces = {
        "AAA": Province("AAA", "Alpha", "Aaa", ProvinceKind.LAND),
        "BBB": Province("BBB", "Beta", "Bbb", ProvinceKind.COAST, coasts=("BBB/NC", "BBB/SC")),
        "CCC": Province("CCC", "Gamma Sea", "CCC", ProvinceKind.SEA),
    }
    facts: dict[str, object] = {
        "provinces": provinces,
        "army": {"AAA": frozenset({"BBB"}), "BBB": frozenset({"AAA"})},
        "fleet": {"BBB/NC": frozenset({"CCC"}), "CCC": frozenset({"BBB/NC"})},
    }
    return Board(**{**facts, **changes})  # type: ignore[arg-type]


def test_a_sound_board_is_accepted_and_cannot_be_changed() -> None:
    board = small()
    assert board.locations == ("AAA", "BBB", "BBB/NC", "BBB/SC", "CCC")
    with pytest.raises(dataclasses.FrozenInstanceError):
        board.centres = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"army": {"AAA": frozenset({"BBB"})}}, "The army border AAA-BBB is listed one way only."),
        ({"army": {"XXX": frozenset()}}, "Borders are listed for XXX, which is not on the board."),
        ({"army": {"CCC": frozenset()}}, "An army cannot be in CCC."),
        ({"fleet": {"AAA": frozenset()}}, "A fleet cannot be in AAA."),
        ({"fleet": {"BBB": frozenset()}}, "The fleet borders of BBB must name its coasts."),
        ({"ambiguous": {"Al": ("AAA", "XXX")}}, "The name Al could mean a province that is not on the board."),
    ],
)
def test_facts_that_contradict_each_other_are_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(BoardError, match=sentence):
        small(**changes)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(BoardError, match="Unknown board format 2"):
        Board.from_json({"format": 2})
