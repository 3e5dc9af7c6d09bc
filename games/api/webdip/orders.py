"""Orders in webDiplomacy's form, both ways: what is sent becomes orders on a sheet, and a sheet is told in numbers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rest_framework.exceptions import ParseError

from adjudication.adjustments import adjustment_counts
from adjudication.board import province_of
from adjudication.conditional import ahead_lines
from adjudication.notation import write_order
from adjudication.options import order_options
from adjudication.orders import Build, Convoy, Disband, Hold, Move, Order, Retreat, Support, Waive, location_of
from adjudication.position import Position
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit, UnitKind
from games.orders.sheets import ReadSheet, SentSheet, read_once
from variants.travel.webdip import COUNTRY, TERRITORIES, number_of

Numbers = dict[str, Any]
KIND_WORDS = {UnitKind.ARMY: "Army", UnitKind.FLEET: "Fleet"}
BUILDS = {"Build Army": UnitKind.ARMY, "Build Fleet": UnitKind.FLEET}
MOST_ORDERS = len(TERRITORIES)
NO_PLACES: Numbers = {"terrID": None, "unitType": "", "toTerrID": None, "fromTerrID": None, "viaConvoy": "No"}


# Out.


def order_in_numbers(order: Order, position: Position) -> Numbers:
    """One order, as in {"type": "Move", "terrID": 47, "unitType": "Army", "toTerrID": 48, …}; 0 means no territory."""
    match order:
        case Waive():
            return NO_PLACES | {"type": "Wait"}
        case Build(kind, location):
            place, word = number_of(location), KIND_WORDS[kind]
            return _in_numbers(f"Build {word}", word, place, to=place)
        case Disband(location) if position.turn.kind is PhaseKind.ADJUSTMENT:
            place = number_of(location, whole=True)
            return _in_numbers("Destroy", _word_for_unit_at(location, position), place, to=place)
    word, to, start = type(order).__name__, 0, 0
    match order:
        case Move(_, goal) | Retreat(_, goal):
            to = number_of(goal)
        case Convoy(_, army, goal):
            to, start = number_of(goal), number_of(army)
        case Support(_, helped, None):
            word, to = "Support hold", number_of(helped, whole=True)
        case Support(_, helped, str(goal)):
            unit = position.unit_at(helped)
            word, to, start = "Support move", number_of(goal, whole=True), number_of(unit.location if unit else helped)
    via = isinstance(order, Move) and order.via
    return _in_numbers(
        word,
        _word_for_unit_at(location_of(order), position),
        number_of(location_of(order)),
        to=to,
        began=start,
        via=via,
    )


def _in_numbers(kind: str, word: str, here: int, *, to: int = 0, began: int = 0, via: bool = False) -> Numbers:
    places = {"terrID": here, "unitType": word, "toTerrID": to, "fromTerrID": began}
    return {"type": kind, **places, "viaConvoy": "Yes" if via else "No"}


def _word_for_unit_at(location: str, position: Position) -> str:
    beaten = position.dislodged_at(location)
    unit = beaten.unit if beaten else position.unit_at(location)
    return KIND_WORDS[unit.kind] if unit else ""


def lawful_orders(sheet: ReadSheet) -> list[Numbers]:
    """Every order that this power may give now, each once."""
    options = order_options(sheet.power, sheet.position, sheet.variant.ruleset)
    in_numbers = (order_in_numbers(order, sheet.position) for choice in options for order in choice.orders)
    return list({tuple(order.values()): order for order in in_numbers}.values())


def stored_orders(sheet: ReadSheet) -> list[Numbers]:
    """One order for each unit or, for builds and removals, for each that is due: the saved order or, with `saved`
    false, what happens without one."""
    position, orders = sheet.position, list(sheet.lawful.orders)
    country = {"countryID": COUNTRY[sheet.power]}
    in_numbers = [country | order_in_numbers(order, position) | {"saved": True} for order in orders]
    if position.turn.kind is PhaseKind.ADJUSTMENT:
        due = sum(adjustment_counts(sheet.power, Situation(position, sheet.variant.ruleset)).values())
        other = NO_PLACES | {"type": "Wait" if due > 0 else "Destroy"}
        return in_numbers + [country | other | {"saved": False}] * (abs(due) - len(orders))
    ordered = {province_of(location_of(order)) for order in orders}
    left = [unit for unit in own_units(sheet.power, position) if unit.province not in ordered]
    kind = Disband if position.turn.kind is PhaseKind.RETREAT else Hold
    return in_numbers + [country | order_in_numbers(kind(unit.location), position) | {"saved": False} for unit in left]


def own_units(power: str, position: Position) -> tuple[Unit, ...]:
    """The units that the power orders in this phase, not counting units to remove."""
    if position.turn.kind is PhaseKind.RETREAT:
        return tuple(beaten.unit for beaten in position.dislodged if beaten.unit.power == power)
    return position.units_of(power)


# In.


@dataclass(frozen=True, slots=True, repr=False)
class OrdersTaken:
    """The result of sending orders: the sheet with the lawful ones, and why each of the others was refused."""

    sheet: ReadSheet
    refused: tuple[Numbers, ...]

    def orders_now(self) -> list[Numbers]:
        """The orders as they are now. In `refused`, at the same unit's order or else at the first: what was sent
        instead, and why not."""
        orders = [order | {"refused": []} for order in stored_orders(self.sheet)]
        by_place = {TERRITORIES[order["terrID"] - 1].partition("/")[0]: order for order in orders if order["terrID"]}
        for refusal in self.refused:
            if not orders:
                raise ParseError(refusal["reason"])
            by_place.get(refusal["place"], orders[0])["refused"].append(
                {"order": refusal["order"], "reason": refusal["reason"]}
            )
        return orders


def take_orders(sent: object, before: ReadSheet) -> OrdersTaken:
    """Put the sent orders in the place of those that their units had `before`; builds and removals replace all earlier
    ones. An unlawful order changes nothing. Raises ParseError for an order that is malformed."""
    if not isinstance(sent, list) or len(sent) > MOST_ORDERS:
        raise ParseError(f"Body field `orders` is not an array of at most {MOST_ORDERS} orders.")
    position, refusals, sheet = before.position, [], before
    orders = () if position.turn.kind is PhaseKind.ADJUSTMENT else before.lawful.orders
    kept = {province_of(location_of(order)): write_order(order, position) for order in orders}
    for number, (place, order) in enumerate(_orders_in(sent, before), 1):
        lines = {**kept, place or f"WAIVE {number}": write_order(order, position)}
        # Read these lines, together with orders written ahead, which this form doesn't have.
        sent_sheet = SentSheet("\n".join((*lines.values(), *ahead_lines(before.lawful.ahead))), before.ordinal)
        trial = read_once(sent_sheet, before.power, before.position, before.variant)
        if trial.problems:
            refusals.append({"place": place, "order": sent[number - 1], "reason": trial.problems[-1].sentence})
        else:
            kept, sheet = lines, trial
    return OrdersTaken(sheet, tuple(refusals))


def _orders_in(orders_sent: list[Any], before: ReadSheet) -> Iterator[tuple[str, Order]]:
    """Each order with the province that it is about; "" for a waived build."""
    units = {unit.province: unit for unit in own_units(before.power, before.position)}
    for number, fields in enumerate(orders_sent, 1):
        if not isinstance(fields, dict) or not isinstance(fields.get("type"), str):
            raise ParseError(f"Order {number} is not an object with a `type`.")
        order = _order_in(_SentOrder(number, fields), units, before.power)
        yield province_of(location_of(order)), order


@dataclass(frozen=True, slots=True, repr=False)
class _SentOrder:
    """One order as it was sent."""

    number: int
    fields: dict[str, Any]

    def place(self, *names: str) -> str:
        """The location in the first of these fields that has one."""
        values = [value for name in names if (value := self.fields.get(name)) not in (None, "", 0, "0")]
        try:
            place = int(values[0]) if values else 0
        except (TypeError, ValueError):
            place = 0
        if not 1 <= place <= len(TERRITORIES):
            sentence = f"Order {self.number}: `{names[0]}` must be the number of a territory, 1 to {len(TERRITORIES)}."
            raise ParseError(sentence)
        return TERRITORIES[place - 1]

    def province(self, name: str) -> str:
        return province_of(self.place(name))


UNIT_ORDERS: dict[str, Callable[[str, _SentOrder], Order]] = {
    "Hold": lambda here, _: Hold(here),
    "Move": lambda here, sent: Move(here, sent.place("toTerrID"), via=sent.fields.get("viaConvoy") == "Yes"),
    "Support hold": lambda here, sent: Support(here, sent.province("toTerrID")),
    "Support move": lambda here, sent: Support(here, sent.province("fromTerrID"), sent.place("toTerrID")),
    "Convoy": lambda here, sent: Convoy(here, sent.province("fromTerrID"), sent.province("toTerrID")),
    "Retreat": lambda here, sent: Retreat(here, sent.place("toTerrID")),
    "Disband": lambda here, _: Disband(here),
    "Destroy": lambda here, _: Disband(here),
}


def _order_in(order_sent: _SentOrder, units: Mapping[str, Unit], power: str) -> Order:
    kind = order_sent.fields["type"]
    if kind == "Wait":
        return Waive()
    if kind in BUILDS:
        return Build(BUILDS[kind], order_sent.place("toTerrID", "terrID"))
    if kind not in UNIT_ORDERS:
        raise ParseError(f"Order {order_sent.number}: there is no type `{kind}`.")
    place = order_sent.place("terrID", *(["toTerrID"] if kind == "Destroy" else []))
    unit = units.get(province_of(place))
    if unit is None:
        raise ParseError(f"Unknown territory ID `{number_of(place)}` for country `{COUNTRY[power]}`.")
    return UNIT_ORDERS[kind](unit.location, order_sent)
