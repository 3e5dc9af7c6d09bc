"""Balkan Battle for three: the published rules by sentence, and our readings of open points."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from adjudication.adjustments import adjustment_counts, build_sites
from adjudication.judge import adjudicate, put_in_civil_disorder, resolve
from adjudication.legality import order_refusal
from adjudication.notation import parse_order, read_sheet, write_order
from adjudication.options import must_decide, order_options
from adjudication.orders import Support
from adjudication.position import Position
from adjudication.reasons import Reason
from adjudication.resolution import OrderResult, Public
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import unit_from_text
from tests.adjudication.boards import lawful_sheets
from tests.long_round import how_many
from tests.variants.chance import whole_game
from tests.variants.test_contract import check_nobody_has_a_unit_too_many, check_position
from variants.bots import play
from variants.families.homes_won import HOMES, homes_of
from variants.registry import find
from variants.words import say

THREE = find("three-way-balkan-battle")
BOARD, RULES, START = THREE.ruleset.board, THREE.ruleset, THREE.start
CAMPS = {"BU1", "BU2", "BU3"}
GAMES = how_many("chance")
Texts = Mapping[str, Sequence[str]]


def standing(turn: str, units: Texts, centres: Texts | None = None, homes: Texts | None = None) -> Position:
    """As in {"TURKEY": ["A BU3"]}; `homes` are those won."""
    there = tuple(unit_from_text(power, text) for power, texts in units.items() for text in texts)
    held = {centre: power for power, theirs in (centres or {}).items() for centre in theirs}
    won = {power: list(theirs) for power, theirs in (homes or {}).items()}
    return Position(Turn.from_code(turn), there, held, memory={"homes": won} if won else {})


def played(before: Position, **texts: str) -> Public:
    """The next phase in which someone has to decide."""
    return adjudicate(before, lawful_sheets(before, texts, RULES), RULES).public


def stepped(before: Position, **texts: str) -> Public:
    """One phase only."""
    return resolve(before, lawful_sheets(before, texts, RULES), RULES).public


def standing_in(position: Position) -> dict[str, list[str]]:
    return {power: sorted(map(str, position.units_of(power))) for power in RULES.powers}


def told(public: Public) -> list[str]:
    return [say(notice, RULES) for notice in public.notices]


def fate(public: Public, power: str, location: str) -> tuple[list[str], Reason | None]:
    (outcome,) = [o for o in public.outcomes if o.power == power and o.unit and o.unit.location == location]
    return [result.value for result in outcome.results], outcome.reason


def sentence(text: str, power: str, before: Position) -> str:
    """Why the order is refused."""
    refusal = order_refusal(parse_order(text, before, RULES, power), power, Situation(before, RULES))
    assert refusal is not None
    return say(refusal, RULES)


# Rule 1: the start.


def test_rule_1_all_three_players_start_in_bulgaria_which_nobody_owns() -> None:
    assert {BOARD.around(unit.location) for unit in START.units} == {"BUL"}
    assert {unit.power for unit in START.units} == set(RULES.powers)
    assert START.centres == {}
    assert all(homes == () for homes in RULES.homes.values())


def test_d4_the_powers_are_austria_russia_and_turkey() -> None:
    assert RULES.powers == ("AUSTRIA", "RUSSIA", "TURKEY")


# Rules 2, 3 and 4: the turns.


def test_rules_2_to_4_the_moves_are_spring_1899_fall_1899_1901_and_then_a_year_each() -> None:
    turn, titles = START.turn, []
    for _ in range(9):
        titles.append(f"{turn.title} {turn.kind.value}")
        turn = RULES.calendar.after(turn)
    assert titles == [
        "Spring 1899 M",
        "Spring 1899 R",
        "Fall 1899 M",
        "Fall 1899 R",
        "1901 M",
        "Winter 1901 R",
        "Winter 1901 A",
        "1902 M",
        "Winter 1902 R",
    ]


def test_rule_3_centres_are_counted_after_fall_1899_and_not_after_spring() -> None:
    spring = played(START, AUSTRIA="A Bul - Ser", RUSSIA="A Bul H", TURKEY="A Bul H")
    assert spring.next.turn.code == "F1899M"
    assert spring.next.centres == {}
    fall = played(spring.next, AUSTRIA="A Ser H", RUSSIA="A Bul H", TURKEY="A Bul H")
    assert fall.next.turn.code == "Y1901M"
    assert fall.next.centres == {"SER": "AUSTRIA"}
    assert told(fall) == ["Austria takes Serbia.", "Austria: Serbia is now a home."]


def test_d1_there_are_no_builds_in_1899() -> None:
    spring = played(START, AUSTRIA="A Bul H", RUSSIA="A Bul - Gre", TURKEY="A Bul - Con").next
    fall = played(spring, AUSTRIA="A Bul - Ser").next
    assert len(fall.centres_of("AUSTRIA")) == 2
    assert fall.turn.code == "Y1901M"
    assert len(fall.units_of("AUSTRIA")) == 1


# Rule 2 and D5: an army or a fleet.


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("A Bul - Gre", "A GRE"),
        ("F Bul/sc - Gre", "F GRE"),
        ("F Bul/ec - Bla", "F BLA"),
        ("Fleet Bulgaria (south coast) - Aegean Sea", "F AEG"),
        ("A Bulgaria to Rumania", "A RUM"),
        ("F Bul/ec - Rum", "F RUM"),
    ],
)
def test_rule_2_with_the_first_move_a_player_chooses_army_or_fleet_and_the_coast(text: str, unit: str) -> None:
    public = played(START, RUSSIA=text)
    assert standing_in(public.next)["RUSSIA"] == [unit]
    assert all(outcome.results[0] in (OrderResult.SUCCEEDS, OrderResult.STANDS) for outcome in public.outcomes)


@pytest.mark.parametrize(
    ("text", "unit"), [("A Bul H", "A BU1"), ("F Bul/ec H", "F BU1/EC"), ("F Bul/sc H", "F BU1/SC")]
)
def test_rule_2_who_stays_chooses_too(text: str, unit: str) -> None:
    assert standing_in(played(START, AUSTRIA=text).next)["AUSTRIA"] == [unit]


def test_rule_2_the_order_page_offers_every_move_of_all_three_kinds() -> None:
    (row,) = order_options("TURKEY", START, RULES)
    assert [write_order(order, START) for order in row.orders if not isinstance(order, Support)] == [
        "A BU3 H",
        "A BU3 - CON",
        "A BU3 - GRE",
        "A BU3 - RUM",
        "A BU3 - SER",
        "F BU3/EC H",
        "F BU3/EC - BLA",
        "F BU3/EC - CON",
        "F BU3/EC - RUM",
        "F BU3/SC H",
        "F BU3/SC - AEG",
        "F BU3/SC - CON",
        "F BU3/SC - GRE",
    ]


def test_d6_a_first_order_may_support_any_move_that_the_others_first_order_may_make() -> None:
    (row,) = order_options("TURKEY", START, RULES)
    offered = [write_order(order, START) for order in row.orders if isinstance(order, Support)]
    goals = {
        "A BU3": ("CON", "GRE", "RUM", "SER"),
        "F BU3/EC": ("BLA", "CON", "RUM"),
        "F BU3/SC": ("AEG", "CON", "GRE"),
    }
    assert offered == [
        f"{unit} S A {other} - {goal}" for unit in goals for other in ("BU1", "BU2") for goal in goals[unit]
    ]
    spring = played(START, AUSTRIA="F Bul/ec - Con", RUSSIA="A Bul - Con", TURKEY="A Bul S Russian A Bul - Con")
    assert standing_in(spring.next) == {"AUSTRIA": ["F BU1/EC"], "RUSSIA": ["A CON"], "TURKEY": ["A BU3"]}
    helped = played(START, RUSSIA="F Bul/sc - Aeg", TURKEY="F Bul/sc S Russian A Bul - Aeg")
    assert fate(helped, "TURKEY", "BU3/SC") == (["given"], None)


def test_d5_without_an_order_it_is_an_army_that_stays() -> None:
    assert standing_in(played(START).next) == {"AUSTRIA": ["A BU1"], "RUSSIA": ["A BU2"], "TURKEY": ["A BU3"]}


def test_d5_the_order_fixes_what_the_unit_is() -> None:
    spring = played(START, AUSTRIA="F Bul/sc H", RUSSIA="A Bul H", TURKEY="A Bul H").next
    reading = read_sheet("A Bul - Gre", "AUSTRIA", spring, RULES)
    assert [say(problem.why, RULES) for problem in reading.problems] == [
        "The unit in Bulgaria (Austrian camp) is a fleet, not an army. Write F BU1/SC."
    ]
    offered = [o for row in order_options("AUSTRIA", spring, RULES) for o in row.orders if not isinstance(o, Support)]
    assert [write_order(order, spring) for order in offered] == [
        "F BU1/SC H",
        "F BU1/SC - AEG",
        "F BU1/SC - CON",
        "F BU1/SC - GRE",
    ]


# Rule 2: bounces.


def test_rule_2_if_two_players_bounce_they_both_stay_in_bulgaria_and_try_again() -> None:
    spring = played(START, AUSTRIA="A Bul - Gre", RUSSIA="F Bul/sc - Gre", TURKEY="A Bul - Con")
    assert standing_in(spring.next) == {"AUSTRIA": ["A BU1"], "RUSSIA": ["F BU2/SC"], "TURKEY": ["A CON"]}
    assert told(spring) == []
    fall = played(spring.next, AUSTRIA="A Bul - Gre", RUSSIA="F Bul/sc - Aeg", TURKEY="A Con H")
    assert standing_in(fall.next) == {"AUSTRIA": ["A GRE"], "RUSSIA": ["F AEG"], "TURKEY": ["A CON"]}


def test_rule_2_if_three_players_bounce_all_three_stay() -> None:
    spring = played(START, AUSTRIA="A Bul - Con", RUSSIA="F Bul/sc - Con", TURKEY="F Bul/ec - Con")
    assert standing_in(spring.next) == {"AUSTRIA": ["A BU1"], "RUSSIA": ["F BU2/SC"], "TURKEY": ["F BU3/EC"]}
    assert spring.next.centres == {}


# Rule 3: Bulgaria.


def test_rule_3_bulgaria_is_taken_at_the_end_of_any_move_when_one_unit_is_left_spring_included() -> None:
    spring = played(START, AUSTRIA="A Bul - Ser", RUSSIA="F Bul/ec - Bla", TURKEY="F Bul/sc H")
    assert spring.next.turn.code == "F1899M"
    assert standing_in(spring.next)["TURKEY"] == ["F BUL/SC"], "it stands there like any other unit"
    assert spring.next.centres == {"BUL": "TURKEY"}
    assert told(spring) == ["Turkey takes Bulgaria.", "Turkey: Bulgaria is now a home."]


def test_rule_3_bulgaria_falls_in_a_later_move_too() -> None:
    before = standing("Y1901M", {"AUSTRIA": ["A BU1"], "RUSSIA": ["A BU2"], "TURKEY": ["A CON"]})
    moved = stepped(before, RUSSIA="A Bul - Rum").next
    assert moved.turn.code == "W1901R"
    assert moved.centres == {"BUL": "AUSTRIA"}
    assert moved.unit_at("BUL") == unit_from_text("AUSTRIA", "A BUL")


@pytest.mark.parametrize("stay", [2, 3])
def test_rule_3_bulgaria_belongs_to_nobody_while_several_units_stand_in_it(stay: int) -> None:
    leaving = {"TURKEY": "A Bul - Con"} if stay == 2 else {}
    spring = played(START, **leaving).next
    assert spring.centres == {}
    assert played(spring).next.centres == ({"CON": "TURKEY"} if leaving else {})


def test_rule_3_from_then_on_bulgaria_is_ordinary_and_a_unit_can_be_dislodged_there() -> None:
    before = standing(
        "Y1902M", {"AUSTRIA": ["A BUL"], "RUSSIA": ["A RUM", "A SER"]}, {"AUSTRIA": ["BUL"], "RUSSIA": ["RUM"]}
    )
    public = stepped(before, RUSSIA="A Rum - Bul; A Ser S A Rum - Bul")
    assert [str(each.unit) for each in public.next.dislodged] == ["A BUL"]
    assert public.next.unit_at("BUL") == unit_from_text("RUSSIA", "A BUL")


def test_d10_if_all_leave_bulgaria_is_empty_and_the_first_unit_alone_there_takes_it_at_once() -> None:
    spring = played(START, AUSTRIA="A Bul - Ser", RUSSIA="A Bul - Gre", TURKEY="A Bul - Con").next
    assert spring.centres == {}
    fall = stepped(spring, TURKEY="A Con - Bul")
    assert fall.next.turn.code == "F1899R"
    assert fall.next.centres == {"BUL": "TURKEY"}
    assert told(fall) == ["Turkey takes Bulgaria.", "Turkey: Bulgaria is now a home."]
    assert stepped(fall.next).next.centres == {"BUL": "TURKEY", "GRE": "RUSSIA", "SER": "AUSTRIA"}


def test_d10_once_taken_bulgaria_is_taken_again_only_when_centres_are_counted() -> None:
    before = standing("Y1902M", {"RUSSIA": ["A RUM"]}, {"AUSTRIA": ["BUL"], "RUSSIA": ["RUM"]})
    entered = stepped(before, RUSSIA="A Rum - Bul").next
    assert entered.unit_at("BUL") == unit_from_text("RUSSIA", "A BUL")
    assert entered.centres["BUL"] == "AUSTRIA"
    assert stepped(entered).next.centres["BUL"] == "RUSSIA"


def test_rule_3_who_is_at_sea_or_still_in_bulgaria_waits_for_a_later_move_for_the_first_home() -> None:
    before = standing("F1899M", {"AUSTRIA": ["A BU1"], "RUSSIA": ["F BU2/EC"], "TURKEY": ["F BLA"]})
    fall = played(before).next
    assert fall.centres == {}
    assert standing_in(fall) == standing_in(before)
    year = played(fall, AUSTRIA="A Bul - Ser", RUSSIA="F Bul/ec - Rum", TURKEY="F Bla - Sev")
    assert homes_of("TURKEY", year.next, RULES) == ("SEV",)


# Rule 3 and D6: what powers sharing Bulgaria may do, and what others may do to them.

OUTSIDE = {"AUSTRIA": ["A BU1"], "RUSSIA": ["A BU2", "A ALB"], "TURKEY": ["A RUM", "A SER", "A GRE"]}


def test_rule_3_until_bulgaria_falls_no_unit_can_be_dislodged_from_it() -> None:
    before = standing("Y1901M", OUTSIDE)
    public = stepped(before, TURKEY="A Rum - Bul; A Ser S A Rum - Bul; A Gre S A Rum - Bul")
    assert fate(public, "TURKEY", "RUM") == (["fails"], Reason.SHARED_PROVINCE)
    assert public.next.dislodged == ()
    assert standing_in(public.next) == standing_in(before)


def test_d6_a_unit_from_outside_does_not_enter_when_only_some_have_left() -> None:
    before = standing("Y1901M", {"AUSTRIA": ["A BU1"], "RUSSIA": ["A BU2"], "TURKEY": ["A RUM", "A SER"]})
    public = stepped(before, AUSTRIA="A Bul - Gre", TURKEY="A Rum - Bul; A Ser S A Rum - Bul")
    assert fate(public, "TURKEY", "RUM") == (["fails"], Reason.SHARED_PROVINCE)
    assert public.next.unit_at("BUL") == unit_from_text("RUSSIA", "A BUL"), "the last one takes it"


def test_d6_a_unit_from_outside_enters_when_all_have_left() -> None:
    before = standing("Y1901M", {"AUSTRIA": ["A BU1"], "RUSSIA": ["A BU2"], "TURKEY": ["A RUM"]})
    public = played(before, AUSTRIA="A Bul - Gre", RUSSIA="A Bul - Ser", TURKEY="A Rum - Bul")
    assert standing_in(public.next) == {"AUSTRIA": ["A GRE"], "RUSSIA": ["A SER"], "TURKEY": ["A BUL"]}
    assert public.next.centres["BUL"] == "TURKEY"


def test_d6_units_there_support_each_others_moves_as_the_regular_rules_allow() -> None:
    before = standing("Y1901M", {**OUTSIDE, "TURKEY": ["A GRE", "A RUM"]})
    helped = {"AUSTRIA": "A Bul S Russian A Bul - Gre", "RUSSIA": "A Bul - Gre"}
    public = stepped(before, **helped)
    assert fate(public, "AUSTRIA", "BU1") == (["given"], None)
    assert public.next.unit_at("GRE") == unit_from_text("RUSSIA", "A GRE")
    assert public.next.unit_at("BUL") == unit_from_text("AUSTRIA", "A BUL"), "the last one takes it"
    cut = stepped(before, **helped, TURKEY="A Rum - Bul")
    assert fate(cut, "AUSTRIA", "BU1") == (["cut"], Reason.SUPPORT_CUT)
    assert cut.next.unit_at("GRE") == unit_from_text("TURKEY", "A GRE")


def test_d6_nobody_there_needs_the_support_of_those_beside_them_to_hold() -> None:
    refused = "Units that share Bulgaria cannot be dislodged, so they need no support to hold."
    assert sentence("A Bul S A Bu2", "AUSTRIA", standing("Y1901M", OUTSIDE)) == refused


def test_d6_nobody_there_supports_an_attack_on_those_beside_them() -> None:
    before = standing("Y1901M", OUTSIDE)
    refused = "A Bul cannot support a move to its own province."
    assert sentence("A Bul S A Rum - Bul", "AUSTRIA", before) == refused


def test_d6_nobody_from_outside_supports_them_to_hold_but_anybody_may_support_their_move_out() -> None:
    before = standing("Y1901M", OUTSIDE)
    held = "Units that share Bulgaria cannot be dislodged, so they need no support to hold."
    assert sentence("A Rum S Austrian A Bul", "TURKEY", before) == held
    helped = {**OUTSIDE, "AUSTRIA": ["A BU1", "A ALB"], "RUSSIA": ["A BU2"]}
    public = stepped(
        standing("Y1901M", helped), RUSSIA="A Bul - Gre", AUSTRIA="A Alb S Russian A Bul - Gre", TURKEY="A Gre H"
    )
    assert public.next.unit_at("GRE") == unit_from_text("RUSSIA", "A GRE")


def test_d6_the_moves_of_those_beside_them_may_be_supported_and_neither_their_holds_nor_an_attack_on_them() -> None:
    before = standing("Y1901M", OUTSIDE)
    offered = [write_order(o, before) for row in order_options("AUSTRIA", before, RULES) for o in row.orders]
    beside = [text for text in offered if "BU2" in text or "- BUL" in text]
    assert beside == [f"A BU1 S A BU2 - {there}" for there in ("CON", "GRE", "RUM", "SER")]
    assert "A BU1 S A ALB - GRE" in offered
    assert "A BU1 S A RUM" in offered


def test_d9_an_attack_on_bulgaria_cuts_supports_given_from_there() -> None:
    before = standing("Y1901M", OUTSIDE)
    help_ = {"AUSTRIA": "A Bul S A Alb - Gre", "RUSSIA": "A Alb - Gre"}
    assert stepped(before, **help_).next.unit_at("GRE") == unit_from_text("RUSSIA", "A GRE")
    cut = stepped(before, **help_, TURKEY="A Rum - Bul")
    assert fate(cut, "AUSTRIA", "BU1") == (["cut"], Reason.SUPPORT_CUT)
    assert cut.next.unit_at("GRE") == unit_from_text("TURKEY", "A GRE")


def test_d9_an_attack_from_where_the_support_is_aimed_does_not_cut_it() -> None:
    before = standing("Y1901M", OUTSIDE)
    public = stepped(before, AUSTRIA="A Bul S A Alb - Gre", RUSSIA="A Alb - Gre", TURKEY="A Gre - Bul")
    assert fate(public, "AUSTRIA", "BU1") == (["given"], None)
    assert public.next.unit_at("GRE") == unit_from_text("RUSSIA", "A GRE")


@pytest.mark.parametrize(("supports", "won"), [([], False), (["for"], True), (["for", "against"], False)])
def test_d9_a_unit_of_bulgaria_and_one_from_outside_meet_head_to_head(supports: list[str], won: bool) -> None:
    before = standing("Y1901M", {"AUSTRIA": ["A BU1"], "RUSSIA": ["F BU2/EC", "A SER"], "TURKEY": ["A GRE", "A RUM"]})
    public = stepped(
        before,
        AUSTRIA="A Bul - Gre",
        RUSSIA="F Bul/ec - Con" + ("; A Ser S Austria A Bul - Gre" if "for" in supports else ""),
        TURKEY="A Gre - Bul" + ("; A Rum S A Gre - Bul" if "against" in supports else ""),
    )
    assert ("A GRE" in standing_in(public.next)["AUSTRIA"]) is won
    assert [(str(d.unit), d.retreats) for d in public.next.dislodged] == ([("A GRE", ("ALB",))] if won else [])
    if not won:
        assert fate(public, "AUSTRIA", "BU1") == (["fails"], Reason.HEAD_TO_HEAD)
        assert public.next.unit_at("BUL") == unit_from_text("AUSTRIA", "A BUL")


def test_a_power_that_is_given_up_stays_in_bulgaria_until_it_loses_its_unit() -> None:
    position, _ = put_in_civil_disorder(START, "RUSSIA", RULES)
    after = played(position, AUSTRIA="A Bul - Ser", TURKEY="A Bul - Gre")
    assert standing_in(after.next)["RUSSIA"] == ["A BUL"]


# Rule 5: homes.


def test_rule_5_the_first_two_centres_become_homes_and_no_third() -> None:
    first = played(standing("F1899M", {"AUSTRIA": ["A SER"], "RUSSIA": ["A RUM"], "TURKEY": ["A CON"]})).next
    assert {power: homes_of(power, first, RULES) for power in RULES.powers} == {
        "AUSTRIA": ("SER",),
        "RUSSIA": ("RUM",),
        "TURKEY": ("CON",),
    }
    second = played(first, AUSTRIA="A Ser - Tri", RUSSIA="A Rum - Sev", TURKEY="A Con - Ank").next
    assert homes_of("AUSTRIA", second, RULES) == ("SER", "TRI")
    third = played(replace(second, turn=Turn.from_code("Y1902M")), AUSTRIA="A Tri - Vie").next
    assert third.centres["VIE"] == "AUSTRIA"
    assert homes_of("AUSTRIA", third, RULES) == ("SER", "TRI")
    assert build_sites("AUSTRIA", Situation(third, RULES)) == ("SER", "TRI")


def test_d11_bulgaria_taken_at_the_end_of_spring_1899_is_a_home_and_the_next_centre_the_second() -> None:
    spring = played(START, AUSTRIA="A Bul H", RUSSIA="A Bul - Gre", TURKEY="A Bul - Con").next
    fall = played(spring, AUSTRIA="A Bul - Ser").next
    assert homes_of("AUSTRIA", fall, RULES) == ("BUL", "SER")


def test_d11_a_centre_passed_through_in_spring_1899_is_no_home() -> None:
    spring = played(START, AUSTRIA="A Bul - Ser", RUSSIA="A Bul - Gre", TURKEY="A Bul - Con").next
    fall = played(spring, AUSTRIA="A Ser - Tri").next
    assert homes_of("AUSTRIA", fall, RULES) == ("TRI",)
    assert "SER" not in fall.centres


SHARED_HOME = {"AUSTRIA": ["SER", "GRE"], "TURKEY": ["SER", "CON"]}


@pytest.mark.parametrize(("owner", "other"), [("TURKEY", "AUSTRIA"), ("AUSTRIA", "TURKEY")])
def test_rule_5_two_players_may_have_the_same_home_and_only_its_owner_builds_there(owner: str, other: str) -> None:
    units, centres = (
        {"AUSTRIA": ["A TRI"], "TURKEY": ["A ANK"]},
        {"AUSTRIA": ["GRE", "TRI"], "TURKEY": ["CON", "ANK"]},
    )
    centres[owner].append("SER")
    before = standing("W1903A", units, centres, SHARED_HOME)
    assert homes_of("AUSTRIA", before, RULES)[0] == homes_of("TURKEY", before, RULES)[0] == "SER"
    assert sentence("Build A Ser", other, before) == "You do not control Serbia."
    assert order_refusal(parse_order("Build A Ser", before, RULES), owner, Situation(before, RULES)) is None
    after = stepped(before, **{owner: "Build A Ser"}).next
    assert after.unit_at("SER") == unit_from_text(owner, "A SER")


def test_rule_5_a_home_can_become_one_of_a_second_player() -> None:
    before = standing(
        "Y1901M", {"AUSTRIA": ["A BUD"], "TURKEY": ["A GRE"]}, {"AUSTRIA": ["SER"], "TURKEY": []}, {"AUSTRIA": ["SER"]}
    )
    after = played(before, TURKEY="A Gre - Ser").next
    assert homes_of("AUSTRIA", after, RULES) == ("SER", "BUD")
    assert homes_of("TURKEY", after, RULES) == ("SER",)
    assert after.centres == {"BUD": "AUSTRIA", "SER": "TURKEY"}


# D7 and the end.


def test_d7_a_power_without_a_centre_keeps_its_unit_until_winter_1901_is_over() -> None:
    before = standing("W1901A", {"AUSTRIA": ["A ALB"], "TURKEY": ["A CON"]}, {"TURKEY": ["CON"]})
    assert sum(adjustment_counts("AUSTRIA", Situation(before, RULES)).values()) == 0
    assert standing_in(stepped(before).next)["AUSTRIA"] == ["A ALB"]


def test_d7_from_winter_1902_on_the_ordinary_adjustment_applies() -> None:
    before = standing("W1902A", {"AUSTRIA": ["A ALB"], "TURKEY": ["A CON"]}, {"TURKEY": ["CON"]})
    assert sum(adjustment_counts("AUSTRIA", Situation(before, RULES)).values()) == -1
    assert standing_in(stepped(before).next)["AUSTRIA"] == []


def test_d7_who_has_a_centre_is_adjusted_as_usual_in_winter_1901() -> None:
    before = standing("W1901A", {"AUSTRIA": ["A ALB", "A TRI"]}, {"AUSTRIA": ["TRI"]})
    assert sum(adjustment_counts("AUSTRIA", Situation(before, RULES)).values()) == -1


def test_those_who_never_leave_bulgaria_are_gone_after_winter_1902_and_the_game_is_drawn_at_last() -> None:
    position, seen = START, []
    while True:
        public = adjudicate(position, {}, RULES).public
        seen.append((position.turn.code, len(position.units)))
        if public.verdict:
            break
        position = public.next
    assert seen == [("S1899M", 3), ("F1899M", 3), ("Y1901M", 3), ("Y1902M", 3), ("Y1903M", 0)]
    assert public.verdict.winners == RULES.powers
    assert say(public.verdict, RULES) == "Nobody has a unit or a supply centre left: the game is drawn."


@pytest.mark.parametrize(("held", "won"), [(7, False), (8, True)])
def test_eight_of_the_14_centres_win(held: int, won: bool) -> None:
    before = standing("W1907R", {"TURKEY": ["A ANK"]}, {"TURKEY": BOARD.centres[:held]})
    assert len(BOARD.centres) == 14
    assert bool(stepped(before).verdict) is won


def test_the_board_is_that_of_the_game_for_two_with_a_place_for_each_power_in_bulgaria() -> None:
    two = find("balkan-battle").ruleset.board
    assert set(BOARD.provinces) - set(two.provinces) == CAMPS
    assert BOARD.camps == {"BUL": ("BU1", "BU2", "BU3")}
    for camp in CAMPS:
        assert BOARD.army[camp] == two.army["BUL"]
        for coast in ("/EC", "/SC"):
            assert BOARD.fleet[camp + coast] == two.fleet["BUL" + coast]


def test_the_map_marks_no_centre_as_a_home_as_nobody_starts_with_one() -> None:
    assert '"#b-home"' not in THREE.art.writing
    assert find("balkan-battle").art.writing.count('"#b-home"') == 2
    assert THREE.art.writing.count('"#b-centre"') == 14


# Whole games.


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_game_of_chance_keeps_its_rules_to_the_end(seed: int) -> None:
    for before, public in whole_game(START, RULES, seed, years=1000):
        check_position(public.next, RULES)
        check_bulgaria(public.next)
        assert all(OrderResult.ILLEGAL not in outcome.results for outcome in public.outcomes)
        if before.turn.code.endswith("A"):
            check_nobody_has_a_unit_too_many(public.next.in_turn(before.turn), RULES)
        for power in RULES.powers:
            check_homes(power, before, public.next)
    assert public.verdict is not None


def check_bulgaria(position: Position) -> None:
    """Two or three share it, or it is like any other province. No unit has been driven out of a camp."""
    sharing = [unit for unit in position.units if unit.province in CAMPS]
    assert len(sharing) in (0, 2, 3)
    if sharing:
        assert position.unit_at("BUL") is None
        assert "BUL" not in position.centres
        assert all(not position.centres_of(unit.power) for unit in sharing)
    assert not [each for each in position.dislodged if each.unit.province in CAMPS]


def check_homes(power: str, before: Position, after: Position) -> None:
    """D2 never arises: a power that still wins a home takes one centre at most."""
    had, has = homes_of(power, before, RULES), homes_of(power, after, RULES)
    assert has[: len(had)] == had
    assert len(set(has)) == len(has) <= HOMES
    gained = set(after.centres_of(power)) - set(before.centres_of(power))
    assert len(had) == HOMES or len(gained) <= 1 or len(gained) == len(has) - len(had)


def test_bots_play_from_the_muster_to_a_win() -> None:
    position, public = START, None
    for _ in range(200):
        written = {power: play(power, position, RULES, seed=2) for power in must_decide(position, RULES)}
        public = adjudicate(position, written, RULES).public
        check_bulgaria(public.next)
        if public.verdict:
            break
        position = public.next
    assert public is not None
    assert public.verdict is not None
