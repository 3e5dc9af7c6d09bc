"""The Collapse of the Dual Empire: centres by faction, builds and removals, and the end of the war."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from adjudication.adjustments import adjustment_counts
from adjudication.judge import adjudicate, put_in_civil_disorder, resolve
from adjudication.legality import order_refusal
from adjudication.notation import read_sheet, write_sheet
from adjudication.options import must_decide, order_options
from adjudication.orders import Build, Disband, Order, OrderSheet, Waive
from adjudication.position import Position
from adjudication.resolution import Verdict, VerdictKind
from adjudication.serialisation import position_from_json, position_to_json
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import UnitKind
from tests.variants.dual_empire import (
    BOARD,
    RULES,
    START,
    counted,
    played,
    position,
    problem,
    problems,
    sentences,
    units_of,
)
from variants.words import aim_words, say


def holder(centre: str, after: Position) -> tuple[str, str]:
    """The power and the faction of a centre."""
    return after.centres[centre], RULES.control.factions(after)[centre]


# Rule 5: taking centres, and for whom.


def test_rule_5_a_captured_centre_goes_to_the_race_and_the_type_of_army_that_captured_it() -> None:
    public = counted(position("DEC1918M", {"RUMANIANS": ["CA BAN"]}))
    assert holder("BAN", public.next) == ("RUMANIANS", "C")
    public = counted(position("DEC1918M", {"RUMANIANS": ["DA BAN"]}))
    assert holder("BAN", public.next) == ("RUMANIANS", "D")
    assert sentences(public) == ["The Rumanians take Banat from the Germans: it now supplies democratic armies."]
    public = counted(position("DEC1918M", {"GERMANS": ["IA PEC", "IA PES"]}))
    assert holder("PES", public.next) == ("GERMANS", "I")
    assert holder("PEC", public.next) == ("GERMANS", "I")
    assert [notice.kind for notice in public.notices] == ["centre taken"]


def test_rule_5_control_goes_to_an_army_of_another_type_of_the_same_race_that_stands_there() -> None:
    before = position("DEC1918M", {"RUMANIANS": ["DA BAN"]}, {"RUMANIANS": ["BAN"]}, {"BAN": "C"})
    public = counted(before)
    assert holder("BAN", public.next) == ("RUMANIANS", "D")
    assert sentences(public) == ["Banat changes sides among the Rumanians: it now supplies democratic armies."]
    again = counted(public.next)
    assert holder("BAN", again.next) == ("RUMANIANS", "D")
    assert sentences(again) == []


@pytest.mark.parametrize("army", ["CA STY", "DA VIE", "IA UPP", "CA SIL", "DA PEC"])
def test_rule_5_home_centres_may_not_be_captured_by_other_types_of_the_same_race(army: str) -> None:
    public = counted(position("DEC1918M", {"GERMANS": [army]}))
    assert public.next.centres == START.centres
    assert RULES.control.factions(public.next) == RULES.control.factions(START)
    assert sentences(public) == []


def test_d3_a_home_centre_lost_to_another_power_is_held_by_the_faction_that_took_it() -> None:
    lost = counted(position("DEC1918M", {"CZECHS": ["DA VIE"], "MAGYARS": ["CA STY"]})).next
    assert holder("VIE", lost) == ("CZECHS", "D")
    assert holder("STY", lost) == ("MAGYARS", "C")
    assert lost.memory == {"factions": {"STY": "C", "VIE": "D"}}


@pytest.mark.parametrize("army", ["CA", "DA", "IA"])
def test_d3_won_back_by_its_own_power_it_returns_to_its_home_faction(army: str) -> None:
    before = position(
        "DEC1918M",
        {"GERMANS": [f"{army} VIE", f"{army} BAN"]},
        {"CZECHS": ["VIE"], "RUMANIANS": ["BAN"]},
        {"VIE": "D", "BAN": "C"},
    )
    public = counted(before)
    assert holder("VIE", public.next) == ("GERMANS", "C")
    assert holder("BAN", public.next) == ("GERMANS", "I")
    assert public.next.memory == {}
    assert sentences(public) == [
        "The Germans take Banat from the Rumanians: it now supplies imperialist armies.",
        "The Germans take Vienna from the Czechs: it now supplies communist armies.",
    ]


def test_an_empty_centre_stays_with_its_power_and_its_faction() -> None:
    before = position("DEC1918M", {"RUMANIANS": ["CA MUR"]}, {"RUMANIANS": ["BAN"]}, {"BAN": "D"})
    assert holder("BAN", counted(before).next) == ("RUMANIANS", "D")


def test_d2_centres_change_hands_at_build_turns_only_by_who_stands_on_them_then() -> None:
    november = position("NOV1918M", {"RUMANIANS": ["CA MUR"]})
    december = adjudicate(november, {"RUMANIANS": sheet("CA Mur - Ban", november)}, RULES).public.next
    assert (december.turn.code, holder("BAN", december)) == ("DEC1918M", ("GERMANS", "I"))
    left = adjudicate(december, {"RUMANIANS": sheet("CA Ban - WTr", december)}, RULES).public.next
    assert holder("BAN", left) == ("GERMANS", "I")
    stayed = adjudicate(december, {"RUMANIANS": sheet("CA Ban H", december)}, RULES).public.next
    assert holder("BAN", stayed) == ("RUMANIANS", "C")


def sheet(text: str, before: Position) -> OrderSheet:
    return read_sheet(text, "RUMANIANS", before, RULES).sheet


def test_which_faction_holds_a_centre_survives_the_way_through_json() -> None:
    lost = counted(position("DEC1918M", {"CZECHS": ["DA VIE"]})).next
    assert position_from_json(position_to_json(lost)) == lost
    assert holder("VIE", position_from_json(position_to_json(lost))) == ("CZECHS", "D")


# Rules 5 and 6: supply, builds and removals.


def test_rule_5_each_faction_is_supplied_by_its_own_centres_alone() -> None:
    winter = position("DEC1918A", {"CZECHS": ["CA OST", "DA PLZ", "DA BRN", "DA BRT"], "GERMANS": ["IA SIL"]})
    assert adjustment_counts("CZECHS", Situation(winter, RULES)) == {"C": 1, "D": -1}
    assert adjustment_counts("GERMANS", Situation(winter, RULES)) == {"C": 2, "D": 2, "I": 4}
    assert adjustment_counts("MAGYARS", Situation(winter, RULES)) == {"C": 2, "D": 2}
    assert sum(adjustment_counts("CZECHS", Situation(winter, RULES)).values()) == 0
    assert "CZECHS" in must_decide(winter, RULES)


def test_rule_5_one_faction_may_build_while_the_other_removes() -> None:
    winter = position("DEC1918A", {"CZECHS": ["CA OST", "DA PLZ", "DA BRN", "DA BRT"]})
    offered = [order for row in order_options("CZECHS", winter, RULES) for order in row.orders]
    assert offered == [
        Disband("BRN"),
        Disband("BRT"),
        Disband("PLZ"),
        *(Build(UnitKind.ARMY, "MOR", "C"), Waive()),
        *(Build(UnitKind.ARMY, "SLO", "C"), Waive()),
    ]
    public = played(winter, {"CZECHS": ["BUILD CA Slo", "DISBAND DA Brt"]})
    assert units_of("CZECHS", public.next) == ["DA BRN", "CA OST", "DA PLZ", "CA SLO"]
    assert [n for n in public.notices if n.power == "CZECHS"] == []


def test_rule_5_captured_centres_supply_the_faction_that_captured_them() -> None:
    centres, factions = {"RUMANIANS": ["BAN", "PES"]}, {"BAN": "D", "PES": "D"}
    winter = position("DEC1918A", {"RUMANIANS": ["DA BAN", "DA PES", "CA CLU", "CA TAR"]}, centres, factions)
    assert adjustment_counts("RUMANIANS", Situation(winter, RULES)) == {"D": 2}
    assert units_of("RUMANIANS", played(winter, {"RUMANIANS": ["BUILD DA Sat", "BUILD DA WTr"]}).next) == [
        *("DA BAN", "CA CLU", "DA PES", "DA SAT", "CA TAR", "DA WTR")
    ]


def test_rule_6_each_faction_is_built_in_its_own_home_centres() -> None:
    winter = position("DEC1918A", {})
    rows = {row.location: row.orders for row in order_options("GERMANS", winter, RULES)}
    marks = {place: "".join(o.faction for o in orders if isinstance(o, Build)) for place, orders in rows.items()}
    assert marks == {
        **dict.fromkeys(("SAL", "VIE"), "C"),
        **dict.fromkeys(("STY", "UPP"), "D"),
        **dict.fromkeys(("BAN", "CRP", "NSU", "PEC", "SIL"), "I"),
    }
    assert problem("BUILD DA Vie", "GERMANS", winter) == "Vienna supplies only communist armies: write BUILD CA VIE."
    assert problem("BUILD A Sty", "GERMANS", winter) == "Styria supplies only democratic armies: write BUILD DA STY."
    assert problem("BUILD CA Sil", "GERMANS", winter) == "Silesia supplies only imperialist armies: write BUILD IA SIL."
    assert problem("BUILD", "GERMANS", winter) == (
        "Say which army to build: BUILD CA for a communist army, BUILD DA for a democratic army, "
        "BUILD IA for an imperialist army."
    )


def test_rule_2_only_the_germans_build_imperialist_armies() -> None:
    winter = position("DEC1918A", {}, {"MAGYARS": ["PEC"]}, {"PEC": "C"})
    never = "The Magyars have no imperialist armies: they build CA (communist) or DA (democratic)."
    assert problem("BUILD IA Pec", "MAGYARS", winter) == never
    assert problem("BUILD CA Pec", "MAGYARS", winter) == "Pecs is not one of your home centres."
    for power in set(RULES.powers) - {"GERMANS"}:
        offered = [order for row in order_options(power, winter, RULES) for order in row.orders]
        assert {order.faction for order in offered if isinstance(order, Build)} == {"C", "D"}


def test_rule_6_a_home_centre_that_is_lost_or_occupied_builds_nothing() -> None:
    winter = position("DEC1918A", {"GERMANS": ["DA SAL"]}, {"CZECHS": ["VIE"]}, {"VIE": "C"})
    assert problem("BUILD CA Vie", "GERMANS", winter) == "You do not control Vienna."
    assert problem("BUILD CA Sal", "GERMANS", winter) == "There is already a unit in Salzburg."
    assert problem("BUILD CA Vie", "CZECHS", winter) == "Vienna is not one of your home centres."
    assert adjustment_counts("GERMANS", Situation(winter, RULES)) == {"D": 1, "I": 5}


def test_builds_of_a_faction_are_not_made_of_another_ones_centres() -> None:
    winter = position("DEC1918A", {"CZECHS": ["CA OST", "DA PRA"]})
    assert problem("BUILD CA Mor\nBUILD CA Slo", "CZECHS", winter) == "You have only 1 communist unit to build."
    assert problem("BUILD CA Mor\nBUILD DA Boh\nWAIVE", "CZECHS", winter) == "You have only 2 units to build."
    full = position("DEC1918A", {"CZECHS": ["CA OST", "CA KOS", "DA PLZ"]})
    assert problem("BUILD CA Mor", "CZECHS", full) == "You have no communist unit to build."
    assert problem("DISBAND DA Plz", "CZECHS", full) == "You have no democratic unit to remove."


def test_a_waived_build_may_be_of_any_faction() -> None:
    winter = position("DEC1918A", {"CZECHS": ["CA OST", "DA PRA"]})
    for lines in (["WAIVE", "BUILD CA Mor"], ["BUILD DA Boh", "WAIVE"], ["WAIVE", "WAIVE"]):
        after = played(winter, {"CZECHS": lines}).next
        assert len(after.units_of("CZECHS")) == 2 + sum("BUILD" in line for line in lines)


def test_what_is_accepted_at_a_build_turn_is_what_is_offered() -> None:
    winter = position(
        "DEC1918A",
        {"CZECHS": ["CA OST", "DA PLZ", "DA BRN", "DA BRT"], "GERMANS": ["CA VIE", "CA LOW", "CA TYR", "IA SIL"]},
    )
    written: list[Order] = [Waive(), *(Disband(place) for place in BOARD.provinces)]
    written += [Build(kind, place, f) for place in BOARD.provinces for kind in UnitKind for f in ("", *RULES.factions)]
    for power in ("CZECHS", "GERMANS"):
        offered = {order for row in order_options(power, winter, RULES) for order in row.orders}
        assert offered == {order for order in written if not refused(order, power, winter)}
        for order in offered:
            line = write_sheet(OrderSheet((order,)), winter)
            assert read_sheet(line, power, winter, RULES).sheet.orders == (order,)


def refused(order: Order, power: str, winter: Position) -> bool:
    return order_refusal(order, power, Situation(winter, RULES)) is not None


def test_surpluses_are_removed_faction_by_faction_where_nobody_says_which() -> None:
    armies = ["CA OST", "CA KOS", "CA BRT", "CA TYR", "DA PLZ", "DA BRN", "DA DAL"]
    public = resolve(position("DEC1918A", {"CZECHS": armies}), {}, RULES).public
    assert units_of("CZECHS", public.next) == ["DA BRN", "CA KOS", "CA OST", "DA PLZ"]
    assert sentences(public) == [
        "CA Tyr was removed, because no order said which unit to remove.",
        "CA Brt was removed, because no order said which unit to remove.",
        "DA Dal was removed, because no order said which unit to remove.",
    ]


def test_removals_that_are_named_in_part_are_completed_within_their_faction() -> None:
    armies = ["CA OST", "CA KOS", "CA BRT", "CA TYR", "DA PLZ", "DA BRN", "DA DAL"]
    public = played(position("DEC1918A", {"CZECHS": armies}), {"CZECHS": ["DISBAND CA Ost"]})
    assert units_of("CZECHS", public.next) == ["DA BRN", "CA BRT", "CA KOS", "DA PLZ"]


def test_imperialist_armies_live_on_imperial_centres_alone() -> None:
    winter = position(
        "DEC1918A",
        {"GERMANS": ["IA SIL", "IA NSU", "IA PEC", "IA CRP", "IA BAN"]},
        {"MAGYARS": ["PEC"], "RUMANIANS": ["BAN"]},
        {"PEC": "D", "BAN": "C"},
    )
    assert adjustment_counts("GERMANS", Situation(winter, RULES)) == {"C": 2, "D": 2, "I": -2}
    assert adjustment_counts("MAGYARS", Situation(winter, RULES)) == {"C": 2, "D": 2}


def test_a_power_given_up_for_good_builds_nothing_and_still_removes() -> None:
    winter = position("DEC1918A", {"CZECHS": ["CA OST", "DA PLZ", "DA BRN", "DA DAL"]})
    alone, _ = put_in_civil_disorder(winter, "CZECHS", RULES)
    assert adjustment_counts("CZECHS", Situation(alone, RULES)) == {"D": -1}
    assert units_of("CZECHS", resolve(alone, {}, RULES).public.next) == ["DA BRN", "CA OST", "DA PLZ"]


# Rule 9: the end.

OWN = {
    "CZECHS": ["BOH", "MOR", "PRA", "SLO"],
    "MAGYARS": ["BAK", "BUD", "MAK", "PES", "PEC", "DEB", "MIS", "SZO"],
    "POLES": ["KRA", "LEM", "NBU", "PRE", "CRP", "GOR", "PRZ"],
    "RUMANIANS": ["ETR", "ORA", "SAT", "WTR", "BAN", "BRV", "CLU", "TAR"],
    "CROATS": ["CRO", "SAR", "SUB", "TRI", "BAL", "FIU", "ZEN"],
}
FOREIGN = [centre for centre in BOARD.centres if centre not in RULES.homes["GERMANS"]]


def holding(power: str, centres: Sequence[str]) -> Position:
    """The power holds these; the rest are spread so that no other wins."""
    others = [each for each in RULES.powers if each != power]
    rest = [centre for centre in BOARD.centres if centre not in centres]
    spread = {centre: others[index % len(others)] for index, centre in enumerate(rest)}
    return replace(
        START, turn=Turn.from_code("DEC1918R"), units=(), centres={**spread, **dict.fromkeys(centres, power)}
    )


def with_own_land(power: str, count: int, without: str = "") -> list[str]:
    own = [c for c in OWN[power] if c != without]
    rest = [c for c in BOARD.centres if c not in (*own, without)]
    return [*own, *rest][:count]


def verdict(position: Position) -> Verdict | None:
    return RULES.victory.verdict(position, RULES)


def alone(power: str, count: int) -> Verdict:
    return Verdict((power,), VerdictKind.MOST_CENTRES, {"case": "own land", "powers": (power,), "count": count})


@pytest.mark.parametrize("power", OWN)
def test_rule_9_any_race_but_the_germans_wins_with_17_including_all_within_its_boundaries(power: str) -> None:
    seventeen = with_own_land(power, 17)
    won = verdict(holding(power, seventeen))
    assert won == alone(power, 17)
    assert say(won, RULES) == f"The {power.title()} win with 17 supply centres."
    assert verdict(holding(power, with_own_land(power, 16))) is None


@pytest.mark.parametrize(("power", "centre"), [(power, centre) for power in OWN for centre in OWN[power]])
def test_d9_all_centres_in_its_own_land_are_needed(power: str, centre: str) -> None:
    assert verdict(holding(power, with_own_land(power, 39, without=centre))) is None


def test_rule_9_the_germans_win_with_20_anywhere() -> None:
    abroad = FOREIGN[:20]
    assert len(abroad) == 20
    assert verdict(holding("GERMANS", abroad)) == alone("GERMANS", 20)
    assert verdict(holding("GERMANS", abroad[:19])) is None


def test_rule_9_is_tested_after_the_change_of_hands() -> None:
    *seventeen, last = with_own_land("CZECHS", 17)
    before = holding("CZECHS", seventeen)
    assert before.centres[last] != "CZECHS"
    there = replace(before, units=position("DEC1918R", {"CZECHS": [f"CA {last}"]}).units)
    public = resolve(there, {}, RULES).public
    assert public.verdict == alone("CZECHS", 17)
    november = resolve(replace(there, turn=Turn.from_code("NOV1918R")), {}, RULES).public
    assert november.verdict is None


def two_hold(germans: int, magyars: int) -> Position:
    theirs = with_own_land("MAGYARS", magyars)
    ours = [centre for centre in BOARD.centres if centre not in theirs][:germans]
    return replace(START, units=(), centres={**dict.fromkeys(ours, "GERMANS"), **dict.fromkeys(theirs, "MAGYARS")})


def test_rule_9_the_germans_can_meet_their_condition_with_another() -> None:
    assert verdict(two_hold(21, 19)) == alone("GERMANS", 21)
    assert verdict(two_hold(20, 17)) == alone("GERMANS", 20)
    both = ("GERMANS", "MAGYARS")
    drawn = verdict(two_hold(20, 20))
    assert drawn == Verdict(both, VerdictKind.MOST_CENTRES, {"case": "together", "powers": both, "count": 20})
    assert say(drawn, RULES) == (
        "The Germans and the Magyars have won together, with 20 supply centres each: the game is drawn between them."
    )


def test_a_power_given_up_for_good_wins_no_more() -> None:
    alone, _ = put_in_civil_disorder(holding("GERMANS", FOREIGN[:20]), "GERMANS", RULES)
    assert verdict(alone) is None


def test_what_wins_is_said() -> None:
    assert aim_words(RULES) == "17 supply centres, including all those in its own land, or 20 anywhere for the Germans"


def test_orders_of_a_month_are_no_orders_of_a_build_turn() -> None:
    winter = position("DEC1918A", {"CZECHS": ["CA OST"]})
    (only,) = problems("CA Ost - Sil", "CZECHS", winter)
    assert say(only.why, RULES) == "Adjustments: units can be built or disbanded, and builds waived."
