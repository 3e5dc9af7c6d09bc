"""The result of a phase: one part public for all, one private for each power."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeAlias, overload

from adjudication.orders import Bid, Order, OrderSheet
from adjudication.position import Position
from adjudication.reasons import NO_FACTS, Coded, Facts, Reason
from adjudication.turns import Turn
from adjudication.units import Unit


class OrderResult(StrEnum):
    """The words of the Diplomacy Adjudicator Test Cases."""

    SUCCEEDS = "succeeds"
    FAILS = "fails"
    ILLEGAL = "illegal"
    INVALID = "invalid"
    GIVEN = "given"
    CUT = "cut"
    AVAILABLE = "available"
    DISRUPTED = "disrupted"
    STANDS = "stands"
    DISLODGED = "dislodged"
    DESTROYED = "destroyed"


def result_of_refusal(reason: Reason) -> OrderResult:
    """The result for a refused order. In the DATC, orders whose only mistake is a coast fail (6.B.11, 6.B.14)."""
    coast_mistakes = (Reason.LIES_ON_ANOTHER_COAST, Reason.BUILD_NEEDS_COAST)
    return OrderResult.FAILS if reason in coast_mistakes else OrderResult.ILLEGAL


class OrderOutcome(NamedTuple):
    """`attacker_from` is the province that a dislodging attack came from, by land, sea or convoy. `found` are the facts
    that go with the reason, or a function that finds them."""

    unit: Unit | None
    power: str
    order: Order
    results: tuple[OrderResult, ...]
    reason: Reason | None = None
    found: Facts | Callable[[], Facts] = NO_FACTS
    attacker_from: str | None = None

    @property
    def facts(self) -> Facts:
        """The facts that the reason names about this order, and who caused it; empty if the order simply succeeded."""
        return self.found() if callable(self.found) else self.found

    def _compared_fields(self) -> tuple[object, ...]:
        return self.unit, self.power, self.order, self.results, self.reason, self.attacker_from

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, OrderOutcome):
            return NotImplemented
        return self._compared_fields() == other._compared_fields() and self.facts == other.facts

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._compared_fields())


@dataclass(frozen=True, slots=True)
class Attack:
    """`strength` is that of the attack, 0 if it was not possible or faced a unit of its own power; `prevents` is the
    strength with which it kept others out."""

    unit: Unit
    strength: int
    prevents: int


@dataclass(frozen=True, slots=True)
class Contest:
    """A province that units moved to: how strongly it was held (0 if it was or became empty) and attacked, counted as
    in the DATC (5.B). Attacks are sorted by unit."""

    province: str
    holder: Unit | None
    holds: int
    attacks: tuple[Attack, ...]


class Contests(Sequence[Contest]):
    """Contests that are worked out when they are first read."""

    __slots__ = ("_count", "_counted")

    def __init__(self, count: Callable[[], tuple[Contest, ...]]) -> None:
        self._count = count
        self._counted: tuple[Contest, ...] | None = None

    def all_contests(self) -> tuple[Contest, ...]:
        if self._counted is None:
            self._counted = self._count()
        return self._counted

    @overload
    def __getitem__(self, index: int) -> Contest: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Contest, ...]: ...
    def __getitem__(self, index: int | slice) -> Contest | tuple[Contest, ...]:
        return self.all_contests()[index]

    def __len__(self) -> int:
        return len(self.all_contests())

    def __eq__(self, other: object) -> bool:
        return self.all_contests() == (other.all_contests() if isinstance(other, Contests) else other)

    def __hash__(self) -> int:
        return hash(self.all_contests())

    def __repr__(self) -> str:
        return repr(self.all_contests())


RELATIONS = ("war", "alliance", "war ended", "alliance ended")
"""What two powers can come to be."""


class NoticeKind(Coded):
    """What can happen without an order."""

    DISBANDED = "disbanded", "DATC 6.H", "unit"
    REMOVED = "removed", "DATC 6.J", "unit"
    PLACED = "placed", "Rules: factions", "power units count"
    CENTRE_TAKEN = (
        "centre taken",
        "Rules: control",
        "power place [loser] [faction]",
        "changed sides: power place faction",
    )
    MINOR_REBUILT = "minor rebuilt", "Minor Powers", "place kind"
    NEW_MINOR = "new minor", "Minor Powers", "place"
    CIVIL_DISORDER = "civil disorder", "Rules: civil disorder", "power", "disbanded: power", "armies: power"
    RELATION = "relation", "Rules: declarations", *(f"{now}: power other" for now in RELATIONS)
    INTERNED = "interned", "Rules: neutrality", "owner power unit"
    HOME_WON = "home won", "Rules: homes", "power place"


class VerdictKind(Coded):
    """How a game ends by the rules."""

    MOST_CENTRES = "most centres", "Rules: victory", "power count", "own land: powers count", "together: powers count"
    NOBODY_LEFT = "nobody left", "Rules: victory"
    LAST_YEAR = "last year", "Options: last year", "powers year", "one: powers year", "none: year"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that happened without an order. `kind` is a `NoticeKind`, or one of the program that uses the rules."""

    kind: str
    power: str | None
    province: str | None
    facts: Facts = field(default_factory=dict, hash=False)


Changed: TypeAlias = tuple[Position, tuple[Notice, ...]]
"""A changed position, and the notices about the change."""


class Settled(NamedTuple):
    """The position after the orders of a phase were carried out, before the calendar moves on."""

    position: Position
    outcomes: tuple[OrderOutcome, ...]
    notices: tuple[Notice, ...] = ()
    contests: Sequence[Contest] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The game is over; winners share a draw. `kind`: a `VerdictKind`, or one of the program that uses the rules."""

    winners: tuple[str, ...]
    kind: str
    facts: Facts = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Public:
    """What everyone can read. Outcomes are sorted by power and location, contests by province."""

    turn: Turn
    outcomes: tuple[OrderOutcome, ...]
    notices: tuple[Notice, ...]
    next: Position
    verdict: Verdict | None = None
    contests: Sequence[Contest] = ()


class Private(NamedTuple):
    """What only one power can read: its own sheet, and which of its bids did not count."""

    sheet: OrderSheet
    dropped: tuple[tuple[Bid, Reason], ...] = ()

    @property
    def counting(self) -> tuple[Bid, ...]:
        """The bids that count."""
        dropped_bids = [bid for bid, _ in self.dropped]
        return tuple([bid for bid in self.sheet.bids if bid not in dropped_bids])


@dataclass(frozen=True, slots=True)
class Resolution:
    public: Public
    private: Mapping[str, Private]
