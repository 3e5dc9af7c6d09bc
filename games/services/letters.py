"""Writing letters into the outbox, in the transaction of what they tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.bell import ring
from games.models import Letter, LetterKind, Occupancy

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from games.models import Game


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


def people_of(game: Game, powers: Iterable[str] | None = None) -> list[int]:
    """The users who play now (all, or only these powers), without those for whom a bot plays."""
    seated = Occupancy.objects.filter(game=game, until__isnull=True, bot=False, seat__disordered=False)
    if powers is not None:
        seated = seated.filter(seat__power__in=list(powers))
    return list(seated.order_by("user_id").values_list("user_id", flat=True))
