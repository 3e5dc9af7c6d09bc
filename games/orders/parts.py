"""The order page of a seat, and what is stored for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from games.history.parts import FactionView
from variants.drawing import Arrow, UnitMark


@dataclass(frozen=True, slots=True)
class ProblemView:
    """`line` counts from 1; `text` is the line as typed."""

    line: int
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """`value` is canonical, `label` for people."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One unit, or one site to build on, with every order it may be given; `chosen` is "" without one."""

    location: str
    label: str
    choices: tuple[OrderChoice, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class MinorChoice:
    """The unit of a minor power at `location`, with every order that may be bid on."""

    location: str
    label: str
    choices: tuple[OrderChoice, ...]


@dataclass(frozen=True, slots=True)
class BidView:
    """A bid on the unit of a minor power at `minor`; `order` is for people, `canonical` for machines."""

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
class ReceiptMark:
    """The code of a sheet and when it was saved (None for sheets from before that was kept)."""

    code: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class SheetView:
    """The order page of one seat, for the eyes of its holder only.

    `mark` tells the phase also from one that was opened again in its place; whoever writes sends it back.
    `saved`: something is stored and counts. `complete`: nothing is `missing`. `ready`: said in public (None
    where the game has no readiness). The three do not follow from one another.
    `adjustment`: units to build or place (>0) or to remove (<0), `adjustments` the same by faction ("" without one).
    `arrows` and `placed` units draw the sheet; `homes` are provinces. `muster`: do orders also say what units are?
    `idle` units take no orders now, for the reason `idle_because`. `outdated`: what was saved and no longer counts,
    because the position has changed since. `receipt`: that of the last save.
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
    receipt: ReceiptMark | None = None

    @property
    def left(self) -> int:
        return self.budget - self.spent


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is stored for a seat in a phase, for its holder only; `text` is canonical. `code`, `at` and `file`, the
    receipt as a text to keep, are empty for sheets from before there were receipts."""

    ordinal: int
    turn_title: str
    kind: str
    kind_title: str
    text: str
    orders: tuple[str, ...]
    bids: tuple[BidView, ...]
    budget: int
    spent: int
    saved: bool
    complete: bool
    missing: tuple[str, ...]
    code: str
    at: datetime | None
    file: str
