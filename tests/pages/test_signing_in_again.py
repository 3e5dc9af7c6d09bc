"""People who have to sign in again land where they were, learn that nothing was done, and get back what they typed."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings as configured
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.kernel.signing_in import form_page_of
from games.kernel.typed import LONGEST
from games.people.models import Session
from games.press.models import Message
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PASSWORD, PLAYERS, person
from tests.factories import running_game
from tests.people.test_moderation import moderator
from tests.secrecy.addresses import addresses

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django.fixtures import Settings

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

SIGN_IN = reverse("account_login")
ALICE, BOB = PLAYERS[:2]
TEXT = "Meet me in the Channel, but tell nobody."
FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')


@pytest.fixture
def game() -> Game:
    return running_game(press="full")


def pages_of_people(game: Game) -> dict[str, str]:
    """All addresses but those for programs and of libraries."""
    ours = ("games:", "account-")
    return {name: path for name, path in addresses(game).items() if name.startswith(ours)}


def next_of(answer: Any) -> str:
    """Where signing in leads; nothing if that is not asked for."""
    to = urlsplit(answer.headers.get("Location", ""))
    return parse_qs(to.query)["next"][0] if to.path == SIGN_IN else ""


def sign_in(browser: Client, name: str, back: str = "") -> Any:
    return browser.post(SIGN_IN, {"login": name, "password": PASSWORD, "next": back}, follow=True)


def signed_fields(browser: Client, page: str) -> dict[str, str]:
    """What the forms of this page send besides the text."""
    found = dict(FIELD.findall(browser.get(page).content.decode()))
    return {"whose": found["whose"], "csrfmiddlewaretoken": found["csrfmiddlewaretoken"]}


def lapse(browser: Client) -> None:
    """The session ends; the other cookies stay."""
    del browser.cookies[configured.SESSION_COOKIE_NAME]


def refused_note(game: Game, text: str = TEXT, **headers: str) -> tuple[Client, Any]:
    """Alice’s browser, whose session has ended while she wrote a note, and the answer to it."""
    person(ALICE)
    browser, page = visitor(ALICE), address("notebook", game)
    fields = signed_fields(browser, page)
    lapse(browser)
    return browser, browser.post(
        page, {**fields, "text": text, "version": "0"}, headers={"referer": f"http://testserver{page}", **headers}
    )


def test_whoever_acts_without_a_session_signs_in_and_gets_a_page(game: Game, settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = False
    known, stranger = pages_of_people(game), Client()
    backs = {name: back for name, path in known.items() if (back := next_of(stranger.post(path)))}
    assert len(backs) > 80
    readers = [visitor(ALICE), visitor(CAROL), moderator()]
    for name, back in backs.items():
        answers: list[Any] = []
        while not any(answer.status_code == 200 for answer in answers) and len(answers) < len(readers):
            answers.append(readers[len(answers)].get(back, follow=True))
            assert answers[-1].status_code in {200, 404}, name
            assert answers[-1].content, name
        only_takes_forms = form_page_of(back) != back
        assert not only_takes_forms or answers[-1].status_code == 200, name


def test_no_error_is_blank_and_no_page_of_a_form_the_wrong_address(game: Game) -> None:
    for browser in (Client(), visitor(ALICE)):
        for name, path in pages_of_people(game).items():
            opened, sent = browser.get(path), browser.post(path)
            assert opened.status_code != 405, name
            for answer in (opened, sent):
                if answer.status_code in {403, 404, 405}:
                    is_page = answer["Content-Type"].startswith("text/html")
                    assert (b'<main id="main"' if is_page else b" ") in answer.content, name
        wrong = browser.post("/games/")
        assert (wrong.status_code, wrong["Allow"]) == (405, "GET, HEAD")
        assert b"Nothing was done" in wrong.content
    assert Client().put(f"/api/v1/games/{game.slug}/").headers["Content-Type"].startswith("application/")


def test_what_was_typed_comes_back_to_its_author(game: Game) -> None:
    browser, refused = refused_note(game)
    page = address("notebook", game)
    assert next_of(refused) == page
    assert "Nothing was done" in browser.get(refused["Location"]).content.decode()
    for _again in range(2):
        shown = sign_in(browser, ALICE, page) if not _again else browser.get(page)
        assert f"{TEXT}</textarea>" in shown.content.decode()
    assert TEXT not in browser.get(address("game", game)).content.decode()
    browser.post(page, {"text": "Something else", "version": "0"}, headers={"referer": f"http://testserver{page}"})
    assert TEXT not in browser.get(page).content.decode()


def test_what_was_typed_is_discarded_on_request(game: Game) -> None:
    browser, _ = refused_note(game)
    page = address("notebook", game)
    shown = sign_in(browser, ALICE, page).content.decode()
    (discard,) = re.findall(r'formaction="([^"]+)"', shown)
    assert browser.post(discard, {"discarded": page})["Location"] == page
    assert TEXT not in browser.get(page).content.decode()


def test_another_account_never_sees_what_was_typed(game: Game) -> None:
    browser, refused = refused_note(game)
    assert TEXT not in browser.get(refused["Location"]).content.decode()
    assert TEXT not in sign_in(browser, BOB, address("notebook", game)).content.decode()


def test_a_form_from_the_page_of_another_account_does_nothing(game: Game) -> None:
    page = address("thread", game, address="everybody")
    fields = signed_fields(visitor(ALICE), page)
    answer = visitor(BOB).post(page, {**fields, "text": TEXT})
    assert answer.status_code == 403
    assert "opened with another account" in answer.content.decode()
    assert not Message.objects.filter(text=TEXT).exists()


def test_nothing_typed_can_be_read_in_the_database(game: Game) -> None:
    browser, _ = refused_note(game)
    kept = Session.objects.get(session_key=browser.cookies[configured.SESSION_COOKIE_NAME].value).get_decoded()
    assert kept["typed"]
    assert TEXT not in str(kept)
    del browser.cookies["typed"]
    assert TEXT not in sign_in(browser, ALICE, address("notebook", game)).content.decode()


@pytest.mark.parametrize("forged", ["", "1", "1:forged"])
def test_nothing_is_kept_of_a_form_that_no_account_has_signed(game: Game, forged: str) -> None:
    browser = Client()
    browser.post(address("notebook", game), {"text": TEXT, "whose": forged})
    assert "typed" not in browser.session
    assert "typed" not in browser.cookies


@pytest.mark.parametrize(("reason", "is_hidden"), [("There is no light until Sunday.", ""), ("Dark", " hidden")])
def test_what_was_refused_comes_back_on_the_page_that_says_why(game: Game, reason: str, is_hidden: str) -> None:
    browser, page = visitor(CAROL), address("gm", game)
    pause = address("gm-pause", game)

    def send(to: str, reason: str) -> str:
        answer = browser.post(to, {**signed_fields(browser, page), "reason": reason}, follow=True)
        return str(answer.content.decode())

    send(pause, "Snow")
    shown = send(pause, reason)
    assert "Only a running game can be paused." in shown
    assert f'aria-label="Not done yet"{is_hidden}>' in shown
    assert f'name="reason" value="{reason}"' in shown or f"{reason}</textarea>" in shown
    send(address("gm-resume", game), "Sun")
    assert "Not done yet" not in send(pause, "Snow")


def test_nothing_comes_back_of_a_refused_button(game: Game) -> None:
    browser, page = visitor(CAROL), address("gm", game)
    cancel = address("gm-cancel_roll_call", game)
    shown = browser.post(cancel, signed_fields(browser, page), follow=True).content.decode()
    assert "The game has already started." in shown
    assert "Not done yet" not in shown


def test_forms_are_kept_by_account_however_many_share_a_network(game: Game) -> None:
    cache.set("limit:keeping:127.0.0.1", [time.time()] * 99, 3_600)
    assert "is kept for your account" in page_after(refused_note(game))
    cache.set(f"limit:keeping:{person(ALICE).pk}", [time.time()] * 30, 3_600)
    assert "is not kept" in page_after(refused_note(game))


def page_after(refused: tuple[Client, Any]) -> str:
    browser, answer = refused
    return str(browser.get(answer["Location"]).content.decode())


def test_what_is_too_long_is_not_kept_and_says_so(game: Game) -> None:
    browser, refused = refused_note(game, "x" * LONGEST)
    assert "is not kept" in browser.get(refused["Location"]).content.decode()
    assert "typed" not in browser.session


def test_no_password_is_ever_kept() -> None:
    person(DAVE)
    browser, page = visitor(DAVE), reverse("account-delete")
    fields = signed_fields(browser, page)
    lapse(browser)
    assert next_of(browser.post(page, {**fields, "password": PASSWORD})) == page
    assert "typed" not in browser.session


def test_a_form_whose_token_is_out_of_date_loses_nothing(game: Game) -> None:
    browser, page = Client(enforce_csrf_checks=True), address("notebook", game)
    browser.force_login(person(ALICE))
    fields = signed_fields(browser, page)
    browser.force_login(person(ALICE))
    browser.cookies[configured.CSRF_COOKIE_NAME] = "a" * 32
    sent = {**fields, "text": TEXT, "version": "0"}
    shown = browser.post(page, sent, headers={"referer": f"http://testserver{page}"}, follow=True)
    assert shown.status_code == 200
    assert "out of date" in shown.content.decode()
    assert f"{TEXT}</textarea>" in shown.content.decode()
    browser.force_login(person(BOB))
    browser.cookies[configured.CSRF_COOKIE_NAME] = "a" * 32
    other = browser.post(page, sent)
    assert other.status_code == 403
    assert TEXT not in other.content.decode()


def test_a_script_is_told_to_go_to_the_sign_in_page(game: Game) -> None:
    _, answer = refused_note(game, **{"hx-request": "true"})
    assert answer["HX-Redirect"] == f"{SIGN_IN}?next={address('notebook', game)}"
    assert Client().post(address("orders", game), headers={"hx-target": "saved"}).status_code == 401


BEHIND: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("thread", {"address": powers}) for powers in ("FRANCE+GERMANY", "gm+BRITAIN", "nobody", "everybody")),
    *((name, {}) for name in ("game", "proposals", "notebook", "gallery", "gm-extend", "ready", "statement")),
    ("vote", {"number": 1}),
    ("vacant", {"power": "TURKEY"}),
)
"""Addresses of a game by invitation."""


@pytest.mark.parametrize("ask", [Client.get, Client.post])
def test_a_stranger_learns_from_no_answer_what_exists(ask: Callable[[Client, str], Any]) -> None:
    hidden = running_game(name="Rapallo", by_invitation=True)
    for name, more in BEHIND:
        path = address(name, hidden, **more)
        real, none = ask(Client(), path), ask(Client(), path.replace(hidden.slug, "no-such-game"))
        assert real.status_code == none.status_code, path
        assert real.headers.get("Location", "").replace(hidden.slug, "no-such-game") == none.headers.get("Location", "")
        assert real.content.decode().replace(hidden.slug, "no-such-game") == none.content.decode(), path
    public = running_game()
    for powers in ("FRANCE+GERMANY", "nobody"):
        path = address("thread", public, address=powers)
        assert next_of(ask(Client(), path)) == path


def test_what_is_hidden_offers_to_sign_in_and_come_back() -> None:
    hidden = running_game(name="Rapallo", by_invitation=True)
    page = address("game", hidden)
    answer = Client().get(page)
    assert answer.status_code == 404
    assert f'<a class="button button--main" href="{SIGN_IN}?next={page}">' in answer.content.decode()


def test_the_way_back_survives_a_new_password_and_the_other_ways_to_sign_in(game: Game) -> None:
    person(ALICE)
    browser, page = Client(), address("notebook", game)
    shown = browser.get(page, follow=True).content.decode()
    assert shown.count(f'name="next" value="{page}"') == 2, "with a password and with a passkey"
    assert f"{reverse('account_signup')}?next=" in shown
    browser.post(reverse("account_reset_password"), {"email": f"{ALICE}@example.org"})
    (link,) = re.findall(r"http://testserver(/accounts/password/reset/key/\S+)", str(mail.outbox[-1].body))
    form = browser.get(link, follow=True)
    browser.post(form.request["PATH_INFO"], {"password1": "rusty anchors 7", "password2": "rusty anchors 7"})
    there = browser.post(SIGN_IN, {"login": ALICE, "password": "rusty anchors 7"})
    assert there["Location"] == page
    browser.get(page)
    browser.logout()
    assert browser.post(SIGN_IN, {"login": ALICE, "password": "rusty anchors 7"})["Location"] != page


def test_staying_signed_in_is_on_until_it_is_switched_off() -> None:
    person(DAVE)
    assert re.search(r'name="remember"[^>]* checked', Client().get(SIGN_IN).content.decode())
