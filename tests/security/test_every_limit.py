"""Every limit says how much it allows, and when one may go on."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.history.views import PICTURES
from games.kernel import clock, limits
from games.kernel.limits import SERIES
from games.kernel.refusals import TooOften
from games.orders.views.orders import SAVES
from games.orders.views.whatif import TRIES
from games.press.views import SEARCHES
from games.tournaments.views import READS
from games.travel.services import pack
from games.travel.views import CHECKS, EXPORTS, GAMES, POSITIONS
from tests.browsers import address, visitor
from tests.cast import CAROL, PLAYERS, person
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game
    from tests.moment import Moment

pytestmark = pytest.mark.django_db
ROOT = Path(settings.BASE_DIR)
ALICE = PLAYERS[0]
NETWORK = "127.0.0.1"
SILENT = {
    "reading": "the page goes on as it is, and saving says why orders are wrong",
    "keeping": "what was typed is kept for a sign-in or not; the page says which",
}
LIMIT = re.compile(
    r'\b(?:refusal_if_too_often|too_often|rate_limited|_count(?:_today)?)\((?:[^()"]|\([^()]*\))*?f?"([a-z-]+)(?:[:"])'
)


def page(answer: Any) -> str:
    return unescape(answer.content.decode())


def refused(act: Callable[..., object], *given: Any) -> str:
    with pytest.raises(TooOften) as refusal:
        act(*given)
    return refusal.value.sentence


def alice(game: Game, name: str, sent: dict[str, Any] | None = None, **more: Any) -> str:
    """Alice's page of this game, or what it says to what she sends."""
    there, client = address(name, game, **more), visitor(ALICE)
    return page(client.get(there) if sent is None else client.post(there, sent, follow=True))


def anywhere(name: str, sent: dict[str, Any] | None = None, reader: str = ALICE) -> str:
    client = visitor(reader)
    return page(client.get(reverse(name)) if sent is None else client.post(reverse(name), sent, follow=True))


A_SERIES = {"name": "Season", "scoring": "draw-size", "combine": "sum"}


def me() -> int:
    return person(ALICE).pk


def a_file() -> dict[str, str]:
    return {"pasted": "{}", "name": ""}


def bring(position: str) -> str:
    return anywhere("games:bring", {"check": "1", "variant": "standard", "position": position})


def asking(user: Any) -> Any:
    return SimpleNamespace(META={"REMOTE_ADDR": NETWORK}, user=user)


TABLE: dict[str, tuple[str, Callable[[Game], str]]] = {
    "exports": (EXPORTS, lambda game: alice(game, "export", form="pypi")),
    "feeds": (limits.FEEDS, lambda game: alice(game, "game-feed")),
    "oembed": (limits.FEEDS, lambda _game: anywhere("games:oembed")),
    "searching": (SEARCHES, lambda game: alice(game, "search")),
    "pictures": (PICTURES, lambda game: alice(game, "picture", ordinal=0)),
    "tries": (TRIES, lambda game: alice(game, "whatif", {"text": ""})),
    "saving": (SAVES, lambda game: alice(game, "orders", {"ordinal": "1", "use": "text", "text": "A Par H"})),
    "checking-files": (CHECKS, lambda _game: anywhere("games:add-game", a_file())),
    "checking-positions": (POSITIONS, lambda _game: bring("Fall 1901")),
    "adding-games": (GAMES, lambda _game: anywhere("games:add-game", {"kept": pack("{}")})),
    "series": (SERIES, lambda _game: anywhere("games:new-series", A_SERIES)),
    "standings": (READS, lambda _game: page(visitor(ALICE).get(reverse("games:tournament", args=["season"])))),
    "letters": (f"{limits.LETTERS}/day", lambda _game: refused(limits.count_letters, me(), 1)),
    "inviting": (f"{limits.INVITATIONS}/day", lambda _game: refused(limits.count_invitations, me(), 1)),
    "export": ("6/min", lambda _game: anywhere("account-export", {})),
    "delete-account": ("10/min", lambda _game: anywhere("account-delete", {"password": "guess"})),
    "asking": (limits.ASKS_A_DAY, lambda game: refused(limits.count_request_to_user, me(), game)),
    "creating": (limits.NEW_GAMES, lambda _game: refused(limits.count_new_game, me())),
    "voting": (limits.VOTES, lambda _game: refused(limits.count_vote, me())),
    "telling": (limits.NEWS, lambda game: refused(limits.count_public_change, game.pk, me())),
    "testing": (limits.TESTS, lambda _game: refused(limits.count_test_post, me())),
    "practising": (limits.PRACTICE_OF_ONE, lambda _game: refused(limits.count_practice_game, asking(person(ALICE)))),
    "practising-from": (
        limits.PRACTICE_FROM_ONE,
        lambda _game: refused(limits.count_practice_game, asking(AnonymousUser())),
    ),
}
"""By scope: the rate, and what somebody is told who has reached it."""

SUMS = ("letters", "inviting")
"""They end with the day, and the others so long after each act."""


def reach(scope: str, game: Game, most: int) -> None:
    """Somebody used all of it, ten seconds ago: one more is possible once that is so old or, of a sum, tomorrow."""
    if scope in SUMS:
        limits.takes_today(scope, me(), most, most)
        return
    who = NETWORK if scope == "practising-from" else me()
    name = f"telling:{game.pk}" if scope == "telling" else scope
    cache.set(f"limit:{name}:{who}", [time.time() - 10] * most, 86_400)


WAITS = {"min": r"(50|4\d) seconds", "h": "1 hour", "day": "1 day"}


@pytest.fixture
def game() -> Game:
    game = running_game(variant="standard")
    Story(game).deadline()
    return game


@pytest.mark.parametrize("scope", TABLE)
def test_it_says_how_often_is_allowed_and_when_one_more_is_possible(game: Game, scope: str) -> None:
    rate, ask = TABLE[scope]
    number, period = rate.split("/")
    reach(scope, game, int(number))
    said = ask(game)
    assert re.search(rf"\b{number}\b[^.]* within (a minute|an hour|a day)", said), said
    wait = r"\d+ .*" if scope in SUMS else WAITS[period]
    assert re.search(rf"That’s the most there can be\. The next one is possible in {wait}\.", said), said


def test_a_sum_of_letters_has_room_or_none_of_them_is_sent(moment: Moment) -> None:
    limits.count_letters(me(), limits.LETTERS - 2)
    limits.count_letters(me(), 2)
    said = refused(limits.count_letters, me(), 1)
    assert said.endswith(limits.MOST.format(wait="12 hours")), "at midnight"
    limits.note_letters(me(), 7)
    assert refused(limits.count_request_to_user, me(), running_game(variant="standard")) == said
    moment.wait(hours=12)
    assert limits.MOST.format(wait="1 day") in refused(limits.count_letters, me(), limits.LETTERS + 1)
    limits.count_letters(me(), limits.LETTERS)


def test_an_account_of_the_first_day_invites_few_addresses(moment: Moment) -> None:
    get_user_model().objects.filter(pk=me()).update(date_joined=clock.now() - timedelta(hours=23))
    assert "more than 10 addresses within a day" in refused(limits.count_invitations, me(), 11)
    limits.count_invitations(me(), 10)
    moment.wait(hours=2)
    limits.count_invitations(me(), 11)


def test_it_says_how_many_people_one_may_ask_about_one_game(game: Game) -> None:
    cache.set(f"limit:asking:{game.pk}:{me()}", [time.time() - 10] * 12, 3_600)
    assert refused(limits.count_request_to_user, me(), game).endswith(
        f"and five more. {limits.MOST.format(wait='1 hour')}"
    )


def test_a_page_that_is_asked_for_too_often_tells_programs_the_same(game: Game) -> None:
    cache.set(f"limit:feeds:{NETWORK}", [time.time() - 10] * 60, 60)
    assert 40 < int(Client().get(address("game-feed", game))["Retry-After"]) <= 50


def test_no_limit_is_left_out() -> None:
    sources = [path for folder in ("games", "diplomacy_site") for path in (ROOT / folder).rglob("*.py")]
    found = {scope for path in sources for scope in LIMIT.findall(path.read_text())}
    assert found == {*TABLE, *SILENT}


def test_carol_the_game_master_reads_it_where_she_acts(game: Game) -> None:
    cache.set(f"limit:telling:{game.pk}:{person(CAROL).pk}", [time.time() - 10] * 30, 3_600)
    said = page(visitor(CAROL).post(address("gm-pause", game), {}, follow=True))
    assert "You’ve made 30 changes to this game within an hour." in said
    assert "The next one is possible in 1 hour." in said
