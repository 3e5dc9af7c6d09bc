"""How much slower pages are on a large site than on one whose lists fill a page each."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.db import connection
from django.db.models import Model

from games.kernel.models import Game, Occupancy, Phase, Seat
from tests.load.games import PEOPLE, fill
from tests.load.pages import WARM, Visitor, player
from tests.load.processes import say
from tests.load.storm import migrate, reset_statements, share_of, statements_made

if TYPE_CHECKING:
    from tests.load.processes import Site

TEMPLATES = 60
IN_A_ROW = 30
SMALL, LARGE = 600, 10_000
PHASES_EACH, USERS = 30, 20_000
NOTICES_SMALL, NOTICES_LARGE = 60, 5_000
STRANGERS = (
    "/",
    "/games/",
    "/games/?show=running",
    "/games/?show=finished",
    "/games/feed.atom",
    "/seats/",
    "/games/storm-0/",
    "/games/storm-0/history/",
    "/people/player1/",
    "/api/v1/games/",
)
PLAYERS = ("/", "/games/?show=mine", "/games/storm-0/orders/", "/notifications/", "/calendar/")

OVER = "n % 10 < 8"
LAST = PHASES_EACH - 1
COPIED: dict[type[Model], dict[str, str]] = {
    Game: {
        "slug": "'grown-' || n",
        "name": "'Grown ' || n",
        "invitation": "md5(n::text)",
        "status": f"CASE WHEN {OVER} THEN 'finished' WHEN n % 10 = 8 THEN 'running' ELSE 'open' END",
        "verdict": f"""CASE WHEN {OVER} THEN '{{"winners": [], "sentence": "It ended in a draw."}}'::jsonb END""",
    },
    Seat: {"game_id": "grown.id"},
    Occupancy: {
        "game_id": "grown.id",
        "seat_id": "new_seat.id",
        "user_id": "(SELECT min(id) FROM accounts_user) + (n * 7 + old.id) % (SELECT count(*) FROM accounts_user)",
    },
    Phase: {
        "game_id": "grown.id",
        "ordinal": "number",
        "opened": f"old.opened - ({LAST} - number) * interval '1 day'",
        "closed": f"CASE WHEN number < {LAST} OR {OVER} THEN old.opened - ({LAST} - number - 1) * interval '1 day' END",
        "deadline": f"CASE WHEN number = {LAST} AND NOT {OVER} THEN old.deadline + n * interval '1 minute' END",
    },
}
"""What is different in the copies of the filled games; `n` numbers the games and `number` their phases."""


OF_GAMES = """kernel_game grown ON grown.slug = 'grown-' || n
JOIN kernel_game template ON template.slug = 'storm-' || n % 60 JOIN {table} old ON old.game_id = template.id"""
SEATED = """JOIN kernel_seat old_seat ON old_seat.id = old.seat_id
JOIN kernel_seat new_seat ON new_seat.game_id = grown.id AND new_seat.power = old_seat.power"""
LOG = """INSERT INTO kernel_event (game_id, at, kind, by_id, facts)
SELECT id, created + number * interval '1 hour', 'created', gm_id, '{}'
FROM generate_series(%(first)s, %(end)s - 1) n JOIN kernel_game ON slug = 'grown-' || n
CROSS JOIN generate_series(1, 20) number"""
NOTICES = """INSERT INTO kernel_letter
    (user_id, written, for_the_day, tries, sent, seen, pushed, key, kind, game_id, ordinal)
SELECT
    (SELECT id FROM accounts_user WHERE username = 'player1'), now() - n * interval '1 minute', false, 0, now(), NULL,
    true, 'grown-' || n, 'new phase', (SELECT id FROM kernel_game WHERE slug = 'storm-' || n %% 60), n / 60
FROM generate_series(%(first)s, %(end)s - 1) n"""


def growth(site: Site) -> None:
    """Measure every list on a small site, let it grow, and measure again."""
    migrate()
    fill(TEMPLATES)
    _grow(TEMPLATES, SMALL, NOTICES_SMALL)
    site.start()
    before = _measured(site)
    began = time.monotonic()
    more_people()
    _grow(SMALL, LARGE, NOTICES_LARGE)
    say(f"grown to {Game.objects.count()} games, {Phase.objects.count()} phases, in {time.monotonic() - began:.0f} s")
    after = _measured(site)
    say(f"load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    say(f"{'page':<40} {'small':>8} {'large':>8}  ratio  statements")
    for name, (seconds, made) in after.items():
        small, few = before[name]
        times = f"{1000 * small:>5.0f} ms {1000 * seconds:>5.0f} ms {seconds / small:>6.1f}"
        say(f"{name:<40} {times}  {few:.1f} {made:.1f}")


def _measured(site: Site) -> dict[str, tuple[float, float]]:
    """The median of the seconds that each page takes, and its statements."""
    found = {}
    for visitor, who, paths in ((Visitor(site), "stranger", STRANGERS), (player(site), "player", PLAYERS)):
        for path in paths:
            found[f"{who} {path}"] = _one(visitor, path)
    return found


def _one(visitor: Visitor, path: str) -> tuple[float, float]:
    """Strangers' pages are made anew each time, as for the first of them."""
    wire = visitor.opened()
    fresh = [f"{path}{'&' if '?' in path else '?'}made={number}" for number in range(WARM + IN_A_ROW)]
    for one in fresh[:WARM]:
        assert visitor.read(wire, one)[1] == 200, one
    reset_statements()
    seconds = sorted(visitor.read(wire, one)[0] for one in fresh[WARM:])
    return share_of(seconds, 0.5), statements_made() / IN_A_ROW


def more_people() -> None:
    users = get_user_model().objects
    names = [f"person{number}" for number in range(USERS - PEOPLE)]
    users.bulk_create([users.model(username=name, email=f"{name}@example.org") for name in names], batch_size=2_000)


def _grow(first: int, end: int, notices: int) -> None:
    """Copies of the filled games, numbered from `first` to below `end`, and so many notifications for one player."""
    copy_games(first, end)
    _copy(Phase, f"{OF_GAMES} CROSS JOIN generate_series(0, {LAST}) number", first, end)
    with connection.cursor() as cursor:
        cursor.execute(LOG, {"first": first, "end": end})
        cursor.execute(NOTICES, {"first": first, "end": first + notices})
        cursor.execute("VACUUM ANALYZE")


def copy_games(first: int, end: int, **changed: str) -> None:
    """Copies of the filled games and their players; `changed`: further columns of the games that differ."""
    _copy(Game, "kernel_game old ON old.slug = 'storm-' || n % 60", first, end, **changed)
    _copy(Seat, OF_GAMES, first, end)
    _copy(Occupancy, f"{OF_GAMES} {SEATED}", first, end)


def _copy(kind: type[Model], joined: str, first: int, end: int, **more: str) -> None:
    changed, table = {**COPIED[kind], **more}, kind._meta.db_table
    columns = [str(field.column) for field in kind._meta.concrete_fields if field.column != "id"]
    values = ", ".join(changed.get(column, f'old."{column}"') for column in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    source = f"generate_series({first}, {end - 1}) n JOIN {joined.format(table=table)}"
    with connection.cursor() as cursor:
        cursor.execute(f'INSERT INTO "{table}" ({names}) SELECT {values} FROM {source}')  # noqa: S608 - no one's input
