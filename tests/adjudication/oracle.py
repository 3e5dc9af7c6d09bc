"""A second adjudicator of moves, slow and simple: it tries every combination of answers and
keeps those in which each answer follows from the others by the definitions of DATC 5.B."""

from collections.abc import Iterator, Mapping
from itertools import product

from adjudication.board import province_of
from adjudication.orders import Convoy, Hold, Move, Order, Support
from adjudication.units import Unit, UnitKind
from tests.adjudication.boards import BOARD

Answers = dict[str, bool]
"""Province -> the move succeeds, the support is given, the convoying fleet is not dislodged."""


class Oracle:
    """`disrupted`: fleets whose convoy a paradox has stopped."""

    def __init__(
        self, units: Mapping[str, Unit], orders: Mapping[str, Order], disrupted: frozenset[str] = frozenset()
    ) -> None:
        self.units = units
        self.orders = orders
        self.disrupted = disrupted
        self.moves = {p: province_of(o.destination) for p, o in orders.items() if isinstance(o, Move)}
        self.asked = sorted(p for p, o in orders.items() if not isinstance(o, Hold))

    def consistent(self) -> list[Answers]:
        return [answers for answers in self._combinations() if self._follows(answers)]

    def _combinations(self) -> Iterator[Answers]:
        for values in product((False, True), repeat=len(self.asked)):
            yield dict(zip(self.asked, values, strict=True))

    def _follows(self, answers: Answers) -> bool:
        return all(self._answer(here, answers) == answers[here] for here in self.asked)

    def _answer(self, here: str, answers: Answers) -> bool:
        order = self.orders[here]
        if isinstance(order, Move):
            return self._succeeds(here, answers)
        if isinstance(order, Support):
            return not self._cut(here, order, answers)
        return here not in self.disrupted and not self._dislodged(here, answers)

    # Which orders match.

    def _convoyers(self, army: str) -> set[str]:
        return {
            p
            for p, o in self.orders.items()
            if isinstance(o, Convoy) and o.army == army and o.destination == self.moves.get(army)
        }

    def _by_convoy(self, mover: str) -> bool:
        order, unit = self.orders[mover], self.units[mover]
        assert isinstance(order, Move)
        own = any(self.units[fleet].power == unit.power for fleet in self._convoyers(mover))
        return unit.kind is UnitKind.ARMY and (order.via or own)

    def _supporters(self, helped: str) -> list[str]:
        goal = self.moves.get(helped)
        return [p for p, o in self.orders.items() if isinstance(o, Support) and self._helps(o, helped, goal)]

    def _helps(self, order: Support, helped: str, goal: str | None) -> bool:
        if order.supported != helped or goal is None or order.destination is None:
            return order.supported == helped and goal is None and order.destination is None
        theirs = self.orders[helped]
        assert isinstance(theirs, Move)
        return order.destination in (goal, theirs.destination)

    def _head_to_head(self, mover: str) -> bool:
        other = self.moves[mover]
        swap = self.moves.get(other) == mover
        return swap and not self._by_convoy(mover) and not self._by_convoy(other)

    # The definitions.

    def _path(self, mover: str, answers: Answers) -> bool:
        if not self._by_convoy(mover):
            return True
        fleets = {fleet for fleet in self._convoyers(mover) if answers[fleet]}
        reached, front = set[str](), [mover]
        while front:
            here = front.pop()
            if here in fleets and self.moves[mover] in _beside(here):
                return True
            new = (_beside(here) & fleets) - reached
            reached |= new
            front.extend(new)
        return False

    def _given(self, helped: str, answers: Answers, but_not_of: str | None = None) -> int:
        helpers = [s for s in self._supporters(helped) if self.units[s].power != but_not_of]
        return sum(answers[s] for s in helpers)

    def _hold(self, here: str, answers: Answers) -> int:
        if here not in self.units:
            return 0
        if here in self.moves:
            return 0 if answers[here] else 1
        return 1 + self._given(here, answers)

    def _attack(self, mover: str, answers: Answers) -> int:
        goal = self.moves[mover]
        if not self._path(mover, answers):
            return 0
        gone = goal in self.moves and not self._head_to_head(mover) and answers[goal]
        if goal not in self.units or gone:
            return 1 + self._given(mover, answers)
        defender = self.units[goal].power
        if defender == self.units[mover].power:
            return 0
        return 1 + self._given(mover, answers, but_not_of=defender)

    def _prevent(self, mover: str, answers: Answers) -> int:
        beaten = self._head_to_head(mover) and answers[self.moves[mover]]
        if beaten or not self._path(mover, answers):
            return 0
        return 1 + self._given(mover, answers)

    def _succeeds(self, mover: str, answers: Answers) -> bool:
        goal, attack = self.moves[mover], self._attack(mover, answers)
        met = self._head_to_head(mover)
        resistance = 1 + self._given(goal, answers) if met else self._hold(goal, answers)
        rivals = [m for m in self.moves if m != mover and self.moves[m] == goal]
        return attack > resistance and all(attack > self._prevent(m, answers) for m in rivals)

    def _dislodged(self, here: str, answers: Answers) -> bool:
        return any(answers[m] for m, goal in self.moves.items() if goal == here)

    def _cut(self, here: str, order: Support, answers: Answers) -> bool:
        target = province_of(order.destination or order.supported)
        foreign = [
            m for m, goal in self.moves.items() if goal == here and self.units[m].power != self.units[here].power
        ]
        if any(m != target and self._path(m, answers) for m in foreign):
            return True
        return self._dislodged(here, answers)


def _beside(province: str) -> set[str]:
    places = (province, *BOARD.provinces[province].coasts)
    return {province_of(there) for place in places for there in BOARD.fleet.get(place, ())}
