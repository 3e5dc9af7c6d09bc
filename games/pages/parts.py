"""One phase of one game for one viewer."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.deadlines.parts import ComingView
from games.endings.parts import AgreementView, FarewellView
from games.history.parts import NoticeView, PowerPosition, PowerView, RelationsView, ResultView
from games.kernel.parts import AssistantView, EventView, GameCard, PhaseHead, PowerCard
from games.mastering.parts import GmPowers
from games.orders.parts import PowerBids, Receipt, SheetView
from games.seating.parts import JoiningView, MarketView
from games.travel.parts import ElsewhereView
from variants.maps import Drawing, FactionView

NEWEST = 8


@dataclass(frozen=True, slots=True)
class Lobby:
    """The newest games of every list. `next`: where the lists that are longer go on, by their names."""

    mine: tuple[GameCard, ...]
    open: tuple[GameCard, ...]
    running: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]
    next: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Showcase:
    """A public game on the home page. `leaders`: the powers with the most centres and how many, best first."""

    game: GameCard
    drawing: Drawing
    leaders: tuple[tuple[int, PowerCard], ...]


@dataclass(frozen=True, slots=True)
class PhaseView:
    """One phase of one game for one viewer.

    `result` belongs to the phase shown when that is closed, else to the phase before it. `drawing` shows a closed phase
    with the arrows of its outcomes, and everything else without; `aftermath` shows everything else with the arrows of
    the outcomes that led to it. `opened_bids` is None where bids stay sealed.
    `events`: the newest of the public log. `relations` of the position shown, None in variants without declarations;
    `factions` that units may belong to. `names_are_hidden` from this viewer; `unread` counts messages that this viewer
    may read. `version` is the game's public one before anything else was read. `agreement` while the game is in
    progress, `farewell` with the final position of a game that has started; `joining` before the start.
    """

    game: GameCard
    version: str
    head: PhaseHead | None
    coming: tuple[ComingView, ...]
    phases: tuple[PhaseHead, ...]
    drawing: Drawing
    aftermath: Drawing
    powers: tuple[PowerView, ...]
    position_lines: tuple[PowerPosition, ...]
    relations: RelationsView | None
    factions: tuple[FactionView, ...]
    notices: tuple[NoticeView, ...]
    result: ResultView | None
    final: bool
    events: tuple[EventView, ...]
    has_undone: bool
    my_power: str | None
    bot_plays_for_me: bool
    can_write: bool
    can_say_ready: bool
    order_sheet: SheetView | None
    own_sheet: Receipt | None
    opened_bids: tuple[PowerBids, ...] | None
    gm: GmPowers | None
    joining: JoiningView | None
    seats_to_take: tuple[str, ...]
    names_are_hidden: bool
    unread: int
    agreement: AgreementView | None
    farewell: FarewellView | None
    market: MarketView
    elsewhere: ElsewhereView | None = None
    assistants: tuple[AssistantView, ...] = ()

    @property
    def mark(self) -> str:
        """The one of the phase shown; "" before the start."""
        return self.head.mark if self.head else ""

    @property
    def newest_events(self) -> tuple[EventView, ...]:
        """As many as a page shows beside other things."""
        return self.events[:NEWEST]
