"""All lawful orders in a position."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter

from adjudication.adjustments import adjustment_counts, build_sites
from adjudication.auction import budget
from adjudication.board import Board
from adjudication.civil_disorder import playable_powers
from adjudication.legality import order_refusal
from adjudication.orders import Build, Disband, Order, Retreat, Waive
from adjudication.position import Position
from adjudication.repertoire import MovementOptions
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, Unit, UnitKind


@dataclass(frozen=True, slots=True)
class UnitOptions:
    """The lawful orders for one unit or, if `unit` is None, for one build site or about one power."""

    location: str
    unit: Unit | None
    orders: tuple[Order, ...]


class LawfulOrders:
    """The lawful orders of all powers in one position. What they have in common is worked out once."""

    __slots__ = ("_moves", "situation")

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self._moves: MovementOptions | None = None

    def of_power(self, power: str) -> tuple[UnitOptions, ...]:
        """The lawful orders of a power in this phase, by location."""
        situation = self.situation
        kind = situation.position.turn.kind
        if power not in playable_powers(situation.position, situation.ruleset):
            return ()
        special_phase = situation.ruleset.special.get(kind)
        if special_phase:
            return tuple(UnitOptions(about, None, orders) for about, orders in special_phase.options(power, situation))
        if kind is PhaseKind.MOVEMENT:
            return self._options_of_units(power)
        options = _retreat_options if kind is PhaseKind.RETREAT else _adjustment_options
        return options(power, situation)

    def for_bids(self) -> tuple[UnitOptions, ...]:
        """The minors' units with the orders that powers may bid for; empty if there is no auction."""
        position, ruleset = self.situation.position, self.situation.ruleset
        if not any(budget(power, position, ruleset) for power in ruleset.powers):
            return ()
        return self._options_of_units(NEUTRAL)

    def _options_of_units(self, power: str) -> tuple[UnitOptions, ...]:
        moves, leaderless = self._moves, self.situation.leaderless
        if moves is None:
            moves = self._moves = MovementOptions(self.situation)
        units = sorted(self.situation.position.units_of(power), key=attrgetter("location"))
        return tuple([UnitOptions(u.location, u, moves.orders(u)) for u in units if u.province not in leaderless])


def order_options(power: str, position: Position, ruleset: Ruleset) -> tuple[UnitOptions, ...]:
    """The lawful orders of one power, as in `LawfulOrders.of_power`."""
    return LawfulOrders(Situation(position, ruleset)).of_power(power)


def bid_options(position: Position, ruleset: Ruleset) -> tuple[UnitOptions, ...]:
    """The orders of minor powers' units, as in `LawfulOrders.for_bids`."""
    return LawfulOrders(Situation(position, ruleset)).for_bids()


def must_decide(position: Position, ruleset: Ruleset) -> tuple[str, ...]:
    """The powers that have something to decide in this phase, sorted."""
    situation = Situation(position, ruleset)
    return tuple(sorted(p for p in playable_powers(position, ruleset) if _has_to_decide(p, situation)))


def _has_to_decide(power: str, situation: Situation) -> bool:
    position = situation.position
    special_phase = situation.ruleset.special.get(position.turn.kind)
    if special_phase:
        return special_phase.has_a_choice(power, situation)
    if position.turn.kind is PhaseKind.RETREAT:
        return any(d.retreats for d in position.dislodged if d.unit.power == power)
    if position.turn.kind is PhaseKind.ADJUSTMENT:
        # A power that loses all its units of a faction has no choice.
        units = Counter(unit.faction for unit in position.units_of(power))
        counts = adjustment_counts(power, situation).items()
        return any(count > 0 or -units[faction] < count < 0 for faction, count in counts)
    minors = position.units_of(NEUTRAL)
    may_bid = bool(minors) and budget(power, position, situation.ruleset) > 0
    return may_bid or any(u.province not in situation.leaderless for u in position.units_of(power))


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
    """The builds and removals of a power, removals first. A place where several factions may build has one row."""
    counts = adjustment_counts(power, situation)
    units = sorted(situation.position.units_of(power), key=lambda u: u.location)
    removals = [UnitOptions(u.location, u, (Disband(u.location),)) for u in units if counts.get(u.faction, 0) < 0]
    factions = [faction for faction, count in counts.items() if count > 0]
    sites = sorted({site for faction in factions for site in build_sites(power, situation, faction)})
    return (*removals, *(UnitOptions(site, None, _possible_builds(site, factions, power, situation)) for site in sites))


def _possible_builds(site: str, factions: list[str], power: str, situation: Situation) -> tuple[Order, ...]:
    builds: Iterator[Order] = chain(every_build(site, factions, situation.board), [Waive()])
    return tuple(order for order in builds if order_refusal(order, power, situation) is None)


def every_build(site: str, factions: Sequence[str], board: Board) -> Iterator[Build]:
    """An army, and a fleet on each coast, of each faction. Not all of these builds need to be lawful."""
    for faction in factions:
        yield Build(UnitKind.ARMY, site, faction)
    for faction in factions:
        yield from (Build(UnitKind.FLEET, coast, faction) for coast in board.fleet_locations(site))
