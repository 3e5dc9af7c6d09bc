"""A ruleset: the policies that together form one set of rules.

The engine asks these policies, never which variant is being played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from adjudication.board import Board
from adjudication.orders import Convoy, Move, Order, Retreat, Support
from adjudication.position import Position
from adjudication.reasons import Facts, OrderRefusal
from adjudication.resolution import Changed, Notice, Settled, Verdict
from adjudication.turns import Calendar, PhaseKind, Turn
from adjudication.units import Unit

if TYPE_CHECKING:
    from adjudication.neutrals import SortieRule
    from adjudication.situation import Situation


class Relations(Protocol):
    """What units of one side may do to those of another. A side is a power, or one faction of it (`Unit.side`)."""

    @property
    def knows_courtesy(self) -> bool:
        """Does any power ever give way to another?"""

    @property
    def stances(self) -> tuple[str, ...]:
        """The relationships that two powers can have, the initial one first; empty if there are no declarations."""

    def may_dislodge(self, attacker: str, defender: str, position: Position) -> bool:
        """May a unit of side `attacker` dislodge one of `defender`?"""

    def may_help_dislodge(self, supporter: str, defender: str, position: Position) -> bool:
        """Does support from `supporter` count against a unit of `defender`?"""

    def may_cut(self, attacker: str, supporter: str, position: Position) -> bool:
        """May an attack by `attacker` cut support given by `supporter`?"""

    def gives_way(self, mover: str, occupant: str, position: Position) -> bool:
        """Does a move by `mover` count as a hold unless the unit of `occupant` leaves?"""

    def may_take(self, power: str, owner: str, position: Position) -> bool:
        """Does `power` take a supply centre of `owner` by occupying it?"""


Kind_contra = TypeVar("Kind_contra", contravariant=True)


class Rule(Protocol[Kind_contra]):
    """One check of one kind of order, for a unit that exists; None if the order passes."""

    def __call__(self, order: Kind_contra, unit: Unit, situation: Situation, /) -> OrderRefusal | None: ...


@dataclass(frozen=True, slots=True)
class Legality:
    """All checks that an order must pass, in order. `sailings` are for moves by convoy, after those for all moves.
    `retreats` exclude some of the places that the board leaves open to a dislodged unit.

    `by_board`: rules that depend only on the order, its unit and the board, so that their answers may be kept.
    `by_match`: rules that a support always passes if the order that it supports was lawfully given, and is by land.
    """

    moves: tuple[Rule[Move], ...]
    sailings: tuple[Rule[Move], ...]
    supports: tuple[Rule[Support], ...]
    convoys: tuple[Rule[Convoy], ...]
    retreats: tuple[Rule[Retreat], ...] = ()
    by_board: frozenset[Rule[Any]] = frozenset()
    by_match: frozenset[Rule[Support]] = frozenset()

    def rules_for(self, order: Order) -> tuple[Rule[Any], ...]:
        match order:
            case Move(via=True):
                return (*self.moves, *self.sailings)
            case Move():
                return self.moves
            case Support():
                return self.supports
            case Convoy():
                return self.convoys
            case _:
                return ()

    def rules_to_check(self, order: Order, unit: Unit, situation: Situation) -> tuple[Rule[Any], ...]:
        """The rules that depend on the position, or that this order breaks on this board."""
        rules = self.rules_for(order)
        return tuple(r for r in rules if r not in self.by_board or r(order, unit, situation) is not None)


class Neutrals(Protocol):
    """Units without a player."""

    @property
    def sorties(self) -> SortieRule | None:
        """How a neutral unit's move counts, as it never arrives; None if neutral units never move."""

    @property
    def order_kinds(self) -> tuple[str, ...]:
        """The actions that a neutral unit can be ordered to do, as in ("hold", "support")."""

    def may_be_ordered(self, order: Order) -> bool:
        """May a neutral unit be given an order of this kind at all?"""

    def rebuilt_units(self, position: Position) -> tuple[Unit, ...]:
        """The neutral units that come back in Winter, sorted."""

    def after_count(self, position: Position, ruleset: Ruleset) -> Changed:
        """The position after what a count of the centres means for uncontrolled ones, and notices of it."""


class Auction(Protocol):
    """The points that powers bid for the orders of neutral units."""

    def income(self, power: str, position: Position) -> int:
        """The points a power receives for a movement phase; 0 if there is no auction."""


class Builds(Protocol):
    """Where and how many units a power builds, by faction ("" if there are none)."""

    def centres_minus_units(self, power: str, position: Position) -> Mapping[str, int]:
        """Faction -> how many units the power may add (>0) or has too many (<0)."""

    def homes(self, power: str, situation: Situation) -> tuple[str, ...]:
        """The centres where the power may build while it controls them."""

    def most_homes(self, power: str, situation: Situation) -> int:
        """How many homes the power may ever have, including those it begins with."""

    def site_refusal(self, province: str, faction: str, power: str, situation: Situation) -> OrderRefusal | None:
        """Why this power cannot build a unit of that faction in that province now; None if it can."""

    def surplus_refusal(
        self, order: Order, accepted: Sequence[Order], power: str, situation: Situation
    ) -> OrderRefusal | None:
        """Why a build that is possible by itself is not possible together with the accepted ones."""


class Disorder(Protocol):
    """What happens to powers and units without orders."""

    @property
    def refusal_facts(self) -> Facts:
        """Why some units take no orders, for `Reason.IN_DISORDER`; empty if their power is in civil disorder."""

    @property
    def permanent_effects(self) -> tuple[str, ...]:
        """What permanent civil disorder does to a power, by keys under "for good" in `variants.words`."""

    def removals(self, power: str, count: int, position: Position, ruleset: Ruleset) -> tuple[Unit, ...]:
        """The units that a power loses, in order, if it names too few for removal."""

    def put_in_civil_disorder(self, power: str, position: Position, ruleset: Ruleset) -> Changed:
        """The position once a power is in civil disorder for good, and notices of what has changed."""

    def leaderless(self, position: Position) -> frozenset[str]:
        """The provinces of units that currently take no orders, hold, and are disbanded when dislodged."""


class Control(Protocol):
    """Which supply centres change hands when they are counted."""

    def factions(self, position: Position) -> Mapping[str, str]:
        """Supply centre -> the faction whose units it supplies; empty where there are no factions."""

    def possible_factions(self, centre: str, power: str, ruleset: Ruleset) -> tuple[str, ...]:
        """The factions that a centre may supply while the power controls it; ("",) where there are no factions."""

    def with_owner(self, centre: str, power: str | None, faction: str, position: Position) -> Position:
        """The position in which that power, or no one, controls the centre."""

    def count_centres(self, position: Position, ruleset: Ruleset) -> Changed:
        """The position with its new controllers, and a notice for each centre taken."""


class Custom(Protocol):
    """Anything else that happens at the end of a phase, before centres are counted."""

    def apply_custom(self, before: Position, after: Position, ruleset: Ruleset) -> Changed:
        """The position and notices it leads to. `before`: as the phase was played; `after`: as its orders left it."""


class Internment(Protocol):
    """Which units must leave the board at the end of a movement phase, before the retreats."""

    def notice(self, unit: Unit, position: Position, ruleset: Ruleset) -> Notice | None:
        """Why the unit is disbanded where it is after the moves; None if it may stay."""


class Territory(Protocol):
    """Which power a province belongs to. This is public."""

    def owner(self, province: str, position: Position) -> str | None:
        """The power that owns it, if any; a supply centre belongs to the power that controls it."""


class SpecialPhase(Protocol):
    """A kind of phase that only some rules have, with its own kinds of order. All powers write at once, in secret."""

    @property
    def orders(self) -> tuple[type[Order], ...]:
        """The kinds of order that are given in this phase."""

    def options(self, power: str, situation: Situation) -> tuple[tuple[str, tuple[Order, ...]], ...]:
        """What the power may order: a row for each location or power, with its lawful orders."""

    def refusal(self, order: Order, power: str, situation: Situation) -> OrderRefusal | None:
        """Why this power cannot give this order; None if it can."""

    def surplus_refusal(
        self, order: Order, accepted: Sequence[Order], power: str, situation: Situation
    ) -> OrderRefusal | None:
        """Why a legal order cannot be added to those accepted before it; None if it can."""

    def has_a_choice(self, power: str, situation: Situation) -> bool:
        """Does this power have anything to decide?"""

    def unfinished(self, orders: Sequence[Order], power: str, situation: Situation) -> tuple[str, ...]:
        """What a sheet leaves open, in words."""

    def resolve(self, orders: Mapping[str, Sequence[Order]], situation: Situation) -> Settled:
        """The result of the lawful orders, given by power."""


class Victory(Protocol):
    @property
    def aims(self) -> tuple[tuple[str, Facts], ...]:
        """What it takes to win, one way or another: keys under "aim" in `variants.words`, with their facts."""

    def verdict(self, position: Position, ruleset: Ruleset) -> Verdict | None:
        """The winners, after a count of the centres; None if the game goes on."""


@dataclass(frozen=True, slots=True)
class CentresAlone:
    """A supply centre belongs to the power that controls it, and all other land is unowned."""

    def owner(self, province: str, position: Position) -> str | None:
        return position.centres.get(province)


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """`powers` are those with a player, sorted; `homes`: power -> provinces it may build in. `factions`: letter ->
    adjective, as in "C" -> "communist", if units belong to factions, and `factions_of`: power -> the letters of those
    that it may have. `muster`: the turn whose orders also turn each unit in a province with named coasts into an army,
    or a fleet on the coast that the order names. Without an order a unit stays as it is.

    `via_fallback`: an army ordered VIA to an adjacent province goes by land if no convoy is ordered (the 2000 rules;
    off by default, as the DATC prefers, 4.A.3). `called`: power -> its name within a sentence, as in "the Soviet
    Union"; `sentences`: those for the variant's own reasons. Both are for `variants.words`. `names`: power -> its name,
    its adjective, and other names that people write for it.
    """

    board: Board
    powers: tuple[str, ...]
    homes: Mapping[str, tuple[str, ...]]
    calendar: Calendar
    relations: Relations
    legality: Legality
    neutrals: Neutrals
    auction: Auction
    builds: Builds
    disorder: Disorder
    control: Control
    victory: Victory
    customs: tuple[Custom, ...] = ()
    internment: Internment | None = None
    territory: Territory = field(default_factory=CentresAlone)
    special: Mapping[PhaseKind, SpecialPhase] = field(default_factory=dict)
    factions: Mapping[str, str] = field(default_factory=dict)
    factions_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    muster: Turn | None = None
    via_fallback: bool = False
    called: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sentences: Mapping[str, str | list[str]] = field(default_factory=dict)


def owners_of_provinces(position: Position, ruleset: Ruleset) -> dict[str, str]:
    """Province (supply centres included) -> the power that it belongs to; unowned provinces are omitted."""
    owners = ((province, ruleset.territory.owner(province, position)) for province in ruleset.board.provinces)
    return {province: owner for province, owner in owners if owner is not None}
