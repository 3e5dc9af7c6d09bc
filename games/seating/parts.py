"""Joining a game, its vacant seats and the people for them, and sitters, as viewers see them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from games.kernel.marks import InApi
from games.kernel.parts import GameCard, PowerCard


@dataclass(frozen=True, slots=True)
class ApproachView:
    """A player who asks for a seat, or is invited to one."""

    number: Annotated[int, InApi("Identifies it.")]
    power: Annotated[str, InApi("The name of the power.")]
    player: Annotated[str, InApi("The name of the user.")]
    words: Annotated[str, InApi("How reliable they are.")]
    may_give: Annotated[bool, InApi("You can give them the seat now.")]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody on the standby list."""

    player: Annotated[str, InApi("The name of the user.")]
    words: Annotated[str, InApi("How reliable they are.")]


@dataclass(frozen=True, slots=True)
class Mailed:
    """An invitation by email that is still open.

    `address` is shortened: the next game master need not know it. `power` is "" if the guest gets one
    before the start.
    """

    number: Annotated[int, InApi("Identifies it.")]
    power: Annotated[str, InApi("The name of the power.")]
    address: Annotated[str, InApi("The address, shortened.")]
    until: Annotated[datetime, InApi("When it is over.")]


@dataclass(frozen=True, slots=True)
class EmailOffer:
    """What an invitation by email is to, for those who have its link. `power` as in `Mailed`."""

    slug: str
    game: str
    variant: str
    master: str
    power: str
    begun: bool
    until: datetime


@dataclass(frozen=True, slots=True)
class SeatCandidates:
    """The players the game master could fill seats with."""

    asking: tuple[ApproachView, ...]
    invited: tuple[ApproachView, ...]
    mailed: tuple[Mailed, ...]
    waiting: tuple[Waiting, ...]


@dataclass(frozen=True, slots=True)
class RollCallView:
    """The roll call before the first turn.

    `missing`: the names of those who have not confirmed, where the viewer may know who plays.
    """

    deadline: Annotated[datetime, InApi("When it ends.")]
    confirmed: Annotated[int, InApi("How many players have confirmed their place.")]
    wanted: Annotated[int, InApi("How many there are.")]
    missing: tuple[str, ...]
    must_confirm: Annotated[bool, InApi("You have yet to confirm yours.")]


@dataclass(frozen=True, slots=True)
class RequestView:
    """Somebody asks to join; told to the game master."""

    name: Annotated[str, InApi("The user.")]
    reliability: Annotated[str, InApi("How reliable they are, in words.")]
    asked: Annotated[datetime, InApi("When they asked.")]


@dataclass(frozen=True, slots=True)
class JoiningView:
    """How to join a game that has not begun.

    The game waits for players until `gives_up`, if not for ever; games like it took `similar_took` seconds to
    start, None where too few are known, and it will start at `expected` if it takes as long. `why_no_room`: why players
    can't talk to each other until then, "" if they can.
    """

    may_join: Annotated[bool, InApi("You may join now.")]
    why_not: Annotated[str, InApi("Why you may not; empty if there is nothing to say.")]
    may_ask: Annotated[bool, InApi("You must ask the game master first.")]
    asked: Annotated[bool, InApi("You have asked.")]
    joined: Annotated[bool, InApi("You have joined, and powers are given out later.")]
    may_leave: Annotated[bool, InApi("You are in the game and may leave.")]
    wishes: Annotated[tuple[str, ...], InApi("The ids of the powers you wish for, the best first.")]
    others: Annotated[tuple[str, ...], InApi("The names of the others who have joined.")]
    roll_call: Annotated[RollCallView | None, InApi("The roll call; null if there is none.")]
    gives_up: datetime | None
    similar_took: int | None
    expected: datetime | None
    why_no_room: str


@dataclass(frozen=True, slots=True)
class MarketView:
    """The seats of a game under way, and what concerns yours.

    `may_let_own_bot`: may they let a program of their own play their seat, also before the start?
    """

    vacant: Annotated[tuple[str, ...], InApi("The ids of powers that nobody plays.")] = ()
    bots: Annotated[tuple[str, ...], InApi("The ids of powers whose bots give way to people.")] = ()
    offered: Annotated[str, InApi("The name of the power you are invited to play; empty for none.")] = ""
    way_back: Annotated[str, InApi("The name of the power you have lost and may come back to; empty for none.")] = ""
    may_resign: Annotated[bool, InApi("You may resign your seat.")] = False
    may_let_own_bot: bool = False
    asked_to_sit: Annotated[bool, InApi("A player asks you to sit for them.")] = False
    sits_for: Annotated[str, InApi("The name of the power you sit for; empty for none.")] = ""
    asked_to_master: Annotated[bool, InApi("You are asked to become the game master.")] = False
    asked_to_assist: Annotated[bool, InApi("You are asked to be an assistant of the game master.")] = False


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
    have; `invited`: they may not because they have to answer an invitation first.
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
    invited: bool


@dataclass(frozen=True, slots=True)
class SittingView:
    """A sitter plays for a player for some days."""

    number: Annotated[int, InApi("Names it in addresses.")]
    slug: Annotated[str, InApi("The slug of the game.")]
    game: Annotated[str, InApi("The name of the game.")]
    player: Annotated[str, InApi("The player who goes away.")]
    sitter: Annotated[str, InApi("The user who plays for them.")]
    begins: Annotated[datetime, InApi("When it begins.")]
    ends: Annotated[datetime, InApi("When it ends.")]
    talks: Annotated[bool, InApi("The sitter may read and write new messages of the seat.")]
    accepted: Annotated[bool | None, InApi("What the sitter said; null before they answer.")]
    has_begun: Annotated[bool, InApi("It has begun.")]
    may_say_yes: Annotated[bool, InApi("You are asked and may say yes.")]
    may_end: Annotated[bool, InApi("You may end it.")]


@dataclass(frozen=True, slots=True)
class SitterView:
    """The last sitter a player has named, and whether the player may name one now. `gm_enters`: the player lets the
    game master enter orders; None where that is not possible."""

    sitting: SittingView | None
    may_name: bool
    gm_enters: bool | None


@dataclass(frozen=True, slots=True)
class PageOfVacantSeats:
    """Vacant seats, nearest deadline first. `last`: the slug of the last game that has them if more follow, else ""."""

    seats: tuple[VacantSeat, ...]
    last: str


@dataclass(frozen=True, slots=True)
class PowerView:
    """A power and its player.

    `elsewhere`: who played it elsewhere, which is only text. `kept`: for a guest who is invited by email.
    """

    id: Annotated[str, InApi("The id of the power.")]
    name: Annotated[str, InApi("Its name for display.")]
    called: str
    adjective: Annotated[str, InApi("As in “French”.")]
    letter: Annotated[str, InApi("The letter on its units.")]
    colour: Annotated[str, InApi("Its colour on the map, from “1” to “18”.")]
    player: Annotated[str, InApi("The user who plays it; empty if no person does, or if names are hidden from you.")]
    seated: Annotated[bool, InApi("It has a player, a person or a bot.")]
    person: Annotated[bool, InApi("A person has the seat.")]
    bot: Annotated[str, InApi("The level of the bot that plays it, for a person or alone; empty without one.")]
    own_bot: Annotated[bool, InApi("Its player lets a bot of their own play it.")]
    disordered: Annotated[bool, InApi("Its units hold until the seat has a player again.")]
    units: Annotated[int, InApi("How many units it has.")]
    centres: Annotated[int, InApi("How many supply centres it has.")]
    mine: Annotated[bool, InApi("You play it.")]
    ready: Annotated[bool | None, InApi("It is ready for the end of the phase; null where that is not shown to you.")]
    missed: Annotated[
        int, InApi("In how many phases its present player saved nothing, although there was something to order.")
    ]
    elsewhere: str = ""
    kept: bool = False
