"""Adjudicate a phase again: with orders corrected by the game master, or from its published orders."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adjudication import judge
from adjudication.board import province_of
from adjudication.notation import parse_order, write_order
from adjudication.orders import Hold, Order, OrderSheet, location_of
from adjudication.position import Position
from adjudication.resolution import OrderOutcome, OrderResult, Public
from adjudication.ruleset import Ruleset
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL

ONE_ORDER_EACH = frozenset({PhaseKind.MOVEMENT, PhaseKind.RETREAT})
"""The kinds of phase in which each unit has one order, which a correction replaces."""

REFUSED = frozenset({OrderResult.ILLEGAL, OrderResult.INVALID})


@dataclass(frozen=True, slots=True)
class Correction:
    """One published order that is changed. `was` and `instead` are canonical text; `instead` is "" for no order.
    `power` owns the unit, and `place` is the province of the unit or of the build."""

    power: str
    place: str
    was: str
    instead: str


def adjudicate_corrected(
    position: Position, sheets: Mapping[str, OrderSheet], corrections: Iterable[Correction], ruleset: Ruleset
) -> Public:
    """The result of a phase from its sheets with these corrections, made in order. Raises NotationError for a
    correction that is not an order."""
    all_corrections = list(corrections)
    imposed = {
        it.place: _replacement_order(it, position, ruleset) or _hold_at(it.place, position)
        for it in all_corrections
        if it.power == NEUTRAL
    }
    return judge.adjudicate(
        position, corrected_sheets(position, sheets, all_corrections, ruleset), ruleset, imposed=imposed
    ).public


def corrected_sheets(
    position: Position, sheets: Mapping[str, OrderSheet], corrections: Iterable[Correction], ruleset: Ruleset
) -> dict[str, OrderSheet]:
    """The sheets with these corrections, made in order, except those of minor powers, which have no sheet. Raises
    NotationError for a correction that is not an order."""
    new_sheets = dict(sheets)
    for each in corrections:
        if each.power != NEUTRAL:
            order = _replacement_order(each, position, ruleset)
            # The sheet with the replacement in place of the orders for that unit, or of that one order.
            sheet = new_sheets.get(each.power, OrderSheet())
            if position.turn.kind in ONE_ORDER_EACH:
                orders = [it for it in sheet.orders if province_of(location_of(it)) != each.place]
            else:
                orders = list(sheet.orders)
                lines = [write_order(it, position) for it in orders]
                if each.was in lines:
                    del orders[lines.index(each.was)]
            new_sheets[each.power] = sheet._replace(orders=(*orders, *([order] if order else ())))
    return new_sheets


def adjudicate_published(position: Position, outcomes: Iterable[OrderOutcome], ruleset: Ruleset) -> Public:
    """The result of a phase from its published orders. Minor powers' orders count whether or not they were paid for."""
    orders, imposed = dict[str, tuple[Order, ...]](), dict[str, Order]()
    for outcome in outcomes_to_replay(outcomes, position, ruleset):
        if outcome.power == NEUTRAL:
            imposed[province_of(location_of(outcome.order))] = outcome.order
        else:
            orders[outcome.power] = (*orders.get(outcome.power, ()), outcome.order)
    sheets = {power: OrderSheet(own_orders) for power, own_orders in orders.items()}
    return judge.adjudicate(position, sheets, ruleset, imposed=imposed).public


def outcomes_to_replay(outcomes: Iterable[OrderOutcome], position: Position, ruleset: Ruleset) -> list[OrderOutcome]:
    """The outcomes whose orders, given again, lead to all these outcomes. Refused orders come last, because the first
    of several orders count. Holds that nobody ordered are left out where an order would be refused."""
    leaderless_places = ruleset.disorder.leaderless(position)
    of_orders = [it for it in outcomes if it.reason or province_of(location_of(it.order)) not in leaderless_places]
    return sorted(of_orders, key=lambda it: not REFUSED.isdisjoint(it.results))


def _hold_at(place: str, position: Position) -> Hold:
    unit = position.unit_at(place)
    return Hold(unit.location if unit else place)


def _replacement_order(correction: Correction, position: Position, ruleset: Ruleset) -> Order | None:
    if not correction.instead:
        return None
    power = "" if correction.power == NEUTRAL else correction.power
    return parse_order(correction.instead, position, ruleset, power)
