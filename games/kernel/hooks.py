"""What a subject asks of the subjects above it without knowing them. `games.pages.wiring` says which ones answer."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Generic, ParamSpec, TypeVar

from adjudication.position import Position
from adjudication.resolution import Verdict
from games.kernel.models import Game, Phase

P = ParamSpec("P")
R = TypeVar("R")


class Hook(Generic[P, R]):
    """A question or an event, within the asker's transaction."""

    def __init__(self) -> None:
        self._answerers: list[Callable[P, R]] = []

    def answered_by(self, *answerers: Callable[P, R]) -> None:
        """They are asked in this order."""
        self._answerers.extend(answerers)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[R]:
        """All answers."""
        return [answer(*args, **kwargs) for answer in self._answerers]


is_expected: Hook[[Game, int | None], bool] = Hook()
"""May this user see a game by invitation because someone there awaits their answer?"""

public_facts: Hook[[], str] = Hook()
"""What else everyone may see change in a game, for the version of its pages: SQL for one value from a row of
kernel_game."""

unread_by_game: Hook[[int | None, Collection[int], datetime], Mapping[int, int]] = Hook()
"""How many unread messages this user has in each of these games at this moment."""

phase_closed: Hook[[Phase, Mapping[str, Any]], None] = Hook()
"""A phase was closed with these orders; the game is locked."""

before_next_phase: Hook[[Game, datetime], None] = Hook()
"""There is a result, and the game continues; it is locked."""

agreed_end: Hook[[Game, Position, datetime], Verdict | None] = Hook()
"""Have the players agreed on an end, given this position? The game is locked."""

game_over: Hook[[Game], None] = Hook()
"""The game has ended; it is locked."""

time_lost: Hook[[Game, timedelta], bool] = Hook()
"""The site was down for this long. True if anything other than a phase was put off because of it. The game is
locked."""
