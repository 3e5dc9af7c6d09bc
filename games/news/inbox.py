"""A user's notifications on the site: one line for everything they were to be told, newest first."""

from collections.abc import Collection
from functools import cache

from django.http import Http404

from games.kernel import clock
from games.kernel.access import GameAccess, Viewer
from games.kernel.models import Game
from games.kernel.queries import NOBODY
from games.news.outboxes import OUTBOXES, InboxLine, Reach
from games.pages.glances import Facts

MOST_NOTICES = 50


def count_unseen(user_id: int) -> int:
    """How many lines are unread."""
    rows = [box.rows.filter(user_id=user_id, seen__isnull=True).values_list("pk") for box in OUTBOXES]
    return rows[0].union(*rows[1:], all=True).count()


def notices(user: Viewer) -> tuple[InboxLine, ...]:
    """The lines this user may still see, newest first."""
    mine = {"user_id": user.pk or NOBODY}
    waiting = [(box, list(box.rows.filter(**mine).order_by("-written", "-pk")[:MOST_NOTICES])) for box in OUTBOXES]
    reach = _reach(user, {box.game_of(row).pk for box, rows in waiting for row in rows})
    lines = [line for box, rows in waiting for line in box.notices(rows, reach)]
    return tuple(sorted(lines, key=lambda line: (line.at, line.key), reverse=True)[:MOST_NOTICES])


def mark_seen(user_id: int) -> None:
    """Mark everything this user was told as read."""
    for box in OUTBOXES:
        box.rows.filter(user_id=user_id, seen__isnull=True).update(seen=clock.now())


def mark_one_seen(line: InboxLine) -> None:
    """Mark this line as read."""
    type(line.row)._default_manager.filter(pk=line.row.pk, seen__isnull=True).update(seen=clock.now())


def _reach(user: Viewer, games: Collection[int]) -> Reach:
    """A function that gives this user's access to each of these games, or None."""
    facts = Facts(games)

    @cache
    def reach(game: Game) -> GameAccess | None:
        try:
            return facts.access(game.pk, user.pk or NOBODY)
        except Http404:
            return None

    return reach
