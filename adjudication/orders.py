"""Orders, as values without behaviour.

`location` is where the ordered unit is, with its coast ("SPA/NC"). Supported units and
convoyed armies are named by their province, since a province holds one unit.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from adjudication.units import UnitKind


@dataclass(frozen=True, slots=True)
class Hold:
    location: str


@dataclass(frozen=True, slots=True)
class Move:
    """`destination` may name a coast; `via` asks for a convoy."""

    location: str
    destination: str
    via: bool = False


@dataclass(frozen=True, slots=True)
class Support:
    """Support for the unit in province `supported`: to hold if `destination` is None, otherwise to move there."""

    location: str
    supported: str
    destination: str | None = None


@dataclass(frozen=True, slots=True)
class Convoy:
    location: str
    army: str
    destination: str


@dataclass(frozen=True, slots=True)
class Retreat:
    location: str
    destination: str


@dataclass(frozen=True, slots=True)
class Disband:
    """An order for a dislodged unit in a retreat phase, or for any of the power's units in an adjustment phase."""

    location: str


@dataclass(frozen=True, slots=True)
class Build:
    kind: UnitKind
    location: str
    faction: str = ""


@dataclass(frozen=True, slots=True)
class Waive:
    """Give up one build."""


@dataclass(frozen=True, slots=True)
class Declare:
    """One power's declaration towards another; `stance` is a word from the ruleset's relations."""

    stance: str
    power: str


Order: TypeAlias = Hold | Move | Support | Convoy | Retreat | Disband | Build | Waive | Declare
MOVEMENT_ORDERS = (Hold, Move, Support, Convoy)
RETREAT_ORDERS = (Retreat, Disband)
ORDERS_WITHOUT_A_PLACE = (Waive, Declare)
ADJUSTMENT_ORDERS = (Build, Disband, Waive)


def location_of(order: Order) -> str:
    """The location of the ordered unit or the build; "" if there is none."""
    return "" if isinstance(order, ORDERS_WITHOUT_A_PLACE) else order.location


@dataclass(frozen=True, slots=True)
class Bid:
    """Points offered for one order to the minor in the province of `order.location`."""

    order: Order
    points: int


class Ahead(NamedTuple):
    """The orders that a power writes for later phases, before it knows whether it will need them; best wishes first.

    `retreats`: the location of a unit, and where it retreats if it is dislodged; None, the last wish, is to disband.
    `builds`: what the power builds if it may; a waiver, the last wish, gives up the builds that are left. `removals`:
    the provinces whose units it removes if it must.
    """

    retreats: tuple[tuple[str, tuple[str | None, ...]], ...] = ()
    builds: tuple[Build | Waive, ...] = ()
    removals: tuple[str, ...] = ()


NOTHING_AHEAD = Ahead()


class OrderSheet(NamedTuple):
    """All of one power's orders and bids for one phase, and the orders that it has written ahead for the next ones."""

    orders: tuple[Order, ...] = ()
    bids: tuple[Bid, ...] = ()
    ahead: Ahead = NOTHING_AHEAD
