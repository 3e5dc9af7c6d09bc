"""What on one power's sheet does not fit together: facts about lawful orders, never a refusal.

Only the sheet itself and the public position are looked at. Whether another power's unit will do what one's own unit
helps it to do is unknown, so that is never judged. A unit without an order is open, not ordered otherwise.
"""

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, TypeAlias

from adjudication.auction import bid_refusal, without_destination_coast
from adjudication.board import province_of
from adjudication.legality import order_refusal, refusals_of_sheet, with_kinds_ordered
from adjudication.movement.bitboard import bits
from adjudication.orders import MOVEMENT_ORDERS, Convoy, Move, Order, OrderSheet, Retreat, Support, location_of
from adjudication.reasons import Coded, Facts, given_order
from adjudication.repertoire import MovementOptions
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, Unit


class Misfit(Coded):
    """What does not fit."""

    ORDERED_OTHERWISE = "ordered otherwise", "DATC 6.D.7, 6.F", "move: unit goal by", "hold: unit by"
    WITHOUT_EFFECT = "without effect", "Orders that can do nothing", "still: unit", "empty: place", "fleets: unit place"
    NO_CARRIER = "no carrier", "DATC 6.D.8", "here there", "own: here there units"
    ONE_PLACE = (
        "one place",
        "Rules: stand-off",
        "units place",
        "stays: unit place",
        "swap: units",
        "retreat: units place",
    )
    ONE_ORDER = "one order", "Diplomacy Points 3", "unit"


class SheetWarning(NamedTuple):
    """What does not fit, and the order that it is about; `points`: those bid for it."""

    reason: Misfit
    facts: Facts
    order: Order
    points: int = 0


Found: TypeAlias = Iterator[tuple[Misfit, Facts]]


def warnings_about(sheet: OrderSheet, power: str, situation: Situation) -> tuple[SheetWarning, ...]:
    """What does not fit on this power's sheet: by its orders, then by its bids. Orders that are refused are
    left out. Builds, deployments and declarations always fit if none is refused."""
    refusals = refusals_of_sheet(sheet.orders, power, situation)
    lawful = [order for order, refusal in zip(sheet.orders, refusals, strict=True) if refusal is None]
    kind = situation.position.turn.kind
    if kind is PhaseKind.RETREAT:
        return tuple(_colliding_retreats(lawful, situation))
    return tuple(_Movement(lawful, sheet, power, situation).warnings()) if kind is PhaseKind.MOVEMENT else ()


def _colliding_retreats(orders: Iterable[Order], situation: Situation) -> Iterator[SheetWarning]:
    goals: dict[str, list[Unit]] = {}
    for order in orders:
        beaten = situation.position.dislodged_at(location_of(order))
        if isinstance(order, Retreat) and beaten:
            place = province_of(order.destination)
            goals[place] = [*goals.get(place, ()), beaten.unit]
            if len(goals[place]) > 1:
                facts: Facts = {"case": "retreat", "units": tuple(goals[place]), "place": place}
                yield SheetWarning(Misfit.ONE_PLACE, facts, order)


class _Movement:
    """One power's orders and bids in a movement phase. `own`: the province of its unit -> its order."""

    def __init__(self, lawful: list[Order], sheet: OrderSheet, power: str, situation: Situation) -> None:
        self.power = power
        self.bids = [bid for bid in sheet.bids if bid_refusal(bid, situation) is None]
        self.own = {province_of(order.location): order for order in lawful if isinstance(order, MOVEMENT_ORDERS)}
        self.public = situation
        self.situation = with_kinds_ordered(situation, {power: lawful})

    @cached_property
    def options(self) -> MovementOptions:
        """Worked out only for supports and convoys: most sheets that are read have none yet."""
        return MovementOptions(self.public)

    def warnings(self) -> Iterator[SheetWarning]:
        moves: list[Move] = []
        for order in self.own.values():
            found = self._about_move(order, moves) if isinstance(order, Move) else self._about_help(order)
            yield from (SheetWarning(reason, facts, order) for reason, facts in found)
        wanted: dict[str, Order] = {}
        for bid in self.bids:
            yield from (SheetWarning(*it, bid.order, bid.points) for it in self._about_help(bid.order))
            meant, unit = without_destination_coast(bid.order), self._unit(bid.order)
            if wanted.setdefault(unit.province, meant) != meant:
                yield SheetWarning(Misfit.ONE_ORDER, {"unit": unit}, bid.order, bid.points)

    def _unit(self, order: Order) -> Unit:
        return self.situation.units[province_of(location_of(order))]

    def _about_help(self, order: Order) -> Found:
        """About a support or a convoy, by one's own unit or by one that is bid for."""
        if not isinstance(order, Support | Convoy):
            return
        situation, goal = self.situation, order.destination
        province = order.supported if isinstance(order, Support) else order.army
        helped = situation.unit_at(province)
        if helped is None:
            yield Misfit.WITHOUT_EFFECT, {"case": "empty", "place": province}
        elif order not in self.options.orders(self.options.situation.units[province_of(order.location)]):
            is_still = helped.province in situation.leaderless or helped.power == NEUTRAL
            if is_still and not (helped.power == NEUTRAL and situation.ruleset.neutrals.sorties):
                yield Misfit.WITHOUT_EFFECT, {"case": "still", "unit": helped}
            else:
                yield Misfit.WITHOUT_EFFECT, {"case": "fleets", "unit": helped, "place": goal or province}
        elif helped.power == self.power and helped.province in self.own:
            yield from self._about_own_unit(helped, goal)

    def _about_own_unit(self, helped: Unit, goal: str | None) -> Found:
        order_now = self.own[helped.province]
        facts: Facts = {"unit": helped, "by": given_order(helped, order_now, self.situation.units)}
        if not isinstance(order_now, Move):
            fits = goal is None
        elif goal is None:
            # Does the move count as a hold, which can be supported, if the unit at its goal does not leave?
            there, relations = self.situation.unit_at(order_now.destination), self.situation.ruleset.relations
            fits = there is not None and relations.gives_way(helped.side, there.side, self.situation.position)
        else:
            fits = goal in (order_now.destination, province_of(order_now.destination))
        if not fits:
            yield Misfit.ORDERED_OTHERWISE, {**facts, **({"case": "move", "goal": goal} if goal else {"case": "hold"})}

    def _about_move(self, move: Move, earlier: list[Move]) -> Found:
        mover, place = self._unit(move), province_of(move.destination)
        if move.via:
            yield from self._about_voyage(move)
        rivals = [self._unit(it) for it in earlier if province_of(it.destination) == place]
        earlier.append(move)
        if rivals:
            yield Misfit.ONE_PLACE, {"units": (*rivals, mover), "place": place}
        situation, given = self.situation, self.own.get(place)
        there = situation.unit_at(place)
        if there is None or given is None:
            return
        if situation.ruleset.relations.may_dislodge(mover.side, there.side, situation.position):
            return
        if not isinstance(given, Move):
            yield Misfit.ONE_PLACE, {"case": "stays", "unit": there, "place": place}
        elif given in earlier and province_of(given.destination) == mover.province and not self._sail(move, given):
            yield Misfit.ONE_PLACE, {"case": "swap", "units": (there, mover)}

    def _sail(self, *moves: Move) -> bool:
        """Is one of these armies to go by sea, by its own order or by that of one's own fleet?"""
        convoyed = {order.army for order in self.own.values() if isinstance(order, Convoy)}
        return any(move.via or province_of(move.location) in convoyed for move in moves)

    def _about_voyage(self, move: Move) -> Found:
        situation, here, there = self.situation, province_of(move.location), move.destination
        bitboard = situation.bitboard
        mute = {bitboard.provinces[fleet] for fleet in bits(situation.fleets & ~self.options.fleets)}
        others = [it for it, order in self.own.items() if order != Convoy(order.location, here, there)]
        busy = [it for it in others if situation.is_on_convoy_route(it, here, there)]
        if not self._could_sail(move, mute.union(busy)):
            facts: Facts = {"here": here, "there": there}
            own: Facts = {"case": "own", "units": tuple(situation.units[it] for it in busy)}
            yield Misfit.NO_CARRIER, {**facts, **own} if busy and self._could_sail(move, mute) else facts

    def _could_sail(self, move: Move, without: Container[str]) -> bool:
        """Would the move be lawful without the units of these provinces?"""
        position = self.situation.position
        units = tuple(unit for unit in position.units if unit.province not in without)
        without_them = Situation(replace(position, units=units), self.situation.ruleset)
        return order_refusal(move, self.power, without_them) is None
