"""How long games like an open one took to start."""

from collections.abc import Collection
from pathlib import Path

from django.db import connection

from games.kernel.queries import LIVE_SECONDS

Kind = tuple[str, bool]
"""A variant, and whether a game is live."""

LEAST_GAMES = 3
"""Fewer games than this say nothing about the next."""

SQL = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
"""Of the newest public games of each kind that have started without the help of bots, the one in the middle."""


def kind_of_game(variant: str, movement_seconds: int) -> Kind:
    return variant, movement_seconds < LIVE_SECONDS


def seconds_to_fill(kinds: Collection[Kind]) -> dict[Kind, int]:
    """How long games took from creation to start, for the kinds of which enough games have started."""
    if not kinds:
        return {}
    variants, live = zip(*sorted(set(kinds)), strict=True)
    with connection.cursor() as cursor:
        cursor.execute(SQL, (list(variants), list(live), LIVE_SECONDS, LEAST_GAMES))
        return {(variant, is_live): took for variant, is_live, took in cursor.fetchall()}
