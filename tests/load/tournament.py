"""What the page of a large tournament takes beside a game's page, in one process, without a server."""

from __future__ import annotations

import os
import time
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from statistics import quantiles
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import Client

from games.kernel import clock
from games.kernel.models import Game, Status
from games.tournaments.models import Director, Entrant, Place, Round, Table, Tournament
from games.tournaments.results import outcome_of
from games.tournaments.terms import RoundTerms, TournamentTerms
from tests.load.games import fill
from tests.load.pages import WARM
from tests.load.processes import say
from tests.load.storm import migrate

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.load.processes import Site

ENTRANTS, TABLES_OF_A_ROUND = 200, 25
REQUESTS = 200
DIRECTOR, ENTRANT = "player205", "player3"
WON: dict[str, Any] = {"winners": [], "kind": "gm", "facts": {}}


def tournament(_site: Site, *, rounds: int) -> None:
    """So many rounds, of which the last one goes on; then each page as a stranger, an entrant and a director sees it,
    in turn with a game's page."""
    migrate()
    fill(TABLES_OF_A_ROUND * rounds + 1)
    made = _made(rounds)
    say(f"load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    say(f"{ENTRANTS} entrants, {TABLES_OF_A_ROUND * rounds} tables; {REQUESTS} requests each")
    say(f"{'reader':<10} {'game p50':>9} {'p95':>9}   {'tournament p50':>15} {'p95':>9}   p95 to p95")
    for reader, name in (("stranger", ""), ("entrant", ENTRANT), ("director", DIRECTOR)):
        client = Client(headers={"accept-encoding": "gzip", "host": "127.0.0.1"})
        user = get_user_model().objects.filter(username=name).first()
        if user:
            client.force_login(user)
        who = user.pk if user else "127.0.0.1"
        game = partial(client.get, f"/games/storm-{TABLES_OF_A_ROUND * rounds}/")
        page = partial(client.get, f"/tournaments/{made.slug}/")
        (game_median, game_slow), (median, slow) = _timed(game, who), _timed(page, who)
        told = f"{reader:<10} {game_median:>6.1f} ms {game_slow:>6.1f} ms   {median:>12.1f} ms {slow:>6.1f} ms"
        say(f"{told}   {slow / game_slow:>10.1f}")


def _timed(ask: Callable[[], Any], reader: object) -> tuple[float, float]:
    """Milliseconds, the median and p95, with a fresh limit for each request of this reader."""
    for _ in range(WARM):
        ask()
    seconds = list[float]()
    for _ in range(REQUESTS):
        cache.delete(f"limit:standings:{reader}")
        began = time.perf_counter()
        assert ask().status_code == HTTPStatus.OK
        seconds.append(1000 * (time.perf_counter() - began))
    parts = quantiles(seconds, n=20)
    return parts[9], parts[18]


def _made(rounds: int) -> Tournament:
    now, users = clock.now(), list(get_user_model().objects.order_by("pk")[:ENTRANTS])
    director = get_user_model().objects.get(username=DIRECTOR)
    terms = TournamentTerms("draw-size", rounds=rounds, team_best=3, shows_running=True)
    made = Tournament.objects.create(
        slug="cup",
        name="Cup",
        terms=terms.to_json(),
        is_series=False,
        closes=now + timedelta(days=1),
        invitation="cup",
        created=now,
        published=now,
    )
    Director.objects.create(tournament=made, user=director)
    Entrant.objects.bulk_create(
        Entrant(tournament=made, user=user, place=Place.IN, team=f"Team {number % 40}", entered=now)
        for number, user in enumerate(users)
    )
    games = list(Game.objects.filter(slug__startswith="storm-").order_by("pk"))
    for number in range(rounds):
        at_tables = games[TABLES_OF_A_ROUND * number :][:TABLES_OF_A_ROUND]
        _seat(made, number + 1, at_tables, is_over=number + 1 < rounds)
    return made


def _seat(made: Tournament, number: int, games: list[Game], *, is_over: bool) -> None:
    now = clock.now()
    tables = [list(game.occupancies.order_by("seat__power").values_list("user", "seat__power")) for game in games]
    plan = {
        "seed": number,
        "boards": [game.variant_slug for game in games],
        "tables": [[user for user, _power in seats] for seats in tables],
        "bench": [],
        "locked": [],
        "powers": [{power: user for user, power in seats} for seats in tables],
    }
    own = RoundTerms(f"Round {number}", ("1926", "standard"), {})
    row = Round.objects.create(tournament=made, number=number, terms=own.to_json(), seated=now, plan=plan)
    for place, game in enumerate(games, start=1):
        if is_over:
            game.phases.update(closed=now, deadline=None)
            game.status, game.verdict = Status.FINISHED, WON
            game.save(update_fields=["status", "verdict"])
        outcome = outcome_of(game)
        Table.objects.create(
            round=row, number=place, game=game, added=now, added_by_id=made.directors.get().user_id, outcome=outcome
        )
