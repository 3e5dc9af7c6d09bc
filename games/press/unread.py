"""Which messages a person has not read, found in one query for any number of games."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from games.kernel.models import Game
from games.kernel.queries import NOBODY
from games.press.models import Mute

UNREAD_SQL = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
"""Messages by others since this person took the seat, or began to sit with messages, which they may read and have
neither seen nor muted; for a game master who does not play and for assistants, the public ones, and the private words
of players with the game master since they took over, if they may write there. Until the start all that others wrote
in the waiting room, for those who have a place or run the game. It is written out because every page of
a game asks it, and putting it together from querysets took longer than the answer."""

COUNT_SQL = f"SELECT game.id, thread.id, count(*) {UNREAD_SQL} GROUP BY game.id, thread.id"
AUTHOR_SQL = f"SELECT DISTINCT ON (thread.id) thread.id, message.power {UNREAD_SQL} ORDER BY thread.id, message.number"


def mutes_of(user_id: int | None, game: Game) -> QuerySet[Mute]:
    """The powers that this person has muted in this game. It is the power that is muted: if the seat gets another
    player, the mute stays, and the previous player's messages stay folded."""
    return Mute.objects.filter(game=game, user_id=user_id or NOBODY)


def unread_by_game(user_id: int | None, games: Collection[int], now: datetime) -> dict[int, int]:
    """Game id -> number of unread messages for this player, sitter or game master. Games without any are left out."""
    counts = Counter[int]()
    for game, _, unread in _unread_rows(COUNT_SQL, user_id, games, now):
        counts[game] += unread
    return dict(counts)


def unread_by_thread(user_id: int | None, game: int, now: datetime) -> dict[int, int]:
    """Thread id -> number of unread messages, for one game."""
    return {thread: unread for _, thread, unread in _unread_rows(COUNT_SQL, user_id, [game], now)}


def first_authors(user_id: int, games: Collection[int], now: datetime) -> dict[int, str]:
    """Thread -> the power that wrote the oldest unread message there, "" for the game master."""
    return dict(_unread_rows(AUTHOR_SQL, user_id, games, now))


def _unread_rows(sql: str, user_id: int | None, games: Collection[int], now: datetime) -> list[Any]:
    if user_id is None or not games:
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql, {"user": user_id, "games": list(games), "now": now})
        rows: list[Any] = cursor.fetchall()
    return rows


def newest_public_message() -> str:
    """SQL for the number of the last public message in a game."""
    return """(
        SELECT max(number) FROM press_message message JOIN press_thread thread ON thread.id = message.thread_id
        WHERE thread.game_id = kernel_game.id AND thread.powers = '{}'
    )"""
