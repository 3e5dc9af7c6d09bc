"""The site installed as an app: what it is made of, what it shows without a connection, and the number on its icon."""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import resolve, reverse
from playwright.sync_api import expect

from tests.cast import PLAYERS
from tests.e2e.sheet import saved_text
from tests.factories import occupancy_of, running_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEPT = "caches.open('offline').then(c => c.keys()).then(found => found.map(each => new URL(each.url).pathname))"
WORKS = "navigator.serviceWorker.ready.then(found => navigator.serviceWorker.controller && found.active.state)"


def size_of(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def installed(browsers: Browsers) -> Page:
    """A player’s browser, once the site's worker runs."""
    page = browsers.of(PLAYERS[0], service_workers="allow")
    page.goto(reverse("games:lobby"))
    page.wait_for_function(WORKS)
    return page


def test_the_site_can_be_installed(browsers: Browsers) -> None:
    page = browsers.of()
    page.goto(reverse("games:home"))
    errors = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert errors["url"].endswith(reverse("games:manifest"))
    assert errors["errors"] == []
    app = Client().get(reverse("games:manifest")).json()
    assert {icon["purpose"] for icon in app["icons"]} == {"any", "maskable"}
    for icon in app["icons"]:
        file = finders.find(icon["src"].removeprefix("/static/"))
        assert isinstance(file, str)
        width, height = size_of(Path(file).read_bytes())
        assert icon["sizes"] == f"{width}x{height}"
    starts = [resolve(address).url_name for address in (app["start_url"], *(each["url"] for each in app["shortcuts"]))]
    assert starts == ["home", "lobby", "notices"]


def test_without_a_connection_a_page_of_the_site_says_so_and_the_way_back_stays(browsers: Browsers) -> None:
    game = running_game()
    page = installed(browsers)
    asked = reverse("games:orders", kwargs={"slug": game.slug})
    page.context.set_offline(True)
    page.goto(asked)
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.button--main')).borderRadius") != "0px"
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("button", name="Save orders")).to_be_visible()
    assert page.url.endswith(asked)


def test_the_device_keeps_nothing_that_depends_on_who_is_signed_in(browsers: Browsers) -> None:
    game = running_game()
    page = installed(browsers)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    kept = set(page.evaluate(KEPT))
    assert {path for path in kept if not path.startswith("/static/")} == {reverse("games:offline")}
    assert page.evaluate("caches.keys()") == ["offline"]
    words = page.evaluate("caches.match('/offline/').then(found => found.text())")
    assert "No connection" in words
    assert PLAYERS[0] not in words
    links = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', words))
    assert links == kept - {reverse("games:offline")}, "all that the page is drawn with"
    for path in kept - {reverse("games:offline")}:
        assert isinstance(finders.find(path.removeprefix("/static/")), str)


def test_the_icon_carries_the_number_beside_the_bell(browsers: Browsers) -> None:
    running_game()
    page = browsers.of(PLAYERS[0])
    page.add_init_script("navigator.setAppBadge = (number) => { window.badge = number; };")
    page.goto(reverse("games:lobby"))
    shown = int(page.locator("[data-pulse] .unread").first.inner_text().split()[0])
    assert shown > 0
    assert page.evaluate("window.badge") == shown
    page.goto(reverse("games:notices"))
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.locator("[data-pulse] .unread")).to_have_count(0)
    assert page.evaluate("window.badge") == 0


OLD = """
const { supports } = CSS;
CSS.supports = (...asked) => !asked[0].startsWith("selector(:has") && supports(...asked);
"""


def test_a_browser_that_is_too_old_for_the_scripts_gets_the_page_that_needs_none(browsers: Browsers) -> None:
    game = running_game()
    page = browsers.of(occupancy_of(game, "GERMANY").user.username)
    page.add_init_script(OLD)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    assert page.locator(".js, .can-zoom, .takes-orders, .entry-bar").count() == 0
    page.get_by_label("All orders as text").fill("A Mun-Cze")
    with page.expect_navigation():
        page.get_by_role("button", name="Save the text").click()
    assert saved_text(game) == "A Mun-Cze"
