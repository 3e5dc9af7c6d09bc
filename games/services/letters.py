"""Writing letters into the outboxes, in the transaction of what they tell."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import Q

from games.bell import ring
from games.models import (
    Joiner,
    Letter,
    LetterKind,
    NotificationChoice,
    Occupancy,
    PressLetter,
    PushSilence,
    Topic,
)
from games.services.notify import mail_for
from games.services.push import wants
from games.sitting import sitters_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from games.models import Game, Phase, Thread

TIME_TO_READ = timedelta(minutes=2)
"""Who has the thread open reads it there, and gets no letter."""


def write_letters(
    game: Game,
    kind: LetterKind,
    users: Iterable[int],
    *,
    about: str,
    at: datetime,
    ordinal: int | None = None,
) -> None:
    """One letter to each user about one thing, however often this is called for it."""
    letters = [
        Letter(
            key=f"{kind}:{game.pk}:{about}:{user}",
            kind=kind,
            game=game,
            user_id=user,
            ordinal=ordinal,
            written=at,
            next_try=at,
        )
        for user in sorted(set(users))
    ]
    if letters:
        Letter.objects.bulk_create(letters, ignore_conflicts=True)
        ring("games.tasks.deliver")


def tell_of_clock(game: Game, phase: Phase, now: datetime, *, but: Iterable[int] = ()) -> None:
    """Tell everybody in the game, `but` these, that the clock of the open phase goes otherwise now; once at a time."""
    players = people_of(game)
    told = {*players, *sitters_of(game, players, now), game.gm_id}.difference(but)
    about = f"{phase.pk} {now.isoformat()}"
    write_letters(game, LetterKind.CLOCK_MOVED, told, about=about, at=now, ordinal=phase.ordinal)


def content_with_one(game: Game, users: Iterable[int]) -> set[int]:
    """Those whom one letter tells that a game starts and that its first phase does; the others want to be told of games
    and of phases in different ways, and get a letter about each."""
    asked = set(users)
    about = {"user_id__in": asked, "topic__in": (Topic.GAME, Topic.PHASE)}
    chosen = NotificationChoice.objects.filter(Q(game=None) | Q(game=game), **about).values_list("user_id")
    silent = PushSilence.objects.filter(**about).values_list("user_id")
    have_chosen = {user_id for (user_id,) in chosen.union(silent)}
    return {user_id for user_id in asked if user_id not in have_chosen or _in_one_way(game, user_id)}


def _in_one_way(game: Game, user_id: int) -> bool:
    """Does this person want to be told of games and of phases alike, by letter and on devices?"""
    topics = (Topic.GAME, Topic.PHASE)
    return len({(mail_for(user_id, game.pk, topic), wants(user_id, game.pk, topic)) for topic in topics}) == 1


def write_press_letters(thread: Thread, users: Iterable[int], *, at: datetime) -> None:
    """Tell these users by e-mail that something new stands there, unless a letter about the thread waits unread."""
    letters = [
        PressLetter(thread=thread, user_id=user, written=at, next_try=at + TIME_TO_READ)
        for user in sorted(set(users))
    ]
    PressLetter.objects.bulk_create(letters, ignore_conflicts=True)


def people_of(game: Game, powers: Iterable[str] | None = None) -> list[int]:
    """The users who play now (all, or only these powers), without those for whom a bot plays.

    All: also those who wait for a power.
    """
    seated = Occupancy.objects.filter(game=game, until__isnull=True, bot=False, seat__disordered=False)
    if powers is not None:
        seated = seated.filter(seat__power__in=list(powers))
    waiting = Joiner.objects.filter(game=game).values_list("user_id", flat=True) if powers is None else ()
    return sorted({*seated.values_list("user_id", flat=True), *waiting})
