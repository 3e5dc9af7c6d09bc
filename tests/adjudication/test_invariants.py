"""Invariants of every position, without another adjudicator."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from adjudication.board import province_of
from adjudication.judge import resolve
from adjudication.movement.battle import Battle
from adjudication.movement.solver import Solver
from adjudication.notation import read_sheet, write_sheet
from adjudication.orders import OrderSheet
from adjudication.position import Position
from adjudication.resolution import OrderResult
from adjudication.serialisation import position_from_json, position_to_json, public_from_json, public_to_json
from adjudication.situation import Situation
from tests.adjudication.battles import POWERS, Drawn, battles, examples, laid_out
from tests.adjudication.boards import STANDARD
from variants.words import say


@examples(100)
@given(battles())
def test_units_are_neither_lost_nor_doubled_and_never_share_a_province(drawn: Drawn) -> None:
    public = drawn.public()
    provinces = [unit.province for unit in public.next.units]
    assert len(provinces) == len(set(provinces))
    destroyed = [o for o in public.outcomes if OrderResult.DESTROYED in o.results]
    assert len(provinces) + len(public.next.dislodged) + len(destroyed) == len(drawn.position.units)
    assert [o.unit for o in public.outcomes] == sorted(drawn.position.units, key=lambda u: (u.power, u.location))


@examples(100)
@given(battles(), st.data())
def test_the_sequence_of_orders_does_not_matter(drawn: Drawn, data: st.DataObject) -> None:
    shuffled = {
        power: OrderSheet(tuple(data.draw(st.permutations(sheet.orders))))
        for power, sheet in data.draw(st.permutations(list(drawn.sheets().items())))
    }
    assert resolve(drawn.position, shuffled, STANDARD).public == drawn.public()


@examples(100)
@given(battles())
def test_the_names_of_powers_do_not_matter(drawn: Drawn) -> None:
    names = dict(zip(POWERS, ("TURKEY", "AUSTRIA", "ITALY"), strict=True))
    renamed = tuple(replace(u, power=names[u.power]) for u in drawn.position.units)
    mirrored = Drawn(replace(drawn.position, units=renamed), drawn.orders)
    expected = sorted(replace(u, power=names[u.power]) for u in drawn.public().next.units)
    assert list(mirrored.public().next.units) == expected


@examples(100)
@given(battles())
def test_a_finished_resolution_is_a_fixed_point(drawn: Drawn) -> None:
    """Asked again with all answers known, every order gives the same answer."""
    situation = Situation(drawn.position, STANDARD)
    solver = Solver(Battle(situation, laid_out(drawn.orders, situation)))
    asked = [situation.bitboard.number[p] for p, o in drawn.orders.items() if type(o).__name__ != "Hold"]
    answers = {here: solver.succeeds(here) for here in asked}
    assert {here: solver.evaluate(here) for here in asked} == answers


@examples(100)
@given(battles())
def test_who_arrives_was_stronger_than_the_holder_and_every_other_attack(drawn: Drawn) -> None:
    public = drawn.public()
    arrived = {o.unit for o in public.outcomes if o.results[0] is OrderResult.SUCCEEDS}
    for contest in public.contests:
        winners = [attack for attack in contest.attacks if attack.unit in arrived]
        others = [attack.prevents for attack in contest.attacks if attack.unit not in arrived]
        assert len(winners) <= 1
        assert all(winner.strength > max([contest.holds, *others]) for winner in winners)


@examples(100)
@given(battles())
def test_a_unit_retreats_only_to_free_ground(drawn: Drawn) -> None:
    following = drawn.public().next
    for dislodged in following.dislodged:
        for place in dislodged.retreats:
            assert following.unit_at(place) is None
            assert province_of(place) not in following.contested
            assert province_of(place) != dislodged.attacker_from


@examples(60)
@given(battles())
def test_positions_sheets_and_resolutions_survive_being_written(drawn: Drawn) -> None:
    public = drawn.public()
    assert public_from_json(json.loads(json.dumps(public_to_json(public)))) == public
    assert reloaded(drawn.position) == drawn.position
    assert reloaded(public.next) == public.next
    for power, sheet in drawn.sheets().items():
        text = write_sheet(sheet, drawn.position)
        assert read_sheet(text, power, drawn.position, STANDARD).sheet == sheet


def reloaded(position: Position) -> Position:
    return position_from_json(json.loads(json.dumps(position_to_json(position))))


@examples(60)
@given(battles())
def test_every_failure_has_a_reason_and_a_sentence(drawn: Drawn) -> None:
    fine = {OrderResult.SUCCEEDS, OrderResult.GIVEN, OrderResult.AVAILABLE, OrderResult.STANDS}
    for outcome in drawn.public().outcomes:
        came_to_nothing = not set(outcome.results) <= fine
        assert came_to_nothing == (outcome.reason is not None) == bool(say(outcome, STANDARD))
