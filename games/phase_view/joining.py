"""A game that has not begun, before one who may want to join."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


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
