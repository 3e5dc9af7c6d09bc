"""Locarno's board, as its published list and notes describe it, and the start. The rules are those of 1926."""

import re
from collections import Counter

import pytest

from adjudication.judge import adjudicate, put_in_civil_disorder
from adjudication.legality import order_refusal
from adjudication.notation import parse_order, read_sheet
from adjudication.options import bid_options
from adjudication.position import Position
from adjudication.reasons import Reason
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, Unit, UnitKind
from variants.registry import find

LOCARNO = find("locarno")
BOARD, RULES, START = LOCARNO.ruleset.board, LOCARNO.ruleset, LOCARNO.start

LIST = """
Alb Ale Alg Ank Arc Arm Aus Aze Bei Bel Ber Bre Bul Bur Bye Col Cze Den Dob EPr Edi Egy Est Fin Gas Gdy Gib GPo
Gre Hun Ice Ira Ire Ist Izm Kaz Kie Kon Kra Kur Kuw Lat Len Lit Liv Lon Mar Mil Mor Mos Mun Nap Net Nwy Pal Par
Per Pic Pie Pom Por Rhi Rom Rum SAr Sax Sib Sic Sil Slo SAl Spa Sta Sue Swe Swi Syr Tri Tun Ukr Ven Vol Wal War
Yor Yug ADR AEG ARA BAL BLA CAS EAS
"""
STARS = """
Alg Ank Aus Bei Bel Ber Bre Bul Col Cze Den Edi Egy Fin Gdy Gre Hun Ira Ist Izm Kie Kra Lat Len Lit Liv Lon Mar
Mil Mor Mos Mun Nap Net Nwy Par Per Por Rom Rum Spa Sta Swe Swi Tri War Yug
"""
LISTED, STARRED = LIST.split(), STARS.upper().split()
IN_THE_NOTES = {
    "ACW": "African Coastal Waters",
    "DOD": "Dodecanese",
    "GOB": "Gulf of Bothnia",
    "GOD": "Gulf of Danzig",
    "IND": "Indian Ocean",
    "ION": "Ionian Sea",
    "IRI": "Irish Sea",
    "MAO": "Mid-Atlantic Ocean",
    "NAO": "North Atlantic Ocean",
}
FROM_1926 = {"ENG", "GOL", "HEL", "LCW", "NTH", "NRG", "SKA", "TYS", "WES"}


def standing(turn: str, power: str, *texts: str) -> Position:
    """A position with only these units, and none of minor powers."""
    units = tuple(Unit(power, UnitKind(text[0]), text[2:]) for text in texts)
    return Position(turn=Turn.from_code(turn), units=units, centres=START.centres, memory=START.memory)


def may(power: str, text: str, before: Position) -> bool:
    return order_refusal(parse_order(text, before, RULES), power, Situation(before, RULES)) is None


def near(here: str) -> set[str]:
    return set(BOARD.fleet.get(here, ())) | set(BOARD.army.get(here, ()))


# The spaces.


def test_the_93_spaces_of_the_list_are_on_the_board_with_their_abbreviations() -> None:
    assert len(LISTED) == len(set(LISTED)) == 93
    assert {BOARD.provinces[name.upper()].abbr for name in LISTED} == set(LISTED)


def test_the_list_is_completed_by_the_notes_and_by_the_seas_of_1926() -> None:
    added = set(BOARD.provinces) - {name.upper() for name in LISTED}
    assert added == set(IN_THE_NOTES) | FROM_1926
    assert {key: BOARD.provinces[key].name for key in IN_THE_NOTES} == IN_THE_NOTES
    sister = find("1926").ruleset.board.provinces
    assert {BOARD.provinces[key].name for key in FROM_1926} == {sister[key].name for key in FROM_1926}


def test_names_are_spelled_as_in_the_list_and_read_as_players_write_them() -> None:
    names = {BOARD.provinces[key].name for key in ("ALE", "CZE", "IST", "KRA", "KUW", "COL", "VEN", "RUM", "SKA")}
    assert names == {
        "Alexandrette",
        "Czechya",
        "Istambul",
        "Krakow",
        "Kuweit",
        "Cologne",
        "Venetia",
        "Rumania",
        "Skaggerak",
    }
    order = parse_order("A Munich - Czechia", START, RULES)
    assert order == parse_order("A Mun - Cze", START, RULES)


def test_the_47_starred_spaces_and_suez_are_supply_centres() -> None:
    assert len(STARRED) == 47
    assert set(BOARD.centres) == {*STARRED, "SUE"}


# The notes on the map.


@pytest.mark.parametrize("land", ["GIB", "DOD"])
def test_gibraltar_and_the_dodecanese_are_sea_spaces_that_contain_land(land: str) -> None:
    assert BOARD.provinces[land].kind.value == "island"


@pytest.mark.parametrize(("island", "shore"), [("GIB", "SPA"), ("DOD", "IZM")])
def test_armies_walk_between_gibraltar_and_spain_and_between_the_dodecanese_and_izmir(island: str, shore: str) -> None:
    for here, there in ((island, shore), (shore, island)):
        before = standing("S1926M", "BRITAIN", f"A {here}")
        assert may("BRITAIN", f"A {here} - {there}", before)
    assert BOARD.army[island] == {shore}


@pytest.mark.parametrize("sailing", ["A MOR - SPA", "A SPA - MOR"])
def test_a_fleet_stationed_in_gibraltar_can_convoy_an_army(sailing: str) -> None:
    before = standing("S1926M", "BRITAIN", sailing[:5], "F GIB")
    reading = read_sheet(f"{sailing} via\nF Gib C {sailing}", "BRITAIN", before, RULES)
    assert reading.problems == ()
    after = adjudicate(before, {"BRITAIN": reading.sheet}, RULES).public.next
    assert after.unit_at(sailing[-3:]) == Unit("BRITAIN", UnitKind.ARMY, sailing[-3:])


def test_a_fleet_in_the_dodecanese_is_at_sea_but_all_its_seas_touch_izmir_so_it_only_lengthens_routes() -> None:
    before = standing("S1926M", "TURKEY", "A IZM", "F DOD", "F AEG")
    refusal = order_refusal(parse_order("F Dod C A Izm - Gre", before, RULES), "TURKEY", Situation(before, RULES))
    assert refusal is not None
    assert refusal.reason is Reason.CONVOY_OUTSIDE_ROUTE
    assert BOARD.fleet["DOD"] - {"IZM"} <= BOARD.fleet["IZM"]


def test_gibraltar_parts_the_southern_coast_of_spain_and_morocco_has_one_coast() -> None:
    assert BOARD.provinces["SPA"].coasts == ("SPA/NC", "SPA/SC", "SPA/WC")
    assert BOARD.fleet["GIB"] >= {"SPA/SC", "SPA/WC"}
    assert "SPA/SC" not in BOARD.fleet["SPA/WC"]
    assert BOARD.provinces["MOR"].coasts == ()


@pytest.mark.parametrize(
    ("canal", "one_sea", "other_sea"),
    [("KIE", "HEL", "BAL"), ("SUE", "LCW", "ARA"), ("DEN", "NTH", "BAL"), ("IST", "AEG", "BLA")],
)
def test_kiel_suez_denmark_and_istambul_are_canal_provinces_with_one_coast(
    canal: str, one_sea: str, other_sea: str
) -> None:
    assert BOARD.fleet[canal] >= {one_sea, other_sea}
    assert BOARD.provinces[canal].coasts == ()
    assert other_sea not in BOARD.fleet[one_sea]


def test_the_arabian_sea_and_the_african_coastal_waters_are_adjacent() -> None:
    assert "ACW" in BOARD.fleet["ARA"]
    assert BOARD.fleet["SUE"] >= {"ACW", "ARA"}


def test_the_bands_along_the_edge_bear_the_names_of_their_seas() -> None:
    """On a map of 1600 by 1240."""
    labels = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([A-Z]{3})<', LOCARNO.art.writing)
    assert Counter(sea for x, y, sea in labels if float(x) < 25 or float(y) > 1230) == {"ACW": 3, "ARA": 2, "IND": 1}


def test_armies_and_fleets_cross_the_straits_of_messina() -> None:
    assert "NAP" in BOARD.army["SIC"]
    assert "NAP" in BOARD.fleet["SIC"]


@pytest.mark.parametrize(
    "around",
    [
        ("EDI", "IRE", "NAO", "IRI"),
        ("GIB", "MOR", "MAO", "IND"),
        ("GRE", "AEG", "EAS", "ION"),
        ("SWE", "GOB", "GOD", "BAL"),
    ],
)
def test_four_spaces_that_meet_all_border_each_other(around: tuple[str, ...]) -> None:
    for here in around:
        assert set(around) - {here} <= near(here)


def test_western_germany_is_four_provinces_on_this_board() -> None:
    assert BOARD.army["SAX"] == {"BER", "COL", "CZE", "KIE", "MUN", "RHI", "SIL"}
    assert BOARD.army["COL"] == {"BEL", "KIE", "NET", "RHI", "SAX"}
    assert "CZE" not in BOARD.army["BER"]


# The start, and the shared rules.


def test_every_power_starts_with_its_units() -> None:
    assert START.turn.title == "Spring 1926"
    units = {power: " ".join(str(unit) for unit in START.units_of(power)) for power in RULES.powers}
    assert units == {
        "BRITAIN": "F EDI F GIB F LON F SUE",
        "FRANCE": "A ALG A BEI A MAR A PAR F BRE",
        "GERMANY": "A BER A COL A MUN F KIE",
        "ITALY": "A MIL A ROM F NAP F TRI",
        "POLAND": "A KRA A WAR F GDY",
        "SOVIET_UNION": "A MOS A STA F LEN",
        "TURKEY": "A ANK A IST F IZM",
    }
    assert START.unit_at("LIV") is None


def test_twenty_two_minors_have_one_unit_each_and_six_of_them_a_fleet() -> None:
    minors = START.units_of(NEUTRAL)
    assert len(minors) == 22
    fleets = {unit.location for unit in minors if unit.kind is UnitKind.FLEET}
    assert fleets == {"DEN", "GRE", "NET", "NWY", "POR", "SWE"}
    assert {unit.location for unit in minors} == set(BOARD.centres) - set(START.centres)


@pytest.mark.parametrize(
    ("power", "colony"), [("FRANCE", "ALG"), ("FRANCE", "BEI"), ("ITALY", "TRI"), ("BRITAIN", "SUE")]
)
def test_colonial_centres_are_controlled_from_the_start_and_never_build(power: str, colony: str) -> None:
    assert START.centres[colony] == power
    winter = standing("W1926A", power)
    assert not may(power, f"Build A {colony}", winter)
    assert all(may(power, f"Build A {home}", winter) for home in RULES.homes[power])


def test_germany_builds_in_four_homes() -> None:
    assert RULES.homes["GERMANY"] == ("BER", "COL", "KIE", "MUN")


def test_minors_are_bid_for_and_a_power_that_is_given_up_becomes_minors() -> None:
    assert len(bid_options(START, RULES)) == 22
    after, _ = put_in_civil_disorder(START, "GERMANY", RULES)
    for home in ("BER", "COL", "KIE", "MUN"):
        assert after.unit_at(home) == Unit(NEUTRAL, UnitKind.ARMY, home)


def test_the_rules_page_lists_every_space_that_the_published_list_lacks() -> None:
    _, _, completed = LOCARNO.rules_text.partition("## What we completed and invented")
    added = [BOARD.provinces[key] for key in {*IN_THE_NOTES, *FROM_1926}]
    assert [each.name for each in added if f"{each.name} ({each.abbr})" not in completed] == []
