"""The lists of games: where each part of a row leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.turns import Turn
from tests.cast import CAROL, PLAYERS
from tests.factories import open_phase, running_game
from tests.press.test_press import say

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALICE, BOB, FRITZ = PLAYERS[:3]


@pytest.mark.parametrize("viewport", [{"width": 390, "height": 844}, {"width": 1440, "height": 900}])
def test_a_name_leads_to_the_board_the_number_to_the_messages_and_the_game_master_to_a_profile(
    browsers: Browsers, viewport: ViewportSize
) -> None:
    game = running_game(name="Locarno", variant="three-way-balkan-battle", players=PLAYERS[:3], press="full")
    turn = Turn.from_code(open_phase(game).turn).title
    say(game, BOB, "Good morning")
    board, talk = (reverse(f"games:{page}", args=[game.slug]) for page in ("game", "talk"))
    page = browsers.of(ALICE, viewport=viewport)
    for what, address in (
        (page.get_by_role("link", name="Locarno", exact=True), board),
        (page.get_by_text(turn), board),
        (page.get_by_role("link", name=CAROL), reverse("games:person", args=[CAROL])),
        (page.get_by_role("link", name="1 unread message"), talk),
    ):
        page.goto(reverse("games:lobby"))
        box = what.first.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page).to_have_url(address)


def test_the_tabs_of_a_game_and_of_the_lists_fit_on_a_phone(browsers: Browsers) -> None:
    game = running_game(variant="three-way-balkan-battle", players=PLAYERS[:3], press="full")
    say(game, BOB, "Good morning")
    page = browsers.of(ALICE, viewport={"width": 390, "height": 844})
    for address, tabs in ((reverse("games:game", args=[game.slug]), ".game-nav"), (reverse("games:lobby"), ".tabs")):
        page.goto(address)
        assert page.locator(f"{tabs} > a").count() >= 4
        assert page.locator(tabs).evaluate("it => new Set([...it.children].map(tab => tab.offsetTop)).size") == 1
