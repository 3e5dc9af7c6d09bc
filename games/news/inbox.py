"""What a person finds on the site: a line for everything that was written to be told, the newest first."""

from django.http import Http404

from games.kernel import clock
from games.kernel.access import GameAccess, Viewer, access_game
from games.kernel.models import Game
from games.kernel.queries import NOBODY
from games.news.outboxes import OUTBOXES, InboxLine, Reach

MOST_NOTICES = 50


def count_unseen(user_id: int) -> int:
    """How many lines are new."""
    rows = [box.rows.filter(user_id=user_id, seen__isnull=True).values_list("pk") for box in OUTBOXES]
    return rows[0].union(*rows[1:], all=True).count()


def notices(user: Viewer) -> tuple[InboxLine, ...]:
    """What this person may still know of, the newest first."""
    reach, mine = _reach(user), {"user_id": user.pk or NOBODY}
    lines = [
        line
        for box in OUTBOXES
        for line in box.notices(box.rows.filter(**mine).order_by("-written", "-pk")[:MOST_NOTICES], reach)
    ]
    return tuple(sorted(lines, key=lambda line: (line.at, line.key), reverse=True)[:MOST_NOTICES])


def mark_seen(user_id: int) -> None:
    """Nothing that this person was told is new any longer."""
    for box in OUTBOXES:
        box.rows.filter(user_id=user_id, seen__isnull=True).update(seen=clock.now())


def mark_one_seen(line: InboxLine) -> None:
    """This line is new no longer."""
    type(line.row)._default_manager.filter(pk=line.row.pk, seen__isnull=True).update(seen=clock.now())


def _reach(user: Viewer) -> Reach:
    """How this person reaches a game now; None where not at all. Asked once for each game."""
    known: dict[int, GameAccess | None] = {}

    def reach(game: Game) -> GameAccess | None:
        if game.pk not in known:
            try:
                known[game.pk] = access_game(user=user, slug=game.slug)
            except Http404:
                known[game.pk] = None
        return known[game.pk]

    return reach
