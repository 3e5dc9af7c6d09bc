"""What a page or an answer of the API may hold: frozen, plain, built up for one viewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from games.terms import Term
from variants.drawing import Arrow, CentreMark, UnitMark


@dataclass(frozen=True, slots=True)
class GameOptionsView:
    """Lengths in seconds. `bids`: are points bid in this variant? `terms` say to everybody, before they join,
    what was chosen; `sentences` are theirs. `pace` is the time for orders in a few words, `zone` that in
    which fixed times and free days are read, "" without any."""

    movement_seconds: int
    retreat_seconds: int
    adjustment_seconds: int
    gm_plays: bool
    all_ready: bool
    gm_processes_early: bool
    bids: bool
    gm_sees_bids: bool
    gm_previews: bool
    open_bids_at_end: bool
    press: str
    press_title: str
    hidden_names: bool
    seats: str
    seats_title: str
    approval: bool
    least_reliability: int
    newcomers_welcome: bool
    muster_seconds: int
    show_ready: bool
    may_end_early: bool
    panic_seconds: int
    grace_seconds: int
    grace_times: int
    absence_days: int
    pace: str
    zone: str
    terms: tuple[Term, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarketView:
    """Seats of a game under way before this viewer. `vacant`: ids of powers that nobody plays; `offered`: the name of
    the one into which the game master has asked him, `way_back`: of the one he has lost and may come back to. He may be
    `asked_to_sit` for a player, and `sits_for` this power now, or be `asked_to_master` the game."""

    vacant: tuple[str, ...] = ()
    offered: str = ""
    way_back: str = ""
    may_resign: bool = False
    asked_to_sit: bool = False
    sits_for: str = ""
    asked_to_master: bool = False


@dataclass(frozen=True, slots=True)
class PhaseHead:
    """`kind`: movement "M", retreats "R", adjustments "A", deployment "P", declarations "D". `short` tells the phase
    from the others of its `year`. `remaining_seconds` instead of a deadline while the clock is stopped."""

    ordinal: int
    code: str
    title: str
    year: int
    short: str
    kind: str
    kind_title: str
    is_open: bool
    opened: datetime
    closed: datetime | None
    deadline: datetime | None
    remaining_seconds: int | None

    @property
    def mark(self) -> str:
        """Tells this phase also from one that was opened again in its place."""
        return f"{self.ordinal} {self.opened.isoformat()}"


@dataclass(frozen=True, slots=True)
class ComingView:
    """A deadline that comes if no phase ends early and none is put off. `code` is that of the turn, as in "S1926M"."""

    code: str
    title: str
    kind_title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class GameDeadlines:
    slug: str
    name: str
    coming: tuple[ComingView, ...]


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the lobby shows it. `everybody_is_ready`: the deadline comes early, unless somebody
    takes that back. `winners` are power ids; `taken` counts those who have joined, with a power or
    without; `muster_until` while the roll is called before the start. `repairs` counts how often
    the game master has put something right; `unread` the messages that wait for this player or game master."""

    slug: str
    name: str
    variant: str
    variant_title: str
    status: str
    status_sentence: str
    verdict: str
    winners: tuple[str, ...]
    gm_name: str
    players: int
    taken: int
    ordinal: int | None
    turn_title: str
    kind_title: str
    deadline: datetime | None
    remaining_seconds: int | None
    everybody_is_ready: bool
    by_invitation: bool
    my_power: str | None
    i_joined: bool
    i_am_gm: bool
    muster_until: datetime | None
    options: GameOptionsView
    created: datetime
    repairs: int
    unread: int


@dataclass(frozen=True, slots=True)
class MusterView:
    """The roll call before the first turn: how many of those who must have confirmed."""

    deadline: datetime
    confirmed: int
    wanted: int
    must_confirm: bool


@dataclass(frozen=True, slots=True)
class RequestView:
    """Somebody who asks the game master to be let in; `reliability` in words."""

    name: str
    reliability: str
    asked: datetime


@dataclass(frozen=True, slots=True)
class JoiningView:
    """An open game before one who may want to join. `may_join`: now, on the page of the terms; else `why_not` says
    why, in a sentence, "" if there is nothing to say. `may_ask`: the game master must be asked first; `asked`: that
    is done. `joined`: in a game whose seats are dealt later, with the own `wishes`; `others` joined as well.
    """

    may_join: bool
    why_not: str
    may_ask: bool
    asked: bool
    joined: bool
    wishes: tuple[str, ...]
    others: tuple[str, ...]
    muster: MusterView | None


@dataclass(frozen=True, slots=True)
class Lobby:
    mine: tuple[GameCard, ...]
    open: tuple[GameCard, ...]
    running: tuple[GameCard, ...]
    finished: tuple[GameCard, ...]


@dataclass(frozen=True, slots=True)
class PowerCard:
    id: str
    name: str
    colour: str
    letter: str


@dataclass(frozen=True, slots=True)
class VariantCard:
    """`rules_text` is markdown; `bids`: players bid points for the orders of minor powers; `press_title` says
    what players may write to each other unless a game is created otherwise."""

    slug: str
    title: str
    players: int
    summary: str
    rules_text: str
    credits: str
    powers: tuple[PowerCard, ...]
    bids: bool
    press_title: str


@dataclass(frozen=True, slots=True)
class PowerView:
    """A power and who plays it: `player` is "" where nobody is `seated`, and where names are hidden from the
    viewer. `ready` is None unless the game shows readiness.

    `missed` counts closed phases in which the present player had something to decide and sent nothing.
    """

    id: str
    name: str
    adjective: str
    letter: str
    colour: int
    player: str
    seated: bool
    bot: bool
    disordered: bool
    units: int
    centres: int
    mine: bool
    ready: bool | None
    missed: int


@dataclass(frozen=True, slots=True)
class PowerPosition:
    """Units ("A Mun") and centres ("Munich", "Vienna (communist)") of a power, or of the minors (power "NEUTRAL",
    letter ""). `homes`: where it builds as long as it holds them."""

    power: str
    name: str
    letter: str
    colour: str
    units: tuple[str, ...]
    centres: tuple[str, ...]
    homes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StanceView:
    """What two powers may be to each other, as in "war", with the symbol that stands for it."""

    stance: str
    symbol: str


@dataclass(frozen=True, slots=True)
class RelationCell:
    """What a power is to the power `other`; no stance towards itself."""

    other: str
    other_name: str
    stance: str
    symbol: str


@dataclass(frozen=True, slots=True)
class RelationRow:
    power: str
    name: str
    letter: str
    colour: str
    cells: tuple[RelationCell, ...]


@dataclass(frozen=True, slots=True)
class StanceLine:
    """The powers to which the viewer's power is this."""

    stance: str
    symbol: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelationsView:
    """Relations of all powers to each other, in the variant's sequence. `stances`: first what all are at the start.
    `mine`: every other stance, with those to whom the viewer's power is it; empty for who plays none."""

    stances: tuple[StanceView, ...]
    powers: tuple[str, ...]
    rows: tuple[RelationRow, ...]
    mine: tuple[StanceLine, ...]


@dataclass(frozen=True, slots=True)
class FactionView:
    """As in "C", "communist"; `form` counts the outlines on the map from 1."""

    letter: str
    adjective: str
    form: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """What `variants.drawing.draw_board` needs besides the map itself. `owners`: province -> colour slot. `holders`:
    centres that belong to a faction of their power. `contested`: where a stand-off keeps retreats out. `homes`: those
    won in play, and by whom."""

    owners: Mapping[str, str]
    units: tuple[UnitMark, ...]
    dislodged: tuple[UnitMark, ...]
    arrows: tuple[Arrow, ...]
    holders: tuple[CentreMark, ...]
    title: str
    contested: tuple[str, ...] = ()
    homes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """`text` is for people ("A Mun–Cze"), `order` canonical ("A MUN - CZE", "BUILD CA VIE", "DECLARE WAR FRANCE")."""

    power: str
    power_name: str
    text: str
    order: str
    results: tuple[str, ...]
    succeeded: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class NoticeView:
    kind: str
    power: str | None
    province: str | None
    sentence: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """What happened in a closed phase. `missed`: powers that had something to decide and sent nothing. `relations`:
    what the powers are to each other after declarations, else None. `amendments` say which orders were put right.
    `sealed_record`: the code by which the site stands by all sheets, "" for a phase from before there were codes."""

    head: PhaseHead
    outcomes: tuple[OutcomeView, ...]
    notices: tuple[NoticeView, ...]
    missed: tuple[str, ...]
    relations: RelationsView | None
    verdict: str
    amendments: tuple[str, ...]
    sealed_record: str


@dataclass(frozen=True, slots=True)
class UndoneView:
    """One act that undid phases, with what had come of them: public once, and counting no more. `unjudged`: the
    titles of those that had no result yet."""

    at: datetime
    by: str
    back_to: str
    reason: str
    results: tuple[ResultView, ...]
    unjudged: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EventView:
    at: datetime
    kind: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ProblemView:
    """`line` counts from 1; `text` is the line as typed."""

    line: int
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Choice:
    """`value` is canonical, `label` for people."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One unit, or one site to build on, with every order it may be given; `chosen` is "" without one."""

    location: str
    label: str
    choices: tuple[Choice, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class MinorChoice:
    """The unit of a minor power at `location`, with every order that may be bid on."""

    location: str
    label: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class BidRow:
    """A bid as the form shows it: `minor` is the location of the unit, `order` canonical."""

    minor: str
    order: str
    points: int


@dataclass(frozen=True, slots=True)
class BidLine:
    """`order` is for people, `canonical` for machines."""

    points: int
    order: str
    canonical: str


@dataclass(frozen=True, slots=True)
class PowerBids:
    power: str
    power_name: str
    bids: tuple[BidLine, ...]


@dataclass(frozen=True, slots=True)
class ReceiptMark:
    """The code of a sheet and when it was saved (None for sheets from before that was kept)."""

    code: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Desk:
    """The order page of one seat, for the eyes of its holder only.

    `saved`: something is stored and counts. `complete`: nothing is `missing`. `ready`: said in public (None
    where the game has no readiness). The three do not follow from one another.
    `adjustment`: units to build or place (>0) or to remove (<0), `adjustments` the same by faction ("" without one).
    `arrows` and `placed` units draw the sheet; `homes` are provinces. `muster`: do orders also say what units are?
    `idle` units take no orders now, for the reason `idle_because`. `outdated`: what was saved and no longer counts,
    because the position has changed since. `receipt`: that of the last save.
    """

    ordinal: int
    power: str
    kind: str
    text: str
    problems: tuple[ProblemView, ...]
    rows: tuple[OrderRow, ...]
    bid_rows: tuple[BidRow, ...]
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
    bids: tuple[BidLine, ...]
    budget: int
    spent: int
    saved: bool
    complete: bool
    missing: tuple[str, ...]
    code: str
    at: datetime | None
    file: str


@dataclass(frozen=True, slots=True)
class GmPowers:
    """What the game master may do now; tuples name the powers or phases for which he may. `can_repair`: the judged
    phases, the newest first, while phases may be undone and the position changed."""

    can_start: bool
    can_pause: bool
    can_resume: bool
    can_extend: bool
    can_process_now: bool
    can_declare: tuple[str, ...]
    can_seat: tuple[str, ...]
    can_empty: tuple[str, ...]
    can_preview: bool
    can_repair: tuple[PhaseHead, ...]
    can_change_position: bool
    can_close: bool
    can_look_at_bids: tuple[PhaseHead, ...]
    requests: tuple[RequestView, ...]
    invitation: str


@dataclass(frozen=True, slots=True)
class BallotView:
    """What a power that has a vote says to a proposal: yes, no or nothing yet."""

    power: PowerCard
    agrees: bool | None


@dataclass(frozen=True, slots=True)
class ProposalView:
    """An open proposal to end the game. `turn_title`: when it was made; it goes on from phase to phase.

    `ballots` are empty where votes are secret. `my_vote` is the viewer's own; `mine`: the viewer may withdraw it.
    """

    number: int
    kind: str
    title: str
    powers: tuple[PowerCard, ...]
    proposer: PowerCard
    made: datetime
    turn_title: str
    ballots: tuple[BallotView, ...]
    my_vote: bool | None
    mine: bool


@dataclass(frozen=True, slots=True)
class AgreementView:
    """How a game under way may end by agreement. `left`: who may be named; `voters`: whose votes count; `silent`
    says of each of the others why it has none. `draws`: "any", "all" or "none"; `enough`: may they end it now, or is
    half of the powers left vacant?"""

    secret: bool
    draws: str
    last_year: int | None
    proposals: tuple[ProposalView, ...]
    left: tuple[PowerCard, ...]
    voters: tuple[PowerCard, ...]
    silent: tuple[str, ...]
    i_vote: bool
    enough: bool

    @property
    def waiting(self) -> bool:
        """Is there a proposal to which the viewer has not said anything?"""
        return self.i_vote and any(proposal.my_vote is None for proposal in self.proposals)


@dataclass(frozen=True, slots=True)
class Counted:
    """What came of a vote: has it `ended` the game?"""

    ended: bool


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The centres of a power at the end, and its points of 100 in two usual systems, as in "33.3"."""

    power: PowerCard
    centres: int
    draw_size: str
    squares: str


@dataclass(frozen=True, slots=True)
class StatementView:
    """The last word of a player about the game; `player` is "" where names stay hidden."""

    power: PowerCard
    player: str
    written: datetime
    text: str


@dataclass(frozen=True, slots=True)
class FarewellView:
    """What is added to a game that is over. `may_state`: the viewer may write a statement, or `my_statement` anew."""

    winners: tuple[PowerCard, ...]
    scores: tuple[ScoreView, ...]
    statements: tuple[StatementView, ...]
    may_state: bool
    my_statement: str


@dataclass(frozen=True, slots=True)
class MessageView:
    """`author` is None for the game master. `phase` says in words when in the game it was sent; with
    `opens_phase` the message before it was sent in another phase, or none is shown before it. `place` counts from 1
    what the reader may see of the thread; `muted` by the reader."""

    author: PowerCard | None
    author_name: str
    mine: bool
    phase: str
    opens_phase: bool
    sent: datetime
    text: str
    place: int
    muted: bool


@dataclass(frozen=True, slots=True)
class ThreadHead:
    """A thread in the list. `address` ends its path; `powers` are the other members, none in the public one."""

    address: str
    title: str
    public: bool
    powers: tuple[PowerCard, ...]
    unread: int
    last: MessageView | None


@dataclass(frozen=True, slots=True)
class ThreadView:
    """A thread as one reader sees it. Places count from 1 the messages that this reader may see.

    `first` is the place of the first of `messages`, 0 without any; `last` that of the last; `total` is the
    last place there is. `voices`: as whom the reader may write, as (value, words); without one, `silence`
    says why. `joined`: since when the reader sees private words, where the seat had another holder before.
    """

    head: ThreadHead
    messages: tuple[MessageView, ...]
    first: int
    last: int
    total: int
    voices: tuple[tuple[str, str], ...]
    silence: str
    joined: datetime | None


@dataclass(frozen=True, slots=True)
class NewsView:
    """What a reader has not yet on his page of a thread; `last` and `total` as in a thread."""

    messages: tuple[MessageView, ...]
    last: int
    total: int


@dataclass(frozen=True, slots=True)
class FoundView:
    """A message that holds the words searched for: in which thread it stands, and its text in pieces, those marked
    that were found. `before` is the place up to which the thread is shown to see it."""

    message: MessageView
    address: str
    title: str
    before: int
    pieces: tuple[PieceView, ...]


@dataclass(frozen=True, slots=True)
class PieceView:
    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class SearchView:
    """Newest first. `page` counts from 1; `has_more` pages after it."""

    found: tuple[FoundView, ...]
    total: int
    page: int
    has_more: bool


@dataclass(frozen=True, slots=True)
class RemarkView:
    """A remark at a place of the gallery, which counts from 1."""

    place: int
    author: str
    mine: bool
    sent: datetime
    text: str


@dataclass(frozen=True, slots=True)
class GalleryView:
    """Remarks from the place `first` on, which counts from 1, oldest first; 0 without any."""

    remarks: tuple[RemarkView, ...]
    first: int


@dataclass(frozen=True, slots=True)
class NotesView:
    """What a player has noted for himself; `version` counts the saves."""

    text: str
    version: int


@dataclass(frozen=True, slots=True)
class TalkView:
    """All threads of one reader, and the `others` with whom he may talk in private.

    `version` is the game's public one before anything else was read. `unread` counts the messages in the threads that
    are not shown.
    """

    game: GameCard
    version: str
    powers: tuple[PowerCard, ...]
    my_power: str | None
    threads: tuple[ThreadHead, ...]
    shown: ThreadView | None
    others: tuple[PowerCard, ...]
    unread: int


@dataclass(frozen=True, slots=True)
class VacantSeat:
    """A seat that nobody plays, from public facts. `rank` by centres, 1 the first; `messages`: public ones so far.

    `why_not` this viewer may not take it, "" if he may; `must_ask`: he asks the game master for it, `asked`: he has.
    """

    game: GameCard
    power: PowerCard
    centres: int
    units: int
    rank: int
    of: int
    messages: int
    may_take: bool
    must_ask: bool
    asked: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class StandbyView:
    """Of which vacant seats somebody wants to be told: slugs of variants (none: any) and a pace ("": any)."""

    variants: tuple[str, ...]
    pace: str


@dataclass(frozen=True, slots=True)
class Asking:
    """Somebody who asks for a seat, or is asked into one; `words` say how reliable."""

    number: int
    power: str
    player: str
    words: str


@dataclass(frozen=True, slots=True)
class SittingView:
    """Somebody plays for a player from `begins` to `ends`; `accepted` None until he has answered."""

    number: int
    slug: str
    game: str
    player: str
    sitter: str
    begins: datetime
    ends: datetime
    talks: bool
    accepted: bool | None
    has_begun: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody on the standby list."""

    player: str
    words: str


@dataclass(frozen=True, slots=True)
class GmMarket:
    """What the game master knows of people for his seats."""

    may_invite: bool
    asking: tuple[Asking, ...]
    invited: tuple[Asking, ...]
    waiting: tuple[Waiting, ...]


@dataclass(frozen=True, slots=True)
class PhaseView:
    """One phase of one game for one viewer.

    `result` belongs to the phase shown when that is closed, else to the phase before it. `drawing` shows a
    closed phase with the arrows of its outcomes, and everything else without. `opened_bids` is None where
    bids stay sealed. `relations` of the position shown, None where nothing is ever declared; `factions` that units
    may belong to. `names_are_hidden` from this viewer; `unread` counts messages that this viewer may read. `version`
    is the game's public one before anything else was read. `agreement` while the game is under way, `farewell` with
    the final position of a game that was begun; `joining` before the start.
    """

    game: GameCard
    version: str
    head: PhaseHead | None
    coming: tuple[ComingView, ...]
    phases: tuple[PhaseHead, ...]
    drawing: Drawing
    powers: tuple[PowerView, ...]
    position_lines: tuple[PowerPosition, ...]
    relations: RelationsView | None
    factions: tuple[FactionView, ...]
    notices: tuple[NoticeView, ...]
    result: ResultView | None
    final: bool
    events: tuple[EventView, ...]
    my_power: str | None
    bot_plays_for_me: bool
    can_write: bool
    desk: Desk | None
    own_sheet: Receipt | None
    opened_bids: tuple[PowerBids, ...] | None
    gm: GmPowers | None
    joining: JoiningView | None
    seats_to_take: tuple[str, ...]
    i_may_leave: bool
    names_are_hidden: bool
    unread: int
    agreement: AgreementView | None
    farewell: FarewellView | None
    market: MarketView

    @property
    def has_undone(self) -> bool:
        """Were phases of this game undone?"""
        return any(event.kind in {"rolled back", "order amended"} for event in self.events)
