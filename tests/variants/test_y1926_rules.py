"""1926 beyond its examples: the notes on the board, minor powers, points, civil disorder and the end of the game."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from adjudication.auction import budget
from adjudication.board import ProvinceKind
from adjudication.judge import adjudicate, put_in_civil_disorder, resolve
from adjudication.legality import order_refusal
from adjudication.notation import parse_order, read_sheet, write_order
from adjudication.options import bid_options, must_decide
from adjudication.orders import OrderSheet, Retreat, Support
from adjudication.position import Dislodged, Position
from adjudication.resolution import OrderResult, Public
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, Unit, UnitKind
from tests.adjudication.boards import lawful_sheets
from variants.registry import find
from variants.variant import Variant
from variants.words import say

V1926 = find("1926")
BOARD, RULES, START = V1926.ruleset.board, V1926.ruleset, V1926.start
LIST = """
Alb Albania, Ale Alexandretta, Alg Algiers*, Ank Ankara*, Arc Archangel, Aus Austria*, Aze Azerbaijan, Bei Beirut*,
Bel Belgium*, Ber Berlin*, Bre Brest*, Bul Bulgaria*, Bur Burgundy, Bye Byelorussia, Cra Cracow*, Cze Czechia*, Den
Denmark*, Dob Dobruja, Dod Dodecanese, EAn Eastern Anatolia, EPr East Prussia, Edi Edinburgh*, Egy Egypt*, Est
Estonia, Fin Finland*, Gas Gascony, Gdy Gdynia*, Geo Georgia, Gib Gibraltar, GPo Greater Poland, Gre Greece*, Ham
Hamburg*, Hun Hungary*, Ice Iceland, Ira Iraq*, Ire Ireland, Ist Istanbul*, Izm Izmir*, Kaz Kazakhstan, Kon Konya,
Kur Kurdistan, Kuw Kuweit, Lat Latvia*, Len Leningrad*, Lit Lithuania*, Liv Liverpool*, Lon London*, Mar Marseille*,
Mil Milan*, Mor Morocco*, Mos Moscow*, Mun Munich*, Nap Naples*, Net Netherlands*, Nwy Norway*, Pal Palestine, Par
Paris*, Per Persia*, Pic Picardy, Pie Piedmont, Pom Pomerania, Por Portugal*, Rhi Rhineland, Rom Rome*, Rum
Rumania*, Srd Sardinia, SAr Saudi Arabia, Sib Siberia, Sic Sicily, Sil Silesia, Slo Slovakia, SAl Southern Algeria,
Spa Spain*, Sta Stalingrad*, Sue Suez, Swe Sweden*, Swi Switzerland*, Syr Syria, Tre Trentino, Tri Tripoli*, Tun
Tunisia, Ukr Ukraine, Vol Volhynia, Wal Wales, War Warsaw*, Yor Yorkshire, Yug Yugoslavia*, ADR Adriatic Sea, AEG
Aegean Sea, ARA Arabian Sea, ATO Atlantic Ocean, BAL Baltic Sea, BOB Bay of Biscay, BLA Black Sea, CAS Caspian Sea,
EAS Eastern Mediterranean, ENG English Channel, GOB Gulf of Bothnia, GOD Gulf of Danzig, GOL Gulf of Lion, HEL
Helgoland Bight, ION Ionian Sea, IRI Irish Sea, LCW Levantine Coastal Waters, NTH North Sea, NRG Norwegian Sea, SKA
Skaggerak, TYS Tyrrhenian Sea, WAP Western Approaches, WES Western Mediterranean
"""
"""The published list: abbreviation and name, with an asterisk at supply centres."""


def position(
    turn: str, units: Mapping[str, str], centres: Mapping[str, str] | None = None, minors: str = ""
) -> Position:
    """A made-up position: power -> "A MUN, F HAM"; centres as at the start unless given."""
    placed = [(power, text.strip()) for power, texts in units.items() for text in texts.split(",")]
    placed += [(NEUTRAL, f"{START.memory['minors'][minor]} {minor}") for minor in minors.split()]
    return replace(
        START,
        turn=Turn.from_code(turn),
        units=tuple(Unit(power, UnitKind(text[0]), text[2:]) for power, text in placed),
        centres=START.centres if centres is None else centres,
    )


def played(before: Position, **texts: str) -> Public:
    """One phase with these orders, all of them lawful."""
    return adjudicate(before, lawful_sheets(before, texts, RULES), RULES).public


def results(public: Public) -> dict[str, tuple[OrderResult, ...]]:
    return {each.unit.location: each.results for each in public.outcomes if each.unit is not None}


def may(power: str, text: str, before: Position) -> bool:
    return order_refusal(parse_order(text, before, RULES), power, Situation(before, RULES)) is None


# The board and its notes.


def test_the_board_has_110_spaces_and_african_coastal_waters_and_47_supply_centres() -> None:
    assert len(BOARD.provinces) == 111
    assert BOARD.provinces["ACW"].name == "African Coastal Waters"
    assert BOARD.fleet["ACW"] >= {"ARA", "SUE"}
    assert len(BOARD.centres) == 47
    assert "SUE" in BOARD.centres


def test_every_space_of_the_published_list_has_its_name_abbreviation_and_asterisk() -> None:
    published = dict(line.split(" ", 1) for line in " ".join(LIST.split()).split(", "))
    assert len(published) == 110
    board = {
        province.abbr: f"{province.name}{'*' if key in BOARD.centres else ''}"
        for key, province in BOARD.provinces.items()
    }
    assert board == {**published, "ACW": "African Coastal Waters", "Sue": "Suez*"}, "D1 and D2"


def test_every_power_starts_with_its_published_units() -> None:
    assert START.turn.title == "Spring 1926"
    units = {power: " ".join(str(unit) for unit in START.units_of(power)) for power in RULES.powers}
    assert units == {
        "BRITAIN": "F EDI F GIB F LON F SUE",
        "FRANCE": "A ALG A BEI A MAR A PAR F BRE",
        "GERMANY": "A BER A MUN F HAM",
        "ITALY": "A MIL A ROM F NAP F TRI",
        "POLAND": "A CRA A WAR F GDY",
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
    "around", [("EDI", "IRE", "ATO", "IRI"), ("GRE", "AEG", "EAS", "ION"), ("SWE", "GOB", "GOD", "BAL")]
)
def test_four_spaces_that_meet_all_border_each_other(around: tuple[str, ...]) -> None:
    for here in around:
        near = BOARD.fleet.get(here, frozenset()) | BOARD.army.get(here, frozenset())
        assert set(around) - {here} <= near


def test_the_four_spaces_at_the_rock_all_border_each_other() -> None:
    assert BOARD.fleet["GIB"] >= {"MOR", "ATO", "BOB"}
    assert BOARD.fleet["MOR"] >= {"GIB", "ATO", "BOB"}
    assert "BOB" in BOARD.fleet["ATO"]


def test_an_army_walks_between_the_dodecanese_and_izmir() -> None:
    before = position("S1926M", {"TURKEY": "A IZM"})
    public = played(before, TURKEY="A Izm - Dod")
    assert public.next.unit_at("DOD") == Unit("TURKEY", UnitKind.ARMY, "DOD")
    back = played(replace(public.next, turn=before.turn), TURKEY="A Dod - Izm")
    assert back.next.unit_at("IZM") == Unit("TURKEY", UnitKind.ARMY, "IZM")


def test_an_army_walks_from_gibraltar_to_spain_but_not_to_morocco() -> None:
    before = position("S1926M", {"BRITAIN": "A GIB"})
    assert may("BRITAIN", "A Gib - Spa", before)
    assert not may("BRITAIN", "A Gib - Mor", before)


def test_a_fleet_in_gibraltar_convoys_an_army() -> None:
    before = position("S1926M", {"FRANCE": "A MOR", "BRITAIN": "F GIB"})
    public = played(before, FRANCE="A Mor - Spa", BRITAIN="F Gib C A Mor - Spa")
    assert results(public)["MOR"] == (OrderResult.SUCCEEDS,)
    assert public.next.unit_at("SPA") == Unit("FRANCE", UnitKind.ARMY, "SPA")


@pytest.mark.parametrize("variant", [V1926, find("locarno")], ids=["1926", "locarno"])
def test_an_island_says_that_no_convoy_leads_through_it_if_none_can_with_a_fleet_in_every_sea(variant: Variant) -> None:
    board = variant.ruleset.board
    fleets = [Unit("TURKEY", UnitKind.FLEET, here) for here, each in board.provinces.items() if each.kind.is_water]
    situation = Situation(replace(variant.start, units=tuple(fleets)), variant.ruleset)
    shores = [here for here, each in board.provinces.items() if each.kind.is_shore]
    convoys = {
        here: sum(situation.is_on_convoy_route(here, start, goal) for start in shores for goal in shores)
        for here, each in board.provinces.items()
        if each.kind is ProvinceKind.ISLAND
    }
    assert convoys.keys() == {"DOD", "GIB"}
    assert convoys["GIB"] > 1000
    useless = {here for here, count in convoys.items() if not count}
    assert {here: note for here, note in variant.notes.items() if here in convoys} == dict.fromkeys(
        useless, "no convoy route leads through here"
    )
    said = "A fleet in the Dodecanese can never convoy." in variant.rules_text.replace("*", "")
    assert said is ("DOD" in useless)


@pytest.mark.parametrize(
    ("canal", "one_sea", "other_sea"),
    [("HAM", "HEL", "BAL"), ("SUE", "LCW", "ARA"), ("DEN", "NTH", "BAL"), ("IST", "AEG", "BLA")],
)
def test_a_fleet_passes_from_sea_to_sea_through_a_canal(canal: str, one_sea: str, other_sea: str) -> None:
    assert BOARD.fleet[canal] >= {one_sea, other_sea}
    assert BOARD.provinces[canal].coasts == ()
    assert other_sea not in BOARD.fleet[one_sea]


def test_the_arabian_sea_and_the_african_coastal_waters_meet_and_each_touches_suez() -> None:
    assert "ACW" in BOARD.fleet["ARA"]
    assert BOARD.fleet["SUE"] >= {"ACW", "ARA"}


def test_the_bands_along_the_edge_bear_the_names_of_their_seas() -> None:
    """On a map of 1600 by 1240."""
    labels = re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([A-Z]{3})<', V1926.art.writing)
    assert Counter(sea for x, y, sea in labels if float(x) < 25 or float(y) > 1230) == {"ACW": 3, "ARA": 2}


def test_gibraltar_and_the_dodecanese_are_sea_with_land() -> None:
    assert {key for key, province in BOARD.provinces.items() if province.kind.value == "island"} == {"DOD", "GIB"}


def test_spain_has_three_coasts_and_morocco_one() -> None:
    assert BOARD.provinces["SPA"].coasts == ("SPA/NC", "SPA/SC", "SPA/WC")
    assert BOARD.provinces["MOR"].coasts == ()


def test_armies_and_fleets_cross_the_strait_of_messina() -> None:
    assert "NAP" in BOARD.army["SIC"]
    assert "NAP" in BOARD.fleet["SIC"]


# Minor powers.


def test_a_minor_supports_an_attack_on_another_minor() -> None:
    public = played(START, ITALY="A Mil - Swi\n1: A Aus S A Mil - Swi")
    assert public.next.unit_at("SWI") == Unit("ITALY", UnitKind.ARMY, "SWI")


def test_anybody_may_support_a_minor_to_hold() -> None:
    public = played(START, GERMANY="A Mun S A Swi", ITALY="A Mil - Swi\n3: A Aus S A Mil - Swi")
    assert results(public)["MIL"] == (OrderResult.FAILS,)
    assert public.next.unit_at("SWI") == Unit(NEUTRAL, UnitKind.ARMY, "SWI")


def test_a_minor_that_lost_its_unit_gets_one_of_the_same_kind_back_in_winter() -> None:
    before = position("F1926M", {"GERMANY": "A BER, A MUN, F HAM"}, minors="AUS")
    public = played(before, GERMANY="A Ber H")
    assert public.next.turn.code == "W1926A"
    assert public.next.unit_at("DEN") is None
    spring = played(public.next).next
    assert spring.unit_at("DEN") == Unit(NEUTRAL, UnitKind.FLEET, "DEN")
    assert spring.unit_at("CZE") == Unit(NEUTRAL, UnitKind.ARMY, "CZE")


def test_who_stood_in_a_minor_in_spring_and_left_in_fall_has_not_taken_it() -> None:
    spring = position("S1926M", {"GERMANY": "A MUN, A BER, F HAM"})
    after_spring = played(spring, GERMANY="A Mun - Cze").next
    winter = played(after_spring, GERMANY="A Cze - Mun").next
    assert "CZE" not in winter.centres
    assert played(winter).next.unit_at("CZE") == Unit(NEUTRAL, UnitKind.ARMY, "CZE")


def test_a_minor_that_a_power_controls_stays_without_a_unit_when_it_stands_empty() -> None:
    fall = position("F1926M", {"GERMANY": "A CZE, A BER, F HAM"})
    winter = played(fall, GERMANY="A Cze H")
    assert winter.next.centres["CZE"] == "GERMANY"
    assert winter.next.turn.code == "W1926A"
    spring = played(winter.next, GERMANY="Build A Mun").next
    year_later = played(played(spring, GERMANY="A Cze - Mun\nA Mun - Rhi").next).next
    assert year_later.unit_at("CZE") is None
    assert year_later.centres["CZE"] == "GERMANY"


def test_colonial_centres_feed_units_but_never_build() -> None:
    centres = {**START.centres, "SPA": "FRANCE"}
    before = position("W1926A", {"FRANCE": "A PAR, A MAR, F BRE, A SPA"}, centres)
    problems = read_sheet("Build A Alg", "FRANCE", before, RULES).problems
    assert [say(problem.why, RULES) for problem in problems] == ["Algiers is not one of your home centres."]
    assert budget("FRANCE", replace(before, turn=START.turn), RULES) == 3


# Diplomacy Points.


def test_income_is_one_point_for_each_centre_and_three_at_most() -> None:
    poor = replace(START, centres={"LON": "BRITAIN", "BER": "GERMANY", "MUN": "GERMANY"})
    assert [budget(power, poor, RULES) for power in ("BRITAIN", "GERMANY", "FRANCE")] == [1, 2, 0]
    assert {budget(power, START, RULES) for power in RULES.powers} == {3}
    assert budget("BRITAIN", replace(poor, turn=Turn.from_code("W1926A")), RULES) == 0


def test_unused_points_are_not_carried_over() -> None:
    before = position("S1926M", {"GERMANY": "A MUN"}, {"MUN": "GERMANY"})
    fall = adjudicate(before, {}, RULES).public.next
    assert fall.turn.code == "F1926M"
    assert budget("GERMANY", before, RULES) == budget("GERMANY", fall, RULES) == 1


def test_minors_can_be_told_to_hold_or_to_support_and_nothing_else() -> None:
    orders = [order for choice in bid_options(START, RULES) for order in choice.orders]
    assert {type(order).__name__ for order in orders} == {"Hold", "Support"}
    assert len({order.location for order in orders if isinstance(order, Support)}) >= 20


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("1: A Aus - Tre", "A minor power’s unit can only hold or support."),
        ("1: A Mun S A Ber - Cze", "The unit in Munich does not belong to a minor power."),
        ("4: A Aus S A Mun - Cze", "You have 3 points and bid 4."),
        ("0: A Aus H", "A bid needs at least one point."),
    ],
)
def test_a_bid_that_may_not_be_made_is_refused_with_its_reason(line: str, sentence: str) -> None:
    assert sentence in [say(problem.why, RULES) for problem in read_sheet(line, "GERMANY", START, RULES).problems]


# Civil disorder.


def test_removals_nobody_ordered_begin_farthest_from_home_with_fleets_before_armies() -> None:
    centres = {"BER": "GERMANY", "KAZ": "GERMANY", "STA": "GERMANY"}
    before = position("W1926A", {"GERMANY": "A STA, A RHI, F BAL, A PER"}, centres)
    after = played(before).next
    assert [str(unit) for unit in after.units_of("GERMANY")] == ["A RHI", "A STA", "F BAL"]
    fewer = replace(before, centres={"BER": "GERMANY"})
    assert [str(unit) for unit in played(fewer).next.units_of("GERMANY")] == ["A RHI"]


def test_rule_7_a_sheet_that_was_saved_when_its_power_had_more_points_forfeits_all_of_them() -> None:
    lines = "A Mun - Cze\n2: A Aus S A Mun - Cze\n1: A Swi H"
    rich = position("S1927M", {"GERMANY": "A MUN"}, minors="AUS CZE SWI")
    poor = replace(rich, centres={"MUN": "GERMANY", "BER": "GERMANY"})
    moved = {"rich": (OrderResult.SUCCEEDS,), "poor": (OrderResult.FAILS,)}
    for name, before in (("rich", rich), ("poor", poor)):
        sheet = read_sheet(lines, "GERMANY", before, RULES).sheet
        assert sum(bid.points for bid in sheet.bids) == 3
        assert results(adjudicate(before, {"GERMANY": sheet}, RULES).public)["MUN"] == moved[name]


def test_permanent_civil_disorder_disbands_the_units_and_makes_the_empty_centres_minors() -> None:
    after, notices = put_in_civil_disorder(START, "POLAND", RULES)
    assert after.units_of("POLAND") == ()
    assert after.centres_of("POLAND") == ()
    for centre in ("CRA", "GDY", "WAR"):
        assert after.unit_at(centre) == Unit(NEUTRAL, UnitKind.ARMY, centre)
    assert "POLAND" not in must_decide(after, RULES)
    assert budget("POLAND", after, RULES) == 0
    assert len(notices) == 4
    lawful = {write_order(order, after) for choice in bid_options(after, RULES) for order in choice.orders}
    assert "A CRA S A BER - SIL" in lawful, "new minors can be bid for like the others"


def test_d11_colonial_centres_become_minors_like_home_centres() -> None:
    colonies = [centre for centre in START.centres_of("FRANCE") if centre not in RULES.homes["FRANCE"]]
    assert colonies
    after, _ = put_in_civil_disorder(START, "FRANCE", RULES)
    for centre in (*colonies, *RULES.homes["FRANCE"]):
        assert after.unit_at(centre) == Unit(NEUTRAL, UnitKind.ARMY, centre)
        assert after.memory["minors"][centre] == "A"


def test_a_seceded_centre_that_another_power_occupies_stays_and_is_taken_after_fall() -> None:
    before = position("F1926M", {"GERMANY": "A CRA", "POLAND": "A WAR"})
    after, _ = put_in_civil_disorder(before, "POLAND", RULES)
    assert after.centres["CRA"] == "POLAND"
    assert resolve(after, {}, RULES).public.next.centres["CRA"] == "POLAND"
    counted = adjudicate(after, {}, RULES).public.next
    assert counted.centres["CRA"] == "GERMANY"


def test_a_seceded_centre_becomes_a_minor_when_the_occupier_has_left_by_the_end_of_fall() -> None:
    before = position("F1926M", {"GERMANY": "A CRA", "POLAND": "A WAR"})
    after, _ = put_in_civil_disorder(before, "POLAND", RULES)
    counted = played(after, GERMANY="A Cra - Sil").next
    assert "CRA" not in counted.centres
    assert counted.unit_at("CRA") == Unit(NEUTRAL, UnitKind.ARMY, "CRA")
    assert counted.memory["minors"]["CRA"] == "A"


def test_a_seceded_centre_left_in_spring_waits_for_fall_whoever_else_gives_up_meanwhile() -> None:
    before = position("S1926M", {"GERMANY": "A CRA", "POLAND": "A WAR", "FRANCE": "A PAR"})
    after, _ = put_in_civil_disorder(before, "POLAND", RULES)
    left = played(after, GERMANY="A Cra - Sil").next
    alone, _ = put_in_civil_disorder(left, "FRANCE", RULES)
    for waiting in (left, alone):
        assert (waiting.unit_at("CRA"), waiting.centres["CRA"]) == (None, "POLAND")
    assert "CRA" not in adjudicate(alone, {}, RULES).public.next.centres


def test_no_unit_may_retreat_into_a_new_minor_power() -> None:
    before = replace(
        position("F1928R", {"GERMANY": "A MUN"}, {"MUN": "GERMANY", "CRA": "POLAND", "WAR": "POLAND", "GDY": "POLAND"}),
        dislodged=(Dislodged(Unit("ITALY", UnitKind.ARMY, "SIL"), "CZE", ("BER", "CRA", "WAR")),),
    )
    after, _ = put_in_civil_disorder(before, "POLAND", RULES)
    assert [each.retreats for each in after.dislodged] == [("BER",)]
    assert not may("ITALY", "A SIL - CRA", after)
    assert may("ITALY", "A SIL - BER", after)
    settled = resolve(after, {"ITALY": OrderSheet((Retreat("SIL", "CRA"),), ())}, RULES).public.next
    standing = [unit.province for unit in settled.units]
    assert len(standing) == len(set(standing)), "one unit in a space"


# The end.


def counted(**holdings: int) -> Public:
    """A Fall after which the powers have this many centres."""
    centres = iter(BOARD.centres)
    owned = {next(centres): power for power, number in holdings.items() for _ in range(number)}
    before = position("F1930M", dict.fromkeys(list(holdings)[:1], "A SIL"), owned)
    return adjudicate(before, {}, RULES).public


def test_eighteen_centres_after_a_fall_turn_win_at_once() -> None:
    public = counted(GERMANY=18, ITALY=17)
    assert public.verdict is not None
    assert public.verdict.winners == ("GERMANY",)


def test_of_two_with_eighteen_the_one_with_more_wins() -> None:
    public = counted(GERMANY=18, ITALY=19)
    assert public.verdict is not None
    assert public.verdict.winners == ("ITALY",)


def test_two_with_equally_many_play_on() -> None:
    assert counted(GERMANY=18, ITALY=18).verdict is None
    assert counted(GERMANY=20, ITALY=20).verdict is None


def test_seventeen_are_not_enough() -> None:
    assert counted(GERMANY=17, ITALY=17).verdict is None
