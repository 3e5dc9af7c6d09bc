"""The history in a browser: the replay runs, pauses, keeps the address in step, and ends at the last phase."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.cast import PLAYERS
from tests.e2e import acts
from tests.e2e.map import PHONE, SETTLED
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Route

    from games.kernel.models import Game
    from tests.e2e.people import Browsers

SLOW_MS = 6_000

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def played(phases: int = 3) -> Game:
    """That many closed phases, the first with orders."""
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Cze", "A Ber-Sil")
    for _ in range(phases):
        Story(game).deadline()
    return game


def path_of(game: Game, ordinal: int) -> str:
    return reverse("games:phase", kwargs={"slug": game.slug, "ordinal": ordinal})


def test_the_replay_goes_from_the_history_to_the_last_phase_and_stops(browsers: Browsers) -> None:
    game = played()
    page = browsers.of()
    held: list[Route] = []
    asked_for = re.compile(rf"{path_of(game, 1)}(\?|$)")
    page.route(asked_for, lambda route: held.append(route))  # noqa: PLW0108 - playwright marks its arguments
    page.goto(reverse("games:history", kwargs={"slug": game.slug}))
    page.get_by_role("link", name="Replay from the start").click()
    expect(page.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".board-title")).to_contain_text("Spring 1926")
    acts.comes_to(page, lambda: len(held), 1)
    held[0].continue_()
    page.get_by_label("Speed").select_option("fast")
    page.wait_for_url(f"**{path_of(game, 2)}")
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".timeline a[aria-current=page]")).to_have_count(1)
    page.reload()
    expect(page.locator(".board-title")).to_contain_text("1927")


def test_on_a_phone_the_replay_shows_the_whole_board_and_a_phase_the_part_with_its_units(browsers: Browsers) -> None:
    game = played()
    page = browsers.of(PLAYERS[0], **PHONE)
    whole = page.locator(".can-zoom.is-whole")
    page.goto(path_of(game, 0))
    expect(page.locator(".can-zoom")).to_be_attached()
    page.evaluate(SETTLED)
    expect(whole).not_to_be_attached()
    page.goto(reverse("games:history", kwargs={"slug": game.slug}))
    page.get_by_role("link", name="Replay from the start").click()
    expect(whole).to_be_attached()
    page.get_by_label("Speed").select_option("fast")
    page.wait_for_url(f"**{path_of(game, 2)}")
    expect(whole).to_be_attached()


def test_the_replay_pauses_where_it_is_and_the_arrow_keys_step(browsers: Browsers) -> None:
    game = played()
    page = browsers.of()
    page.clock.install()
    page.goto(path_of(game, 0))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/phases/" in request.url else None)
    page.get_by_label("Speed").select_option("slow")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(10 * SLOW_MS)
    page.evaluate(SETTLED)
    assert asked == []
    assert page.url.endswith(path_of(game, 0))
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**{path_of(game, 1)}")
    page.keyboard.press("Home")
    page.wait_for_url(f"**{path_of(game, 0)}")


def test_a_phase_is_printed_on_one_sheet(browsers: Browsers) -> None:
    game = played(1)
    page = browsers.of()
    page.goto(reverse("games:print", kwargs={"slug": game.slug, "ordinal": 0}))
    paper = page.pdf(prefer_css_page_size=True, print_background=True)
    assert paper.count(b"/Type /Page\n") == 1
    expect(page.get_by_text("A Mun–Cze")).to_be_visible()


def test_without_scripts_every_phase_is_a_step_away(browsers: Browsers) -> None:
    game = played()
    page = browsers.of(java_script_enabled=False)
    page.goto(path_of(game, 0))
    expect(page.locator("[data-replay]")).to_be_hidden()
    page.get_by_role("link", name="Next phase").click()
    page.wait_for_url(f"**{path_of(game, 1)}")
    expect(page.get_by_role("link", name="Map as PNG")).to_be_visible()
