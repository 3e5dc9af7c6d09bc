"""All legal orders, found by asking the rules that will check them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from adjudication.adjustments import adjustment_counts, build_sites
from adjudication.auction import budget
from adjudication.board import Board, province_of
from adjudication.civil_disorder import players
from adjudication.legality import check
from adjudication.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, Unit, UnitKind, neighbours


@dataclass(frozen=True, slots=True)
class UnitOptions:
    """The lawful orders for one unit or, if `unit` is None, for one build site or about one power."""

    location: str
    unit: Unit | None
    orders: tuple[Order, ...]


def order_options(power: str, position: Position, ruleset: Ruleset) -> tuple[UnitOptions, ...]:
    """All legal orders of a power in this phase, by location."""
    if power not in players(position, ruleset):
        return ()
    situation = Situation(position, ruleset)
    special = ruleset.special.get(position.turn.kind)
    if special:
        return tuple(UnitOptions(about, None, orders) for about, orders in special.options(power, situation))
    if position.turn.kind is PhaseKind.MOVEMENT:
        return _movement_options(power, situation)
    if position.turn.kind is PhaseKind.RETREAT:
        return _retreat_options(power, situation)
    return _adjustment_options(power, situation)


def bid_options(position: Position, ruleset: Ruleset) -> tuple[UnitOptions, ...]:
    """The minors' units with the orders that powers may bid for; empty if there is no auction."""
    if not any(budget(power, position, ruleset) for power in ruleset.powers):
        return ()
    return _movement_options(NEUTRAL, Situation(position, ruleset))


def must_decide(position: Position, ruleset: Ruleset) -> tuple[str, ...]:
    """The powers that have something to decide in this phase, sorted."""
    situation = Situation(position, ruleset)
    return tuple(sorted(p for p in players(position, ruleset) if _decides(p, situation)))


def _decides(power: str, situation: Situation) -> bool:
    position = situation.position
    special = situation.ruleset.special.get(position.turn.kind)
    if special:
        return special.decides(power, situation)
    if position.turn.kind is PhaseKind.RETREAT:
        return any(d.retreats for d in position.dislodged if d.unit.power == power)
    if position.turn.kind is PhaseKind.ADJUSTMENT:
        return any(
            _leaves_a_choice(f, count, power, situation) for f, count in adjustment_counts(power, situation).items()
        )
    minors = position.units_of(NEUTRAL)
    may_bid = bool(minors) and budget(power, position, situation.ruleset) > 0
    return may_bid or any(u.province not in situation.leaderless for u in position.units_of(power))


def _leaves_a_choice(faction: str, count: int, power: str, situation: Situation) -> bool:
    """A power that loses all its units of a faction cannot choose among them."""
    own = sum(unit.faction == faction for unit in situation.position.units_of(power))
    return count > 0 or -own < count < 0


Goals: TypeAlias = dict[str, list[tuple[str, str]]]
"""Province -> the locations its unit could move to, each with its province."""


def _movement_options(power: str, situation: Situation) -> tuple[UnitOptions, ...]:
    goals = {province: _goals(unit, situation) for province, unit in sorted(situation.units.items())}
    options = []
    for unit in sorted(situation.position.units_of(power), key=lambda unit: unit.location):
        if unit.province not in situation.leaderless:
            forms = (_conceivable(form, goals, situation) for form in situation.forms(unit))
            options.append(UnitOptions(unit.location, unit, _lawful(chain(*forms), power, situation)))
    return tuple(options)


def _goals(unit: Unit, situation: Situation) -> list[tuple[str, str]]:
    goals: set[str] = set()
    for form in situation.forms(unit):
        by_itself = neighbours(form.kind, form.location, situation.board)
        goals.update(by_itself, map(province_of, by_itself))
        if form.kind is UnitKind.ARMY:
            goals.update(situation.overseas(form.province))
    return [(goal, province_of(goal)) for goal in sorted(goals)]


def _lawful(orders: Iterator[Order], power: str, situation: Situation) -> tuple[Order, ...]:
    return tuple(order for order in orders if check(order, power, situation) is None)


def _conceivable(unit: Unit, goals: Goals, situation: Situation) -> Iterator[Order]:
    reached = {province_of(p) for p in neighbours(unit.kind, unit.location, situation.board)}
    yield Hold(unit.location)
    yield from _moves(unit, situation)
    for other in goals:
        if other in reached:
            yield Support(unit.location, other)
    for other, theirs in goals.items():
        for goal, province in theirs:
            if province in reached:
                yield Support(unit.location, other, goal)
    yield from _convoys(unit, situation)


def _moves(unit: Unit, situation: Situation) -> Iterator[Order]:
    for there in sorted(neighbours(unit.kind, unit.location, situation.board)):
        yield Move(unit.location, there)
    if unit.kind is UnitKind.ARMY:
        for province in situation.overseas(unit.province):
            yield Move(unit.location, province, via=True)


def _convoys(unit: Unit, situation: Situation) -> Iterator[Order]:
    if unit.kind is UnitKind.ARMY or not situation.board.province(unit.location).kind.is_water:
        return
    for province in sorted(situation.units):
        army = situation.units[province]
        if army.kind is UnitKind.ARMY:
            for destination in situation.overseas(province):
                yield Convoy(unit.location, province, destination)


def _retreat_options(power: str, situation: Situation) -> tuple[UnitOptions, ...]:
    return tuple(
        UnitOptions(
            d.unit.location,
            d.unit,
            (*(Retreat(d.unit.location, there) for there in d.retreats), Disband(d.unit.location)),
        )
        for d in situation.position.dislodged
        if d.unit.power == power
    )


def _adjustment_options(power: str, situation: Situation) -> tuple[UnitOptions, ...]:
    """Removals first. A place where several factions may build has one row."""
    counts = adjustment_counts(power, situation)
    units = sorted(situation.position.units_of(power), key=lambda u: u.location)
    removals = [UnitOptions(u.location, u, (Disband(u.location),)) for u in units if counts.get(u.faction, 0) < 0]
    factions = [faction for faction, count in counts.items() if count > 0]
    sites = sorted({site for faction in factions for site in build_sites(power, situation, faction)})
    return (*removals, *(UnitOptions(site, None, _builds(site, factions, power, situation)) for site in sites))


def _builds(site: str, factions: list[str], power: str, situation: Situation) -> tuple[Order, ...]:
    return _lawful(chain(every_build(site, factions, situation.board), [Waive()]), power, situation)


def every_build(site: str, factions: Sequence[str], board: Board) -> Iterator[Build]:
    """An army, and a fleet on each coast, of each faction; not all of them need be lawful."""
    for faction in factions:
        yield Build(UnitKind.ARMY, site, faction)
    for faction in factions:
        yield from (Build(UnitKind.FLEET, coast, faction) for coast in board.fleet_locations(site))
