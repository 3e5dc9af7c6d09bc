"""Orders, units and powers as players read them, as in "A Mun–Cze"."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from adjudication.board import Board, province_of
from adjudication.orders import Build, Convoy, Declare, Disband, Hold, Move, Order, Retreat, Support, Waive
from adjudication.position import Position
from adjudication.turns import PhaseKind, Season, Turn
from adjudication.units import Unit, UnitKind, mark_of, neighbours, unit_as_ordered
from variants.words.messages import term

Units = Mapping[str, Unit]
UnitOrder = Hold | Move | Support | Convoy | Retreat | Disband


@lru_cache(maxsize=20_000)
def place_words(location: str, board: Board) -> str:
    """A location's short name: "Spa/nc". A camp has the name of the province around it."""
    coast = location[len(province_of(location)) :].lower()
    return board.provinces[board.around(location)].abbr + coast


def unit_words(unit: Unit, board: Board) -> str:
    """The unit as in "A Mun"."""
    return f"{unit.mark} {place_words(unit.location, board)}"


def unit_in(location: str, units: Units, board: Board) -> str:
    """The unit in that province in short form, or the province alone if it is empty."""
    unit = units.get(province_of(location))
    return unit_words(unit_as_ordered(unit, location), board) if unit else place_words(location, board)


def order_words(order: Order, units: Units, board: Board) -> str:
    """The order as players read it. `units`: province -> the unit that is, or was, there."""
    match order:
        case Waive():
            return term("order waive")
        case Declare():
            return term(f"declare {order.stance}", power=power_words(order.power))
        case Build():
            return term(
                "order build", unit=f"{mark_of(order.kind, order.faction)} {place_words(order.location, board)}"
            )
    return _words_of_unit_order(order, unit_in(order.location, units, board), units, board)


def _words_of_unit_order(order: UnitOrder, unit: str, units: Units, board: Board) -> str:
    match order:
        case Hold():
            return term("order holds", unit=unit)
        case Disband():
            return term("order disbands", unit=unit)
        case Retreat():
            return term("order retreats", unit=unit, place=place_words(order.destination, board))
        case Convoy():
            army = f"{owner_of_shared(order.army, units, board)}A {place_words(order.army, board)}"
            return f"{unit} C {army}–{place_words(order.destination, board)}"
        case Support():
            goal = f"–{place_words(order.destination, board)}" if order.destination else ""
            helped_unit = unit_in(order.supported, units, board)
            return f"{unit} S {owner_of_shared(order.supported, units, board)}{helped_unit}{goal}"
        case Move():
            next_door = order.destination in neighbours(UnitKind.ARMY, order.location, board)
            goal = place_words(order.destination, board)
            return term("order via convoy", unit=unit, place=goal) if order.via and next_door else f"{unit}–{goal}"


def owner_of_shared(province: str, units: Units, board: Board) -> str:
    """The unit's owner, as in "Turkey ", if several units share the province; otherwise ""."""
    unit = units.get(province)
    return f"{power_words(unit.power)} " if unit and board.provinces[province].within else ""


class WithCode(Protocol):
    """A turn, or something that has its code."""

    @property
    def code(self) -> str: ...


def turn_words(turn: Turn) -> str:
    """The turn as in "Spring 1926", "1901"."""
    if turn.season is Season.YEAR:
        return str(turn.year)
    return term("season year", season=season_words(turn.season), year=turn.year)


def season_words(season: Season) -> str:
    return term(f"season {season}")


def phase_words(phase: WithCode) -> str:
    """The phase as in "Spring 1926, movement"."""
    turn = Turn.from_code(phase.code)
    return term("turn and phase", turn=turn_words(turn), phase=term(f"within {turn.kind}"))


def kind_words(kind: PhaseKind) -> str:
    """The kind of phase as in "Movement"."""
    return term(f"name {kind}")


def power_words(power: str) -> str:
    """The power's name as in "Soviet Union"."""
    return power.replace("_", " ").title()


def pretty_order(order: Order, position: Position, board: Board) -> str:
    """The order for people, as in "A Mun–Cze", "F NTH C A Lon–Nwy"."""
    if isinstance(order, Build) and position.turn.kind is PhaseKind.DEPLOYMENT:
        return term("order place", unit=f"{mark_of(order.kind, order.faction)} {place_words(order.location, board)}")
    # A dislodged unit takes precedence over the one that dislodged it: it is the one being ordered.
    dislodged = {d.unit.province: d.unit for d in position.dislodged}
    return order_words(order, {**position.units_by_province(), **dislodged}, board)
