"""Positions alone: the same results, only sooner."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given

from adjudication.judge import resolve
from adjudication.notation import parse_order, write_order
from adjudication.orders import OrderSheet
from adjudication.position import Position
from adjudication.quick_judge import standing_after, standing_in
from adjudication.resolution import OrderResult
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.units import Unit
from tests.adjudication.battles import Drawn, battles, examples, paradoxes
from tests.adjudication.boards import STANDARD, position, unit
from tests.adjudication.minors import MINORS, WITH_MINORS
from tests.adjudication.test_datc import CASES

GONE = {OrderResult.DISLODGED, OrderResult.DESTROYED}
MOVEMENT = [pytest.param(case, id=case["id"]) for case in CASES if case["phase"] == "movement"]

Orders = Mapping[str, Sequence[str]]


def judged(before: Position, orders: Orders, ruleset: Ruleset = STANDARD) -> tuple[set[Unit], set[Unit]]:
    """Units afterwards and dislodged units, according to the adjudicator that explains."""
    sheets = {p: OrderSheet(tuple(parse_order(t, before, ruleset) for t in texts)) for p, texts in orders.items()}
    public = resolve(before, sheets, ruleset).public
    return set(public.next.units), {o.unit for o in public.outcomes if o.unit and GONE & set(o.results)}


def told(before: Position, orders: Orders, ruleset: Ruleset = STANDARD) -> tuple[set[Unit], set[Unit]]:
    standing = standing_after(before, orders, ruleset)
    return set(standing.units), {beaten for beaten, _ in standing.dislodged}


@pytest.mark.parametrize("case", MOVEMENT)
def test_every_test_case_ends_alike(case: dict[str, Any]) -> None:
    orders: dict[str, list[str]] = {}
    for power, text, _ in case["orders"]:
        orders.setdefault(power, []).append(text)
    before = position("S1901M", case["units"])
    assert told(before, orders) == judged(before, orders)


def written(drawn: Drawn) -> dict[str, list[str]]:
    return {p: [write_order(o, drawn.position) for o in s.orders] for p, s in drawn.sheets().items()}


@examples(150)
@given(battles())
def test_every_battle_ends_alike(drawn: Drawn) -> None:
    assert told(drawn.position, written(drawn)) == judged(drawn.position, written(drawn))


@examples(100)
@given(paradoxes())
def test_every_paradox_ends_alike(drawn: Drawn) -> None:
    assert told(drawn.position, written(drawn)) == judged(drawn.position, written(drawn))


def test_a_dislodged_unit_is_told_with_where_its_attacker_came_from() -> None:
    before = position("S1901M", {"AUSTRIA": ["A TYR", "A TRI"], "ITALY": ["A VEN"]})
    standing = standing_after(before, {"AUSTRIA": ["A TYR - VEN", "A TRI S A TYR - VEN"]}, STANDARD)
    assert standing.dislodged == ((unit("ITALY", "A VEN"), "TYR"),)


def test_what_cannot_be_read_or_is_unlawful_counts_for_nothing() -> None:
    before = position("S1901M", {"FRANCE": ["A PAR", "A MAR", "F BRE"]})
    orders = {"FRANCE": ["A PAR - XYZ", "A MAR - MUN", "F BRE - PAR", "BUILD A PAR", "A BER - MUN"]}
    assert set(standing_after(before, orders, STANDARD).units) == set(before.units)


def test_the_first_lawful_order_of_a_unit_counts() -> None:
    before = position("S1901M", {"FRANCE": ["A PAR"], "GERMANY": ["A RUH"]})
    orders = {"FRANCE": ["A PAR - MUN", "A PAR - BUR", "A PAR - PIC"]}
    assert unit("FRANCE", "A BUR") in standing_after(before, orders, STANDARD).units


def test_a_line_is_read_afresh_when_other_units_stand_there() -> None:
    support = {"FRANCE": ["A PAR S A MAR - BUR", "A MAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    army = position("S1901M", {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"]})
    fleet = position("S1901M", {"FRANCE": ["A PAR", "F MAR"], "GERMANY": ["A MUN"]})
    none = position("S1901M", {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]})
    for before in (army, fleet, none, army):
        winner = unit("FRANCE", "A BUR") if before is army else unit("GERMANY", "A BUR")
        assert winner in standing_after(before, support, STANDARD).units


def test_minors_follow_the_orders_that_were_bought() -> None:
    orders = {"GERMANY": ["A MUN - BOH"], "NEUTRAL": ["A TYR S A MUN - BOH", "A RUM - BUL"]}
    standing = standing_after(WITH_MINORS, orders, MINORS)
    assert unit("GERMANY", "A BOH") in standing.units
    assert unit("NEUTRAL", "A RUM") in standing.units
    assert [beaten for beaten, _ in standing.dislodged] == [unit("NEUTRAL", "A BOH")]


def test_many_orders_are_tried_in_a_position_laid_out_once() -> None:
    situation = Situation(position("S1901M", {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}), STANDARD)
    tried = [["A PAR - BUR"], ["A PAR - PIC"], ["A PAR - MUN"], []]
    units = [standing_in(situation, {"FRANCE": lines}).units for lines in tried]
    where = [next(unit.province for unit in some if unit.power == "FRANCE") for some in units]
    assert where == ["BUR", "PIC", "PAR", "PAR"]


def test_an_unknown_power_is_refused() -> None:
    with pytest.raises(KeyError, match="NARNIA"):
        standing_after(WITH_MINORS, {"NARNIA": []}, MINORS)
