"""The game master's desk in a browser: each action through its control, and what everyone sees of it afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from games.deadlines.phases import hold_game, resume_held_game
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from games.kernel.models import Game
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DAY = 24 * 3600


def at(browsers: Browsers, name: str, page: str, game: Game) -> Page:
    """This person ("" a stranger) looking at a page of the game."""
    opened = browsers.of(name)
    opened.goto(reverse(f"games:{page}", kwargs={"slug": game.slug}))
    return opened


def newest_in_log(page: Page) -> Locator:
    return page.get_by_role("list", name="Public log").locator("li span").first


def test_the_game_master_puts_the_deadline_off_stops_the_clock_and_lets_it_run(browsers: Browsers) -> None:
    game = running_game()
    before = Story(game).seen_by(DAVE).game.deadline
    gm, eve = at(browsers, CAROL, "gm", game), browsers.of()
    gm.get_by_label("Extend by").select_option("1 day")
    gm.get_by_role("button", name="Extend the deadline").click()
    expect(gm.get_by_text("The deadline has moved.")).to_be_visible()
    expect(newest_in_log(gm)).to_have_text("carol moved the deadline for Spring 1926 by 1 day.")
    after = Story(game).seen_by(DAVE).game.deadline
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == DAY
    gm.get_by_label("Or move it to").fill("2026-01-01T10:00")
    gm.get_by_role("button", name="Move the deadline").click()
    expect(gm.get_by_text("Choose a moment after the current deadline").first).to_be_visible()
    expect(gm.get_by_label("Or move it to")).to_have_value("2026-01-01T10:00")
    gm.get_by_role("button", name="Pause the game").click()
    expect(gm.locator(".banner", has_text="The clock stands still")).to_be_visible()
    eve.goto(reverse("games:game", kwargs={"slug": game.slug}))
    expect(eve.locator(".banner", has_text="The clock stands still")).to_be_visible()
    expect(eve.locator(".clock")).to_contain_text("left when the game resumes")
    gm.get_by_role("button", name="Resume the game").click()
    expect(gm.get_by_text("The game has resumed.")).to_be_visible()
    eve.reload()
    expect(eve.locator(".banner", has_text="The clock stands still")).to_have_count(0)
    expect(eve.locator(".clock")).to_contain_text("Deadline")
    expect(newest_in_log(eve)).to_have_text("carol resumed the game.")


def test_a_new_player_gets_the_seat_with_a_blank_sheet(browsers: Browsers) -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Cze")
    person(DAVE)
    gm = at(browsers, CAROL, "gm", game)
    seats = gm.get_by_role("region", name="Seats", exact=True)
    seats.get_by_text("Change this seat… Germany").click()
    seats.get_by_label("Player name").locator("visible=true").fill("davy")
    seats.get_by_label("Reason").locator("visible=true").fill("Agreed.")
    seats.get_by_role("button", name="Assign the seat").click()
    expect(seats.get_by_text("There is no account named “davy”.")).to_be_visible()
    named = seats.get_by_label("Player name").locator("visible=true")
    expect(named).to_have_value("davy")
    named.fill(DAVE)
    seats.get_by_role("button", name="Assign the seat").click()
    expect(gm.get_by_text("dave has the seat.")).to_be_visible()
    log = gm.get_by_role("list", name="Public log")
    expect(log.get_by_text("carol gave Germany to dave.")).to_be_visible()
    dave = at(browsers, DAVE, "orders", game)
    expect(dave.get_by_text("you are Germany")).to_be_visible()
    expect(dave.get_by_label("All orders as text")).to_have_value("")


def test_permanent_civil_disorder_is_confirmed_and_seen_on_map_and_log(browsers: Browsers) -> None:
    game = running_game()
    player = occupancy_of(game, "GERMANY").user.username
    gm, eve = at(browsers, CAROL, "gm", game), at(browsers, "", "game", game)
    expect(eve.locator('[data-unit="MUN"][data-colour="3"]')).to_have_count(1)
    seats = gm.get_by_role("region", name="Seats", exact=True)
    disorder = seats.get_by_role("link", name="Permanent civil disorder…")
    seats.get_by_text("Change this seat… Germany").click()
    disorder.click()
    expect(gm.get_by_role("heading", name="Put Germany into permanent civil disorder?")).to_be_visible()
    expect(gm.get_by_text(f"again, and {player} is out of the game")).to_be_visible()
    gm.get_by_role("link", name="Cancel").click()
    seats.get_by_text("Change this seat… Germany").click()
    disorder.click()
    gm.get_by_role("button", name="Declare permanent civil disorder").click()
    expect(gm.get_by_text("Germany is in permanent civil disorder.").first).to_be_visible()
    expect(seats.get_by_text("Change this seat… Germany")).to_have_count(0)
    eve.reload()
    expect(eve.locator('[data-unit="MUN"][data-colour="minor"]')).to_have_count(1)
    expect(eve.locator('.unit[data-unit][data-colour="3"]')).to_have_count(0)
    expect(eve.get_by_role("row", name="Germany")).to_contain_text("permanent civil disorder")
    expect(newest_in_log(eve)).to_have_text("carol declared Germany to be in permanent civil disorder.")


def test_a_held_game_says_so_to_everybody_and_goes_on(browsers: Browsers) -> None:
    game = running_game()
    incident = hold_game(game_id=game.pk)
    player = occupancy_of(game, "GERMANY").user.username
    seen = [at(browsers, *where, game) for where in (("", "game"), (CAROL, "gm"), (player, "orders"))]
    for page in seen:
        expect(page.locator(".banner--bad:visible")).to_contain_text("The game is on hold.")
        expect(page.locator(".banner--bad:visible")).to_contain_text(f"incident {incident}")
    resume_held_game(game_id=game.pk)
    for page in seen:
        page.reload()
        expect(page.locator(".banner--bad:visible")).to_have_count(0)


def test_the_game_master_goes_back_and_everybody_finds_what_was_undone(browsers: Browsers) -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    story.deadline()
    gm = at(browsers, CAROL, "gm", game)
    gm.get_by_role("button", name="Go back to this phase…").click()
    expect(gm.get_by_role("heading", name="Go back to Spring 1926, movement?")).to_be_visible()
    gm.get_by_role("button", name="Go back to Spring 1926, movement").click()
    expect(gm.get_by_text("Give a reason. It appears in the public log.", exact=True)).to_be_visible()
    gm.get_by_label("Reason").fill("The map was wrong.")
    gm.get_by_role("button", name="Go back to Spring 1926, movement").click()
    expect(gm.get_by_text("Done. Everyone is told, and it’s in the public log.")).to_be_visible()
    expect(gm.locator(".game-head")).to_contain_text("Spring 1926")
    eve = at(browsers, "", "history", game)
    eve.get_by_role("link", name="Undone phases").click()
    expect(eve.get_by_text("The map was wrong.")).to_be_visible()
    eve.get_by_text("Spring 1926, movement undone").click()
    expect(eve.get_by_text("A Mun–Cze")).to_be_visible()
    german = at(browsers, occupancy_of(game, "GERMANY").user.username, "orders", game)
    expect(german.get_by_label("All orders as text")).to_have_value("A Mun-Cze")


def test_the_position_is_changed_by_a_tap_on_the_map_and_the_writer_learns_what_no_longer_fits(
    browsers: Browsers,
) -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Ber H")
    gm = at(browsers, CAROL, "gm", game)
    gm.get_by_role("link", name="Change the position…").click()
    expect(gm.locator(".board-view.takes-orders")).to_be_visible()
    gm.locator('[data-unit="BER"]').click()
    expect(gm.get_by_role("heading", name="Berlin")).to_be_visible()
    gm.get_by_label("Unit").select_option("nothing")
    gm.get_by_role("button", name="Add to the draft").click()
    expect(gm.get_by_text("Berlin: nothing instead of German army.")).to_be_visible()
    expect(gm.locator('[data-unit="BER"]')).to_have_count(0)
    gm.get_by_label("Reason").fill("It never stood there.")
    gm.get_by_role("button", name="Change the position").click()
    expect(gm.get_by_text("The position has changed.")).to_be_visible()
    german = at(browsers, occupancy_of(game, "GERMANY").user.username, "orders", game)
    expect(german.get_by_text("The position has changed since you saved")).to_be_visible()
