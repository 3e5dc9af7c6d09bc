"""Joining a game, its vacant seats and the people for them, and sitters, as viewers see them."""

from dataclasses import dataclass
from datetime import datetime

from games.kernel.parts import GameCard, PowerCard


@dataclass(frozen=True, slots=True)
class Asking:
    """A player who asks for a seat, which the game master `may_give`, or is invited to one. `words`: how reliable."""

    number: int
    power: str
    player: str
    words: str
    may_give: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody on the standby list."""

    player: str
    words: str


@dataclass(frozen=True, slots=True)
class Mailed:
    """An invitation by email that is still open. `address` is shortened: the next game master need not know it. `power`
    is "" if the guest gets one before the start."""

    number: int
    power: str
    address: str
    until: datetime


@dataclass(frozen=True, slots=True)
class MailedOffer:
    """What an invitation by email is to, for those who have its link. `power` as in `Mailed`."""

    slug: str
    game: str
    variant: str
    master: str
    power: str
    begun: bool
    until: datetime


@dataclass(frozen=True, slots=True)
class GmMarket:
    """The players the game master could fill seats with."""

    asking: tuple[Asking, ...]
    invited: tuple[Asking, ...]
    mailed: tuple[Mailed, ...]
    waiting: tuple[Waiting, ...]


@dataclass(frozen=True, slots=True)
class RollCallView:
    """The roll call before the first turn: `confirmed` of the `wanted` players have confirmed. `missing`: the names of
    the others, where the viewer may know who plays."""

    deadline: datetime
    confirmed: int
    wanted: int
    missing: tuple[str, ...]
    must_confirm: bool


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request to join, to the game master; `reliability` in words."""

    name: str
    reliability: str
    asked: datetime


@dataclass(frozen=True, slots=True)
class JoiningView:
    """An open game, for a viewer who may want to join. `may_join`: now, on the page of the terms; else `why_not` is a
    sentence, "" if there is nothing to say. `may_ask`: the game master must be asked first; `asked`: that is done.
    `joined`: in a game that assigns powers later, with the viewer's `wishes`; `others` have joined too. A viewer who is
    in the game `may_leave`. The game waits for players until `gives_up`, if not for ever; games like it took
    `similar_took` seconds to start, None where too few are known, and it will start at `expected` if it takes as long.
    """

    may_join: bool
    why_not: str
    may_ask: bool
    asked: bool
    joined: bool
    may_leave: bool
    wishes: tuple[str, ...]
    others: tuple[str, ...]
    roll_call: RollCallView | None
    gives_up: datetime | None
    similar_took: int | None
    expected: datetime | None


@dataclass(frozen=True, slots=True)
class MarketView:
    """Seats of a game under way, for this viewer. `vacant`: ids of powers that nobody plays; `bots`: of
    those whose bots give way; `offered`: the name of the
    power the viewer is invited to play, `way_back`: of the one they have lost and may come back to. They may be
    `asked_to_sit` for a player, and `sits_for` names the power they sit for now; or be
    `asked_to_master` the game, or `asked_to_assist` its game master.
    `may_let_own_bot`: may they let a program of their own play their seat, also before the start?"""

    vacant: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    offered: str = ""
    way_back: str = ""
    may_resign: bool = False
    may_let_own_bot: bool = False
    asked_to_sit: bool = False
    sits_for: str = ""
    asked_to_master: bool = False
    asked_to_assist: bool = False


@dataclass(frozen=True, slots=True)
class OfferView:
    """The seat the viewer is invited to: may they answer now, and `why_not` with a yes, "" if they may."""

    power: str
    may_answer: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class VacantSeat:
    """A vacant seat, or one with a bot of the level `bot` that gives way, from public facts. `standing` by centres, as
    in "joint 4th of 7"; `messages`: public ones so far.

    `why_not` this viewer may not take it, "" if they may; `must_ask`: they ask the game master for it, `asked`: they
    have.
    """

    game: GameCard
    power: PowerCard
    bot: str
    centres: int
    units: int
    standing: str
    messages: int
    may_take: bool
    must_ask: bool
    asked: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class SittingView:
    """A sitter plays for a player from `begins` to `ends`; `accepted` is None until they answer. A viewer who is asked
    `may_say_yes`; one who may end it `may_end`."""

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
    may_say_yes: bool
    may_end: bool


@dataclass(frozen=True, slots=True)
class SitterView:
    """The last sitter a player has named, and whether the player may name one now. `gm_enters`: the player lets the
    game master enter orders; None where that is not possible."""

    sitting: SittingView | None
    may_name: bool
    gm_enters: bool | None


@dataclass(frozen=True, slots=True)
class SeatPage:
    """Vacant seats, nearest deadline first. `last`: the slug of the last game that has them if more follow, else ""."""

    seats: tuple[VacantSeat, ...]
    last: str


@dataclass(frozen=True, slots=True)
class PowerView:
    """A power and its player: `player` is "" if no person has the seat or if names are hidden from the viewer. `bot` is
    the level of the bot that plays, for the `person` or alone; `own_bot`: the person lets a program of their own play.
    `ready` is None unless the game shows readiness. `kept`: for a guest who is invited by email.

    `missed` counts closed phases in which the current player had orders to enter but saved none. `elsewhere`: who
    played it elsewhere, which is only text.
    """

    id: str
    name: str
    called: str
    adjective: str
    letter: str
    colour: int
    player: str
    seated: bool
    person: bool
    bot: str
    own_bot: bool
    disordered: bool
    units: int
    centres: int
    mine: bool
    ready: bool | None
    missed: int
    elsewhere: str = ""
    kept: bool = False
