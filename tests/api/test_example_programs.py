"""The examples that programmers begin with: a bot that plays to the end of a game, a league from a spreadsheet, and a
relay of news to Discord."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from django.conf import settings as site

from games.delivery.posting import post_news
from games.delivery.webhooks import add_webhook
from games.kernel import clock
from games.kernel.models import Game, Occupancy, OpenedBids, Status
from games.mastering.services.desk import close_game, start_game
from games.people.models import Scope
from games.people.tokens import make_token
from games.tasks import sweep
from games.tournaments.entry import accept_invitation, check_in
from games.tournaments.models import Tournament
from games.tournaments.seating import make_plans
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.receiving import Receiver
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.fixtures import Settings

EXAMPLES = Path(site.BASE_DIR) / "templates" / "api" / "examples"
PATIENCE_SECONDS = 180
LONGEST_BOT, LONGEST_LEAGUE = 60, 80


def started(program: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-I", str(EXAMPLES / program), *arguments]
    return subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True)


def wait_for(happens: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.django_db(transaction=True)
def test_the_bot_joins_a_game_of_1926_and_plays_it_to_its_end(live_server: Any) -> None:
    game = waiting_game(all_ready=True, last_year=1926, open_bids_at_end=True)
    token = make_token(user_id=person(DAVE).pk, name="bot", scopes=[Scope.ORDERS, Scope.SEAT], days=1)
    with started("bot.py", live_server.url, game.slug, TOKEN=token, PAUSE="0.3") as bot:
        try:
            wait_for(lambda: Occupancy.objects.filter(game=game).exists() or bot.poll() is not None)
            start_game(game_id=game.pk, by=person(CAROL).pk)
            wait_for(lambda: sweep() and (_is_over(game.pk) or bot.poll() is not None))
            said, _ = bot.communicate(timeout=PATIENCE_SECONDS)
        finally:
            bot.kill()
    seat = Occupancy.objects.select_related("seat").get(game=game)
    assert (bot.returncode, seat.missed) == (0, 0), said
    assert "share a draw" in said or "draw" in said, said
    opened = [bids.bids.get(seat.seat.power) for bids in OpenedBids.objects.filter(phase__game=game)]
    assert any(opened), "its bids counted"
    assert len((EXAMPLES / "bot.py").read_text().splitlines()) <= LONGEST_BOT


def _is_over(game_id: int) -> bool:
    return Occupancy.objects.filter(game=game_id, game__status=Status.FINISHED).exists()


@pytest.mark.django_db(transaction=True)
def test_the_league_is_made_from_a_file_seated_and_read(live_server: Any, tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    people.write_text("".join(f"{name}, {name}@example.org, Turkey\n" for name in PLAYERS[:2]), encoding="utf-8")
    token = make_token(user_id=person(CAROL).pk, name="league", scopes=[Scope.MASTER], days=1)

    def league(*given: str) -> str:
        program = started("league.py", live_server.url, *given, TOKEN=token)
        try:
            while program.poll() is None:
                make_plans()
                time.sleep(0.1)
            return program.communicate()[0].strip()
        finally:
            program.kill()

    slug = league("make", str(people), "Club league", "balkan-battle")
    made = Tournament.objects.get(slug=slug)
    for name in PLAYERS[:2]:
        accept_invitation(token=made.letters.get(email=f"{name}@example.org").token, user_id=person(name).pk)
    league("call", slug)
    for name in PLAYERS[:2]:
        check_in(tournament_id=made.pk, by=person(name).pk, number=1)
    made.rounds.update(check_in_until=clock.now())
    assert league("seat", slug) == "1 alice bob"
    game = Game.objects.get(table__round__tournament=made)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert league("standings", slug).splitlines() == ["1. alice 50.0", "1. bob 50.0"]
    assert len((EXAMPLES / "league.py").read_text().splitlines()) <= LONGEST_LEAGUE


@pytest.mark.django_db
def test_the_relay_passes_on_what_the_site_has_signed_and_nothing_else(settings: Settings) -> None:
    game = running_game(name="Locarno")
    with Receiver(HTTPStatus.NO_CONTENT) as discord:
        number, secret = add_webhook(
            game_id=game.pk, user_id=person(CAROL).pk, address="https://relay.example.org/", form="json"
        )
        with started("discord_relay.py", "0", SECRET=secret, DISCORD=f"http://{discord.place}/") as relay:
            try:
                assert relay.stdout is not None
                place = f"127.0.0.1:{relay.stdout.readline().split()[-1].strip('.')}"
                settings.OUTBOUND_ALLOWED = frozenset({place})
                game.webhooks.filter(pk=number).update(address=f"http://{place}/")
                Story(game).deadline()
                assert post_news() == 1
                with pytest.raises(HTTPError, match="401"):
                    urlopen(Request(f"http://{place}/", b'{"id": "1", "lines": []}'))
            finally:
                relay.kill()
    ((_, body),) = discord.got
    assert json.loads(body)["content"].startswith("📜 Locarno: Spring 1926, movement: the result is out.")
