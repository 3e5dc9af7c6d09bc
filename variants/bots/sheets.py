"""The search for all phases except ordinary moves: retreats, builds, removals, first armies and declarations.

It begins with the easy bot's sheet and changes one order at a time. A sheet is worth as much as the position that it
leads to; where powers declare their relations, as much as the moves that become possible.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from adjudication.board import province_of
from adjudication.fitting import warnings_about
from adjudication.judge import resolve_in
from adjudication.legality import refusals_of_sheet
from adjudication.options import must_decide, order_options
from adjudication.orders import Disband, Hold, Order, OrderSheet, Support, location_of
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from variants.bots import easy
from variants.bots.field import Field
from variants.bots.search import Effort, hoped_worth
from variants.bots.seeded_rng import SeededRng
from variants.bots.worth import Prospect, Worth

Written: TypeAlias = tuple[Order, ...]
Sheets: TypeAlias = Mapping[str, OrderSheet]
GUESSES = 3
"""The most guesses at the others' declarations that a declaration is tried against."""
WORTH_A_GUESS = 5_000
"""The positions of an effort that are worth one guess."""
MOST_PASSES = 3
HOPES = Effort(positions=150, worlds=3, drafts=3, others=0)
"""The search that shows what moves are worth after declarations."""


def best_sheet(power: str, situation: Situation, seed: int, effort: Effort) -> OrderSheet:
    """The best sheet that the search finds. The same arguments give the same sheet."""
    position, ruleset = situation.position, situation.ruleset
    first = easy.play(power, position, ruleset, seed).orders
    others = [p for p in must_decide(position, ruleset) if p != power]
    declares = position.turn.kind is PhaseKind.DECLARATION
    number = max(1, min(GUESSES, effort.positions // WORTH_A_GUESS)) if declares else 1
    guesses = [
        {other: easy.play(other, position, ruleset, SeededRng(seed, power, number).below(1 << 32)) for other in others}
        for number in range(number)
    ]
    value = _value_after_declarations(power, seed, ruleset) if declares else _value_as_it_stands(power, situation)

    def worth(orders: Written) -> int:
        own_sheet = {power: OrderSheet(orders)}
        return sum(value(resolve_in(situation, {**guess, **own_sheet}).public.next) for guess in guesses)

    return OrderSheet(_climb(first, power, situation, worth, number if declares else MOST_PASSES))


def fitting_sheet(sheet: OrderSheet, power: str, situation: Situation) -> OrderSheet:
    """The sheet without bids that do not fit. A unit whose order does not fit helps another, or does nothing."""
    while warnings := warnings_about(sheet, power, situation):
        misfit, own = warnings[0].order, {province_of(location_of(order)) for order in sheet.orders}
        if misfit not in sheet.orders:
            sheet = sheet._replace(bids=tuple(bid for bid in sheet.bids if bid.order != misfit))
            continue
        rows = order_options(power, situation.position, situation.ruleset)
        choices = next(row.orders for row in rows if province_of(row.location) == province_of(location_of(misfit)))
        helps = [order for order in choices if isinstance(order, Support) and order.supported in own]
        instead = [*helps, *(order for order in choices if isinstance(order, Hold | Disband))]
        at = sheet.orders.index(misfit)
        sheets = [sheet._replace(orders=(*sheet.orders[:at], it, *sheet.orders[at + 1 :])) for it in instead]
        better = (it for it in sheets if len(warnings_about(it, power, situation)) < len(warnings))
        sheet = next(better, sheets[-1])
    return sheet


def _value_as_it_stands(power: str, situation: Situation) -> Callable[[Position], int]:
    """A function that values a position, compared with this one."""
    worth, number = Worth(power, Prospect(situation)), situation.bitboard.number

    def value(position: Position) -> int:
        return worth.of({number[unit.province]: unit for unit in position.units})

    return value


def _value_after_declarations(power: str, seed: int, ruleset: Ruleset) -> Callable[[Position], int]:
    """A function that values a position before a movement phase, by a short search against a few quick plans."""
    values: dict[tuple[tuple[str, str], ...], int] = {}

    def value(position: Position) -> int:
        relations = tuple(sorted(position.relations.items()))
        if relations not in values:
            field = Field(Situation(position, ruleset))
            values[relations] = hoped_worth(field, power, SeededRng("declarations", seed, power), HOPES)
        return values[relations]

    return value


def _climb(first: Written, power: str, situation: Situation, worth: Callable[[Written], int], passes: int) -> Written:
    choices = [o for row in order_options(power, situation.position, situation.ruleset) for o in row.orders]
    best, value = first, worth(first)
    for _ in range(passes):
        before = best
        for orders in _neighbouring_sheets(best, choices, power, situation):
            new_value = worth(orders)
            if new_value > value:
                best, value = orders, new_value
        if best is before:
            break
    return best


def _neighbouring_sheets(
    written: Written, choices: Sequence[Order], power: str, situation: Situation
) -> Iterator[Written]:
    """Sheets that differ by one order: another one in its place or, where orders are optional, one more or less."""
    is_optional = situation.position.turn.kind is PhaseKind.DECLARATION
    for order in choices:
        if order in written:
            continue
        candidates = [(*written[:index], order, *written[index + 1 :]) for index in range(len(written))]
        for orders in (*candidates, *([(*written, order)] if is_optional else ())):
            if not any(refusals_of_sheet(orders, power, situation)):
                yield orders
    if is_optional:
        yield from (written[:index] + written[index + 1 :] for index in range(len(written)))
