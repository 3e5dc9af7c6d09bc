"""Calls to subjects above the caller, which it doesn't import. `games.pages.wiring` names the functions that answer."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Generic, ParamSpec, TypeVar

from adjudication.position import Position
from adjudication.resolution import Verdict
from games.kernel.models import Game, Occupancy, Phase
from games.kernel.parts import Wanted

P = ParamSpec("P")
R = TypeVar("R")


class Question(Generic[P, R]):
    """A call that one subject above answers, within the caller's transaction."""

    answer: Callable[P, R]

    def answered_by(self, answerer: Callable[P, R]) -> None:
        self.answer = answerer

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.answer(*args, **kwargs)


class Hook(Generic[P, R]):
    """A call that several subjects above answer."""

    def __init__(self) -> None:
        self._answerers: list[Callable[P, R]] = []

    def answered_by(self, *answerers: Callable[P, R]) -> None:
        """Add functions that answer the hook, called in this order."""
        self._answerers.extend(answerers)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> list[R]:
        return [answer(*args, **kwargs) for answer in self._answerers]


is_expected: Question[[Game, int | None], bool] = Question()
"""May this user see a game by invitation because someone there awaits their answer?"""

public_facts: Hook[[], str] = Hook()
"""What else everyone may see change in a game, for the version of its pages: SQL for one value from a row of
kernel_game."""

seat_opened: Question[[Occupancy], None] = Question()
"""The player of a seat that could still be given back to the one before opens the game."""

hints_that_nothing_is_there: Hook[[], tuple[str, str]] = Hook()
"""What saves a page of a game statements that find nothing: the name of an attribute of the game, and SQL for whether
there is anything to find, from a row of kernel_game."""

kept_places: Question[[], str] = Question()
"""How many places are kept for guests who are invited by email: SQL for one value from a row of kernel_game."""

unread_by_game: Question[[int | None, Collection[int], datetime], Mapping[int, int]] = Question()
"""How many unread messages this user has in each of these games at this moment."""

wanted_by_game: Question[[Sequence[tuple[Occupancy, Phase]], Collection[int]], Mapping[int, Wanted]] = Question()
"""What do the open phases of these games want of the players in these seats, who alone may know it? With the seats
that everyone sees are ready."""

games_with_requests: Question[[Collection[int]], Collection[int]] = Question()
"""In which of these games do players await an answer from the game master?"""

waiting_for_a_seat: Question[[Game], Collection[int]] = Question()
"""Who has joined this game, asks for a seat or is invited to one, and has none yet?"""

has_looked: Question[[Game, int], bool] = Question()
"""Has this user looked at what a subject above keeps from the players of this game?"""

delete_account: Question[[Any], None] = Question()
"""A moderator deletes this user's account."""

account_left: Hook[[int], None] = Hook()
"""This user has left all games, and the account is about to be deleted. Called before the account is locked, because
rows that it takes with it are locked first by others too, and again after that."""

phases_counted: Hook[[int, int, float], None] = Hook()
"""So many phases were closed, and that is committed, or so many could not be closed, in so many seconds."""

site_troubles: Question[[], Sequence[Any]] = Question()
"""What is wrong with the site, as `words` and `since` when."""

post_news: Question[..., object] = Question()
"""Post the public news of a game to an address of this user's: `game_id`, `user_id`, `address` and its `form`."""

stored_facts: Hook[[int], Mapping[str, Any]] = Hook()
"""What else the site stores about this user, by name, as JSON values."""

phases_closed: Question[[Sequence[tuple[Phase, Mapping[str, Any]]]], None] = Question()
"""Phases of different games were closed with these orders; the games are locked."""

before_next_phase: Question[[Sequence[Game], datetime], bool] = Question()
"""There are results, and these games continue; they are locked. True if a player has lost a seat."""

agreed_ends: Hook[[Sequence[tuple[Game, Position]], datetime], Mapping[int, Verdict]] = Hook()
"""On which ends have the players agreed, by game, given these positions? The games are locked."""

phases_opened: Question[[Sequence[Game], datetime], None] = Question()
"""The next phases of these games have opened after results; the games are locked."""

players_changed: Question[[Game, datetime], bool] = Question()
"""A player has left a seat or taken one, or a bot has. The game is locked."""

game_over: Hook[[Game], None] = Hook()
"""The game has ended; it is locked."""

end_withdrawn: Hook[[Game, int], None] = Hook()
"""The end of the game no longer counts: this user corrects the game, which may end again at once; it is locked."""

time_lost: Question[[Game, timedelta], bool] = Question()
"""The site was down for this long. True if anything but a phase was put off because of it. The game is locked."""
