"""From the first screen of a phone into the waiting room of a game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from games.kernel.models import Game
from tests.cast import CAROL, PASSWORD, person
from tests.e2e.test_pages_everywhere import Visit, everything_wrong
from tests.factories import running_game, waiting_game

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE: ViewportSize = {"width": 390, "height": 844}
LEAST_OF_THE_MAP = 300
"""In pixels of height."""
SHARES = "navigator.share = (what) => { window.shared = what; return Promise.resolve(); };"


@pytest.mark.parametrize("is_played", [True, False])
def test_the_first_screen_of_a_phone_says_what_this_is_with_the_map(browsers: Browsers, *, is_played: bool) -> None:
    if is_played:
        running_game()
    page = browsers.of(viewport=PHONE)
    page.goto("/")
    said = page.locator(".hero > .stack").inner_text().lower()
    for word in ("board game", "negotiation", "free", "online", "deadline"):
        assert word in said
    sign_up = page.get_by_role("link", name="Sign up and play").bounding_box()
    shown = page.locator(".showcase .board-view").bounding_box()
    assert sign_up is not None
    assert shown is not None
    assert sign_up["y"] + sign_up["height"] < shown["y"] < PHONE["height"] - LEAST_OF_THE_MAP


def test_a_stranger_signs_up_from_a_game_loses_nothing_on_a_mistake_and_joins_it(browsers: Browsers) -> None:
    game = waiting_game(name="Locarno", wait_days=30)
    person("taken")
    page = browsers.of(viewport=PHONE)
    page.goto(f"/games/{game.slug}/")
    page.get_by_role("link", name="Sign up and join").click()
    name, password = page.get_by_label("Username", exact=True), page.get_by_label("Password", exact=True)
    name.fill("taken")
    page.get_by_label("Email address").fill("erin@example.org")
    password.fill(PASSWORD)
    page.get_by_role("button", name="Show").click()
    expect(password).to_have_attribute("type", "text")
    page.get_by_role("button", name="Hide").click()
    expect(password).to_have_attribute("type", "password")
    page.locator("main").get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("This username is already taken.")).to_be_visible()
    expect(page.get_by_label("Email address")).to_have_value("erin@example.org")
    expect(password).to_have_value(PASSWORD)
    name.fill("erin")
    page.locator("main").get_by_role("button", name="Sign up").click()
    page.locator("#join").get_by_role("button", name="Take a seat").click()
    room = page.get_by_role("region", name="Waiting room")
    expect(room).to_contain_text("erin")
    expect(room).to_contain_text("You’ll get an email when it starts.")


def test_the_link_is_copied_and_shared_from_the_waiting_room(browsers: Browsers) -> None:
    for invited in (False, True):
        game = waiting_game(name="Locarno", by_invitation=invited)
        page = browsers.of(CAROL, viewport=PHONE, permissions=["clipboard-read", "clipboard-write"])
        page.add_init_script(SHARES)
        page.goto(f"/games/{game.slug}/")
        room = page.get_by_role("region", name="Waiting room")
        link = room.get_by_label("Invitation link").input_value()
        assert link.endswith(f"/invitations/{game.invitation}/" if invited else f"/games/{game.slug}/")
        room.get_by_role("button", name="Copy").click()
        expect(room.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()") == link
        room.get_by_role("button", name="Share").click()
        assert page.evaluate("window.shared") == {"url": link}


def test_a_new_game_shows_its_creator_the_link_and_the_pages_on_the_way_are_whole(browsers: Browsers) -> None:
    page = browsers.of(CAROL)
    page.goto("/new-game/")
    page.get_by_label("Name", exact=True).fill("Stresa")
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_role("heading", name="Stresa", level=1)).to_be_visible()
    game = Game.objects.get()
    expect(page.get_by_label("Invitation link")).to_have_value(re.compile(f"/games/{game.slug}/$"))
    paths = ["/welcome/", "/games/?show=mine", f"/games/{game.slug}/"]
    assert everything_wrong(Visit(browsers.of(CAROL)), paths) == ""
