"""A game as lists show it, its options, its variant, and the lobby."""

from dataclasses import dataclass
from datetime import datetime

from games.kernel.parts import GameCard, PowerCard


@dataclass(frozen=True, slots=True)
class Asking:
    """Somebody who asks for a seat, which the game master `may_give`, or is asked into one. `words`: how reliable."""

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
class GmMarket:
    """What the game master knows of people for his seats."""

    asking: tuple[Asking, ...]
    invited: tuple[Asking, ...]
    waiting: tuple[Waiting, ...]


@dataclass(frozen=True, slots=True)
class RollCallView:
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
    is done. `joined`: in a game whose seats are dealt later, with the own `wishes`; `others` joined as well. Who is in
    it `may_leave`.
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
class OfferView:
    """The seat into which the viewer is asked: may he answer now, and `why_not` with a yes, "" if he may."""

    power: str
    may_answer: bool
    why_not: str


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
class SittingView:
    """Somebody plays for a player from `begins` to `ends`; `accepted` None until he has answered. The viewer
    `may_say_yes`, if he is asked, and `may_end` it."""

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
    """The sitter whom a player has named last, and whether he may name one now."""

    sitting: SittingView | None
    may_name: bool
