"""How long a search of the finished games takes when there are a hundred thousand of them."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.db import connection

from games.kernel.models import OVER, Game, Occupancy
from tests.load.games import fill
from tests.load.growth import TEMPLATES, copy_games, more_people
from tests.load.pages import WARM, Visitor
from tests.load.processes import say
from tests.load.storm import migrate, reset_statements, share_of, statements_made

if TYPE_CHECKING:
    from tests.load.processes import Site

GAMES = 100_000
EACH = 60
FIRST_YEAR, LAST_YEAR = 2017, 2026
OLDEST = 1_000
"""So many games have a word in their names that no newer one has."""
BUSY_GAMES = 5_000
RARE = "balkan-battle"
PLACES = ["Geneva", "Vienna", "Lausanne", "Munich", "Trieste", "Warsaw", "Odessa", "Smyrna", "Lisbon", "Dublin"]
KINDS = [
    "Congress",
    "Gambit",
    "Classic",
    "League",
    "Cup",
    "Evening",
    "Marathon",
    "Rematch",
    "Open",
    "Masters",
    "School",
]
WORDS = "(ARRAY[{}])[1 + {} % {}]"
CREATED = f"timestamptz '{FIRST_YEAR}-01-01' + n * (interval '{LAST_YEAR - FIRST_YEAR + 0.8} years' / {GAMES})"


def _word(words: list[str], number: str) -> str:
    listed = ", ".join(f"'{word}'" for word in words)
    return WORDS.format(listed, number, len(words))


DIFFERENT = {
    "status": "CASE WHEN n % 20 = 0 THEN 'closed' ELSE 'finished' END",
    "verdict": """'{"winners": [], "sentence": "It ended in a draw."}'::jsonb""",
    "by_invitation": "n % 50 = 1",
    "created": CREATED,
    "variant_slug": f"CASE WHEN n % 100 = 0 THEN '{RARE}' ELSE old.variant_slug END",
    "name": f"""{_word(PLACES, "n")} || CASE WHEN n < {OLDEST} THEN ' Pioneer ' ELSE ' ' END
        || {_word(KINDS, "(n / 7)")} || ' ' || n""",
}
LOG = """INSERT INTO kernel_event (game_id, at, kind, by_id, facts)
SELECT id, created + number * interval '1 hour', 'created', gm_id, '{}'
FROM kernel_game CROSS JOIN generate_series(1, 5) number WHERE slug LIKE 'grown-%%'"""
BUSY = """UPDATE kernel_occupancy SET user_id = busy.id FROM accounts_user busy
WHERE busy.username = 'person0' AND kernel_occupancy.id IN (
    SELECT min(held.id) FROM kernel_occupancy held WHERE NOT EXISTS (
        SELECT FROM kernel_occupancy own JOIN accounts_user it ON it.id = own.user_id
        WHERE own.game_id = held.game_id AND it.username = 'person0'
    ) GROUP BY held.game_id ORDER BY held.game_id %% 20, 1 LIMIT %(games)s
)"""


def archive(site: Site) -> None:
    """Fill the archive, and print for every kind of search what it takes."""
    migrate()
    fill(TEMPLATES)
    more_people()
    began = time.monotonic()
    copy_games(TEMPLATES, TEMPLATES + GAMES, **DIFFERENT)
    with connection.cursor() as cursor:
        cursor.execute(LOG, {})
        cursor.execute(BUSY, {"games": BUSY_GAMES})
        cursor.execute("VACUUM ANALYZE")
    over = Game.objects.filter(status__in=OVER).count()
    say(f"{over} finished games, {Occupancy.objects.count()} seats, in {time.monotonic() - began:.0f} s")
    site.start()
    say(f"load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    say(f"{'search':<44} {'p50':>7} {'p95':>7} {'worst':>7}  processor  statements  bytes")
    everything: list[float] = []
    for name, searches in _searches().items():
        everything += _measure(Visitor(site), name, searches)
    halves = "  ".join(
        f"{share * 100:.0f} %: {1000 * share_of(sorted(everything), share):.0f} ms" for share in (0.5, 0.95)
    )
    say(f"all {len(everything)} searches: {halves}")


def _searches() -> dict[str, list[dict[str, object]]]:
    """Different words each time, so that none is answered by what the last one has read."""
    numbers = range(EACH)
    places = [PLACES[number % len(PLACES)] for number in numbers]
    kinds = [KINDS[number % len(KINDS)] for number in numbers]
    players = [f"person{300 * number + 7}" for number in numbers]
    years = [FIRST_YEAR + number % (LAST_YEAR - FIRST_YEAR + 1) for number in numbers]
    variants = ["1926", "standard", RARE]
    return {
        "nothing asked": [{"made": number} for number in numbers],
        "a word of many names": [{"name": place} for place in places],
        "two words": [{"name": f"{place} {kind}"} for place, kind in zip(places, kinds, strict=True)],
        "a whole name": [{"name": f"{kind} {1500 * number + 60}"} for number, kind in enumerate(kinds)],
        "a word of the oldest names": [{"name": "Pioneer", "made": number} for number in numbers],
        "a word of no name": [{"name": f"Nowhere {number}"} for number in numbers],
        "three letters": [{"name": place[1:4]} for place in places],
        "a player": [{"player": player} for player in players],
        "a player, other letters": [{"player": player.upper()} for player in players],
        "a player of thousands of games": [{"player": "person0", "made": number} for number in numbers],
        "a year": [{"year": year} for year in years],
        "a variant": [{"variant": variants[number % 3], "made": number} for number in numbers],
        "variant and year": [{"variant": variants[n % 3], "year": year} for n, year in enumerate(years)],
        "name and year": [{"name": place, "year": year} for place, year in zip(places, years, strict=True)],
        "oldest names, another year": [{"name": "Pioneer", "year": year} for year in years],
        "player and year": [{"player": player, "year": year} for player, year in zip(players, years, strict=True)],
        "busy player, name": [{"player": "person0", "name": place} for place in places],
        "all four": [
            {"player": player, "name": place, "year": year, "variant": variants[number % 2]}
            for number, (player, place, year) in enumerate(zip(players, places, years, strict=True))
        ],
        "a filter that nothing passes": [{"press": "none", "pace": "live", "made": number} for number in numbers],
        "the second page": [{"after": f"grown-{GAMES - 900 * number}"} for number in numbers],
        "the second page of a name": [
            {"name": place, "after": f"grown-{GAMES - 900 * number}"} for number, place in enumerate(places)
        ],
    }


def _measure(visitor: Visitor, name: str, searches: list[dict[str, object]]) -> list[float]:
    """Seconds of each. The processor time is that of all processes and no slower on a busy machine; the bytes show
    whether a search found games."""
    wire = visitor.opened()
    paths = [f"/games/?{urlencode({'show': 'finished', **each})}" for each in searches]
    for path in paths[:WARM]:
        visitor.read(wire, path)
    reset_statements()
    used = sum(visitor.site.seconds_used().values())
    found = [visitor.read(wire, path) for path in paths]
    each = (sum(visitor.site.seconds_used().values()) - used) / len(paths)
    made = statements_made() / len(paths)
    assert {status for _, status, _, _ in found} == {200}, name
    seconds = sorted(one[0] for one in found)
    half, most, worst = (f"{1000 * share_of(seconds, share):.0f} ms" for share in (0.5, 0.95, 1))
    size = sorted(one[3] for one in found)[len(found) // 2]
    say(f"{name:<44} {half:>7} {most:>7} {worst:>7}  {1000 * each:>6.0f} ms  {made:>10.1f} {size:>6}")
    return seconds
