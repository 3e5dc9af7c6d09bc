"""A simple player: takes what it can reach, supports itself, and spends its points on its own attacks.

It knows no variant. Each choice that looks random is a hash of the seed, the turn and the power, so a game can be
replayed exactly. It reads only the public position and the legal choices.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from adjudication.auction import budget
from adjudication.board import Board, province_of, steps_from
from adjudication.legality import next_order_refusal
from adjudication.options import UnitOptions, bid_options, order_options
from adjudication.orders import Bid, Build, Declare, Disband, Hold, Move, Order, OrderSheet, Retreat, Support
from adjudication.position import Position
from adjudication.relations import stance_of
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, Unit, UnitKind, neighbours

FAR = 99
BOLD = 700
"""How many in 1000 attacks on a great power's unit use the smallest strength that can succeed."""
YIELDING = 300
"""How many in 1000 times it leaves an empty centre, which it cannot enter with support, to another who could enter."""
TOGETHER, ALONE = 150, 180
"""How many in 1000 chances to declare something it uses together with the other power, and alone."""
OWN_BITS = 64
"""A seed may have two parts: these lowest bits are the bot's own, and all above them the bots of a phase share, so that
two can do together what takes two. A shorter seed is both."""


def play(power: str, position: Position, ruleset: Ruleset, seed: int) -> OrderSheet:
    """Legal orders for `power` in any phase; empty if it has nothing to decide."""
    view = _View(power, position, ruleset, seed)
    if position.turn.kind is PhaseKind.MOVEMENT:
        return _Plan(view).sheet()
    if position.turn.kind is PhaseKind.RETREAT:
        return OrderSheet(orders=_retreats(view))
    if position.turn.kind is PhaseKind.DECLARATION:
        return OrderSheet(orders=tuple(_declarations(view)))
    return OrderSheet(orders=_builds_and_removals(view))


@dataclass(frozen=True)
class _View:
    """What the bot sees: the position, its legal choices, its seed and all distances."""

    power: str
    position: Position
    ruleset: Ruleset
    seed: int
    choices: tuple[UnitOptions, ...] = field(init=False)
    wanted_centres: frozenset[str] = field(init=False)
    open_to_others: frozenset[str] = field(init=False)
    distance: Mapping[UnitKind, Mapping[str, int]] = field(init=False)

    def __post_init__(self) -> None:
        board, own_centres = self.ruleset.board, set(self.position.centres_of(self.power))
        wanted = frozenset(board.centres) - own_centres
        object.__setattr__(self, "choices", order_options(self.power, self.position, self.ruleset))
        object.__setattr__(self, "wanted_centres", wanted)
        others = (unit for unit in self.position.units if unit.power not in (self.power, NEUTRAL))
        steps = (place for unit in others for place in neighbours(unit.kind, unit.location, board))
        object.__setattr__(self, "open_to_others", frozenset(map(province_of, steps)))
        object.__setattr__(self, "distance", {kind: _distances(board, kind, wanted) for kind in UnitKind})

    def number_for(self, *about: object) -> int:
        """A number from 0 to 999 that depends only on the seed, the turn, the power and `about`."""
        words = (self.seed, self.position.turn.code, self.power, *about)
        return int.from_bytes(hashlib.sha256(repr(words).encode()).digest()[:4]) % 1000

    def shared_number(self, other: str) -> int:
        """A number from 0 to 999 that the bot of the `other` power also arrives at."""
        words = (self.seed >> OWN_BITS or self.seed, self.position.turn.code, *sorted((self.power, other)))
        return int.from_bytes(hashlib.sha256(repr(words).encode()).digest()[:4]) % 1000

    def steps_to_goal(self, kind: UnitKind, location: str) -> int:
        """Steps from a location to the nearest centre that isn't the bot's own; FAR if there is no path."""
        return self.distance[kind].get(location, FAR)


def _distances(board: Board, kind: UnitKind, goals: Iterable[str]) -> dict[str, int]:
    borders = board.army if kind is UnitKind.ARMY else board.fleet
    starts = [place for place in board.locations if province_of(place) in goals and place in borders]
    return steps_from(starts, lambda here: neighbours(kind, here, board))


@dataclass
class _Plan:
    """Movement orders in the making.

    `free_units`: choices of units without an order; `claimed`: provinces that one of our units stays in or enters;
    `minors`: choices of minor powers' units that we haven't bid for; `points`: points left to bid.
    """

    view: _View
    orders: list[Order] = field(default_factory=list)
    bids: list[Bid] = field(default_factory=list)
    free_units: dict[str, UnitOptions] = field(default_factory=dict)
    claimed: set[str] = field(default_factory=set)
    minors: tuple[UnitOptions, ...] = ()
    points: int = 0

    def sheet(self) -> OrderSheet:
        self.free_units = {province_of(choice.location): choice for choice in self.view.choices}
        self.minors = bid_options(self.view.position, self.view.ruleset)
        self.points = budget(self.view.power, self.view.position, self.view.ruleset)
        # Let units stay in centres that are not yet ours until the centres are counted.
        for province, choice in list(self.free_units.items()):
            if province in self.view.wanted_centres:
                self.claimed.add(province)
                self._give_order(Hold(choice.location), province)
        # Attack wanted centres, undefended ones first, otherwise in random order.
        units, number_for = self.view.position.units_by_province(), self.view.number_for
        wanted = self.view.wanted_centres - self.claimed
        for target in sorted(wanted, key=lambda it: (it in units, number_for("target", it), it)):
            self._attack(target)
        # Move all other units towards the nearest centre worth having, or let them hold.
        for province in sorted(self.free_units, key=lambda name: (self.view.number_for("march", name), name)):
            self._give_order(self._best_step(self.free_units[province]), province)
        self._spend_the_rest()
        return OrderSheet(tuple(self.orders), tuple(self.bids))

    def _give_order(self, order: Order, province: str) -> None:
        self.orders.append(order)
        del self.free_units[province]

    def _attack(self, target: str) -> None:
        """Attack with one unit and as much support, our own or bought, as the defender makes necessary."""
        movers = [
            (province, order)
            for province, choice in self.free_units.items()
            for order in choice.orders
            if isinstance(order, Move) and not order.via and province_of(order.destination) == target
        ]
        if not movers or target in self.claimed:
            return
        province, move = min(movers, key=lambda entry: self.view.number_for("mover", *entry))
        count = self._supports_needed(target)
        own_supports = [entry for entry in self._own_supports(province, target) if entry[0] != province]
        if count or target not in self.view.open_to_others:
            own_supports = own_supports[:count]
        else:
            # Two who want the same centre would bounce for ever: one brings help, or lets the other have it at times.
            own_supports = [entry for entry in own_supports if not self._has_another_target(entry[0], target)][:1]
            if not own_supports and self.view.number_for("yield", target) < YIELDING:
                self.claimed.add(target)
                return
        purchases = self._supports_to_buy(province, target)[: max(0, count - len(own_supports))] if self.points else []
        if len(own_supports) + min(len(purchases), self.points) < count:
            return
        self.claimed.add(target)
        self._give_order(move, province)
        for supporter, support in own_supports:
            self.claimed.add(supporter)
            self._give_order(support, supporter)
        for support in purchases:
            self._add_bid(support, 1)

    def _supports_needed(self, target: str) -> int:
        defender = self.view.position.units_by_province().get(target)
        if defender is None:
            return 0
        return 1 if defender.power == NEUTRAL or self.view.number_for("bold", target) < BOLD else 2

    def _has_another_target(self, province: str, target: str) -> bool:
        """Could the unit enter another centre that is wanted, empty and not claimed?"""
        units = self.view.position.units_by_province()
        goals = {province_of(it.destination) for it in self.free_units[province].orders if isinstance(it, Move)}
        return bool((goals & self.view.wanted_centres) - self.claimed - units.keys() - {target})

    def _own_supports(self, mover: str, target: str) -> list[tuple[str, Support]]:
        """One support from each free unit that can give it."""
        pairs = ((province, _support_for(choice, mover, target)) for province, choice in self.free_units.items())
        return [(province, support) for province, support in pairs if support is not None]

    def _supports_to_buy(self, mover: str, target: str) -> list[Support]:
        """One support from each minor that can give it."""
        supports = (_support_for(choice, mover, target) for choice in self.minors)
        return [support for support in supports if support is not None]

    def _add_bid(self, support: Support, points: int) -> None:
        payment = min(points, self.points)
        if payment:
            self.bids.append(Bid(support, payment))
            self.points -= payment
            self.minors = tuple(each for each in self.minors if each.location != support.location)

    def _best_step(self, choice: UnitOptions) -> Order:
        unit = choice.unit
        assert unit is not None
        steps = [order for order in choice.orders if isinstance(order, Move) and self._is_open(order)]
        here = self.view.steps_to_goal(unit.kind, unit.location)
        best = min(steps, key=lambda order: self._rank_of_step(unit, order), default=None)
        if best is None or self.view.steps_to_goal(unit.kind, best.destination) > here:
            self.claimed.add(unit.province)
            return Hold(unit.location)
        self.claimed.add(province_of(best.destination))
        return best

    def _is_open(self, move: Move) -> bool:
        target = province_of(move.destination)
        return not move.via and target not in self.claimed and target not in self.view.position.units_by_province()

    def _rank_of_step(self, unit: Unit, move: Move) -> tuple[int, int]:
        return self.view.steps_to_goal(unit.kind, move.destination), self.view.number_for("step", move.destination)

    def _spend_the_rest(self) -> None:
        """Spend the points that are left to make a bought support safer, or to keep a neighbour quiet."""
        if self.bids and self.points:
            first = self.bids.pop(0)
            self.bids.append(Bid(first.order, first.points + self.points))
            self.points = 0
            return
        for choice in sorted(self.minors, key=lambda each: self.view.number_for("minor", each.location)):
            holders = {province_of(order.location) for order in self.orders if isinstance(order, Hold | Support)}
            supports = [order for order in choice.orders if isinstance(order, Support)]
            for_our_holders = [order for order in supports if order.destination is None and order.supported in holders]
            for support in for_our_holders[:1]:
                self._add_bid(support, 1)


def _support_for(choice: UnitOptions, mover: str, target: str) -> Support | None:
    """The unit's support for a move from `mover` to `target`, if it can give one."""
    supports = (order for order in choice.orders if isinstance(order, Support) and order.supported == mover)
    return next((order for order in supports if province_of(order.destination or "") == target), None)


def _retreats(view: _View) -> tuple[Order, ...]:
    """Retreats to centres if possible, otherwise to places near one; a unit disbands if no other place is open."""
    orders, taken = list[Order](), set[str]()
    for choice in view.choices:
        assert choice.unit is not None
        near = view.distance[choice.unit.kind]
        open_to = [it for it in choice.orders if isinstance(it, Retreat) and province_of(it.destination) not in taken]
        best = min(open_to, key=lambda it: (near.get(it.destination, FAR), it.destination), default=None)
        orders.append(best or Disband(choice.location))
        taken |= {province_of(best.destination)} if best else set()
    return tuple(orders)


def _declarations(view: _View) -> Iterator[Order]:
    """Changes of relations. Two bots often declare the same at once, so that alliances come about."""
    stances = view.ruleset.relations.stances
    for choice in view.choices:
        now = stance_of(view.power, choice.location, view.position, stances) if stances else ""
        news = [order for order in choice.orders if not (isinstance(order, Declare) and order.stance == now)]
        shared_draw, own_draw = view.shared_number(choice.location), view.number_for("declare", choice.location)
        if news and shared_draw < TOGETHER:
            yield news[shared_draw % len(news)]
        elif news and own_draw < ALONE:
            yield news[own_draw % len(news)]


def _builds_and_removals(view: _View) -> tuple[Order, ...]:
    """As many builds or removals as allowed: first builds that few places allow, then those near something worth
    having. Units that have farthest to go are removed."""
    situation = Situation(view.position, view.ruleset)
    units = {choice.location: choice.unit for choice in view.choices if choice.unit is not None}
    orders = [order for choice in view.choices for order in choice.orders]
    builds = [order for order in orders if isinstance(order, Build)]
    places = Counter((order.kind, order.faction) for order in builds)

    def first(order: Build) -> tuple[int, int, int]:
        place_count = places[order.kind, order.faction] if order.faction else 0
        return place_count, view.steps_to_goal(order.kind, order.location), view.number_for(order)

    def farthest(order: Disband) -> tuple[int, str]:
        unit = units[order.location]
        return -view.steps_to_goal(unit.kind, unit.location), unit.location

    removals = [order for order in orders if isinstance(order, Disband)]
    accepted: list[Order] = []
    candidates: list[Order] = [*sorted(builds, key=first), *sorted(removals, key=farthest)]
    for order in candidates:
        if next_order_refusal(order, accepted, view.power, situation) is None:
            accepted.append(order)
    return tuple(accepted)
