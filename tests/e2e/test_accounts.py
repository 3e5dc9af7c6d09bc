"""Accounts and new games, from the first visit on, through the forms and the emails."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from django.core import mail
from playwright.sync_api import expect

from games.deadlines.options import EarlyEnd, PhaseLengths
from games.kernel.models import Game
from games.sealed.options import BidsAtEnd
from tests.cast import CAROL, DAVE, PASSWORD, PLAYERS, person
from tests.factories import waiting_game

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from pytest_django.fixtures import Settings
    from pytest_django.live_server_helper import LiveServer

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NEW_PASSWORD = "another long walk home"


def sign_in(page: Page, name: str, password: str) -> None:
    page.goto("/")
    page.get_by_role("navigation", name="Account").get_by_role("link", name="Sign in").click()
    page.get_by_label("Username or email address").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.locator("main").get_by_role("button", name="Sign in").click()


def expect_signed_in(page: Page, name: str) -> None:
    expect(page.get_by_role("navigation", name="Account").get_by_role("link", name=name)).to_be_visible()


def test_a_stranger_signs_up_signs_out_and_signs_in_again(browsers: Browsers) -> None:
    page = browsers.of()
    page.goto("/")
    page.get_by_role("link", name="Sign up and play").click()
    page.get_by_label("Username", exact=True).fill("erin")
    page.get_by_label("Email address").fill("erin@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("What would you like to do first?")).to_be_visible()
    expect_signed_in(page, "erin")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    sign_in(page, "erin", "not my password")
    expect(page.get_by_role("alert")).to_contain_text("not correct")
    expect(page.get_by_label("Username or email address")).to_have_value("erin")
    sign_in(page, "erin", PASSWORD)
    expect_signed_in(page, "erin")


def test_a_forgotten_password_is_replaced_by_the_link_in_a_letter(
    browsers: Browsers, live_server: LiveServer, settings: Settings
) -> None:
    settings.SITE_ADDRESS = live_server.url
    person(DAVE)
    page = browsers.of()
    page.goto("/accounts/login/")
    page.locator("main").get_by_role("link", name=re.compile("Forgot")).first.click()
    page.get_by_label("Email address").fill("dave@example.org")
    page.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_role("heading", name="Check your email")).to_be_visible()
    (letter,) = mail.outbox
    assert letter.to == ["dave@example.org"]
    (link,) = re.findall(r"https?://\S+", str(letter.body))
    page.goto(link)
    page.get_by_label("New password", exact=True).fill(NEW_PASSWORD)
    page.get_by_label("New password (again)").fill(NEW_PASSWORD)
    page.locator("main").get_by_role("button").click()
    expect(page.get_by_role("heading", name="Your password has been changed")).to_be_visible()
    sign_in(page, DAVE, PASSWORD)
    expect(page.get_by_role("alert")).to_contain_text("not correct")
    sign_in(page, DAVE, NEW_PASSWORD)
    expect_signed_in(page, DAVE)


def test_a_game_created_with_a_mistake_keeps_what_was_chosen(browsers: Browsers) -> None:
    page = browsers.of(CAROL)
    page.goto("/new-game/")
    page.get_by_label("Name", exact=True).fill("x")
    page.get_by_label("Custom").check()
    page.get_by_label("Orders", exact=True).select_option("2 days")
    page.locator("summary", has_text="The game master’s part").click()
    page.get_by_label("Players with the invitation link").check()
    page.get_by_label("I only run the game").check()
    page.get_by_label("Published at the end").check()
    page.locator("summary", has_text="Ending a phase early").click()
    page.get_by_label("When all players are ready").check()
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_role("alert")).to_contain_text("The name must have 3 to 80 characters.")
    expect(page.get_by_label("Name", exact=True)).to_have_value("x")
    expect(page.get_by_label("Orders", exact=True)).to_have_value(str(2 * 24 * 3600))
    for chosen in ("Custom", "Players with the invitation link", "I only run the game", "Published at the end"):
        expect(page.get_by_label(chosen)).to_be_checked()
    expect(page.get_by_label("When all players are ready")).to_be_checked()
    page.get_by_label("Name", exact=True).fill("Stresa")
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_role("heading", name="Stresa", level=1)).to_be_visible()
    game = Game.objects.get()
    assert game.by_invitation
    assert game.options[PhaseLengths].movement_seconds == 2 * 24 * 3600
    assert game.options[EarlyEnd].all_ready
    assert game.options[BidsAtEnd].open_bids_at_end


def test_who_has_the_link_of_a_game_by_invitation_sits_down_and_stands_up(browsers: Browsers) -> None:
    game = waiting_game(by_invitation=True)
    gm, alice = browsers.of(CAROL), browsers.of(PLAYERS[0])
    alice.goto(f"/games/{game.slug}/")
    expect(alice.get_by_role("heading", name="There’s nothing here")).to_be_visible()
    gm.goto(f"/games/{game.slug}/gm/")
    link = urlsplit(gm.get_by_role("textbox", name="Invitation link").input_value()).path
    alice.goto(link)
    alice.get_by_role("link", name="Take a seat").click()
    alice.locator("label.pick", has_text="Turkey").click()
    alice.get_by_role("button", name="Take a seat").click()
    expect(alice.get_by_text("you are Turkey")).to_be_visible()
    alice.get_by_role("button", name="Leave my seat").click()
    expect(alice.get_by_text("You have left the game.")).to_be_visible()
    alice.goto(link)
    expect(alice.get_by_role("link", name="Take a seat")).to_be_visible()
