"""Which messages a person has not read, found in one query for any number of games."""

from collections import Counter
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from games.kernel.models import Game
from games.kernel.queries import NOBODY
from games.press.models import Mute

UNREAD = """
FROM press_message message
JOIN press_thread thread ON thread.id = message.thread_id
JOIN kernel_game game ON game.id = thread.game_id
LEFT JOIN kernel_occupancy held ON held.game_id = game.id AND held.user_id = %(user)s AND held.until IS NULL
LEFT JOIN kernel_seat seat ON seat.id = held.seat_id
LEFT JOIN press_bookmark seen ON seen.thread_id = thread.id AND seen.user_id = %(user)s
WHERE game.id = ANY(%(games)s)
  AND (seen.id IS NULL OR message.number > seen.number)
  AND NOT (message.power = '' AND COALESCE(message.assistant_id, game.gm_id) = %(user)s)
  AND CASE
    WHEN '@' || %(user)s::text = ANY(thread.powers) THEN message.power = ''
    WHEN held.id IS NOT NULL THEN
      message.sent >= held.since
      AND message.power <> seat.power
      AND (thread.powers = '{}' OR seat.power = ANY(thread.powers))
    WHEN game.gm_id = %(user)s OR jsonb_exists(game.assistants, %(user)s::text) THEN
      thread.powers = '{}' OR ('' = ANY(thread.powers) AND message.sent >= CASE
        WHEN game.gm_id = %(user)s THEN COALESCE(
          (SELECT max(answered) FROM kernel_handover WHERE game_id = game.id AND accepted), game.created
        )
        WHEN jsonb_exists(game.assistants -> %(user)s::text, 'talk') THEN (
          SELECT answered FROM kernel_assistant
          WHERE game_id = game.id AND user_id = %(user)s AND accepted AND ended IS NULL
        )
      END)
    ELSE EXISTS (
      SELECT FROM kernel_sitting sitting
      JOIN kernel_occupancy lent ON lent.id = sitting.occupancy_id AND lent.game_id = game.id AND lent.until IS NULL
      JOIN kernel_seat place ON place.id = lent.seat_id
      WHERE sitting.sitter_id = %(user)s AND sitting.accepted AND sitting.talks AND sitting.ended IS NULL
        AND sitting.begins <= %(now)s AND sitting.ends > %(now)s
        AND message.sent >= sitting.begins
        AND message.power <> place.power
        AND (thread.powers = '{}' OR place.power = ANY(thread.powers))
    )
  END
  AND NOT EXISTS (SELECT FROM press_withheld WHERE message_id = message.id AND user_id = %(user)s)
  AND NOT EXISTS (SELECT FROM press_mute WHERE game_id = game.id AND user_id = %(user)s AND power = message.power)
"""
"""Messages by others since this person took the seat, or began to sit with messages, which they may read and have
neither seen nor muted; for a game master who does not play and for assistants, the public ones, and the private words
of players with the game master since they took over, if they may write there. It is written out because every page of
a game asks it, and putting it together from querysets took longer than the answer."""

COUNTED = f"SELECT game.id, thread.id, count(*) {UNREAD} GROUP BY game.id, thread.id"
FIRST = f"SELECT DISTINCT ON (thread.id) thread.id, message.power {UNREAD} ORDER BY thread.id, message.number"


def muted_by(user_id: int | None, game: Game) -> QuerySet[Mute]:
    """The powers that this person has muted there. A mute is of the power: when the seat gets another player,
    it stays, and the words of the previous one stay folded."""
    return Mute.objects.filter(game=game, user_id=user_id or NOBODY)


def unread_by_game(user_id: int | None, games: Collection[int], now: datetime) -> dict[int, int]:
    """Game id -> number of unread messages there for this player, sitter or game master; games without any are left
    out."""
    counted = Counter[int]()
    for game, _, unread in _asked(COUNTED, user_id, games, now):
        counted[game] += unread
    return dict(counted)


def unread_by_thread(user_id: int | None, game: int, now: datetime) -> dict[int, int]:
    """The same for one game, by thread."""
    return {thread: unread for _, thread, unread in _asked(COUNTED, user_id, [game], now)}


def first_authors(user_id: int, games: Collection[int], now: datetime) -> dict[int, str]:
    """Thread -> the power that wrote the oldest unread message there, "" for the game master."""
    return dict(_asked(FIRST, user_id, games, now))


def _asked(sql: str, user_id: int | None, games: Collection[int], now: datetime) -> list[Any]:
    if user_id is None or not games:
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql, {"user": user_id, "games": list(games), "now": now})
        found: list[Any] = cursor.fetchall()
    return found


def newest_public_message() -> str:
    """SQL for the number of the last public message in a game."""
    return """(
        SELECT max(number) FROM press_message message JOIN press_thread thread ON thread.id = message.thread_id
        WHERE thread.game_id = kernel_game.id AND thread.powers = '{}'
    )"""
