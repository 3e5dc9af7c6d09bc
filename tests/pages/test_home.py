"""The home page: a game in progress, its leaders, and how to play, watch and learn."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import find
from django.test import Client
from django.urls import reverse

from games.history.files import PREVIEW
from games.mastering.services.desk import close_game
from games.practice.services import start_practice
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.story import Story

TOKEN = re.compile(r"\b[A-Za-z0-9]{64}\b|\d+ h \d+ min")
"""What differs in every answer: the form's token and the countdown."""

pytestmark = pytest.mark.django_db


def first_page(name: str = "") -> str:
    client = Client()
    if name:
        client.force_login(person(name))
    return client.get(reverse("games:home")).content.decode()


def words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<title>.*?</title>|<[^>]+>", " ", html, flags=re.DOTALL)).split())


def leads(page: str) -> list[str]:
    """As in "France 5 centres", best first."""
    shown = re.search(r'aria-label="Leading powers">(.*?)</ul>', page, re.DOTALL)
    return [words(row).partition(" ")[2] for row in re.findall(r"<li>.*?</li>", shown[1], re.DOTALL)] if shown else []


def test_a_game_that_is_played_is_shown_with_its_map_its_turn_its_deadline_and_who_leads() -> None:
    game = running_game(name="The long evening")
    page = first_page()
    assert f'href="{reverse("games:game", kwargs={"slug": game.slug})}">The long evening</a>' in page
    assert "1926, Spring 1926 23 hours" in words(page)
    assert 'data-unit="BER"' in page
    assert leads(page) == ["France 5 centres", "Britain 4 centres", "Italy 4 centres"]


def test_orders_that_are_saved_change_nothing_on_the_first_page() -> None:
    game = running_game(name="The long evening")
    before = first_page()
    Story(game).order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    assert TOKEN.sub("", first_page()) == TOKEN.sub("", before)
    assert "data-order=" not in before


def test_without_a_public_game_the_board_to_learn_on_is_shown() -> None:
    running_game(name="Behind closed doors", by_invitation=True)
    page = first_page()
    assert "Behind closed doors" not in page
    assert "No public games are in progress." in words(page)
    assert "Map of Corridor" in page
    assert "No games are looking for players right now. Create a game" in words(page)


@pytest.mark.parametrize(
    ("who", "waiting", "way"),
    [
        ("", True, ("account_signup", "Sign up and play")),
        (PLAYERS[0], True, ("games:lobby", "Find a game to join")),
        (PLAYERS[0], False, ("games:create", "Create a game")),
    ],
)
def test_one_way_leads_on_first(who: str, waiting: bool, way: tuple[str, str]) -> None:
    if waiting:
        waiting_game(name="Still waiting")
    page = first_page(who)
    address, label = way
    query = "?show=open" if address == "games:lobby" else ""
    assert f'href="{reverse(address)}{query}">{label}</a>' in page
    assert f'href="{reverse("games:play")}">Play a bot now</a>' in page


def test_a_stranger_may_watch_and_learn_and_a_member_is_sold_nothing() -> None:
    for way in ("Watch a game", "Learn to play", "Great powers negotiate.", "How Diplomacy Points work"):
        assert way in first_page()
        assert way not in first_page(DAVE)


def test_the_bids_of_a_finished_game_are_one_tap_away() -> None:
    sealed, opened = (running_game(name=name, open_bids_at_end=name == "Opened") for name in ("Sealed", "Opened"))
    for game in (opened, sealed):
        Story(game).deadline()
        close_game(game_id=game.pk, by=person(CAROL).pk)
    assert f'href="{reverse("games:bid-table", args=[opened.slug])}">See what everyone bid' in first_page()


def test_practice_stands_below_the_games_with_people() -> None:
    running_game(name="The long evening")
    start_practice(user_id=person(PLAYERS[0]).pk)
    page = first_page(PLAYERS[0])
    assert page.index("My games<") < page.index("The long evening") < page.index("My games against bots")


def test_who_has_games_sees_them_first_and_who_has_none_is_shown_no_empty_list() -> None:
    running_game(name="The long evening")
    running_game(name="The slow winter", movement_seconds=5 * 24 * 3_600)
    mine = first_page(PLAYERS[0])
    assert mine.index("The long evening") < mine.index("The slow winter")
    assert "The long evening" in words(mine).partition("My games")[2].partition("Variants")[0]
    assert "My games" not in first_page()
    assert "My games" not in first_page(DAVE)


def test_the_page_tells_places_that_show_links_of_a_picture_of_the_map() -> None:
    page = first_page()
    shared = re.search(r'property="og:image" content="http://testserver(/static/[^"]+)"', page)
    assert shared is not None
    content = Path(str(find("img/share.png"))).read_bytes()
    assert (content[1:4], int.from_bytes(content[16:20]), int.from_bytes(content[20:24])) == (b"PNG", *PREVIEW)
    for tag in ("og:title", "og:description", "og:url", "twitter:card"):
        assert f'="{tag}" content="' in page
