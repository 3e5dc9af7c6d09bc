"""Where the units stand after a movement phase, and nothing else: for programs that try many orders.

The same solver judges as in `judge`; only the words are left out, and whatever cannot change where a unit
stands is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from adjudication.errors import NotationError
from adjudication.legality import rule_refusal, unit_refusal
from adjudication.movement.aftermath import came_from, stand_or_fall
from adjudication.movement.battle import Battle
from adjudication.movement.intents import (
    ENOUGH,
    HELPED,
    HERE,
    NOWHERE,
    SAILS,
    Facts,
    Intent,
)
from adjudication.movement.plain import plain_answers
from adjudication.movement.solver import Solver
from adjudication.muster import mustered
from adjudication.orders import MOVEMENT_ORDERS, Order, where
from adjudication.phrasebook import read_order
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.scene import Scene
from adjudication.units import NEUTRAL, Unit, UnitKind

Entry: TypeAlias = tuple[
    int, int, int, bool, int, int, Unit | None, tuple[int], Unit, int, UnitKind | None, Intent
]
"""`Facts`, and after them the unit; which rules are still to be asked: NONE (never of one that
helps), IF_BY_SEA, or ALWAYS; the kind of the unit that it helps; the intent."""
UNIT: Final = 8
ASKS: Final = 9
KIND: Final = 10
INTENT: Final = 11
"""Places in it after those in `Facts`."""
NONE, IF_BY_SEA, ALWAYS = range(3)
Page: TypeAlias = dict[str, Entry]
"""Line -> what it meant when it was last read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """`units` in no particular sequence; `dislodged`: each beaten unit with the province its attacker came
    from, None if that came by convoy. Minors' units are among them."""

    units: tuple[Unit, ...]
    dislodged: tuple[tuple[Unit, str | None], ...]


def standing_after(position: Position, orders: Mapping[str, Iterable[str]], ruleset: Ruleset) -> Standing:
    """After a movement phase; `orders`: power -> lines, NEUTRAL's among them. What cannot be read, is
    unlawful, or comes second for its unit, counts for nothing. KeyError for an unknown power."""
    return standing_in(Scene(position, ruleset), orders)


def standing_in(scene: Scene, orders: Mapping[str, Iterable[str]]) -> Standing:
    """`standing_after` for a position already laid out, as when many orders are tried in it."""
    muster = scene.ruleset.muster
    if muster is not None and muster == scene.position.turn:
        scene = mustered(scene, _understood(orders, scene))
    battle = Battle(scene, _laid_out(orders, scene))
    units, beaten = stand_or_fall(Solver(battle, plain_answers(battle)).arrivals(), battle)
    return Standing(tuple(units), tuple([(unit, came_from(by, battle)) for unit, by in beaten]))


def _laid_out(orders: Mapping[str, Iterable[str]], scene: Scene) -> Mapping[int, Facts]:
    """The lawful orders, as the battle wants them."""
    chosen: dict[int, Entry] = {}
    doubtful: list[Entry] = []
    helpers: list[Entry] = []
    pages, units = _pages_of(scene.ruleset), scene.at
    for power, lines in orders.items():
        page = {} if scene.leaderless else pages[power]
        for line in lines:
            entry = page.get(line)
            if (
                entry is None
                or units.get(here := entry[HERE]) is not entry[UNIT]
                or here in chosen
                or (entry[ASKS] and not _finds_its_like(entry, units))
            ):
                entry = _choose(line, power, page, chosen, scene)
                if entry is None:
                    continue
                here = entry[HERE]
            chosen[here] = entry
            if entry[ASKS]:
                (doubtful if entry[ASKS] == ALWAYS else helpers).append(entry)
    if doubtful:
        _strike_unlawful(doubtful, helpers, chosen, scene)
    return chosen


def _finds_its_like(entry: Entry, units: Mapping[int, Unit]) -> bool:
    """Is the unit that it helps, if any, of the same kind as when the line was read?"""
    if entry[HELPED] == NOWHERE:
        return True
    helped = units.get(entry[HELPED])
    return helped is not None and helped.kind is entry[KIND]


def _strike_unlawful(
    doubtful: Iterable[Entry], helpers: Iterable[Entry], chosen: dict[int, Entry], scene: Scene
) -> None:
    """A support of a unit that does not go by sea is lawful wherever it matters: where it matches."""
    sailing = {entry[HERE] for entry in doubtful if entry[SAILS]}
    asked = [*doubtful, *(entry for entry in helpers if entry[HELPED] in sailing)] if sailing else doubtful
    for entry in asked:
        if chosen.get(entry[HERE]) is entry and rule_refusal(entry[INTENT], scene):
            del chosen[entry[HERE]]


def _choose(line: str, power: str, page: Page, chosen: Mapping[int, Entry], scene: Scene) -> Entry | None:
    """Read the line afresh; of several lawful orders for a unit the first counts (DATC 4.D.3)."""
    entry = _read(line, power, scene)
    if entry is None:
        return None
    if entry[KIND] is not None or entry[HELPED] == NOWHERE:
        if len(page) >= ENOUGH:
            page.clear()
        page[line] = entry
    earlier = chosen.get(entry[HERE])
    if earlier and (
        earlier[ASKS] == NONE
        or rule_refusal(entry[INTENT], scene)
        or not rule_refusal(earlier[INTENT], scene)
    ):
        return None
    return entry


def _understood(orders: Mapping[str, Iterable[str]], scene: Scene) -> dict[str, list[Order]]:
    read: dict[str, list[Order]] = {}
    for power, lines in orders.items():
        for line in lines:
            with suppress(NotationError):
                read.setdefault(power, []).append(read_order(line, scene, power))
    return read


def _read(line: str, power: str, scene: Scene) -> Entry | None:
    try:
        order = read_order(line, scene, power)
    except NotationError:
        return None
    unit = scene.unit_at(where(order))
    if unit is None or not isinstance(order, MOVEMENT_ORDERS) or unit_refusal(order, power, scene):
        return None
    intent = scene.intent(order, unit)
    helped = scene.at.get(intent.facts[HELPED])
    kind = helped.kind if helped else None
    asks = IF_BY_SEA if intent.helps and not intent.firm else NONE if intent.free else ALWAYS
    here, deed, goal, sails, arrival, whom, moved, alone, *_ = intent.facts
    return here, deed, goal, sails, arrival, whom, moved, alone, unit, asks, kind, intent


@lru_cache(maxsize=64)
def _pages_of(ruleset: Ruleset) -> Mapping[str, Page]:
    return {power: {} for power in (*ruleset.powers, NEUTRAL)}
