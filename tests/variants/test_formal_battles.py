"""What is true of every battle and every game under declared relations."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.judge import resolve
from adjudication.movement.battle import Battle
from adjudication.movement.solver import Solver
from adjudication.notation import write_order
from adjudication.orders import Hold, OrderSheet, location_of
from adjudication.position import Position
from adjudication.quick_judge import standing_after
from adjudication.reasons import Reason
from adjudication.relations import relation_key, stance_of
from adjudication.resolution import OrderResult, Public
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from tests.adjudication.battles import POWERS, Drawn, battles, examples, laid_out
from tests.long_round import how_many
from tests.variants.chance import whole_game
from tests.variants.formal_table import ALLIANCE, NEUTRALITY, RULES, START, WAR
from variants.words import say

GAMES = how_many("chance")


def stance(one: str, other: str, position: Position) -> str:
    return stance_of(one, other, position, RULES.relations.stances)


@st.composite
def wars(draw: st.DrawFn) -> Drawn:
    """A crowded corner, orders as in the standard game, and any relations between the powers there."""
    drawn = draw(battles())
    words = st.sampled_from([ALLIANCE, NEUTRALITY, WAR])
    relations = {relation_key(one, other): draw(words) for one, other in combinations(POWERS, 2)}
    return Drawn(replace(drawn.position, relations=relations), drawn.orders)


def holding_in(provinces: set[str], drawn: Drawn) -> Drawn:
    """The same battle, but with these units holding."""
    holds = {province: Hold(location_of(drawn.orders[province])) for province in provinces}
    return Drawn(drawn.position, {**drawn.orders, **holds})


@examples(80)
@given(wars())
def test_only_enemies_dislodge_each_other(drawn: Drawn) -> None:
    for outcome in drawn.public(RULES).outcomes:
        if outcome.attacker_from is not None:
            attacker = drawn.position.unit_at(outcome.attacker_from)
            assert attacker is not None
            assert stance(attacker.power, outcome.power, drawn.position) == WAR


@examples(80)
@given(wars())
def test_units_are_neither_lost_nor_doubled(drawn: Drawn) -> None:
    public = drawn.public(RULES)
    provinces = [unit.province for unit in public.next.units]
    destroyed = [o for o in public.outcomes if OrderResult.DESTROYED in o.results]
    assert len(provinces) == len(set(provinces))
    left = len(public.next.dislodged) + len(destroyed) + len(public.notices)
    assert all(notice.kind == "interned" for notice in public.notices)
    assert len(provinces) + left == len(drawn.position.units)


@examples(80)
@given(wars())
def test_every_order_that_came_to_nothing_has_a_reason_and_a_sentence(drawn: Drawn) -> None:
    fine = {OrderResult.SUCCEEDS, OrderResult.GIVEN, OrderResult.AVAILABLE, OrderResult.STANDS}
    for outcome in drawn.public(RULES).outcomes:
        came_to_nothing = not set(outcome.results) <= fine
        assert came_to_nothing == (outcome.reason is not None) == bool(say(outcome, RULES))


@examples(80)
@given(wars())
def test_a_void_order_is_as_good_as_a_hold(drawn: Drawn) -> None:
    public = drawn.public(RULES)
    void = {o.unit.province for o in public.outcomes if o.unit and o.results[0] is OrderResult.ILLEGAL}
    after = holding_in(void, drawn).public(RULES).next
    assert (after.units, after.dislodged, after.contested) == (
        public.next.units,
        public.next.dislodged,
        public.next.contested,
    )


@examples(80)
@given(wars())
def test_a_move_that_gave_way_is_as_good_as_a_hold(drawn: Drawn) -> None:
    """If the unit had been ordered to hold instead, nothing would have changed."""
    public = drawn.public(RULES)
    gave_way = {o.unit.province for o in public.outcomes if o.unit and o.reason is Reason.GAVE_WAY}
    after = holding_in(gave_way, drawn).public(RULES).next
    assert (after.units, after.dislodged, after.contested) == (
        public.next.units,
        public.next.dislodged,
        public.next.contested,
    )


@examples(80)
@given(wars())
def test_among_enemies_it_is_the_standard_game(drawn: Drawn) -> None:
    """If all are at war and no power helps another, everything is as without relations."""
    relations = {relation_key(one, other): WAR for one, other in combinations(RULES.powers, 2)}
    at_war = Drawn(replace(drawn.position, relations=relations), drawn.orders)
    formal = at_war.public(RULES)
    if all(OrderResult.ILLEGAL not in outcome.results for outcome in formal.outcomes):
        standard = at_war.public()
        assert formal.next.units == standard.next.units
        assert formal.outcomes == standard.outcomes


@examples(80)
@given(wars())
def test_a_finished_resolution_is_a_fixed_point(drawn: Drawn) -> None:
    situation = Situation(drawn.position, RULES)
    public = drawn.public(RULES)
    void = {o.unit.province for o in public.outcomes if o.unit and o.results[0] is OrderResult.ILLEGAL}
    orders = {p: o for p, o in drawn.orders.items() if p not in void}
    solver = Solver(Battle(situation, laid_out(orders, situation)))
    asked = [situation.bitboard.number[p] for p, o in orders.items() if not isinstance(o, Hold)]
    answers = {here: solver.succeeds(here) for here in asked}
    assert {here: solver.evaluate(here) for here in asked} == answers


@examples(80)
@given(wars(), st.data())
def test_neither_the_sequence_of_orders_nor_that_of_powers_matters(drawn: Drawn, data: st.DataObject) -> None:
    shuffled = {
        power: OrderSheet(tuple(data.draw(st.permutations(sheet.orders))))
        for power, sheet in data.draw(st.permutations(list(drawn.sheets().items())))
    }
    assert resolve(drawn.position, shuffled, RULES).public == drawn.public(RULES)


@examples(80)
@given(wars())
def test_the_quick_judge_sees_the_same_units(drawn: Drawn) -> None:
    lines = {
        power: [write_order(order, drawn.position) for order in sheet.orders] for power, sheet in drawn.sheets().items()
    }
    quick = standing_after(drawn.position, lines, RULES)
    assert sorted(quick.units) == sorted(drawn.public(RULES).next.units)


# Whole games.


def strangers(position: Position) -> set[str]:
    """The provinces in which a unit is on a neutral power's land."""
    found = set()
    for unit in position.units:
        owner = RULES.territory.owner(unit.province, position)
        if owner not in (None, unit.power) and stance(unit.power, owner or "", position) == NEUTRALITY:
            found.add(unit.province)
    return found


@pytest.mark.parametrize("seed", range(GAMES))
def test_in_a_game_of_chance_relations_are_kept(seed: int) -> None:
    for before, public in whole_game(START, RULES, seed, years=8):
        assert set(public.next.relations.values()) <= {ALLIANCE, WAR}
        check_centres(before, public)
        if before.turn.kind is PhaseKind.MOVEMENT:
            check_moves(before, public)


def check_centres(before: Position, public: Public) -> None:
    """Only enemies take centres from each other."""
    for centre, holder in public.next.centres.items():
        loser = before.centres.get(centre)
        assert loser in (None, holder) or stance(holder, loser or "", before) == WAR


def check_moves(before: Position, public: Public) -> None:
    """Units enter neutral land only to attack an enemy there. Those still there at the next declarations have just
    dislodged one."""
    beaten = {o.unit.province for o in public.outcomes if o.unit and o.attacker_from}
    there = before.units_by_province()
    for outcome in public.outcomes:
        if outcome.results[0] is OrderResult.SUCCEEDS and outcome.unit:
            goal = getattr(outcome.order, "destination", "")[:3]
            owner = RULES.territory.owner(goal, before)
            if owner and owner != outcome.power and stance(owner, outcome.power, before) == NEUTRALITY:
                assert stance(there[goal].power, outcome.power, before) == WAR
    if public.next.turn.kind is PhaseKind.DECLARATION and public.next.turn.year == before.turn.year:
        assert strangers(public.next) <= beaten
