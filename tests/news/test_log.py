"""The public log and the feeds of a long game: every entry can be reached, and none is shown twice."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.deadlines.news import DEADLINE_MOVED
from games.kernel import clock
from games.kernel.models import Event, Game
from games.kernel.news import tell
from games.kernel.queries import phase_head
from games.mastering.services.desk import seat_player
from games.mastering.services.repair import roll_back
from games.news.log import MOST_LINES, NEWEST, public_news_of
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, person
from tests.factories import open_phase, running_game
from tests.story import Story

pytestmark = pytest.mark.django_db


def moved(game: Game, times: int) -> None:
    """The deadline moves by one second, by two, and so on."""
    for seconds in range(1, times + 1):
        tell(DEADLINE_MOVED, game, at=clock.now(), by=game.gm_id, turn=open_phase(game).turn, seconds=seconds)


def entries(page: str) -> list[str]:
    """The entries of the log on this page."""
    return re.findall(r"<li><span>(.*?)</span>", page.partition('<ol class="log')[2].partition("</ol>")[0])


def test_the_page_of_a_game_shows_the_newest_entries_and_leads_to_all() -> None:
    game = running_game()
    moved(game, 2 * MOST_LINES)
    board = Client().get(reverse("games:game", args=[game.slug])).content.decode()
    path = reverse("games:log", args=[game.slug])
    assert f'<a class="small" href="{path}">Full log</a>' in board
    shown, lengths = list[str](), list[int]()
    while path:
        page = Client().get(path).content.decode()
        shown += entries(page)
        lengths.append(len(entries(page)))
        moved(game, 1)  # what is new meanwhile moves nothing
        link = re.search(r'href="(\?before=\d+)" rel="next">Earlier entries<', page)
        path = reverse("games:log", args=[game.slug]) + unescape(link[1]) if link else ""
    assert shown[:NEWEST] == entries(board)
    assert lengths == [MOST_LINES, MOST_LINES, Event.objects.filter(game=game).count() - 3 - 2 * MOST_LINES]
    newest_first = Event.objects.filter(game=game).order_by("-pk")
    assert len(shown) == newest_first.count() - 3
    assert shown[0].endswith(f"by {2 * MOST_LINES // 60} minutes {2 * MOST_LINES % 60} seconds.")
    assert shown[-1] == "carol created the game."


def test_the_log_in_the_api_goes_on_by_its_pages() -> None:
    game = running_game()
    moved(game, MOST_LINES)
    first = visitor().get(reverse("api:log", args=[game.slug])).json()
    second = visitor().get(first["next"]).json()
    assert (first["previous"], second["next"]) == (None, None)
    sentences = [event["sentence"] for page in (first, second) for event in page["results"]]
    assert (len(sentences), sentences[-1]) == (Event.objects.filter(game=game).count(), "carol created the game.")
    newer = visitor().get(second["previous"]).json()
    assert newer["results"] == first["results"]


def test_the_log_hides_names_as_the_page_of_the_game_does() -> None:
    game = running_game(hidden_names=True)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="BRITAIN", username=person(DAVE).username, reason="Agreed.")
    for who in ("", "alice", CAROL):
        page, answer = reverse("games:log", args=[game.slug]), reverse("api:log", args=[game.slug])
        board = entries(visitor(who).get(reverse("games:game", args=[game.slug])).content.decode())
        log = entries(visitor(who).get(page).content.decode())
        assert log[:NEWEST] == board
        assert len(log) == Event.objects.filter(game=game).count()
        assert any("dave" in entry for entry in log) is (who == CAROL)
        assert ("dave" in visitor(who).get(answer).content.decode()) is (who == CAROL)


def test_a_game_by_invitation_shows_its_log_to_no_stranger() -> None:
    game = running_game(by_invitation=True)
    for name in ("games:log", "api:log"):
        assert visitor().get(reverse(name, args=[game.slug])).status_code == 404
        assert visitor("alice").get(reverse(name, args=[game.slug])).status_code == 200


def test_what_was_undone_is_linked_however_long_ago_it_was() -> None:
    game = running_game()
    Story(game).deadline()
    seen = phase_head(open_phase(game)).mark
    roll_back(game_id=game.pk, by=person(CAROL).pk, ordinal=0, seen=seen, reason="A holiday.")
    moved(game, MOST_LINES)
    page = Client().get(reverse("games:history", args=[game.slug])).content.decode()
    assert "Undone phases" in page


def test_the_newest_public_news_is_read_without_the_rest() -> None:
    game = running_game()
    Story(game).deadline()
    moved(game, 5)
    everything = public_news_of(game)
    assert public_news_of(game, most=3) == everything[:3]
    assert public_news_of(game, since=everything[2].at) == everything[:2]
    with CaptureQueriesContext(connection) as asked:
        public_news_of(game, most=3)
    assert all("LIMIT 3" in one["sql"] for one in asked)
