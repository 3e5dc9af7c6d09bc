"""Orders, units and powers as players read them, as in "A Mun–Cze"."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from adjudication.board import Board, province_of
from adjudication.orders import Build, Convoy, Declare, Disband, Hold, Move, Order, Retreat, Support, Waive
from adjudication.position import Position
from adjudication.turns import PhaseKind
from adjudication.units import Unit, UnitKind, as_ordered, mark_of, neighbours

Units = Mapping[str, Unit]
TOWARDS = {"war": "on", "neutrality": "towards"}
Deed = Hold | Move | Support | Convoy | Retreat | Disband


@lru_cache(maxsize=20_000)
def place(location: str, board: Board) -> str:
    """A location's short name: "Spa/nc". A camp has the name of the province around it."""
    coast = location[len(province_of(location)) :].lower()
    return board.provinces[board.around(location)].abbr + coast


def unit_words(unit: Unit, board: Board) -> str:
    """As in "A Mun"."""
    return f"{unit.mark} {place(unit.location, board)}"


def unit_in(location: str, units: Units, board: Board) -> str:
    """The unit of that province in short form, or the province alone if it is empty."""
    unit = units.get(province_of(location))
    return unit_words(as_ordered(unit, location), board) if unit else place(location, board)


def order_words(order: Order, units: Units, board: Board) -> str:
    """The order as players read it. `units`: province -> the unit that is, or was, there."""
    match order:
        case Waive():
            return "Waive"
        case Declare():
            return f"Declare {order.stance} {TOWARDS.get(order.stance, 'with')} {power_words(order.power)}"
        case Build():
            return f"Build {mark_of(order.kind, order.faction)} {place(order.location, board)}"
    return unit_in(order.location, units, board) + _deed(order, units, board)


def _deed(order: Deed, units: Units, board: Board) -> str:
    match order:
        case Hold():
            return " holds"
        case Disband():
            return " disbands"
        case Retreat():
            return f" retreats to {place(order.destination, board)}"
        case Convoy():
            army = f"{owner_of_shared(order.army, units, board)}A {place(order.army, board)}"
            return f" C {army}–{place(order.destination, board)}"
        case Support():
            goal = f"–{place(order.destination, board)}" if order.destination else ""
            helped = unit_in(order.supported, units, board)
            return f" S {owner_of_shared(order.supported, units, board)}{helped}{goal}"
        case Move():
            next_door = order.destination in neighbours(UnitKind.ARMY, order.location, board)
            by_convoy = " via convoy" if order.via and next_door else ""
            return f"–{place(order.destination, board)}{by_convoy}"


def owner_of_shared(province: str, units: Units, board: Board) -> str:
    """The unit's owner, as in "Turkey ", if several units share the province; otherwise ""."""
    unit = units.get(province)
    return f"{power_words(unit.power)} " if unit and board.provinces[province].within else ""


class Titled(Protocol):
    """A turn, or a phase's heading."""

    @property
    def title(self) -> str: ...

    @property
    def kind_title(self) -> str: ...


def phase_words(phase: Titled) -> str:
    """As in "Spring 1926, movement"."""
    return f"{phase.title}, {phase.kind_title.lower()}"


def power_words(power: str) -> str:
    """As in "Soviet Union"."""
    return power.replace("_", " ").title()


def pretty_order(order: Order, position: Position, board: Board) -> str:
    """For people: "A Mun–Cze", "F NTH C A Lon–Nwy"."""
    if isinstance(order, Build) and position.turn.kind is PhaseKind.DEPLOYMENT:
        return f"Place {mark_of(order.kind, order.faction)} {place(order.location, board)}"
    # A dislodged unit takes precedence over the one that dislodged it: it is the one being ordered.
    beside = {d.unit.province: d.unit for d in position.dislodged}
    return order_words(order, {**position.occupied(), **beside}, board)
