"""A guest is a stranger everywhere but in their own games, which come with them when they sign up or sign in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.db import transaction
from django.test import Client
from django.urls import reverse

from adjudication.resolution import Verdict
from games.deadlines.phases import finish_game
from games.kernel import clock
from games.kernel.locking import lock_game
from games.kernel.models import Event, Game, Status
from games.practice.guests import OWN_PAGES
from tests.browsers import visitor
from tests.cast import DAVE, PASSWORD, person
from tests.factories import running_game, waiting_game
from tests.practice.table import game_of, play_phase, seat_of, tap, user_of
from tests.secrecy.addresses import everywhere
from variants.kinds import Ending

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

NOBODY_WON = Verdict((), Ending.VOID)
SIGN_UP = {"username": "erin", "email": "erin@example.org", "password1": PASSWORD}


def signed_in_as(client: Client) -> str:
    return str(user_of(client).username)


def own_game(client: Client) -> int:
    """What the page of the browser's game answers."""
    return client.get(reverse("games:game", args=[Game.objects.latest("pk").slug])).status_code


def test_everything_that_needs_an_account_asks_a_guest_to_sign_up() -> None:
    """At every address without parts."""
    client, _answer = tap()
    seen = 0
    for address in everywhere():
        if address.name in OWN_PAGES or address.of_a_library:
            continue
        try:
            path = reverse(address.name)
        except Exception:  # noqa: BLE001, S112 - it has parts
            continue
        for ask in ("get", "post"):
            guest, stranger = getattr(client, ask)(path), getattr(Client(), ask)(path)
            assert guest.status_code == stranger.status_code, (ask, path)
            assert guest.headers.get("Location") == stranger.headers.get("Location"), (ask, path)
            seen += guest.status_code == 302
    assert seen > 10
    page = client.get(reverse("games:profile"), follow=True).content.decode()
    assert "You’re playing as a guest." in page
    assert ">Guest</span>" in page


def test_a_guest_joins_writes_and_votes_in_no_game_of_people() -> None:
    client, _answer = tap()
    waiting, running = waiting_game(), running_game()
    sign_in = reverse("account_login")
    for name, game in (("confirm", waiting), ("seat", waiting), ("sitter", running), ("ask", waiting)):
        answer = client.post(reverse(f"games:{name}", args=[game.slug]))
        assert answer.status_code == 302
        assert answer.headers["Location"].startswith(sign_in)
    assert client.post(reverse("games:orders", args=[running.slug])).status_code == 404
    sheet = client.put(reverse("api:sheet", args=[game_of(client).slug]), {"text": ""}, "application/json")
    assert sheet.status_code == 401
    assert not Event.objects.filter(by=user_of(client)).exists()


def test_signing_up_keeps_the_game_with_its_log_and_ends_the_guest() -> None:
    client, _answer = tap()
    game, guest = game_of(client), user_of(client)
    play_phase(game)
    told = list(Event.objects.filter(game=game).order_by("pk").values_list("kind", "by_id"))
    assert "Your games against bots come with you." in client.get(reverse("account_signup")).content.decode()
    back = reverse("games:game", args=[game.slug])
    answer = client.post(reverse("account_signup"), {**SIGN_UP, "next": back})
    assert answer.headers["Location"] == back
    assert signed_in_as(client) == "erin"
    assert seat_of(game).user.username == "erin"
    assert list(Event.objects.filter(game=game).order_by("pk").values_list("kind", "by_id")) == told
    assert not get_user_model().objects.filter(pk=guest.pk).exists()
    page = client.get(back).content.decode()
    assert "Sign up to keep" not in page
    assert "My orders" in page


def test_signing_in_carries_the_games_over() -> None:
    client, _answer = tap()
    person(DAVE)
    client.post(reverse("account_login"), {"login": DAVE, "password": "wrong"})
    assert user_of(client).is_guest
    client.post(reverse("account_login"), {"login": DAVE, "password": PASSWORD})
    assert signed_in_as(client) == DAVE
    assert own_game(client) == 200
    assert visitor(DAVE).get(reverse("games:home")).content.decode().count("My games against bots") == 1


@pytest.mark.parametrize("same_browser", [True, False])
def test_the_address_may_be_confirmed_in_any_browser_and_the_guest_plays_on_until_then(
    settings: Settings, same_browser: bool
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    client, _answer = tap()
    client.post(reverse("account_signup"), SIGN_UP)
    assert user_of(client).is_guest
    assert own_game(client) == 200
    (link,) = re.findall(r"https?://\S+", str(mail.outbox[-1].body))
    browser = client if same_browser else Client()
    browser.post(link.removeprefix(settings.SITE_ADDRESS).partition("?")[0])
    if not same_browser:
        browser.post(reverse("account_login"), {"login": "erin", "password": PASSWORD})
    assert signed_in_as(browser) == "erin"
    assert own_game(browser) == 200
    assert not get_user_model().objects.filter(is_guest=True).exists()


def test_an_address_that_has_an_account_costs_the_guest_nothing_and_shows_nothing(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    person(DAVE)
    answers = []
    for email in ("erin@example.org", "dave@example.org"):
        client, _answer = tap()
        answer = client.post(reverse("account_signup"), {**SIGN_UP, "username": email[:4] + "1", "email": email})
        answers.append((answer.status_code, answer.headers["Location"], own_game(client), user_of(client).is_guest))
    assert answers[0] == answers[1]
    assert visitor(DAVE).get(reverse("games:home")).content.decode().count("My games against bots") == 0


def test_a_guest_sees_what_everyone_bid_at_the_end_of_their_own_game() -> None:
    client, _answer = tap()
    game = game_of(client)
    play_phase(game)
    with transaction.atomic():
        finish_game(lock_game(game.pk), NOBODY_WON, status=Status.FINISHED, by=None, now=clock.now())
    page = client.get(reverse("games:game", args=[game.slug])).content.decode()
    bids = reverse("games:bid-table", args=[game.slug])
    assert bids in page
    assert client.get(bids).status_code == 200
    assert Client().get(bids).status_code == 404
