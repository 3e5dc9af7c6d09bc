"""One phase of one game for one viewer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from games.deadlines.parts import ComingView
from games.endings.parts import AgreementView, FarewellView
from games.history.parts import NoticeView, PowerPosition, PowerView, RelationsView, ResultView
from games.kernel.marks import InApi
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
    """A game in one of its phases, as you see it.

    `drawing` shows a closed phase with the arrows of its outcomes, and everything else without; `aftermath` shows
    everything else with the arrows of the outcomes that led to it. `version` is read before anything else.
    """

    game: Annotated[GameCard, InApi("The game.")]
    version: Annotated[str, InApi("Changes whenever something public changes in the game.")]
    head: Annotated[PhaseHead | None, InApi("The phase that is shown; null before the start.")]
    coming: Annotated[tuple[ComingView, ...], InApi("The next deadlines, if nothing is moved.")]
    phases: Annotated[tuple[PhaseHead, ...], InApi("All phases so far, oldest first.")]
    drawing: Annotated[Drawing, InApi("What is drawn on the map.")]
    aftermath: Drawing
    powers: Annotated[tuple[PowerView, ...], InApi("The powers and their players.")]
    position_lines: Annotated[tuple[PowerPosition, ...], InApi("Units and centres by power, for display.")]
    relations: Annotated[RelationsView | None, InApi("The relations; null in variants without declarations.")]
    factions: Annotated[tuple[FactionView, ...], InApi("The factions that units may belong to; mostly none.")]
    notices: Annotated[tuple[NoticeView, ...], InApi("What happened when this phase began.")]
    result: Annotated[
        ResultView | None, InApi("The result of the phase or, while it is open, of the one before; null without one.")
    ]
    final: Annotated[bool, InApi("This is the final position.")]
    events: Annotated[tuple[EventView, ...], InApi("The newest lines of the public log.")]
    has_undone: bool
    my_power: Annotated[str | None, InApi("The id of the power you play; null if you play none.")]
    bot_plays_for_me: Annotated[bool, InApi("A bot has taken your place, and you can take it back.")]
    can_write: Annotated[bool, InApi("You can save orders for this phase now.")]
    can_say_ready: Annotated[bool, InApi("You can say that you are ready now.")]
    order_sheet: Annotated[SheetView | None, InApi("Your order sheet in the open phase; null if you have none.")]
    own_sheet: Annotated[Receipt | None, InApi("What counted for you in a closed phase; null if you had no orders.")]
    opened_bids: Annotated[
        tuple[PowerBids, ...] | None, InApi("All bids, if they were opened after the end; null while they are sealed.")
    ]
    gm: Annotated[GmPowers | None, InApi("What you may do as the game master; null if you aren’t.")]
    joining: Annotated[JoiningView | None, InApi("How to join; null after the start.")]
    seats_to_take: Annotated[tuple[str, ...], InApi("The ids of the powers you can take before the start.")]
    names_are_hidden: Annotated[bool, InApi("Names of players are hidden from you.")]
    unread: Annotated[int, InApi("How many messages you have not read.")]
    agreement: Annotated[AgreementView | None, InApi("How the game may end by agreement; null unless it is under way.")]
    farewell: Annotated[FarewellView | None, InApi("Winners, scores and statements; null before the end.")]
    market: Annotated[MarketView, InApi("Vacant seats, and what concerns your own.")]
    elsewhere: ElsewhereView | None = None
    assistants: Annotated[tuple[AssistantView, ...], InApi("Those who help the game master.")] = ()

    @property
    def mark(self) -> str:
        """The one of the phase shown; "" before the start."""
        return self.head.mark if self.head else ""

    @property
    def newest_events(self) -> tuple[EventView, ...]:
        """As many as a page shows beside other things."""
        return self.events[:NEWEST]
