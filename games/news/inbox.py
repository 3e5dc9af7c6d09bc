"""A user's notifications on the site: one line for everything they were to be told, newest first."""

from django.http import Http404

from games.kernel import clock
from games.kernel.access import GameAccess, Viewer, access_game
from games.kernel.models import Game
from games.kernel.queries import NOBODY
from games.news.outboxes import OUTBOXES, InboxLine, Reach

MOST_NOTICES = 50


def count_unseen(user_id: int) -> int:
    """How many lines are unread."""
    rows = [box.rows.filter(user_id=user_id, seen__isnull=True).values_list("pk") for box in OUTBOXES]
    return rows[0].union(*rows[1:], all=True).count()


def notices(user: Viewer) -> tuple[InboxLine, ...]:
    """The lines this user may still see, newest first."""
    reach, mine = _reach(user), {"user_id": user.pk or NOBODY}
    lines = [
        line
        for box in OUTBOXES
        for line in box.notices(box.rows.filter(**mine).order_by("-written", "-pk")[:MOST_NOTICES], reach)
    ]
    return tuple(sorted(lines, key=lambda line: (line.at, line.key), reverse=True)[:MOST_NOTICES])


def mark_seen(user_id: int) -> None:
    """Mark everything this user was told as read."""
    for box in OUTBOXES:
        box.rows.filter(user_id=user_id, seen__isnull=True).update(seen=clock.now())


def mark_one_seen(line: InboxLine) -> None:
    """Mark this line as read."""
    type(line.row)._default_manager.filter(pk=line.row.pk, seen__isnull=True).update(seen=clock.now())


def _reach(user: Viewer) -> Reach:
    """A function that gives this user's access to a game, or None; it looks each game up once."""
    known: dict[int, GameAccess | None] = {}

    def reach(game: Game) -> GameAccess | None:
        if game.pk not in known:
            try:
                known[game.pk] = access_game(user=user, slug=game.slug)
            except Http404:
                known[game.pk] = None
        return known[game.pk]

    return reach
