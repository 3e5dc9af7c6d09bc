"""Judging everything that was ever judged with the code that is here, before that code judges what counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection, transaction

from adjudication.options import must_decide
from games import codec
from games.models import OVER, Game
from games.services.replay import replay
from variants.registry import UnknownVariant

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Shadow:
    """One game under the code that is here: how many phases were compared, and what differs. Holds no order.

    `not_compared` says why a game that is over was left alone; it goes no further, so nothing can go wrong with it.
    """

    game_id: int
    phases: int
    differences: tuple[str, ...] = ()
    not_compared: str = ""


def shadows() -> Iterator[Shadow]:
    """Every game that has begun, each in a transaction that can change nothing. Call it outside of any transaction."""
    begun = Game.objects.filter(phases__isnull=False).distinct().order_by("pk")
    for game in list(begun):
        with transaction.atomic(durable=True):
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION READ ONLY")
            yield _shadow(game)


def _shadow(game: Game) -> Shadow:
    """A fault in one game is one of its differences, and stops no other."""
    closed = game.phases.filter(result__isnull=False).count()
    try:
        differences = replay(game_id=game.pk)
        _prepare_next(game)
    except (codec.VariantChanged, UnknownVariant) as changed:
        if game.status in OVER:
            return Shadow(game.pk, 0, not_compared=str(changed))
        return Shadow(game.pk, 0, (f"would be held: {changed}",))
    except Exception as fault:  # noqa: BLE001 - whatever the new code does wrong is what this looks for
        return Shadow(game.pk, closed, (f"cannot be judged any more: {type(fault).__name__}",))
    return Shadow(game.pk, closed, differences)


def _prepare_next(game: Game) -> None:
    """Read the open phase as its orders will be asked for."""
    phase = game.phases.filter(closed__isnull=True).first()
    if phase is not None:
        must_decide(codec.position_of(phase), codec.variant_to_judge(game).ruleset)
