"""From the home page into a game against bots with one tap, to its end, and to an account that keeps it."""

from __future__ import annotations

import re
import time
from base64 import b64decode
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.notation import write_sheet
from adjudication.options import must_decide
from games.kernel import codec
from games.kernel.models import OVER, Game
from games.orders.services import set_ready
from tests.cast import PASSWORD
from tests.e2e.evening import Hand
from tests.e2e.map import PHONE, bar, save_by_map, show_map, tap
from tests.e2e.people import Browsers
from tests.e2e.speed import phone
from tests.e2e.weighing import Scales, served_packed
from tests.factories import occupancy_of, open_phase
from tests.practice.table import bots_play, seat_of
from tests.story import Story
from variants.bots import Level, play

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BUTTON = "Play a bot now"
PATIENCE_SECONDS = 30


def newest() -> Game:
    return Game.objects.filter(practice=True).latest("pk")


def film(scales: Scales, folder: Path) -> None:
    """Keep every picture of the page from now on in this folder, named by its moment."""
    folder.mkdir()

    def keep(frame: dict[str, Any]) -> None:
        moment = frame["metadata"]["timestamp"]
        (folder / f"{moment:.3f}.jpeg").write_bytes(b64decode(frame["data"]))
        scales.line.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    scales.line.on("Page.screencastFrame", keep)
    scales.line.send("Page.startScreencast", {"format": "jpeg", "maxWidth": 390, "maxHeight": 844})


def first_move(game: Game) -> tuple[str, str]:
    """A unit of the person, and a place that it can move to."""
    order_sheet = Story(game).seen_by(seat_of(game).user.username).order_sheet
    assert order_sheet is not None
    row = order_sheet.rows[0]
    goal = next(words[1] for it in row.choices if len(words := it.value.split(" - ")) > 1)
    return row.location, goal.partition("/")[0]


def test_a_stranger_with_a_slow_phone_gives_a_first_order_within_half_a_minute(
    chromium: Browser, tmp_path: Path
) -> None:
    with served_packed(tmp_path) as address:
        people = Browsers(chromium, address)
        page, scales = phone(people, "")
        film(scales, tmp_path / "film")
        began = time.monotonic()
        page.goto("/")
        page.get_by_role("link", name=BUTTON).tap()
        page.get_by_role("button", name="Start the game").tap()
        expect(page.get_by_text("Choose a unit on the map, then where it should go.")).to_be_visible()
        show_map(page)
        tap(page, *first_move(newest()))
        save_by_map(page)
        took = time.monotonic() - began
        expect(bar(page)).to_contain_text("Orders saved")
        people.close()
    assert took < PATIENCE_SECONDS
    assert len(list((tmp_path / "film").iterdir())) > 1


def play_on(page: Page, game: Game) -> None:
    """The person gives orders that a program has chosen, and is ready. It plays better than the bot, as two who play
    alike may go on for ever."""
    phase, seat = open_phase(game), seat_of(game)
    position, variant = codec.position_of(phase), codec.variant_of(game)
    text = write_sheet(play(seat.seat.power, position, variant.ruleset, phase.ordinal, Level.MEDIUM), position)
    page.goto(reverse("games:orders", args=[game.slug]))
    if page.get_by_role("button", name="I’m ready").count():
        page.get_by_label("All orders as text").fill(text)
        page.get_by_role("button", name="Save the text").click()
        page.get_by_role("button", name="I’m ready", exact=True).click()
        if page.get_by_role("button", name="I’m ready all the same").count():
            page.get_by_role("button", name="I’m ready all the same").click()
        expect(page).to_have_url(f"{page.url.partition('/games/')[0]}{reverse('games:game', args=[game.slug])}")


def test_a_whole_game_is_played_to_its_end_and_kept_by_signing_up(
    browsers: Browsers, sweep: Callable[[], None]
) -> None:
    page = browsers.of(java_script_enabled=False)
    page.goto("/")
    page.get_by_role("link", name=BUTTON).click()
    page.get_by_text("another board").click()
    page.get_by_role("link", name="Balkan Battle", exact=True).click()
    page.get_by_role("button", name="Start the game").click()
    game = newest()
    expect(page.get_by_text("Guest", exact=True)).to_be_visible()
    while game.status not in OVER:
        bots_play(game)
        play_on(page, game)
        sweep()
        game.refresh_from_db()
    page.goto(reverse("games:game", args=[game.slug]))
    expect(page.get_by_text(game.verdict_sentence, exact=True).first).to_be_visible()
    page.get_by_role("link", name="Sign up to keep this game").last.click()
    page.get_by_label("Username").fill("erin")
    page.get_by_label("Email address").fill("erin@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text(game.verdict_sentence, exact=True).first).to_be_visible()
    expect(page.get_by_role("link", name="erin")).to_be_visible()
    assert seat_of(game).user.username == "erin"
    page.get_by_role("button", name=re.compile("Play (again|a stronger bot)")).first.click()
    assert newest() != game
    assert seat_of(newest()).user.username == "erin"


MOST_TAPS = 90


def test_a_stranger_wins_a_first_game_by_touch_alone(
    browsers: Browsers, sweep: Callable[[], None], tmp_path: Path
) -> None:
    """From the home page to “You won.”, filmed; the bot plays the same way every time."""
    page = browsers.of("", **PHONE)
    film(Scales(page), tmp_path / "film")
    hand = Hand(page, by_touch=True)
    page.goto("/")
    hand.link(page.get_by_role("link", name=BUTTON))
    hand.link(page.get_by_text("another board"))
    hand.link(page.get_by_role("link", name="Balkan Battle", exact=True))
    hand.link(page.get_by_role("button", name="Start the game"))
    expect(page.get_by_text("Choose a unit on the map, then where it should go.")).to_be_visible()
    game = newest()
    while game.status not in OVER:
        phase = open_phase(game)
        position, ruleset = codec.position_of(phase), codec.variant_of(game).ruleset
        for seat in must_decide(position, ruleset):
            if seat == seat_of(game).seat.power:
                continue
            Story(game).order(seat, write_sheet(play(seat, position, ruleset, phase.ordinal), position))
            set_ready(occupancy_id=occupancy_of(game, seat).pk, ordinal=phase.ordinal, ready=True)
        mine = play(seat_of(game).seat.power, position, ruleset, phase.ordinal, Level.MEDIUM)
        show_map(page)
        for order in mine.orders:
            hand.order(order, position)
        hand.button(page.locator("[data-save]"))
        expect(bar(page)).to_contain_text("Orders saved")
        hand.link(page.get_by_role("button", name="I’m ready"))
        page.wait_for_url(f"**{reverse('games:game', args=[game.slug])}")
        sweep()
        game.refresh_from_db()
        page.goto(reverse("games:game" if game.status in OVER else "games:orders", args=[game.slug]))
    expect(page.get_by_role("heading", name="You won.")).to_be_visible()
    expect(page.get_by_role("button", name="Play a stronger bot")).to_be_visible()
    assert hand.taps < MOST_TAPS
    assert len(list((tmp_path / "film").iterdir())) > 1
