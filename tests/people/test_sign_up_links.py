"""A site by invitation: people sign up with a moderator's link, or with an email that invites them to a seat."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from games.people.models import SignUpLink
from games.people.sign_up import make_sign_up_link, withdraw_sign_up_link
from games.seating.models import MailedInvitation
from games.seating.services.placing import send_email_invitation
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PASSWORD, person
from tests.factories import powers_of, waiting_game
from tests.people.test_moderation import moderator, words

pytestmark = pytest.mark.django_db
PAGE, SIGN_UP = reverse("games:sign-up-links"), reverse("account_signup")
CLOSED = "You need an invitation to sign up"


@pytest.fixture(autouse=True)
def by_invitation(settings: Settings) -> None:
    settings.SIGN_UP = "invitation"


def signs_up(browser: Client, name: str = "erin") -> Any:
    return browser.post(SIGN_UP, {"username": name, "email": f"{name}@example.org", "password1": PASSWORD})


def has_account(name: str) -> bool:
    return get_user_model().objects.filter(username=name).exists()


def opened(path: str) -> Client:
    browser = Client()
    browser.get(path)
    return browser


def a_link() -> str:
    make_sign_up_link(by=person(DAVE).pk, purpose="The club")
    return reverse("games:sign-up", args=[SignUpLink.objects.latest("pk").secret])


def test_without_an_invitation_no_one_signs_up_and_the_page_says_what_is_needed() -> None:
    assert CLOSED in words(Client().get(SIGN_UP))
    assert CLOSED in words(signs_up(Client()))
    assert CLOSED in words(signs_up(opened(reverse("games:sign-up", args=["made-up"]))))
    assert not has_account("erin")


def test_a_moderators_link_lets_any_number_of_people_in_until_it_is_withdrawn() -> None:
    dave = moderator()
    assert "Write who the link is for" in words(dave.post(PAGE, {"purpose": ""}))
    page = words(dave.post(PAGE, {"purpose": "The Thursday club"}, follow=True))
    assert "used 0 times" in page or "used never" in page
    address = re.search(r'value="https?://[^/]+(/sign-up/[^"]+)"', page)
    assert address is not None
    for name in ("erin", "fred"):
        browser = Client()
        assert browser.get(address[1]).headers["Location"] == SIGN_UP
        signs_up(browser, name)
        assert has_account(name)
    link = SignUpLink.objects.get()
    assert (link.used, link.by, link.purpose) == (2, person(DAVE), "The Thursday club")
    late = opened(address[1])
    dave.post(reverse("games:withdraw-link", args=[link.pk]))
    for browser in (late, opened(address[1])):
        assert CLOSED in words(signs_up(browser, "gina"))
    assert not has_account("gina")
    again = dave.post(reverse("games:withdraw-link", args=[link.pk]), follow=True)
    assert "This link has already been withdrawn." in words(again)


def test_withdrawing_one_link_leaves_the_others() -> None:
    one, other = a_link(), a_link()
    withdraw_sign_up_link(number=SignUpLink.objects.earliest("pk").pk)
    signs_up(opened(one), "erin")
    signs_up(opened(other), "fred")
    assert [has_account(name) for name in ("erin", "fred")] == [False, True]


def test_an_email_that_invites_to_a_seat_lets_its_reader_in_while_it_is_open() -> None:
    game = waiting_game()
    send_email_invitation(game_id=game.pk, by=person(CAROL).pk, power=powers_of(game)[0], email="erin@example.org")
    row = MailedInvitation.objects.get()
    browser, late = (opened(reverse("games:mailed", args=[row.token])) for _ in range(2))
    signs_up(browser)
    assert has_account("erin")
    row.delete()
    signs_up(late, "fred")
    assert not has_account("fred")


def test_only_moderators_see_the_links() -> None:
    a_link()
    assert visitor("gina").get(PAGE).status_code == 404
    assert Client().get(PAGE).status_code == 302
