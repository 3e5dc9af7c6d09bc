"""Atom feeds contain what anyone may know, and nothing about games that the reader may not see."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.models import Game
from games.kernel.news import checked_reason
from games.mastering.services.desk import close_game, extend_deadline
from games.press.services import send_message
from games.tournaments.models import Tournament
from tests.browsers import visitor
from tests.cast import CAROL, PLAYERS, person
from tests.e2e.sheet import besieged
from tests.factories import running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


def entries(client: Client, game: Game | Tournament | None = None) -> list[tuple[str, str]]:
    """Title and address of each entry of the feed of a game or tournament, or of the lobby's."""
    where = {"slug": game.slug} if game else {}
    name = "tournament-feed" if isinstance(game, Tournament) else "game-feed" if game else "lobby-feed"
    answer = client.get(reverse(f"games:{name}", kwargs=where))
    assert answer["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)  # noqa: S314 - our own
    ids = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert len(set(ids)) == len(ids)
    found = []
    for entry in feed.iter(f"{ATOM}entry"):
        link = entry.find(f"{ATOM}link")
        assert link is not None
        found.append((entry.findtext(f"{ATOM}title") or "", link.attrib["href"]))
    return found


def test_the_feed_of_a_game_tells_of_results_and_moved_deadlines_the_newest_first() -> None:
    game = running_game()
    Story(game).deadline()
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=3600)
    game_page = f"http://testserver/games/{game.slug}/"
    assert entries(Client(), game) == [
        ("carol moved the deadline for Fall 1926 by 1 hour.", game_page),
        ("Spring 1926, movement: the result is out.", f"{game_page}phases/0/"),
        ("The game started because all seats were taken.", game_page),
    ]
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert len(entries(Client(), game)) == 4


def test_the_entry_of_a_result_tells_its_orders_and_captures_and_shows_its_map_if_it_is_public() -> None:
    game = besieged()
    Story(game).order("FRANCE", "A Bur-Mun", "A Rhi S A Bur-Mun")
    Story(game).deadline()  # the army in Munich is dislodged
    Story(game).deadline()  # and disbanded
    page = reverse("games:game-feed", kwargs={"slug": game.slug})
    for by_invitation in (False, True):
        Game.objects.update(by_invitation=by_invitation)
        feed = ElementTree.fromstring(visitor("alice").get(page).content)  # noqa: S314 - our own
        told = "".join(entry.findtext(f"{ATOM}summary") or "" for entry in feed.iter(f"{ATOM}entry"))
        for words in ("<li>✓ A Bur–Mun</li>", "France won Munich (from Germany).", "<li>Lost Munich (to France).</li>"):
            assert words in told
        assert (f'<img src="http://testserver/games/{game.slug}/phases/1/map.png"' in told) is not by_invitation


def test_the_feed_tells_nothing_of_talk_of_orders_and_of_hidden_names() -> None:
    game = running_game(hidden_names=True)
    before = entries(Client(), game)
    send_message(game_id=game.pk, user_id=person("alice").pk, to=("FRANCE",), text="Hello there")
    Story(game).order("GERMANY", "A Mun-Cze")
    assert entries(Client(), game) == before
    assert not [title for title, _ in before for name in PLAYERS if name in title]


def test_a_game_by_invitation_has_no_feed_for_who_is_not_invited() -> None:
    game = running_game(by_invitation=True)
    page = reverse("games:game-feed", kwargs={"slug": game.slug})
    assert Client().get(page).status_code == 404
    assert visitor("alice").get(page).status_code == 200
    assert entries(Client()) == []


def test_names_and_reasons_have_no_signs_that_a_feed_cannot_hold() -> None:
    waiting_game(name="Come\x01 \ufffe& \u202eplay")
    assert entries(Client())[0][0] == "Come & play, 1926"
    assert checked_reason("a\x00b\x01\nc", needed=True) == "ab c"


def test_the_feed_of_the_lobby_names_the_games_that_wait_for_players() -> None:
    game = waiting_game(name="Come & play")
    running_game(name="Full")
    waiting_game(name="Secret", by_invitation=True)
    assert entries(Client()) == [("Come & play, 1926", f"http://testserver/games/{game.slug}/")]
