"""Open pages show what has happened without reloading: from events, or without them by asking."""

from __future__ import annotations

import re
import signal
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from diplomacy_site.embedded import places
from diplomacy_site.embedded.valkey import Valkey
from diplomacy_site.settings.servers import caches
from games.kernel import clock, live_tickets
from games.kernel.models import Phase
from games.mastering.services.desk import extend_deadline, pause_game
from games.seating.services.new_game import take_seat
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.e2e.acts import bid, choose, save, write
from tests.e2e.map import PHONE, SETTLED
from tests.e2e.people import Browsers
from tests.e2e.sheet import BERLIN, HAMBURG, MUNICH, attack_munich, besieged
from tests.factories import occupancy_of, running_game, waiting_game
from tests.press.test_press import say
from tests.served import PATIENCE_SECONDS, served
from tests.story import Story
from tests.tournaments.made import seated, tournament

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import APIResponse, Browser, Locator, Page, Response, Route
    from pytest_django.fixtures import Settings

    from games.kernel.models import Game

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALICE, BOB, FRITZ = PLAYERS[:3]
MOVED = re.compile("translate")
ASKED_FOR_MS = 40_000
"""A page without events asks every five seconds when the deadline is near."""
HEARS_AGAIN_MS = 100_000
"""A page that could not listen tries again after pauses of at most a minute."""


@pytest.fixture
def people(chromium: Browser, tmp_path: Path) -> Iterator[Browsers]:
    """Browsers at a site that sends events."""
    with served(tmp_path / "web.log") as address:
        opened = Browsers(chromium, address)
        yield opened
        opened.close()


def page_of(game: Game, name: str = "game", **where: object) -> str:
    return reverse(f"games:{name}", kwargs={"slug": game.slug, **where})


def open_and_hear(page: Page, path: str) -> Page:
    """Open a page and wait until it gets events: it asks once when it starts listening."""
    with page.expect_response("**/pulse/**"):
        page.goto(path)
    return page


def played() -> Game:
    """No deadline is near, so that pages ask only every twenty seconds."""
    game = running_game()
    Story(game).order("BRITAIN", "F Lon-NTH")
    return game


def near(game: Game) -> Game:
    """Its deadline is so near that pages without events ask every five seconds."""
    Phase.objects.filter(game=game, closed__isnull=True).update(deadline=clock.now() + timedelta(seconds=100))
    return game


def unit(page: Page, place: str) -> Locator:
    return page.locator(f'#board .unit[data-unit="{place}"]')


def test_everybody_who_looks_sees_the_new_position_without_loading_it(people: Browsers) -> None:
    game = played()
    alice, dave = people.of(ALICE), people.of(DAVE)
    for page in (alice, dave):
        open_and_hear(page, page_of(game))
        expect(page.locator("#clock")).to_contain_text("Spring 1926 · Movement")
        expect(unit(page, "LON")).to_have_count(1)
        page.evaluate("window.neverLeft = true")
    Story(game).deadline()
    for page in (alice, dave):
        expect(page.locator("#clock")).to_contain_text("Fall 1926 · Movement")
        expect(unit(page, "LON")).to_have_count(0)
        expect(unit(page, "NTH").locator("title")).to_have_text("British fleet in the North Sea")
        expect(page.get_by_role("status").filter(has_text="Fall 1926 · Movement")).to_be_attached()
        assert page.evaluate("window.neverLeft")


def test_the_hall_shows_what_happens_at_every_table_without_being_loaded(people: Browsers) -> None:
    one, other, made = played(), running_game(name="Paris"), tournament()
    seated(made, one, other)
    page = people.of(DAVE)
    page.goto(reverse("games:hall", args=[made.slug]))
    first, second = (page.locator(".hall__table", has_text=f"Table {number}") for number in (1, 2))
    expect(first).to_contain_text("Spring 1926")
    page.evaluate("window.neverLeft = true")
    Story(one).deadline()
    expect(first).to_contain_text("Fall 1926")
    pause_game(game_id=other.pk, by=person(CAROL).pk)
    expect(second).to_contain_text("Paused")
    expect(first.locator("[data-countdown]")).to_contain_text("left")
    assert page.evaluate("window.neverLeft")


def test_a_new_position_comes_onto_the_map_that_its_reader_has_moved(people: Browsers) -> None:
    game = played()
    Story(game).deadline()
    page = open_and_hear(people.of(ALICE, **PHONE), page_of(game))
    page.get_by_role("button", name="Zoom in").tap()
    page.get_by_text("Key to the map").click()
    place = page.locator("#board .board-view .board")
    expect(place).to_have_attribute("style", MOVED)
    page.locator("#board .board-view").focus()
    page.keyboard.press("ArrowRight")
    page.evaluate(SETTLED)
    before = place.get_attribute("style")
    page.evaluate("""() => {
      document.querySelector("#board .ground").dataset.old = "";
      for (const land of document.querySelectorAll("#board [data-colour='1']")) land.dataset.colour = "8";
    }""")
    Story(game).order("BRITAIN", "F NTH-Hel")
    Story(game).deadline()
    expect(page.locator("#mine")).to_contain_text("Fall 1926")
    expect(page.locator("#board .ground[data-old]")).to_be_attached()
    expect(unit(page, "NTH")).to_have_count(0)
    expect(unit(page, "HEL")).to_have_count(1)
    expect(place).to_have_attribute("aria-label", re.compile("Winter|1927"))
    expect(place).to_have_attribute("style", before or "")
    expect(page.locator("#board .signs[open]")).to_be_attached()
    expect(page.locator("#board .board-view")).to_be_focused()
    shown = {shape: colour for shape, colour in colours(page).items() if colour != "sea"}
    page.reload()
    assert {shape: colour for shape, colour in colours(page).items() if colour != "sea"} == shown


def colours(page: Page) -> dict[str, str]:
    """The colour of every shape on the ground of the board."""
    expect(page.locator("#board .can-zoom")).to_be_attached()
    found: dict[str, str] = page.locator("#board .ground [data-colour]").evaluate_all(
        "shapes => Object.fromEntries(shapes.map((shape, index) => [index, shape.dataset.colour]))"
    )
    return found


@pytest.mark.parametrize("minutes", [-10, 10])
def test_a_countdown_follows_the_clock_of_the_site_and_not_that_of_its_reader(people: Browsers, minutes: int) -> None:
    game = running_game()
    page = people.of(PLAYERS[0])
    page.add_init_script(f"const now = Date.now.bind(Date); Date.now = () => now() + {minutes * 60_000};")
    for name in ("orders", "game"):
        page.goto(reverse(f"games:{name}", kwargs={"slug": game.slug}))
        expect(page.locator("[data-countdown]").first).to_have_text(re.compile(r"^23 hours 5[89] minutes left$"))


def test_units_go_along_arrows_unless_their_reader_wants_no_motion(people: Browsers) -> None:
    game = played()
    moving, still = people.of(ALICE), people.of(BOB, reduced_motion="reduce")
    for page in (moving, still):
        open_and_hear(page, page_of(game))
        page.evaluate("""() => {
            window.travelled = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...how) {
                window.travelled += 1;
                return animate.apply(this, how);
            };
            document.addEventListener("htmx:load", (event) => setTimeout(() => {
                if (event.target.querySelector?.("#board")) document.documentElement.dataset.redrawn = "";
            }));
        }""")
    Story(game).deadline()
    for page, units in ((moving, 1), (still, 0)):
        expect(page.locator("html[data-redrawn]")).to_be_attached()
        expect(unit(page, "NTH")).to_have_count(1)
        assert page.evaluate("window.travelled") == units


def test_a_whole_turn_is_played_in_two_open_browsers(people: Browsers) -> None:
    game = besieged()
    table = open_and_hear(people.of(BOB), page_of(game))
    sheet = open_and_hear(people.of(occupancy_of(game, "GERMANY").user.username), page_of(game, "orders"))
    table.evaluate("window.neverLeft = true")
    choose(sheet, MUNICH, "Move", "Bur")
    bid(sheet, 0, "AUS", "2", "Hold")
    save(sheet)
    attack_munich(game)
    judged(game, sheet)
    expect(unit(table, "MUN")).to_have_count(2)
    choose(sheet, MUNICH, "A Mun retreats to Ber")
    save(sheet)
    judged(game, sheet)
    expect(unit(table, "BER").locator("title")).to_have_text(BERLIN)
    choose(sheet, "Build in Hamburg", "Build F Ham")
    save(sheet)
    judged(game, sheet)
    expect(unit(table, "HAM").locator("title")).to_have_text(HAMBURG)
    expect(sheet.get_by_label(HAMBURG)).to_be_visible()
    assert table.evaluate("window.neverLeft")


def judged(game: Game, sheet: Page) -> None:
    """The phase ends; players with an open order page see its result, and go on from there."""
    Story(game).deadline()
    expect(sheet.locator("#mine")).to_be_visible()
    open_and_hear(sheet, page_of(game, "orders"))


def test_an_order_page_says_so_and_keeps_what_is_typed(people: Browsers) -> None:
    game = played()
    page = open_and_hear(people.of(FRITZ), page_of(game, "orders"))
    write(page, "A Mun-Cze\nA Ber what was I")
    Story(game).deadline()
    news = page.get_by_role("alert").filter(has_text="The phase has just ended.")
    expect(news).to_contain_text("Anything you’ve typed since then is still here but hasn’t been saved")
    expect(page.locator("#clock")).to_contain_text("Fall 1926")
    expect(page.get_by_label("All orders as text")).to_have_value("A Mun-Cze\nA Ber what was I")
    page.on("dialog", lambda dialog: dialog.accept())
    news.get_by_role("link", name="Show the new position").click()
    expect(page.get_by_role("heading", name="Orders", exact=True)).to_be_visible()
    expect(page.locator('input[name="ordinal"]').first).to_have_value("1")


def test_pages_that_show_something_else_say_so_and_stay(people: Browsers) -> None:
    game = played()
    Story(game).deadline()
    looking = open_and_hear(people.of(), page_of(game, "phase", ordinal=0))
    master = open_and_hear(people.of(CAROL), page_of(game, "gm"))
    Story(game).deadline()
    for page, words in ((looking, "Show the new position"), (master, "Show the current page")):
        expect(page.get_by_role("link", name=words)).to_be_visible()
        expect(page.locator("#clock")).not_to_contain_text("Fall 1926 · Movement")
    expect(unit(looking, "LON")).to_have_count(1)


def test_a_clock_follows_its_deadline_and_the_rest_of_the_page_stays(people: Browsers) -> None:
    game = played()
    page = open_and_hear(people.of(ALICE), page_of(game))
    clock_now = page.locator("#clock time")
    before = clock_now.get_attribute("datetime")
    assert before
    page.get_by_text("The position as text").click()
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=3_600)
    expect(page.locator("#log-now")).to_contain_text("carol moved the deadline for Spring 1926 by 1 hour.")
    expect(clock_now).not_to_have_attribute("datetime", before)
    expect(page.locator("details[open]", has_text="The position as text")).to_have_count(1)


def test_news_that_comes_while_an_older_answer_is_on_its_way_is_asked_for_afterwards(people: Browsers) -> None:
    game = played()
    page = open_and_hear(people.of(ALICE), page_of(game))
    page.evaluate("""() => {
      const seen = document.documentElement.dataset;
      seen.looks = 0;
      document.addEventListener("look", (event) => { seen.looks -= -event.target.matches("[data-ticket]"); }, true);
    }""")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/pulse/**", lambda route: held.append((route, route.fetch())), times=1)
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=3_600)
    expect(page.locator('html[data-looks="1"]')).to_be_attached()
    while not held:
        page.wait_for_timeout(50)
    Story(game).deadline()
    expect(page.locator('html[data-looks="2"]')).to_be_attached()
    route, older = held[0]
    route.fulfill(response=older)
    expect(page.locator("#clock")).to_contain_text("Fall 1926 · Movement")


def test_a_page_that_comes_whole_may_be_older_than_the_news(people: Browsers) -> None:
    game = played()
    page = open_and_hear(people.of(ALICE), page_of(game))
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/?ground=**", lambda route: held.append((route, route.fetch())), times=1)
    Story(game).deadline()
    expect(page.locator("#clock")).to_contain_text("Fall 1926 · Movement")
    while not held:
        page.wait_for_timeout(50)
    Story(game).deadline()
    expect(page.locator("#clock")).not_to_contain_text("Fall 1926 · Movement")
    route, older = held[0]
    with page.expect_response(re.compile("/pulse/.*ordinal=1")):
        route.fulfill(response=older)
    expect(page.locator("#clock")).not_to_contain_text("Fall 1926 · Movement")


def test_where_events_are_blocked_pages_ask_by_themselves(people: Browsers) -> None:
    game = near(played())
    page = people.of(ALICE)
    page.route("**/events/**", lambda route: route.abort())
    page.goto(page_of(game))
    Story(game).deadline()
    expect(page.locator("#clock")).to_contain_text("Fall 1926 · Movement", timeout=ASKED_FOR_MS)
    expect(unit(page, "NTH")).to_have_count(1)


def test_a_browser_has_one_connection_and_another_page_takes_it_over(people: Browsers) -> None:
    game, other = played(), running_game(name="Other")
    first = open_and_hear(people.of(ALICE), page_of(game))
    second = first.context.new_page()
    asked: list[str] = []
    second.on("request", lambda request: asked.append(request.url) if "/events/" in request.url else None)
    open_and_hear(second, page_of(other))
    Story(other).deadline()
    expect(second.locator("#clock")).to_contain_text("Fall 1926 · Movement")
    assert asked == []
    with second.expect_response("**/events/**"):
        first.close()
    Story(other).deadline()
    expect(second.locator("#clock")).not_to_contain_text("Fall 1926 · Movement")


def test_a_conversation_that_was_opened_before_the_start_wakes_up(people: Browsers) -> None:
    game = waiting_game(variant="the-sound", press="full")
    take_seat(game_id=game.pk, user_id=person(ALICE).pk)
    page = open_and_hear(people.of(ALICE), page_of(game, "thread", address="everybody"))
    expect(page.get_by_text("You can send messages once the game has started.")).to_be_visible()
    take_seat(game_id=game.pk, user_id=person(BOB).pk)
    page.get_by_label("Message to").fill("Good morning, Bob")
    page.keyboard.press("Enter")
    expect(page.locator(".message__text")).to_have_text(["Good morning, Bob"])
    expect(page.get_by_label("Message to")).to_have_value("")


def test_public_words_come_at_once(people: Browsers) -> None:
    game = played()
    page = open_and_hear(people.of(DAVE), page_of(game, "thread", address="everybody"))
    with page.expect_request("**/talk/everybody/new/**") as asked:
        say(game, BOB, "Good morning, all")
    assert asked.value is not None
    expect(page.locator(".message__text")).to_have_text(["Good morning, all"])


def test_pages_get_over_a_killed_wire(chromium: Browser, tmp_path: Path, settings: Settings) -> None:
    data = tmp_path / "wire"
    places.make_private_sockets(data, 0o700)
    valkey = Valkey(data)
    number = int(live_tickets.channel_prefix().split(".")[1])
    settings.CACHES = caches(valkey.address, number)
    valkey.start()
    game = near(played())
    with served(tmp_path / "web.log", REDIS_URL=valkey.address) as address:
        people = Browsers(chromium, address)
        page = open_and_hear(people.of(ALICE), page_of(game))
        valkey.child.ask_to_stop(signal.SIGKILL)
        valkey.child.await_end(PATIENCE_SECONDS)
        Story(game).deadline()
        expect(page.locator("#clock")).to_contain_text("Fall 1926 · Movement", timeout=ASKED_FOR_MS)
        with page.expect_response(hears, timeout=HEARS_AGAIN_MS):
            valkey.start()
        Story(game).deadline()
        expect(page.locator("#clock")).not_to_contain_text("Fall 1926 · Movement")
        people.close()
    valkey.stop()


def hears(response: Response) -> bool:
    return "/events/" in response.url and response.status == HTTPStatus.OK
