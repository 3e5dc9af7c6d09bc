"""A user's notifications on the site: one line for each thing that they were told, newest first."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.db import connection
from django.http import Http404

from games.delivery.readers import GameFacts
from games.kernel import clock
from games.kernel.access import GameAccess, Viewer
from games.kernel.models import Game, Outgoing
from games.kernel.prepared import USER, parameters_with_values
from games.kernel.queries import NOBODY
from games.news.outboxes import APART, OUTBOXES, InboxLine, Outbox

MOST_NOTICES = 50
MOMENT = timedelta(microseconds=1)
"""The shortest time between two rows with different ones."""


@dataclass(frozen=True, slots=True)
class NoticePage:
    """A page of notifications. `older`: the next page has those up to this moment; None if there are no more."""

    lines: tuple[InboxLine, ...]
    older: datetime | None


def _boxes() -> list[Outbox[Any]]:
    """The outboxes whose rows are lines on the site."""
    return [*(box for box in OUTBOXES if not box.is_secret), *APART]


def count_unseen(user_id: int) -> int:
    """How many lines are unread."""
    sql, values = _sql_to_count_unseen()
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters_with_values(values, {USER: user_id}))
        (count,) = cursor.fetchone()
    return int(count)


@cache
def _sql_to_count_unseen() -> tuple[str, tuple[Any, ...]]:
    """The SQL that counts unread lines, built once, and its parameters with USER in place of the user."""
    rows = [box.rows.filter(user_id=USER, seen__isnull=True).values_list("pk") for box in _boxes()]
    sql, values = rows[0].union(*rows[1:], all=True).query.sql_with_params()
    return f"SELECT count(*) FROM ({sql}) AS unseen", values  # noqa: S608 - written by the framework


def notice_page(user: Viewer, until: datetime | None = None) -> NoticePage:
    """The lines this user may still see, newest first; with `until`, those written up to that moment.

    Lines written at the same moment are never split between two pages.
    """
    wanted = {"user_id": user.pk or NOBODY}
    rows_by_box, moment = _newest_rows({**wanted, "written__lte": until} if until else wanted)
    facts = GameFacts({box.game_of(row).pk for box, rows in rows_by_box if box.is_about_games for row in rows})

    @cache
    def find_access(game: Game) -> GameAccess | None:
        try:
            return facts.access(game.pk, user.pk or NOBODY)
        except Http404:
            return None

    lines = [line for box, rows in rows_by_box for line in box.notices(rows, find_access)]
    if moment and lines:
        moment = min(line.at for line in lines) - MOMENT
    # Of one moment they stay in the sequence of their table: numbers of two tables would tell how much others write.
    return NoticePage(tuple(sorted(lines, key=lambda line: line.at, reverse=True)), moment)


def _newest_rows(wanted: dict[str, Any]) -> tuple[list[tuple[Outbox[Any], list[Outgoing]]], datetime | None]:
    """The newest rows of each outbox, and the moment up to which there may be older ones."""
    boxes = [(box, list(box.rows.filter(**wanted).order_by("-written", "-pk")[: MOST_NOTICES + 1])) for box in _boxes()]
    moments = sorted((row.written for _, rows in boxes for row in rows), reverse=True)
    if len(moments) <= MOST_NOTICES:
        return boxes, None
    last_moment = moments[MOST_NOTICES]
    if last_moment == moments[0]:
        same_moment = {**wanted, "written": last_moment}
        return [(box, list(box.rows.filter(**same_moment).order_by("-pk"))) for box in _boxes()], last_moment - MOMENT
    return [(box, [row for row in rows if row.written > last_moment]) for box, rows in boxes], last_moment


def mark_seen(user_id: int) -> None:
    """Mark all notifications of this user as read."""
    for box in _boxes():
        box.rows.filter(user_id=user_id, seen__isnull=True).update(seen=clock.now())


def mark_one_seen(line: InboxLine) -> None:
    type(line.row)._default_manager.filter(pk=line.row.pk, seen__isnull=True).update(seen=clock.now())
