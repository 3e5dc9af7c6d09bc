"""Where the units stand after a movement phase, and nothing else: for programs that try many orders.

The same solver judges as in `judge`; only the words are left out, and whatever cannot change where a unit
stands is not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from adjudication.errors import NotationError
from adjudication.legality import check_in, rule_refusal
from adjudication.movement.aftermath import aftermath
from adjudication.movement.battle import Battle
from adjudication.movement.intents import ENOUGH, Intent
from adjudication.movement.solver import Solver
from adjudication.orders import MOVEMENT_ORDERS, Hold
from adjudication.phrasebook import read_order
from adjudication.position import Dislodged, Position
from adjudication.ruleset import Ruleset
from adjudication.scene import Scene
from adjudication.units import NEUTRAL, Unit, UnitKind

Entry: TypeAlias = tuple[Intent, Unit, str, str, UnitKind | None]
"""An intent, its unit and province, the province it helps ("" if none), and what kind of unit was there."""
Page: TypeAlias = dict[str, Entry]
"""Line -> what it meant when it was last read."""


@dataclass(frozen=True, slots=True)
class Standing:
    """`units` in no particular sequence; `dislodged` are those that may retreat."""

    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]


def standing_after(position: Position, orders: Mapping[str, Iterable[str]], ruleset: Ruleset) -> Standing:
    """After a movement phase; `orders`: power -> lines, NEUTRAL's among them. What cannot be read, is
    unlawful, or comes second for its unit, counts for nothing. KeyError for an unknown power."""
    scene = Scene(position, ruleset)
    solver = Solver(Battle(scene, _intents(orders, scene)))
    after = aftermath(solver, with_stand_offs=False)
    retreating = [d for d in after.dislodged if d.retreats and d.unit.power != NEUTRAL]
    return Standing(after.units, tuple(retreating))


def _intents(orders: Mapping[str, Iterable[str]], scene: Scene) -> list[Intent]:
    """One for each unit, as the battle wants them."""
    chosen: dict[str, Intent] = {}
    helpers: list[Intent] = []
    pages, units = _pages_of(scene.ruleset), scene.units
    for power, lines in orders.items():
        page = pages[power]
        for line in lines:
            entry = page.get(line)
            if entry is None or not _still_means(entry, units):
                entry = _learn(line, power, page, scene)
            if entry is None or (entry[0].rules and not _is_taken(entry[0], helpers, scene)):
                continue
            province = entry[2]
            if province not in chosen or rule_refusal(chosen[province], scene):
                chosen[province] = entry[0]
    _strike_out(helpers, chosen, scene)
    holding = scene.ledger.holding
    return [chosen.get(province) or holding(unit, scene) for province, unit in units.items()]


def _still_means(entry: Entry, units: Mapping[str, Unit]) -> bool:
    """It does while the same unit stands there, and one of the same kind where it helps."""
    _, unit, province, helped, kind = entry
    there = units.get(province)
    if there is not unit and there != unit:
        return False
    if not helped:
        return True
    other = units.get(helped)
    return (other.kind if other else None) is kind


def _is_taken(intent: Intent, helpers: list[Intent], scene: Scene) -> bool:
    """Moves are judged at once; whether help is lawful matters only if it helps."""
    if intent.helps:
        helpers.append(intent)
        return True
    return rule_refusal(intent, scene) is None


def _strike_out(helpers: list[Intent], chosen: dict[str, Intent], scene: Scene) -> None:
    """Unlawful supports and convoys become holds."""
    for intent in helpers:
        helped = chosen.get(intent.helps)
        if helped is None or not (intent.firm or helped.sails):
            continue
        province = intent.unit.province
        if chosen[province] is intent and rule_refusal(intent, scene):
            del chosen[province]


def _learn(line: str, power: str, page: Page, scene: Scene) -> Entry | None:
    try:
        order = read_order(line, scene)
    except NotationError:
        return None
    if not isinstance(order, MOVEMENT_ORDERS):
        return None
    unit = scene.unit_at(order.location)
    if unit is None or unit.power != power or unit.location != order.location:
        return None
    if power == NEUTRAL and check_in(order, power, scene):
        return None
    intent = scene.intent(order, unit)
    other = scene.units.get(intent.helps)
    if len(page) >= ENOUGH:
        page.clear()
    page[line] = entry = (intent, unit, unit.province, intent.helps, other.kind if other else None)
    return entry


@lru_cache(maxsize=64)
def _pages_of(ruleset: Ruleset) -> Mapping[str, Page]:
    return {power: {} for power in (*ruleset.powers, NEUTRAL)}
