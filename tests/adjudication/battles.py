"""Crowded corners of the board with lawful orders for everyone, for Hypothesis to draw from."""

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from adjudication.board import province_of
from adjudication.judge import resolve
from adjudication.movement.layout import Layout, lay_out
from adjudication.options import order_options
from adjudication.orders import Convoy, Move, Order, OrderSheet, Support
from adjudication.position import Position
from adjudication.resolution import Public
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import Unit, UnitKind, may_stand
from tests.adjudication.boards import BOARD, STANDARD
from tests.long_round import how_many

POWERS = ("ENGLAND", "FRANCE", "GERMANY")
CORNERS = {
    "north": ["NTH", "NWG", "SKA", "HEL", "ENG", "LON", "YOR", "EDI", "BEL", "HOL", "DEN", "NWY", "SWE"],
    "south": ["AEG", "ION", "EAS", "BLA", "ADR", "CON", "SMY", "GRE", "BUL", "ALB", "RUM", "TUN"],
    "west": ["MAO", "ENG", "IRI", "WES", "BRE", "GAS", "SPA", "POR", "PIC", "MAR", "LON", "WAL"],
    "inland": ["MUN", "TYR", "BOH", "SIL", "BER", "KIE", "RUH", "BUR", "VIE"],
}


def examples(count: int) -> settings:
    """The same examples every time, on machines of any speed: a failing test fails for everyone."""
    slow = [HealthCheck.too_slow]
    return settings(
        max_examples=count * how_many("drawn") // 100, deadline=None, derandomize=True, suppress_health_check=slow
    )


@dataclass(frozen=True, slots=True)
class Drawn:
    position: Position
    orders: Mapping[str, Order]
    """Province -> the order of the unit there."""

    def sheets(self) -> dict[str, OrderSheet]:
        by_power: dict[str, list[Order]] = {}
        for unit in self.position.units:
            by_power.setdefault(unit.power, []).append(self.orders[unit.province])
        return {power: OrderSheet(tuple(orders)) for power, orders in by_power.items()}

    def public(self, ruleset: Ruleset = STANDARD) -> Public:
        return resolve(self.position, self.sheets(), ruleset).public


@st.composite
def positions(draw: st.DrawFn, most: int = 9) -> Position:
    corner = draw(st.sampled_from(sorted(CORNERS)))
    provinces = draw(st.lists(st.sampled_from(CORNERS[corner]), min_size=2, max_size=most, unique=True))
    units = tuple(draw(unit_in(province)) for province in provinces)
    return Position(Turn.from_code("S1901M"), units)


@st.composite
def winters(draw: st.DrawFn) -> Position:
    """An adjustment phase: units anywhere, and centres owned by any power."""
    drawn = draw(positions())
    owners = st.sampled_from([*POWERS, ""])
    held = {centre: owner for centre in BOARD.centres if (owner := draw(owners))}
    few = draw(st.integers(0, len(held)))
    return Position(Turn.from_code("W1901A"), drawn.units, dict(list(held.items())[:few]))


@st.composite
def unit_in(draw: st.DrawFn, province: str) -> Unit:
    places = (province, *BOARD.provinces[province].coasts)
    possible = [(k, place) for place in places for k in UnitKind if may_stand(k, place, BOARD)]
    kind, location = draw(st.sampled_from(possible))
    return Unit(draw(st.sampled_from(POWERS)), kind, location)


@st.composite
def battles(draw: st.DrawFn, most: int = 9) -> Drawn:
    """Orders for every unit, drawn one after another; later ones often help earlier ones."""
    position = draw(positions(most))
    options = [o for power in POWERS for o in order_options(power, position, STANDARD)]
    orders: dict[str, Order] = {}
    for unit in draw(st.permutations(options)):
        helping = [order for order in unit.orders if helps(order, orders)]
        moving = [order for order in unit.orders if isinstance(order, Move)]
        choice = draw(st.sampled_from([unit.orders, moving or unit.orders, helping or moving or unit.orders]))
        orders[province_of(unit.location)] = draw(st.sampled_from(choice))
    return Drawn(position, orders)


def helps(order: Order, orders: Mapping[str, Order]) -> bool:
    """Whether it supports or convoys one of the orders as given."""
    if isinstance(order, Convoy):
        helped = orders.get(order.army)
        return isinstance(helped, Move) and helped.via and helped.destination == order.destination
    if not isinstance(order, Support) or order.supported not in orders:
        return False
    helped = orders[order.supported]
    if isinstance(helped, Move):
        return helped.destination == order.destination
    return order.destination is None


def laid_out(orders: Mapping[str, Order], situation: Situation) -> Layout:
    """The orders by province, as a battle needs them."""
    laid = lay_out([situation.prepared(each, situation.units[here]) for here, each in orders.items()], situation)
    assert laid is not None
    return laid


SEAS = ("ENG", "NTH", "ION", "AEG", "BAL", "TYS")


@st.composite
def paradoxes(draw: st.DrawFn) -> Drawn:
    """An army lands on a fleet that supports an attack on the fleet convoying the army. Up to four
    more units nearby may change all of that."""
    sea = draw(st.sampled_from(SEAS))
    shores = sorted(p for p in BOARD.fleet[sea] if p in BOARD.army)
    start, goal, third = draw(st.permutations(shores))[:3]
    mine, theirs = draw(st.permutations(POWERS))[:2]
    core: dict[str, tuple[Unit, Order]] = {
        start: (Unit(mine, UnitKind.ARMY, start), Move(start, goal, via=True)),
        sea: (Unit(mine, UnitKind.FLEET, sea), Convoy(sea, start, goal)),
        goal: (Unit(theirs, UnitKind.FLEET, goal), Support(goal, third, sea)),
        third: (Unit(theirs, UnitKind.FLEET, third), Move(third, sea)),
    }
    near = sorted({province_of(p) for p in BOARD.fleet[sea]} - set(core))
    more = draw(st.lists(st.sampled_from(near), max_size=4, unique=True)) if near else []
    units = [*(unit for unit, _ in core.values()), *(draw(unit_in(province)) for province in more)]
    position = Position(Turn.from_code("S1901M"), tuple(units))
    orders: dict[str, Order] = {province: order for province, (_, order) in core.items()}
    for province in more:
        orders[province] = draw(order_near(province, position, orders))
    return Drawn(position, orders)


@st.composite
def order_near(draw: st.DrawFn, province: str, position: Position, orders: Mapping[str, Order]) -> Order:
    """A lawful order that helps one of the orders given so far, if there is one."""
    power = position.units_by_province()[province].power
    (options,) = (o for o in order_options(power, position, STANDARD) if province_of(o.location) == province)
    helping = [order for order in options.orders if helps(order, orders)]
    return draw(st.sampled_from(draw(st.sampled_from([helping or options.orders, options.orders]))))
