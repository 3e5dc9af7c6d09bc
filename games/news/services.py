"""Saying what has happened, in the transaction in which it happens."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from games.kernel.bell import ring
from games.kernel.live import announce
from games.kernel.models import Event, Game
from games.news.kinds import News
from games.news.models import Letter


def tell(
    news: News,
    game: Game,
    *,
    at: datetime,
    by: int | None = None,
    to: Iterable[int] = (),
    about: str = "",
    ordinal: int | None = None,
    **facts: str | int,
) -> None:
    """A line in the public log, where these news leave one, and a letter to each of `to`.

    `by` and `facts` are public for ever. `about` and `ordinal` are as in `write_letters`.
    """
    if news.log:
        Event.objects.create(game=game, kind=news.log, at=at, by_id=by, facts=facts)
        announce(game.pk)
    write_letters(news, game, to, about=about, at=at, ordinal=ordinal)


def write_letters(
    news: News, game: Game, to: Iterable[int], *, about: str, at: datetime, ordinal: int | None = None
) -> None:
    """One letter to each user about one thing, however often this is called for it; with an `ordinal` only as long as
    that phase is open."""
    letters = [
        Letter(
            key=f"{_key(news, game, about)}{user}",
            kind=news.letter,
            game=game,
            user_id=user,
            ordinal=ordinal,
            written=at,
            next_try=at,
        )
        for user in sorted(set(to))
    ]
    if letters:
        Letter.objects.bulk_create(letters, ignore_conflicts=True)
        ring("games.tasks.deliver")


def recall(news: News, game: Game, *, about: str) -> None:
    """Letters about this that have not left do not leave."""
    written = Letter.objects.filter(game=game, key__startswith=_key(news, game, about))
    written.filter(sent__isnull=True).delete()


def _key(news: News, game: Game, about: str) -> str:
    return f"{news.letter}:{game.pk}:{about}:"
