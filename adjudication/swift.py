"""Where the units stand after a movement phase, and nothing else: for programs that try many orders.

The same solver judges as in `judge`; only the words are left out, and whatever cannot change where a unit
stands is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from adjudication.errors import NotationError
from adjudication.legality import rule_refusal, unit_refusal
from adjudication.movement.aftermath import came_from, stand_or_fall
from adjudication.movement.battle import Battle
from adjudication.movement.intents import ENOUGH, Facts, Intent
from adjudication.movement.plain import plain_answers
from adjudication.movement.solver import Solver
from adjudication.muster import mustered
from adjudication.orders import MOVEMENT_ORDERS, Order, where
from adjudication.phrasebook import read_order
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.scene import Scene
from adjudication.units import NEUTRAL, Unit, UnitKind

Entry: TypeAlias = tuple[Unit, str, Facts, int, str, UnitKind | None, Intent]
"""The unit and its province; the order; which rules are still to be asked: NONE, IF_BY_SEA, or ALWAYS; the province
and the kind of the unit that it helps."""
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


def _laid_out(orders: Mapping[str, Iterable[str]], scene: Scene) -> list[Facts]:
    """The lawful orders, as the battle wants them."""
    chosen: dict[str, Entry] = {}
    lawful: list[Facts] = []
    doubtful: list[Entry] = []
    pages, units = _pages_of(scene.ruleset), scene.units
    for power, lines in orders.items():
        page = {} if scene.leaderless else pages[power]
        for line in lines:
            entry = page.get(line)
            if (
                entry is None
                or units.get(entry[1]) is not entry[0]
                or entry[1] in chosen
                or (entry[4] and not _is_to_be_helped(entry, units))
            ):
                entry = _choose(line, power, page, chosen, scene)
                if entry is None:
                    continue
            _, province, facts, asks, _, _, _ = entry
            chosen[province] = entry
            if asks:
                doubtful.append(entry)
            else:
                lawful.append(facts)
    if doubtful:
        lawful += _lawful_ones(doubtful, chosen, scene)
    return lawful


def _is_to_be_helped(entry: Entry, units: Mapping[str, Unit]) -> bool:
    """Is there a unit of the same kind as when the line was read?"""
    helped = units.get(entry[4])
    return helped is not None and helped.kind is entry[5]


def _lawful_ones(doubtful: list[Entry], chosen: Mapping[str, Entry], scene: Scene) -> Iterator[Facts]:
    """A support of a unit that does not go by sea is lawful wherever it matters: where it matches."""
    by_sea = any(entry[6].sails for entry in doubtful)
    for entry in doubtful:
        _, province, facts, asks, helps, _, intent = entry
        if chosen[province] is not entry:
            continue
        helped = chosen.get(helps) if by_sea else None
        if (asks == IF_BY_SEA and (helped is None or not helped[6].sails)) or rule_refusal(
            intent, scene
        ) is None:
            yield facts


def _choose(line: str, power: str, page: Page, chosen: Mapping[str, Entry], scene: Scene) -> Entry | None:
    """Read the line afresh; of several lawful orders for a unit the first counts (DATC 4.D.3)."""
    entry = _read(line, power, scene)
    if entry is None:
        return None
    intent = entry[6]
    if entry[5] is not None or not intent.helps:
        if len(page) >= ENOUGH:
            page.clear()
        page[line] = entry
    earlier = chosen.get(entry[1])
    if earlier and (earlier[3] == NONE or rule_refusal(intent, scene) or not rule_refusal(earlier[6], scene)):
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
    helped = scene.units.get(intent.helps)
    kind = helped.kind if helped else None
    asks = NONE if intent.free else ALWAYS if intent.firm or not intent.helps else IF_BY_SEA
    return unit, unit.province, intent.facts, asks, intent.helps, kind, intent


@lru_cache(maxsize=64)
def _pages_of(ruleset: Ruleset) -> Mapping[str, Page]:
    return {power: {} for power in (*ruleset.powers, NEUTRAL)}
