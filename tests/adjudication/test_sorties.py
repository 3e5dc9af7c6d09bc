"""Sorties: moves of minor powers that never arrive, in both readings of the published rules."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from adjudication.auction import DiplomacyPoints
from adjudication.judge import resolve, resolve_in
from adjudication.legality import order_refusal
from adjudication.neutrals import ArmedMinors, SortieRule
from adjudication.notation import parse_order
from adjudication.options import bid_options
from adjudication.orders import Bid, Convoy, Move, Order, OrderSheet
from adjudication.position import Position
from adjudication.quick_judge import standing_after
from adjudication.reasons import Reason
from adjudication.resolution import Public
from adjudication.situation import Situation
from adjudication.units import NEUTRAL
from tests.adjudication.boards import BOARD, FACTS, lawful_sheets, position
from tests.adjudication.minors import MINORS
from variants.families.diplomacy_points import rules as family_rules
from variants.words import say

RULES = {
    sorties: family_rules(
        BOARD, {**FACTS, "minors": {"sorties": sorties.value}, "diplomacy_points": {"most_per_turn": 3}}
    )
    for sorties in SortieRule
}
either_reading = pytest.mark.parametrize("reading", list(SortieRule))


def judged(before: Position, sallies: Mapping[str, str], reading: SortieRule, **texts: str) -> Public:
    """`sallies`: the province of a minor power -> its order."""
    rules = RULES[reading]
    imposed = {province: parse_order(text, before, rules) for province, text in sallies.items()}
    return resolve_in(Situation(before, rules), lawful_sheets(before, texts, rules), imposed).public


def fate(public: Public, location: str) -> tuple[list[str], Reason | None]:
    (outcome,) = [o for o in public.outcomes if o.unit and o.unit.location == location]
    return [result.value for result in outcome.results], outcome.reason


def standing(public: Public) -> set[str]:
    return {str(each) for each in public.next.units}


@either_reading
def test_a_sortie_into_an_empty_province_leaves_its_unit_where_it_is(reading: SortieRule) -> None:
    public = judged(position("S1901M", {NEUTRAL: ["A BOH"]}), {"BOH": "A Boh - Sil"}, reading)
    assert fate(public, "BOH") == (["fails"], Reason.SORTIE)
    (outcome,) = public.outcomes
    assert say(outcome, RULES[reading]) == "A sortie to Sil: the unit stays where it is."
    assert standing(public) == {"A BOH"}
    assert public.next.contested == {"SIL"}, "no unit can retreat there"


@either_reading
def test_a_sortie_keeps_a_single_unit_out_and_not_a_supported_one(reading: SortieRule) -> None:
    before = position("S1901M", {NEUTRAL: ["A BOH"], "GERMANY": ["A BER", "A MUN"]})
    kept = judged(before, {"BOH": "A Boh - Sil"}, reading, GERMANY="A Ber - Sil; A Mun H")
    assert fate(kept, "BER") == (["fails"], Reason.BOUNCED)
    entered = judged(before, {"BOH": "A Boh - Sil"}, reading, GERMANY="A Ber - Sil; A Mun S A Ber - Sil")
    assert standing(entered) == {"A BOH", "A MUN", "A SIL"}
    assert fate(entered, "BOH") == (["fails"], Reason.SORTIE)


@either_reading
def test_a_sortie_cuts_support_but_not_support_against_itself(reading: SortieRule) -> None:
    before = position("S1901M", {NEUTRAL: ["A BOH"], "GERMANY": ["A MUN", "A RUH"], "FRANCE": ["A BUR"]})
    cut = judged(before, {"BOH": "A Boh - Mun"}, reading, GERMANY="A Ruh - Bur; A Mun S A Ruh - Bur")
    assert fate(cut, "MUN") == (["cut"], Reason.SUPPORT_CUT)
    assert standing(cut) == {"A BOH", "A BUR", "A MUN", "A RUH"}
    against = position("S1901M", {NEUTRAL: ["A BOH"], "GERMANY": ["A MUN", "A SIL"]})
    beaten = judged(against, {"BOH": "A Boh - Mun"}, reading, GERMANY="A Sil - Boh; A Mun S A Sil - Boh")
    assert fate(beaten, "MUN") == (["given"], None)
    assert fate(beaten, "BOH") == (["fails", "destroyed"], Reason.SORTIE)
    assert standing(beaten) == {"A BOH", "A MUN"}


@either_reading
def test_a_unit_that_is_dislodged_while_it_sallies_keeps_no_one_out_of_where_the_attack_came_from(
    reading: SortieRule,
) -> None:
    before = position("S1901M", {NEUTRAL: ["A BOH"], "GERMANY": ["A MUN", "A SIL", "A BER"]})
    orders = "A Mun - Boh; A Sil S A Mun - Boh; A Ber - Mun"
    assert standing(judged(before, {"BOH": "A Boh - Mun"}, reading, GERMANY=orders)) == {"A BOH", "A MUN", "A SIL"}


@either_reading
def test_two_units_do_not_change_places_when_one_of_them_sallies(reading: SortieRule) -> None:
    before = position("S1901M", {NEUTRAL: ["A BOH"], "GERMANY": ["A MUN"]})
    public = judged(before, {"BOH": "A Boh - Mun"}, reading, GERMANY="A Mun - Boh")
    assert standing(public) == {"A BOH", "A MUN"}


@either_reading
def test_no_unit_follows_into_the_province_that_a_sortie_seems_to_leave(reading: SortieRule) -> None:
    before = position("S1901M", {NEUTRAL: ["A BOH"], "GERMANY": ["A MUN"]})
    public = judged(before, {"BOH": "A Boh - Sil"}, reading, GERMANY="A Mun - Boh")
    assert fate(public, "MUN") == (["fails"], Reason.HELD_OFF)


@pytest.mark.parametrize(("reading", "held"), [(SortieRule.MOVES, False), (SortieRule.HOLDS, True)])
def test_whether_the_sallying_unit_can_be_supported_to_hold_depends_on_the_reading(
    reading: SortieRule, held: bool
) -> None:
    before = position("S1901M", {NEUTRAL: ["A BOH"], "GERMANY": ["A MUN", "A SIL"], "AUSTRIA": ["A GAL"]})
    orders = {"GERMANY": "A Mun - Boh; A Sil S A Mun - Boh", "AUSTRIA": "A Gal S A Boh"}
    public = judged(before, {"BOH": "A Boh - Vie"}, reading, **orders)
    assert ("A MUN" in standing(public)) is held
    assert fate(public, "GAL") == ((["given"], None) if held else (["invalid"], Reason.UNMATCHED_SUPPORT))
    (contest,) = [each for each in public.contests if each.province == "BOH"]
    assert contest.holds == (2 if held else 1)


def test_in_one_reading_a_sortie_can_be_supported_and_in_the_other_such_support_is_refused() -> None:
    before = position("S1901M", {NEUTRAL: ["A BOH"], "AUSTRIA": ["A GAL"], "GERMANY": ["A BER", "A MUN"]})
    german = "A Ber - Sil; A Mun S A Ber - Sil"
    public = judged(before, {"BOH": "A Boh - Sil"}, SortieRule.MOVES, GERMANY=german, AUSTRIA="A Gal S A Boh - Sil")
    assert fate(public, "BER") == (["fails"], Reason.BOUNCED)
    assert fate(public, "GAL") == (["given"], None)
    order = parse_order("A Gal S A Boh - Sil", before, RULES[SortieRule.HOLDS])
    refusal = order_refusal(order, "AUSTRIA", Situation(before, RULES[SortieRule.HOLDS]))
    assert refusal is not None
    assert (
        say(refusal, RULES[SortieRule.HOLDS])
        == "Bohemia’s sorties cannot be supported. Its unit can be supported to hold."
    )


@either_reading
def test_a_sortie_is_offered_bid_for_and_found_by_programs_that_try_many_orders(reading: SortieRule) -> None:
    rules = RULES[reading]
    before = position("S1901M", {NEUTRAL: ["A BOH"], "GERMANY": ["A MUN"]}, {"GERMANY": ["MUN"]})
    (minor,) = bid_options(before, rules)
    assert Move("BOH", "SIL") in minor.orders
    bid = {"GERMANY": OrderSheet((), (Bid(Move("BOH", "SIL"), 1),))}
    assert fate(resolve(before, bid, rules).public, "BOH") == (["fails"], Reason.SORTIE)
    units = standing_after(before, {NEUTRAL: ["A Boh - Sil"], "GERMANY": ["A Mun - Sil"]}, rules).units
    assert {str(each) for each in units} == {"A BOH", "A MUN"}


def test_minors_convoy_if_the_rules_say_so() -> None:
    rules = replace(MINORS, neutrals=ArmedMinors(convoys=True), auction=DiplomacyPoints(most=3))
    before = position("S1901M", {NEUTRAL: ["F NTH"], "ENGLAND": ["A LON"]}, {"ENGLAND": ["LON"]})
    convoy = Convoy("NTH", "LON", "NWY")
    sheet = OrderSheet((Move("LON", "NWY", via=True),), (Bid(convoy, 1),))
    assert standing(resolve(before, {"ENGLAND": sheet}, rules).public) == {"A NWY", "F NTH"}
    refused = order_refusal(convoy, NEUTRAL, Situation(before, MINORS))
    assert refused is not None
    assert say(refused, MINORS) == "A minor power’s unit can only hold or support."


@pytest.mark.parametrize(
    ("minors", "order", "words"),
    [
        (ArmedMinors(), Move("BOH", "SIL"), "hold or support"),
        (ArmedMinors(convoys=True), Move("BOH", "SIL"), "hold, support or convoy"),
        (ArmedMinors(SortieRule.MOVES), Convoy("BOH", "MUN", "SIL"), "hold, support or make a sortie"),
    ],
)
def test_what_a_minor_cannot_do_is_refused_with_what_it_can(minors: ArmedMinors, order: Order, words: str) -> None:
    before = position("S1901M", {NEUTRAL: ["A BOH"]})
    refused = order_refusal(order, NEUTRAL, Situation(before, replace(MINORS, neutrals=minors)))
    assert refused is not None
    assert say(refused, MINORS) == f"A minor power’s unit can only {words}."
