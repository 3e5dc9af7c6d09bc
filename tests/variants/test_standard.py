"""The standard game as a variant: its board as in the rule book, its start, and the words on its map."""

import pytest

from adjudication.judge import adjudicate
from adjudication.units import NEUTRAL, Unit, UnitKind
from tests.adjudication.boards import lawful_sheets
from variants.registry import find, offered

CLASSIC = find("standard")
BOARD, RULES, START = CLASSIC.ruleset.board, CLASSIC.ruleset, CLASSIC.start


def test_the_board_has_75_spaces_34_of_them_supply_centres() -> None:
    kinds = [province.kind.value for province in BOARD.provinces.values()]
    assert len(kinds) == 75
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {"sea": 19, "land": 14, "coast": 42}
    assert len(BOARD.centres) == 34


def test_every_power_starts_with_its_units_of_1901() -> None:
    assert START.turn.title == "Spring 1901"
    units = {power: " ".join(str(unit) for unit in START.units_of(power)) for power in RULES.powers}
    assert units == {
        "AUSTRIA": "A BUD A VIE F TRI",
        "ENGLAND": "A LVP F EDI F LON",
        "FRANCE": "A MAR A PAR F BRE",
        "GERMANY": "A BER A MUN F KIE",
        "ITALY": "A ROM A VEN F NAP",
        "RUSSIA": "A MOS A WAR F SEV F STP/SC",
        "TURKEY": "A CON A SMY F ANK",
    }


def test_twelve_centres_are_nobodys_and_empty() -> None:
    free = set(BOARD.centres) - set(START.centres)
    assert free == {"BEL", "BUL", "DEN", "GRE", "HOL", "NWY", "POR", "RUM", "SER", "SPA", "SWE", "TUN"}
    assert START.units_of(NEUTRAL) == ()
    assert {START.unit_at(centre) for centre in free} == {None}


def test_three_provinces_have_two_coasts() -> None:
    assert {name: province.coasts for name, province in BOARD.provinces.items() if province.coasts} == {
        "BUL": ("BUL/EC", "BUL/SC"),
        "SPA": ("SPA/NC", "SPA/SC"),
        "STP": ("STP/NC", "STP/SC"),
    }


@pytest.mark.parametrize(
    ("canal", "one_sea", "other_sea"), [("KIE", "HEL", "BAL"), ("CON", "AEG", "BLA"), ("DEN", "NTH", "BAL")]
)
def test_a_fleet_passes_from_sea_to_sea_through_a_canal(canal: str, one_sea: str, other_sea: str) -> None:
    assert BOARD.fleet[canal] >= {one_sea, other_sea}
    assert other_sea not in BOARD.fleet[one_sea]


def test_nothing_is_bid_for_and_the_year_is_played_on_into_winter() -> None:
    position = START
    for texts in ({"GERMANY": "F Kie - Den"}, {"GERMANY": "F Den H"}):
        position = adjudicate(position, lawful_sheets(position, texts, RULES), RULES).public.next
    assert position.turn.code == "W1901A"
    assert position.centres["DEN"] == "GERMANY"
    assert position.unit_at("DEN") == Unit("GERMANY", UnitKind.FLEET, "DEN")


def test_the_demonstration_plays_1926_because_it_is_offered_first() -> None:
    assert [variant.slug for variant in offered()[:1]] == ["1926"]
