"""Writing letters into the outboxes, in the transaction of what they tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from games.kernel.bell import ring
from games.kernel.members import people_of, sitters_of
from games.news.choices import mail_for
from games.news.devices import wants
from games.news.models import Letter, LetterKind, NotificationChoice, PushSilence, Topic

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from games.kernel.models import Game, Phase


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
