"""The order page of a seat, and the receipt of what is stored for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from adjudication.errors import NotationError
from adjudication.fitting import SheetWarning
from adjudication.reasons import OrderRefusal
from games.history.parts import ResultView
from games.kernel.marks import InApi
from games.kernel.parts import Explained
from variants.drawing import Arrow
from variants.maps import FactionView
from variants.signs import UnitMark


@dataclass(frozen=True, slots=True)
class ProblemView(Explained):
    """A mistake in orders."""

    line: Annotated[int, InApi("The line, from 1.")]
    text: Annotated[str, InApi("The line as typed.")]
    sentence: Annotated[str, InApi("What is wrong, and what is allowed.")]
    told: NotationError | OrderRefusal = field(compare=False)


@dataclass(frozen=True, slots=True)
class WarningView(Explained):
    """Something that does not fit together in your own orders. They count all the same.

    `label` is the order for people, `row` the location of its unit."""

    order: Annotated[str, InApi("The order that it is about, for programs.")]
    points: Annotated[int, InApi("The points bid for it; 0 for an order to a unit of your own.")]
    sentence: Annotated[str, InApi("What does not fit.")]
    label: str
    row: str
    told: SheetWarning = field(compare=False)

    @property
    def key(self) -> str:
        """What a device that waves the warning away remembers."""
        return f"{self.order}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """An order that may be given."""

    value: Annotated[str, InApi("The order for programs, as in “A MUN - CZE”: send this.")]
    label: Annotated[str, InApi("The order for people.")]
    chosen: Annotated[bool, InApi("It is the one that is saved.")]
    army: str = ""
    """What is built, if it belongs to a faction, as in "Communist army"."""


@dataclass(frozen=True, slots=True)
class OrderRow:
    """A unit or a building site, with every order that it may be given."""

    location: Annotated[str, InApi("Where it is, as in “MUN”.")]
    label: Annotated[str, InApi("The unit for people, as in “A Mun”.")]
    choices: Annotated[tuple[OrderChoice, ...], InApi("Every lawful order.")]
    chosen: Annotated[str, InApi("The one that is saved; empty for none.")]


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
    """A unit of a minor power, with every order that can be bid for."""

    location: Annotated[str, InApi("Where it is.")]
    label: Annotated[str, InApi("The unit for people.")]
    choices: Annotated[tuple[OrderChoice, ...], InApi("Every order you can bid for.")]


@dataclass(frozen=True, slots=True)
class BidView:
    """Points bid for the order of a minor power’s unit."""

    minor: Annotated[str, InApi("Where the unit is.")]
    points: Annotated[int, InApi("How many points, from 1.")]
    order: Annotated[str, InApi("The order for people.")]
    canonical: Annotated[str, InApi("The order for programs, as in “A AUS S A MUN - CZE”.")]


@dataclass(frozen=True, slots=True)
class OwnBidResult:
    """A bid of the reader’s own in a closed phase, and the order that everyone saw its minor power follow, as in “A Aus
    holds”; `done`: it is the same. `succeeded` and `sentence`: what everyone saw come of that order."""

    points: int
    order: str
    followed: str
    done: bool
    succeeded: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """The phase in which the reader’s power last moved, declared or placed units. `passed`: the phases since then, or
    since the reader last looked, oldest first, with sentences on what came of the reader’s wishes for them. `unseen`:
    the reader had seen none of these."""

    result: ResultView
    passed: tuple[tuple[ResultView, tuple[str, ...]], ...]
    unseen: bool


@dataclass(frozen=True, slots=True)
class PowerBids:
    """The bids of a power, opened after the end of the game."""

    power: Annotated[str, InApi("The id of the power.")]
    power_name: Annotated[str, InApi("Its name for display.")]
    bids: Annotated[tuple[BidView, ...], InApi("What it bid in this phase.")]


@dataclass(frozen=True, slots=True)
class ToldBid:
    """A bid, and what became of its order."""

    power: Annotated[str, InApi("The id of the power that bid.")]
    power_name: Annotated[str, InApi("Its name for display.")]
    points: Annotated[int, InApi("How many points.")]
    order: Annotated[str, InApi("The order for people.")]
    canonical: Annotated[str, InApi("The order for programs, as in “A AUS S A MUN - CZE”.")]
    fate: Annotated[str, InApi("won, tied or lost; empty for a bid that did not count.")]
    done: bool
    """Was the unit given this order, by the bids or after a tie?"""


@dataclass(frozen=True, slots=True)
class MinorBids:
    """All bids for one unit of a minor power."""

    location: Annotated[str, InApi("Where the unit is.")]
    label: Annotated[str, InApi("The unit for people.")]
    followed: Annotated[str, InApi("The order that the unit was given, for people.")]
    bids: Annotated[tuple[ToldBid, ...], InApi("The bids, the highest first.")]


@dataclass(frozen=True, slots=True)
class PhaseBids:
    """All bids of a phase."""

    ordinal: Annotated[int, InApi("The place of the phase among all phases.")]
    turn_title: Annotated[str, InApi("The turn, as in “Spring 1927”.")]
    minors: Annotated[tuple[MinorBids, ...], InApi("The units that were bid for.")]


@dataclass(frozen=True, slots=True)
class ReceiptMark:
    """The code of saved orders."""

    code: Annotated[str, InApi("Proves later which orders were saved.")]
    at: Annotated[datetime | None, InApi("When they were saved; null for old orders.")]


@dataclass(frozen=True, slots=True)
class SheetView:
    """Your orders for the open phase, with everything that you may order. Nobody else can see it.

    None of `saved`, `complete` and `ready` follows from the others. `wishes`: all that can be written ahead.
    `as_gm`: the viewer is the game master, to whom the player allowed it.
    """

    ordinal: Annotated[int, InApi("The place of the phase among all phases: send it back with the orders.")]
    mark: Annotated[
        str, InApi("Tells the phase from one that was opened again in its place: send it back with the orders.")
    ]
    power: Annotated[str, InApi("The id of the power.")]
    kind: Annotated[
        str, InApi("M for movement, R for retreats, A for adjustments, P for deployment, D for declarations.")
    ]
    text: Annotated[str, InApi("What is saved, as a text; empty for nothing.")]
    problems: Annotated[tuple[ProblemView, ...], InApi("Mistakes in what is saved.")]
    rows: Annotated[tuple[OrderRow, ...], InApi("Your units, or building sites, with every lawful order.")]
    bids: Annotated[tuple[BidView, ...], InApi("The bids that are saved.")]
    minors: Annotated[
        tuple[MinorChoice, ...],
        InApi("Units of minor powers with every order that you can bid for; empty without bids."),
    ]
    budget: Annotated[int, InApi("How many points you can bid in this phase; 0 in variants without bids.")]
    spent: Annotated[int, InApi("How many of them the saved bids take.")]
    adjustment: Annotated[int, InApi("How many units to build or place (above 0) or to remove (below 0).")]
    adjustments: Annotated[Mapping[str, int], InApi("The same by faction; the name is empty for units without one.")]
    factions: Annotated[tuple[FactionView, ...], InApi("The factions that units may belong to.")]
    saved: Annotated[bool, InApi("Something is saved, and it counts.")]
    complete: Annotated[bool, InApi("No unit is without an order.")]
    missing: Annotated[tuple[str, ...], InApi("The units without an order, in words.")]
    warnings: Annotated[tuple[WarningView, ...], InApi("What does not fit together in the saved orders.")]
    ready: Annotated[bool | None, InApi("You have said that you are ready; null where the game doesn’t ask.")]
    nothing_to_decide: Annotated[bool, InApi("You have nothing to order in this phase.")]
    arrows: Annotated[tuple[Arrow, ...], InApi("The saved orders, for the map.")]
    placed: Annotated[tuple[UnitMark, ...], InApi("The units that the saved orders build or place, for the map.")]
    homes: Annotated[tuple[str, ...], InApi("The provinces where you can build now.")]
    muster: Annotated[bool, InApi("The orders also say what each unit is.")]
    idle: Annotated[tuple[str, ...], InApi("Your units that can’t be given orders now, in words.")]
    idle_because: Annotated[str, InApi("Why idle units can’t be ordered, if there are any.")]
    outdated: Annotated[
        tuple[ProblemView, ...], InApi("Saved lines that no longer count, because the position was corrected.")
    ]
    ahead: Annotated[tuple[str, ...], InApi("What you have written ahead for the next phases, in sentences.")]
    wishes: tuple[WishRow, ...]
    receipt: Annotated[ReceiptMark | None, InApi("That of the last save; null before the first.")] = None
    by_gm: Annotated[bool, InApi("The game master entered what is saved.")] = False
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
    """Orders that were saved until newer ones replaced them."""

    code: Annotated[str, InApi("The code of their receipt; empty for old orders.")]
    at: Annotated[datetime | None, InApi("When they were saved; null for old orders.")]
    text: Annotated[str, InApi("The orders and bids as a text, which you can send again.")]
    by_gm: Annotated[bool, InApi("The game master entered or corrected them.")]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What is saved for your seat in a phase.

    After a save, `replaced` is what was saved before it (None for nothing, or if the same was sent again), and
    `ready` whether the seat has said that it is (None where the game has no readiness).
    """

    ordinal: Annotated[int, InApi("The place of the phase among all phases.")]
    turn_title: Annotated[str, InApi("The turn, as in “Spring 1927”.")]
    kind: Annotated[str, InApi("M, R, A, P or D, as in the sheet.")]
    kind_title: Annotated[str, InApi("The same in words.")]
    text: Annotated[str, InApi("The orders and bids as a text.")]
    orders: Annotated[tuple[str, ...], InApi("The orders for people.")]
    ahead: Annotated[tuple[str, ...], InApi("What is written ahead for the next phases, in sentences.")]
    bids: Annotated[tuple[BidView, ...], InApi("The bids.")]
    budget: Annotated[int, InApi("How many points could be bid.")]
    spent: Annotated[int, InApi("How many of them the bids take.")]
    saved: Annotated[bool, InApi("Something is saved, and it counts.")]
    complete: Annotated[bool, InApi("No unit is without an order.")]
    missing: Annotated[tuple[str, ...], InApi("The units without an order, in words.")]
    warnings: Annotated[tuple[WarningView, ...], InApi("What does not fit together in these orders.")]
    code: Annotated[str, InApi("Proves later which orders were saved; empty for old orders.")]
    at: Annotated[datetime | None, InApi("When they were saved; null for old orders.")]
    file: Annotated[str, InApi("The receipt as a text to keep; empty for old orders.")]
    by_gm: Annotated[bool, InApi("The game master entered or corrected them.")]
    replaced: Replaced | None = None
    ready: bool | None = None
