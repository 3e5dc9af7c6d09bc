"""The order page of a seat, and the receipt of what is stored for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from variants.drawing import Arrow
from variants.maps import FactionView
from variants.signs import UnitMark


@dataclass(frozen=True, slots=True)
class ProblemView:
    """A mistake. `line` counts from 1; `text` is the line as typed."""

    line: int
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """`value` is canonical, `label` is for people."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One unit or building site with every order it may be given; `chosen` is "" for none."""

    location: str
    label: str
    choices: tuple[OrderChoice, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class WishRow:
    """What can be written ahead about one unit, or about builds or removals: the wishes as they are written, and those
    that are possible: of the units to remove, which may move, those where they are now. `about` is a province, "BUILDS"
    or "REMOVALS"."""

    about: str
    label: str
    wishes: str
    possible: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MinorChoice:
    """The unit of a minor power at `location`, with every order that can be bid for."""

    location: str
    label: str
    choices: tuple[OrderChoice, ...]


@dataclass(frozen=True, slots=True)
class BidView:
    """A bid for the unit of a minor power at `minor`; `order` is for people, `canonical` for programs."""

    minor: str
    points: int
    order: str
    canonical: str


@dataclass(frozen=True, slots=True)
class PowerBids:
    power: str
    power_name: str
    bids: tuple[BidView, ...]


@dataclass(frozen=True, slots=True)
class ToldBid:
    """One bid in the table of bids. `fate`: its order won, tied or lost; "" for a bid that did not count."""

    power: str
    power_name: str
    points: int
    order: str
    canonical: str
    fate: str


@dataclass(frozen=True, slots=True)
class MinorBids:
    """All bids for the unit of a minor power at `location`, the highest first, and the order that it `followed`."""

    location: str
    label: str
    followed: str
    bids: tuple[ToldBid, ...]


@dataclass(frozen=True, slots=True)
class PhaseBids:
    """All bids of a phase, by minor power."""

    ordinal: int
    turn_title: str
    minors: tuple[MinorBids, ...]


@dataclass(frozen=True, slots=True)
class ReceiptMark:
    """The code of saved orders, and when they were saved (None for orders older than this record)."""

    code: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class SheetView:
    """The order page of one seat, for its holder's eyes only.

    `mark` tells the phase from one that was opened again in its place; send it back with the orders.
    `saved`: something is stored and counts. `complete`: nothing is `missing`. `ready`: the seat has said so (None
    where the game has no readiness). None of the three follows from the others.
    `adjustment`: units to build or place (>0) or to remove (<0); `adjustments`: the same by faction ("" for none).
    `arrows` and `placed` units are drawn on the map; `homes` are provinces. `muster`: do orders also say what units
    are? `idle` units can't be given orders now, for the reason `idle_because`. `outdated`: saved lines that no longer
    count because the position has changed. `ahead`: what is written ahead, in sentences; `wishes`: all that can be.
    `receipt`: that of the last save.
    `by_gm`: the game master wrote what is saved. `as_gm`: the viewer is the game master, to whom the player allowed it.
    """

    ordinal: int
    mark: str
    power: str
    kind: str
    text: str
    problems: tuple[ProblemView, ...]
    rows: tuple[OrderRow, ...]
    bids: tuple[BidView, ...]
    minors: tuple[MinorChoice, ...]
    budget: int
    spent: int
    adjustment: int
    adjustments: Mapping[str, int]
    factions: tuple[FactionView, ...]
    saved: bool
    complete: bool
    missing: tuple[str, ...]
    ready: bool | None
    nothing_to_decide: bool
    arrows: tuple[Arrow, ...]
    placed: tuple[UnitMark, ...]
    homes: tuple[str, ...]
    muster: bool
    idle: tuple[str, ...]
    idle_because: str
    outdated: tuple[ProblemView, ...]
    ahead: tuple[str, ...]
    wishes: tuple[WishRow, ...]
    receipt: ReceiptMark | None = None
    by_gm: bool = False
    as_gm: bool = False

    @property
    def adjectives(self) -> Mapping[str, str]:
        """By faction, as in "C" -> "communist"."""
        return {faction.letter: faction.adjective for faction in self.factions}

    @property
    def left(self) -> int:
        return self.budget - self.spent


@dataclass(frozen=True, slots=True)
class Replaced:
    """Orders that were saved until newer ones replaced them, as in Receipt."""

    code: str
    at: datetime | None
    text: str
    by_gm: bool


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is stored for a seat in a phase, for its holder only; `text` is canonical. `code`, `at` and `file`, the
    receipt as a text to keep, are empty for orders older than receipts. `by_gm`: the game master wrote them.

    After a save, `replaced` is what was saved before it (None for nothing, or if the same was sent again), and `ready`
    whether the seat has said that it is (None where the game has no readiness)."""

    ordinal: int
    turn_title: str
    kind: str
    kind_title: str
    text: str
    orders: tuple[str, ...]
    ahead: tuple[str, ...]
    bids: tuple[BidView, ...]
    budget: int
    spent: int
    saved: bool
    complete: bool
    missing: tuple[str, ...]
    code: str
    at: datetime | None
    file: str
    by_gm: bool
    replaced: Replaced | None = None
    ready: bool | None = None
