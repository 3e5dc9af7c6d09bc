"""The orders that units can be given in a movement phase, by construction: each order is made once for a board, and
reused wherever the position allows it.

Left out are orders that the rules accept but that can do nothing: help for a move that nobody can order (because the
unit is a minor power's that never moves, or takes no orders now), and anything that needs a chain of fleets that cannot
be ordered to convoy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, reduce
from operator import attrgetter, or_
from typing import Any, TypeAlias

from adjudication.board import province_of
from adjudication.legality import (
    army_finds_fleets,
    convoy_is_of_an_army,
    convoy_lies_on_a_route,
    support_is_for_a_unit,
    supported_move_is_possible,
)
from adjudication.movement.bitboard import Bitboard
from adjudication.movement.convoys import fleets_by_shore
from adjudication.orders import Convoy, Hold, Move, Order, Support
from adjudication.ruleset import Rule, Ruleset
from adjudication.situation import Situation
from adjudication.units import NEUTRAL, Unit, UnitKind, shared_unit

KEPT_BY_CONSTRUCTION = frozenset(
    (army_finds_fleets, convoy_is_of_an_army, convoy_lies_on_a_route, support_is_for_a_unit, supported_move_is_possible)
)
"""The rules about a position that every order found here keeps."""
MOST_LISTS = 100_000
"""Lists of orders; a book is emptied when it has made this many, so that odd positions cannot fill the memory."""
Rules: TypeAlias = tuple[Rule[Any], ...]
_DESTINATION = attrgetter("destination")


class Goals:
    """The places where one unit could go by itself: locations and whole provinces in sorted order, each with its
    province as a mask, and all masks combined."""

    __slots__ = ("mask", "places")

    def __init__(self, forms: Iterable[Unit], bitboard: Bitboard) -> None:
        ways = [way for form in forms for way in _ways_out(form, bitboard)]
        self.places = sorted({(goal, 1 << number) for there, number in ways for goal in (there, province_of(there))})
        self.mask = reduce(or_, (bit for _, bit in self.places), 0)


def _ways_out(unit: Unit, bitboard: Bitboard) -> tuple[tuple[str, int], ...]:
    if unit.kind is UnitKind.ARMY:
        return bitboard.army_ways.get(unit.province, ())
    return bitboard.fleet_ways.get(unit.location, ())


class Repertoire:
    """The orders that a unit can be given unless the position forbids them. `here` and `reached`: its province and
    those that it could enter by itself, as masks. The orders found so far: `holders`: province -> the support for a
    unit that holds there; `movers`: the supports for a unit that goes to one of its goals; `fleets`: the order that
    belongs to a voyage, by its kind, the army's province and the shore. A list is empty where the board forbids it."""

    __slots__ = (
        *("_book", "_unforbidden", "fleets", "here", "hold"),
        *("holders", "is_at_sea", "movers", "reached", "steps"),
    )

    def __init__(self, unit: Unit, situation: Situation, book: Book) -> None:
        bitboard, is_army = situation.bitboard, unit.kind is UnitKind.ARMY
        number = bitboard.number[unit.province]
        place = bitboard.number.get(unit.location, number)
        self._book = book
        self._unforbidden = _filter_of_forbidden(unit, situation)
        self.here = 1 << number
        self.reached = bitboard.army[number] if is_army else bitboard.fleet_provinces[place]
        self.is_at_sea = not is_army and bool(bitboard.water & self.here)
        self.hold = Hold(unit.location)
        self.steps = self._unforbidden(Move(unit.location, there) for there, _ in _ways_out(unit, bitboard))
        self.holders: dict[str, list[Order]] = {}
        self.movers: dict[Goals, list[Order]] = {}
        self.fleets: dict[tuple[type[Order], str, str], list[Order]] = {}

    def supports_of_holder(self, province: str) -> list[Order]:
        orders = self.holders[province] = self._unforbidden_and_counted(Support(self.hold.location, province))
        return orders

    def supports_of_mover(self, province: str, goals: Goals) -> list[Order]:
        supports = [Support(self.hold.location, province, goal) for goal, bit in goals.places if bit & self.reached]
        orders = self.movers[goals] = self._unforbidden_and_counted(*supports)
        return orders

    def order_in_voyage(self, kind: type[Order], army: str, shore: str) -> list[Order]:
        """The unit's part in a voyage: its own move, its support for another unit's move, or its convoy."""
        orders = self.fleets.get((kind, army, shore))
        if orders is None:
            here = self.hold.location
            move, help_ = Move(here, shore, via=True), (here, army, shore)
            part = move if kind is Move else Support(*help_) if kind is Support else Convoy(*help_)
            orders = self.fleets[kind, army, shore] = self._unforbidden_and_counted(part)
        return orders

    def _unforbidden_and_counted(self, *orders: Order) -> list[Order]:
        """The orders that are not forbidden. They are counted, so that a book that grows too large is emptied."""
        self._book.made += 1
        return self._unforbidden(orders)


def _filter_of_forbidden(unit: Unit, situation: Situation) -> Callable[[Iterable[Order]], list[Order]]:
    """A function that leaves out orders which the board forbids, or which this minor power's unit may not be given."""
    legality, neutrals, is_minor = situation.ruleset.legality, situation.ruleset.neutrals, unit.power == NEUTRAL

    def keeps(orders: Iterable[Order]) -> list[Order]:
        orders = [order for order in orders if not is_minor or neutrals.may_be_ordered(order)]
        return [it for it in orders if not legality.by_board.intersection(legality.rules_to_check(it, unit, situation))]

    return keeps


class Book:
    """All repertoires of a ruleset. `steps` to `convoys`: the rules that orders of that kind may break in a position;
    in standard Diplomacy there are none."""

    __slots__ = ("_goals", "_repertoires", "convoys", "made", "steps", "supports", "voyages")

    def __init__(self, ruleset: Ruleset) -> None:
        def rules_to_ask(order: Order) -> Rules:
            legality = ruleset.legality
            return tuple(
                rule for rule in legality.rules_for(order) if rule not in legality.by_board | KEPT_BY_CONSTRUCTION
            )

        self.steps, self.voyages = rules_to_ask(Move("", "")), rules_to_ask(Move("", "", via=True))
        self.supports, self.convoys = rules_to_ask(Support("", "")), rules_to_ask(Convoy("", "", ""))
        self._repertoires: dict[str, Repertoire] = {}
        self._goals: dict[tuple[Unit, ...], Goals] = {}
        self.made = 0

    def repertoire(self, unit: Unit, situation: Situation) -> Repertoire:
        repertoire = self._repertoires.get(unit.rank)
        if repertoire is None:
            repertoire = self._repertoires[unit.rank] = Repertoire(unit, situation, self)
        return repertoire

    def goals(self, forms: tuple[Unit, ...], bitboard: Bitboard) -> Goals:
        """The goals of a unit with these forms: the same object for all units with the same forms and places."""
        key = tuple([shared_unit("", form.kind, form.location, "") for form in forms])
        goals = self._goals.get(key)
        if goals is None:
            goals = self._goals[key] = Goals(key, bitboard)
        return goals

    def emptied_if_full(self) -> Book:
        if self.made > MOST_LISTS:
            self._repertoires.clear()
            self._goals.clear()
            self.made = 0
        return self


@lru_cache(maxsize=64)
def book_of(ruleset: Ruleset) -> Book:
    """The book of a ruleset: the same one for as long as the ruleset lives."""
    return Book(ruleset)


OtherUnit: TypeAlias = tuple[str, int, Goals, int, int]
"""A unit as the others see it: its province, the same as a mask, where it can be ordered to go by itself, the same as a
mask, and where else it can be ordered to go by sea."""


class MovementOptions:
    """The orders of all units in one position of a movement phase, with what they have in common worked out once.
    `others`: all units, by province. `voyages`: province of an army -> shore -> mask of the fleets that a convoy there
    can use."""

    __slots__ = ("book", "fleets", "others", "situation", "voyages")

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.book = book_of(situation.ruleset).emptied_if_full()
        # Mask of the waters with a fleet that can be ordered to convoy.
        at_rest = [situation.bitboard.number[province] for province in situation.leaderless]
        if "convoy" not in situation.ruleset.neutrals.order_kinds:
            at_rest += [here for here, unit in situation.at.items() if unit.power == NEUTRAL]
        self.fleets = situation.fleets & ~reduce(or_, (1 << here for here in at_rest), 0)
        self.voyages: dict[str, Mapping[int, int]] = {}
        self.others = [self._other_unit(province, unit) for province, unit in sorted(situation.units.items())]

    def _other_unit(self, province: str, unit: Unit) -> OtherUnit:
        situation, bitboard = self.situation, self.situation.bitboard
        here, is_minor, by_sea = bitboard.number[province], unit.power == NEUTRAL, 0
        cannot_move = province in situation.leaderless or (is_minor and not situation.ruleset.neutrals.sorties)
        forms = () if cannot_move else situation.forms(unit)
        goals = self.book.goals(forms, bitboard)
        if not is_minor and any(form.kind is UnitKind.ARMY for form in forms):
            voyages = fleets_by_shore(bitboard, here, self.fleets)
            if voyages:
                self.voyages[province] = voyages
                by_sea = sum(1 << shore for shore in voyages) & ~goals.mask
        return province, 1 << here, goals, goals.mask, by_sea

    def orders(self, unit: Unit) -> tuple[Order, ...]:
        """The lawful orders of a unit that takes orders."""
        situation = self.situation
        forms = situation.forms(unit)
        return tuple(
            [order for form in forms for order in self._orders(form, situation.with_unit_formed(form.location))]
        )

    def _orders(self, unit: Unit, situation: Situation) -> list[Order]:
        book, repertoire = self.book, self.book.repertoire(unit, situation)
        orders: list[Order] = [repertoire.hold, *_allowed_by(repertoire.steps, book.steps, unit, situation)]
        if unit.kind is UnitKind.ARMY:
            orders += _allowed_by(self._own_voyages(unit.province, repertoire), book.voyages, unit, situation)
        orders += _allowed_by(self._supports(repertoire), book.supports, unit, situation)
        if repertoire.is_at_sea:
            orders += _allowed_by(self._convoys(repertoire), book.convoys, unit, situation)
        return orders

    def _own_voyages(self, province: str, repertoire: Repertoire) -> Iterator[Order]:
        names = self.situation.bitboard.provinces
        for shore in self.voyages.get(province, ()):
            yield from repertoire.order_in_voyage(Move, province, names[shore])

    def _supports(self, repertoire: Repertoire) -> list[Order]:
        reached, holders, movers = repertoire.reached, repertoire.holders, repertoire.movers
        holds, moves = list[Order](), list[Order]()
        for province, here, goals, by_itself, by_sea in self.others:
            if here & reached:
                supports = holders.get(province)
                holds += repertoire.supports_of_holder(province) if supports is None else supports
            if by_sea & reached:
                moves += self._for_traveller(province, goals, by_sea, repertoire)
            elif by_itself & reached:
                supports = movers.get(goals)
                moves += repertoire.supports_of_mover(province, goals) if supports is None else supports
        return holds + moves

    def _for_traveller(self, province: str, goals: Goals, by_sea: int, repertoire: Repertoire) -> list[Order]:
        """The supports for an army that goes by itself, or by sea to one of these shores without using this fleet."""
        bitboard, supports = self.situation.bitboard, repertoire.movers.get(goals)
        orders = list(repertoire.supports_of_mover(province, goals) if supports is None else supports)
        shores, by_sea = self.voyages[province], by_sea & repertoire.reached
        if repertoire.is_at_sea:
            shores = fleets_by_shore(bitboard, bitboard.number[province], self.fleets & ~repertoire.here)
        for shore in shores:
            if by_sea >> shore & 1:
                orders += repertoire.order_in_voyage(Support, province, bitboard.provinces[shore])
        return sorted(orders, key=_DESTINATION)

    def _convoys(self, repertoire: Repertoire) -> Iterator[Order]:
        situation = self.situation
        for province, shores in self.voyages.items():
            if situation.units[province].kind is UnitKind.ARMY:
                for shore, fleets in shores.items():
                    if fleets & repertoire.here:
                        yield from repertoire.order_in_voyage(Convoy, province, situation.bitboard.provinces[shore])


def _allowed_by(orders: Iterable[Order], rules: Rules, unit: Unit, situation: Situation) -> Iterable[Order]:
    if not rules:
        return orders
    return [order for order in orders if all(rule(order, unit, situation) is None for rule in rules)]
