"""Diplomacy Points: the highest bidder decides. D4 to D8 are as in the rules."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.auction import BidOutcome, award_orders, budget, outcomes_of_bids
from adjudication.judge import put_in_civil_disorder, resolve
from adjudication.neutrals import ArmedMinors
from adjudication.notation import read_sheet, read_sheets, write_sheet
from adjudication.options import bid_options
from adjudication.orders import Bid, Hold, Move, Order, OrderSheet, Support
from adjudication.position import Position
from adjudication.reasons import Reason
from adjudication.resolution import OrderResult, Public
from adjudication.serialisation import public_to_json
from adjudication.situation import Situation
from adjudication.units import NEUTRAL
from tests.adjudication.battles import examples
from tests.adjudication.boards import STANDARD, position, unit
from tests.adjudication.minors import MINORS, WITH_MINORS
from variants.words import say

GERMAN = Support("TYR", "MUN", "BOH")
ITALIAN = Support("TYR", "VEN")
HOLDS = (Hold("BOH"), Hold("RUM"), Hold("TYR"))

Bids = Mapping[str, tuple[Bid, ...]]


def all_awarded(bids: Bids, before: Position = WITH_MINORS) -> tuple[Order, ...]:
    """What each minor does, by location."""
    sheets = {power: OrderSheet((), some) for power, some in bids.items()}
    private = resolve(before, sheets, MINORS).private
    return award_orders([bid for own in private.values() for bid in own.counting], Situation(before, MINORS))


def awarded(bids: Bids) -> Order:
    """What Tyrolia does."""
    return all_awarded(bids)[-1]


def judged(bids: Bids) -> Public:
    sheets = {power: OrderSheet((), some) for power, some in bids.items()}
    return resolve(WITH_MINORS, sheets, MINORS).public


def test_the_budget_is_a_point_a_centre_and_three_at_most() -> None:
    assert budget("GERMANY", WITH_MINORS, MINORS) == 3
    assert budget("TURKEY", WITH_MINORS, MINORS) == 2
    assert budget("FRANCE", WITH_MINORS, MINORS) == 0
    assert budget("GERMANY", WITH_MINORS, STANDARD) == 0


def test_points_come_in_movement_phases_only() -> None:
    winter = position("W1901A", {}, {"GERMANY": ["MUN"]})
    assert budget("GERMANY", winter, MINORS) == 0


def test_without_bids_every_minor_holds() -> None:
    assert all_awarded({}) == HOLDS


def test_a_single_point_is_enough_when_nobody_else_bids() -> None:
    assert all_awarded({"GERMANY": (Bid(GERMAN, 1),)}) == (*HOLDS[:2], GERMAN)


def test_most_points_win_and_a_tie_holds() -> None:
    assert awarded({"GERMANY": (Bid(GERMAN, 2),), "ITALY": (Bid(ITALIAN, 1),)}) == GERMAN
    assert awarded({"GERMANY": (Bid(GERMAN, 1),), "ITALY": (Bid(ITALIAN, 1),)}) == Hold("TYR")


def test_equal_orders_of_several_powers_add_up() -> None:
    bids = {"GERMANY": (Bid(GERMAN, 1),), "ITALY": (Bid(ITALIAN, 1),), "TURKEY": (Bid(GERMAN, 1),)}
    assert awarded(bids) == GERMAN


def test_equal_bids_of_one_power_add_up() -> None:
    bids = {"GERMANY": (Bid(GERMAN, 1), Bid(GERMAN, 1)), "ITALY": (Bid(ITALIAN, 1),)}
    assert awarded(bids) == GERMAN


def test_a_bid_to_hold_competes_like_any_other() -> None:
    bids = {"GERMANY": (Bid(GERMAN, 2),), "ITALY": (Bid(Hold("TYR"), 3),)}
    assert awarded(bids) == Hold("TYR")
    three_ways = {"GERMANY": (Bid(GERMAN, 2),), "ITALY": (Bid(Hold("TYR"), 1), Bid(ITALIAN, 1))}
    assert awarded(three_ways) == GERMAN


def test_d4_a_support_that_matches_nothing_still_counts_in_the_auction() -> None:
    unmatched = Support("TYR", "VEN", "PIE")
    bids = {"GERMANY": (Bid(GERMAN, 1),), "ITALY": (Bid(unmatched, 2),)}
    assert awarded(bids) == unmatched


NOBODY_THERE = [
    ("A Tyr S Pie", Support("TYR", "PIE"), "Pie"),
    ("A Tyr S A Sil - Boh", Support("TYR", "SIL", "BOH"), "Sil"),
]


@pytest.mark.parametrize(("text", "order", "empty"), NOBODY_THERE)
def test_d4_a_support_for_a_unit_that_does_not_exist_counts_without_effect(text: str, order: Order, empty: str) -> None:
    reading = read_sheet(f"2: {text}", "ITALY", WITH_MINORS, MINORS)
    assert (reading.problems, reading.sheet.bids) == ((), (Bid(order, 2),))
    assert read_sheet(write_sheet(reading.sheet, WITH_MINORS), "ITALY", WITH_MINORS, MINORS) == reading
    public = judged({"GERMANY": (Bid(GERMAN, 1),), "ITALY": reading.sheet.bids})
    (outcome,) = [each for each in public.outcomes if each.order == order]
    assert (outcome.results, outcome.reason) == ((OrderResult.INVALID,), Reason.UNMATCHED_SUPPORT)
    assert say(outcome, MINORS) == f"There is no unit in {empty}, so the support had no effect."


@pytest.mark.parametrize(("text", "order", "empty"), NOBODY_THERE)
def test_a_players_unit_cannot_support_one_that_does_not_exist(text: str, order: Order, empty: str) -> None:
    own = replace(WITH_MINORS, units=(*WITH_MINORS.units_of("GERMANY"), unit("ITALY", "A TYR")))
    name = MINORS.board.name(empty.upper())
    assert [say(each.why, MINORS) for each in read_sheet(text, "ITALY", own, MINORS).problems] == [
        f"There is no unit in {name} to support."
    ]
    outcomes = resolve(own, {"ITALY": OrderSheet((order,))}, MINORS).public.outcomes
    (result,) = [(each.results, each.reason) for each in outcomes if each.order == order]
    assert result == ((OrderResult.ILLEGAL,), Reason.NOTHING_TO_SUPPORT)


def test_d4_a_unit_whose_power_was_given_up_after_the_bid_is_one_that_turned_out_not_to_exist() -> None:
    away = replace(
        WITH_MINORS, units=(*WITH_MINORS.units_of(NEUTRAL), unit("GERMANY", "A SIL"), unit("ITALY", "A VEN"))
    )
    bids = {"ITALY": "2: A Tyr S A Sil - Boh", "TURKEY": "1: A Tyr S A Ven"}
    assert not [each for power, text in bids.items() for each in read_sheet(text, power, away, MINORS).problems]
    after, _ = put_in_civil_disorder(away, "GERMANY", MINORS)
    public = resolve(after, read_sheets(bids, after, MINORS), MINORS).public
    assert Support("TYR", "SIL", "BOH") in [each.order for each in public.outcomes]


@pytest.mark.parametrize("power", ["ITALY", NEUTRAL])
def test_nobody_convoys_an_army_that_does_not_exist(power: str) -> None:
    before = position("S1901M", {power: ["F ADR"]}, {"ITALY": ["ROM"]})
    rules = replace(MINORS, neutrals=ArmedMinors(convoys=True))
    text = "F ADR C A VEN - ALB" if power == "ITALY" else "1: F ADR C A VEN - ALB"
    (problem,) = read_sheet(text, "ITALY", before, rules).problems
    assert say(problem.why, MINORS) == "There is no army in Venice to convoy."


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (Move("TYR", "BOH"), Reason.MINOR_ONLY_HOLDS_OR_SUPPORTS),
        (Support("TYR", "MUN", "BER"), Reason.SUPPORT_OUT_OF_REACH),
        (Support("TYR", "SER"), Reason.SUPPORT_OUT_OF_REACH),
        (Support("TYR", "KIE", "BOH"), Reason.SUPPORT_OF_IMPOSSIBLE_MOVE),
        (Hold("SIL"), Reason.NO_SUCH_UNIT),
        (Hold("MUN"), Reason.NOT_A_MINOR),
    ],
)
def test_d5_an_impossible_bid_is_dropped_but_spent(order: Order, reason: Reason) -> None:
    impossible = Bid(order, 2)
    sheets = {"ITALY": OrderSheet((), (impossible, Bid(ITALIAN, 1)))}
    resolution = resolve(WITH_MINORS, sheets, MINORS)
    assert resolution.private["ITALY"].dropped == ((impossible, reason),)
    over = (impossible, Bid(ITALIAN, 2))
    assert awarded({"ITALY": over}) == Hold("TYR")


def test_d6_ones_own_split_bids_tie() -> None:
    assert awarded({"GERMANY": (Bid(GERMAN, 1), Bid(ITALIAN, 1))}) == Hold("TYR")


def test_d7_a_destinations_coast_does_not_make_another_order() -> None:
    before = position(
        "S1901M", {"NEUTRAL": ["A POR"], "FRANCE": ["F MAO"]}, {"FRANCE": ["BRE"], "ITALY": ["ROM"], "TURKEY": ["CON"]}
    )
    bids = {
        "FRANCE": (Bid(Support("POR", "MAO", "SPA/NC"), 1),),
        "ITALY": (Bid(Support("POR", "MAO", "SPA/SC"), 1),),
        "TURKEY": (Bid(Hold("POR"), 1),),
    }
    assert all_awarded(bids, before) == (Support("POR", "MAO", "SPA"),)


def test_d8_overspending_forfeits_everything() -> None:
    bids = (Bid(GERMAN, 3), Bid(Hold("BOH"), 1))
    assert all_awarded({"GERMANY": bids}) == HOLDS
    resolution = resolve(WITH_MINORS, {"GERMANY": OrderSheet((), bids)}, MINORS)
    assert resolution.private["GERMANY"].dropped == tuple((bid, Reason.OVERSPENT) for bid in bids)


def test_a_bid_without_points_is_dropped() -> None:
    bids = (Bid(GERMAN, 0), Bid(ITALIAN, -1))
    resolution = resolve(WITH_MINORS, {"GERMANY": OrderSheet((), bids)}, MINORS)
    assert resolution.public == judged({})
    assert [reason for _, reason in resolution.private["GERMANY"].dropped] == [Reason.NO_POINTS] * 2


def test_a_power_reads_its_own_bids_only() -> None:
    sheets = {"GERMANY": OrderSheet((), (Bid(GERMAN, 1),)), "ITALY": OrderSheet((), (Bid(ITALIAN, 2),))}
    private = resolve(WITH_MINORS, sheets, MINORS).private
    assert {power: own.sheet for power, own in private.items()} == sheets


def test_a_minor_may_help_to_dislodge_another_minor() -> None:
    orders = (Support("TYR", "MUN", "BOH"),)
    sheet = OrderSheet((Move("MUN", "BOH"),), tuple(Bid(order, 1) for order in orders))
    public = resolve(WITH_MINORS, {"GERMANY": sheet}, MINORS).public
    assert str(public.next.unit_at("BOH")) == "A BOH"
    assert [unit.power for unit in public.next.units if unit.province == "BOH"] == ["GERMANY"]


LAWFUL = [order for option in bid_options(WITH_MINORS, MINORS) for order in option.orders]
SOME_BIDS = st.dictionaries(
    st.sampled_from(["GERMANY", "ITALY", "TURKEY"]),
    st.lists(st.builds(Bid, st.sampled_from(LAWFUL), st.integers(0, 4)), max_size=3).map(tuple),
)


@examples(150)
@given(SOME_BIDS, SOME_BIDS)
def test_bids_that_win_the_same_orders_have_the_same_public_result(one: Bids, other: Bids) -> None:
    won = all_awarded(one)
    directly = {"GERMANY": tuple(Bid(o, 1) for o in won if not isinstance(o, Hold))}
    assert all_awarded(directly) == won
    assert_same(judged(one), judged(directly))
    if all_awarded(other) == won:
        assert_same(judged(one), judged(other))


def assert_same(one: Public, other: Public) -> None:
    assert one == other
    assert json.dumps(public_to_json(one)) == json.dumps(public_to_json(other))


def test_the_fate_of_a_bid_is_that_of_all_points_for_its_order() -> None:
    won, also_won, lost = Bid(GERMAN, 1), Bid(GERMAN, 2), Bid(ITALIAN, 2)
    tied, too = Bid(Hold("RUM"), 1), Bid(Move("RUM", "BUL"), 1)
    assert outcomes_of_bids([won, lost, tied, also_won, too]) == (
        BidOutcome.WON,
        BidOutcome.LOST,
        BidOutcome.TIED,
        BidOutcome.WON,
        BidOutcome.TIED,
    )
