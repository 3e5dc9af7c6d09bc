"""The practice games of one person, and the board that is quickest to play."""

from functools import cache

from django.db.models import QuerySet

from games.kernel.cards import NEWEST_FIRST, cards
from games.kernel.models import Game, Occupancy
from games.kernel.parts import GameCard
from variants.registry import ALL
from variants.variant import Variant

A_PAIR = 2


@cache
def quickest() -> Variant:
    """The variant with the fewest players and, of these, the fewest units on the board to begin with."""
    return min(ALL, key=lambda variant: (variant.players, len(variant.start.units)))


def opponents(variant: Variant) -> str:
    return "a bot" if variant.players == A_PAIR else "bots"


def games_of(user_id: int) -> QuerySet[Game]:
    """The practice games of this person, newest first."""
    mine = Occupancy.objects.filter(user_id=user_id, until__isnull=True).values("game_id")
    return Game.objects.filter(pk__in=mine, practice=True).order_by(*NEWEST_FIRST)


def cards_of(user_id: int | None) -> tuple[GameCard, ...]:
    """Their cards; empty for a stranger."""
    return cards(games_of(user_id), user_id=user_id) if user_id else ()
