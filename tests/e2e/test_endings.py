"""A game ends by agreement in its players' browsers, and then opens with the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.cast import PLAYERS
from tests.e2e.test_pages_everywhere import Visit, everything_wrong
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALICE, BOB = PLAYERS[:2]
PHONE: ViewportSize = {"width": 390, "height": 844}


def test_a_draw_is_proposed_agreed_and_told_with_chart_and_statements(browsers: Browsers) -> None:
    game = running_game(variant="balkan-battle", players=PLAYERS[:2])
    for _ in range(2):
        Story(game).deadline()
    page = reverse("games:game", kwargs={"slug": game.slug})
    alice, bob = browsers.of(ALICE), browsers.of(BOB, viewport=PHONE, color_scheme="dark")
    alice.goto(page)
    alice.get_by_role("link", name="End the game by agreement").click()
    alice.get_by_label("A draw between all remaining powers").check()
    alice.get_by_role("button", name="Propose this ending").click()
    expect(alice.get_by_text("You agree.", exact=True)).to_be_visible()
    bob.goto(page)
    bob.get_by_role("link", name="Vote").click()
    bob.get_by_role("button", name="Agree").click()
    verdict = "All players agreed on a draw between Austria and Turkey."
    expect(bob.get_by_role("heading", level=2, name="You share first place with Austria.")).to_be_visible()
    expect(bob.get_by_text(verdict, exact=True).first).to_be_visible()
    bob.get_by_label("Your statement").fill("A short war.")
    bob.get_by_role("button", name="Publish my statement").click()
    expect(bob.locator(".message__text")).to_have_text("A short war.")
    alice.goto(page)
    expect(alice.locator(".message__text")).to_have_text("A short war.")
    alice.get_by_role("link", name="Replay from the start").click()
    expect(alice.get_by_role("button", name="Pause")).to_be_visible()
    assert everything_wrong(Visit(browsers.of(BOB)), [page]) == ""
