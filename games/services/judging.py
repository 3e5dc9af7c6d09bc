"""Judging a closed phase once more: its sealed sheets, and the orders that a game master has amended."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adjudication import judge
from adjudication.board import province_of
from adjudication.notation import parse_order, write_order
from adjudication.orders import Hold, Sheet, where
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL
from games import codec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adjudication.orders import Order
    from adjudication.position import Position
    from adjudication.resolution import Public
    from games.models import Amendment, Phase
    from variants.variant import Variant

ONE_ORDER_EACH = frozenset({PhaseKind.MOVEMENT, PhaseKind.RETREAT})
"""The kinds of phase in which a unit follows one order, so that another takes its place."""


def judge_again(
    phase: Phase, variant: Variant, written: Mapping[str, str], amendments: Iterable[Amendment]
) -> Public:
    """The result of a phase from the canonical lines written for it and from its amendments, in their sequence."""
    position = codec.position_of(phase)
    sheets = codec.sheets_of(written, position, variant)
    imposed: dict[str, Order] = {}
    for amendment in amendments:
        order = _instead(amendment, position, variant)
        if amendment.power == NEUTRAL:
            imposed[amendment.place] = order or _standing(amendment.place, position)
        else:
            sheet = sheets.get(amendment.power, Sheet())
            sheets[amendment.power] = _amended(sheet, amendment, order, position)
    return judge.adjudicate(position, sheets, variant.ruleset, imposed=imposed).public


def _standing(place: str, position: Position) -> Hold:
    unit = position.unit_at(place)
    return Hold(unit.location if unit else place)


def _instead(amendment: Amendment, position: Position, variant: Variant) -> Order | None:
    if not amendment.instead:
        return None
    power = "" if amendment.power == NEUTRAL else amendment.power
    return parse_order(amendment.instead, position, variant.ruleset, power)


def _amended(sheet: Sheet, amendment: Amendment, order: Order | None, position: Position) -> Sheet:
    """Without what was written for that unit, or without that one order, and with what counts instead."""
    if position.turn.kind in ONE_ORDER_EACH:
        others = [it for it in sheet.orders if province_of(where(it)) != amendment.place]
    else:
        others = list(sheet.orders)
        written = [write_order(it, position) for it in others]
        if amendment.was in written:
            del others[written.index(amendment.was)]
    return replace(sheet, orders=(*others, *([order] if order else ())))
