"""How many statements a page takes: few, and as many however much there is to show."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.deadlines.news import GAME_OVER
from games.kernel import clock
from games.kernel.models import Game, Letter, Status
from games.seating.services.new_game import take_seat
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.press.test_press import say
from tests.story import Story

pytestmark = pytest.mark.django_db

MOST = {
    ("", "/"): 9,
    ("", "/games/"): 8,
    ("", f"/games/?show=finished&name=over&player=alice&year={datetime.now(UTC).year}&variant=1926"): 7,
    ("", "/people/alice/"): 12,
    ("", "/games/{slug}/"): 8,
    ("", "/games/{slug}/pulse/"): 2,
    ("", "/games/{slug}/phases/0/"): 8,
    ("", "/games/{slug}/history/"): 9,
    ("", "/games/{slug}/board/"): 8,
    ("", "/games/{slug}/map.svg"): 7,
    ("", "/games/{slug}/log/"): 10,
    ("", "/games/{slug}/export/dipcc/"): 6,
    (DAVE, "/add-a-game/"): 4,
    ("", "/games/{slug}/talk/everybody/"): 10,
    ("", "/api/v1/games/"): 4,
    ("", "/api/v1/games/{slug}/"): 8,
    ("", "/api/v1/games/{slug}/log/"): 5,
    ("", "/api/v1/games/{slug}/record/"): 5,
    ("", "/api/v1/games/{slug}/talk/everybody/"): 8,
    ("", "/api/v1/variants/1926/"): 0,
    (PLAYERS[0], "/"): 8,
    (PLAYERS[0], "/games/"): 8,
    (PLAYERS[0], "/games/{slug}/"): 12,
    (PLAYERS[0], "/games/{slug}/orders/"): 8,
    (PLAYERS[0], "/games/{slug}/pulse/"): 2,
    (PLAYERS[0], "/games/{slug}/talk/everybody/"): 18,
    (PLAYERS[0], "/notifications/"): 14,
    (PLAYERS[0], "/api/v1/games/?show=mine"): 13,
    (PLAYERS[0], "/api/v1/games/{slug}/"): 11,
    (PLAYERS[0], "/api/v1/games/{slug}/sheet/"): 12,
    (PLAYERS[0], "/api/v1/changes/"): 13,
    (PLAYERS[0], "/api/v1/events/"): 6,
    (PLAYERS[0], "/api/v1/notices/"): 14,
    (PLAYERS[0], "/api/v1/webhooks/"): 4,
    (PLAYERS[0], "/games/{slug}/webhooks/"): 14,
    (CAROL, "/api/v1/games/{slug}/gm/"): 10,
    (CAROL, "/games/{slug}/gm/"): 30,
    (DAVE, "/games/{slug}/"): 18,
    (DAVE, "/notifications/"): 14,
}
"""By who asks ("" for a stranger) and address, with nothing in the cache."""


def taken(game: Game) -> dict[tuple[str, str], int]:
    return {(who, address): _statements(who, address.format(slug=game.slug)) for who, address in MOST}


def _statements(who: str, path: str) -> int:
    client = Client()
    if who:
        client.force_login(person(who))
    client.get(path)  # reading messages for the first time writes that they were read
    cache.clear()
    with CaptureQueriesContext(connection) as statements:
        assert client.get(path).status_code == 200
    return len(statements)


def test_every_page_takes_few_statements_and_none_more_for_a_longer_game_or_a_larger_site() -> None:
    story = Story(running_game())
    story.deadline()
    say(story.game, PLAYERS[0], "Good morning, all")
    say(story.game, PLAYERS[1], "Good morning, Britain", "BRITAIN")
    take_seat(game_id=waiting_game(name="Waiting").pk, user_id=person(PLAYERS[0]).pk)
    _tell(story.game)
    _end(running_game(name="Over"))
    before = taken(story.game)
    assert {what: count for what, count in before.items() if count > MOST[what]} == {}
    _grow(story)
    assert taken(story.game) == before


def _tell(game: Game) -> None:
    """A notification for somebody who doesn't play in this game any more."""
    now = clock.now()
    Letter.objects.create(user=person(DAVE), game=game, key=game.slug, kind=GAME_OVER.letter, written=now, next_try=now)


def _end(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, verdict={"winners": [], "sentence": "Nobody won."})


def _grow(story: Story) -> None:
    """More phases, messages, games, and notifications."""
    for number in range(3):
        story.deadline()
        for name in PLAYERS[1:4]:
            say(story.game, name, f"Message {number} of {name}")
            say(story.game, name, "Between us", "BRITAIN")
    for number in range(4):
        other = running_game(name=f"Another {number}")
        _tell(other)
        take_seat(game_id=waiting_game(name=f"Open {number}").pk, user_id=person(PLAYERS[0]).pk)
        _end(running_game(name=f"Over {number}"))
    assert Letter.objects.count() > 20
    assert story.game.phases.latest("ordinal").opened - story.game.phases.earliest("ordinal").opened > timedelta(0)
