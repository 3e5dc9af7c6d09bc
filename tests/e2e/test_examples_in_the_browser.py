"""Two of the published examples of 1926, played in browsers: one by two players, a game master and an observer. That
all four come out as published, `tests/variants/test_examples.py` asks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from games.kernel.models import Game
from games.seating.services.new_game import take_seat
from tests.cast import CAROL, PLAYERS, person
from tests.e2e import acts
from tests.factories import powers_of, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from playwright.sync_api import Page

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAME = "Locarno"
ATTACKS = {"GERMANY": "A Mun-Cze", "ITALY": "A Mil-Swi"}
WANTED = {"GERMANY": "A Aus S A Mun-Cze", "ITALY": "A Aus S A Mil-Swi"}
STAMP = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+(?:Z|\+00:00)")
MOMENT = re.compile(r"[A-Z][a-z]{2} \d+ [A-Z][a-z]{2} 20\d\d, \d\d:\d\d")
COUNTDOWN = re.compile(r"\d+ (?:hours?|minutes?|seconds?)(?: \d+ (?:minutes?|seconds?))?(?=</span>)")
ROW = re.compile(r'<li class="card game-row">.*?</li>', re.DOTALL)
TOKEN = re.compile(r"\b[A-Za-z0-9]{64}\b")
VERSION = re.compile(r'version"?[=:]"?[0-9a-f]{12}')
"""A digest of public facts, including the deadline, which differs in every game."""
TICKET = re.compile(r'data-ticket="[^"]+"')


@dataclass(frozen=True)
class Example:
    """Points bid by each power, and another auction with the same winner; Austria's order and the German army's
    fate."""

    points: Mapping[str, int]
    other_points: Mapping[str, int]
    austria: str
    czechia_taken: bool


EXAMPLE_2 = Example({"GERMANY": 1, "ITALY": 1}, {"GERMANY": 3, "ITALY": 3}, "A Aus holds", czechia_taken=False)
EXAMPLE_3 = Example({"GERMANY": 2, "ITALY": 1}, {"GERMANY": 3, "ITALY": 1}, "A Aus S A Mun–Cze", czechia_taken=True)


def test_an_example_is_played_from_the_new_game_to_its_published_result_and_shows_nobody_a_bid(
    browsers: Browsers, sweep: Callable[[], None]
) -> None:
    example = EXAMPLE_3
    gm, germany, italy, observer = (browsers.of(name) for name in (CAROL, *PLAYERS[:2], ""))
    game = Game.objects.get(slug=acts.create_game(gm, NAME))
    acts.join(germany, NAME, "GERMANY")
    acts.join(italy, NAME, "ITALY")
    others_join(game)
    write_by_controls(germany, example)
    write_by_text(italy, example)
    Story(game).deadline_comes()
    sweep()
    for page in (gm, germany, italy, observer):
        assert_result(page, game, example)
    assert_position(observer, game, example)
    assert_only_its_owner_reads_a_bid(germany, italy, example)
    assert_nobody_can_tell_the_bids(game, example, sweep, gm, observer)


def test_an_example_in_which_bids_tie_is_played_to_its_published_result_and_shows_an_observer_no_bid(
    browsers: Browsers, sweep: Callable[[], None]
) -> None:
    example = EXAMPLE_2
    germany, observer = browsers.of(PLAYERS[0]), browsers.of()
    game = begun()
    write_by_controls(germany, example)
    Story(game).order("ITALY", ATTACKS["ITALY"], bid_of("ITALY", example.points))
    Story(game).deadline_comes()
    sweep()
    assert_result(observer, game, example)
    assert_position(observer, game, example)
    assert_nobody_can_tell_the_bids(game, example, sweep, observer)


def begun(like: Game | None = None) -> Game:
    """A game with the same players in the same seats, and with another one's terms if it is its twin."""
    game = waiting_game(name=NAME)
    if like is not None:
        Game.objects.filter(pk=game.pk).update(stored_options=like.stored_options)
    for name, power in zip(PLAYERS, ATTACKS, strict=False):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    others_join(game)
    return game


def others_join(game: Game) -> None:
    """Everyone else joins, and the game starts."""
    vacant = [power for power in powers_of(game) if power not in ATTACKS]
    for name, power in zip(PLAYERS[2:], vacant, strict=True):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)


def bid_of(power: str, points: Mapping[str, int]) -> str:
    return f"{points[power]}: {WANTED[power]}"


def write_by_controls(page: Page, example: Example) -> None:
    """Germany chooses its orders and its bid."""
    page.goto("/games/")
    page.get_by_role("link", name=f"Enter orders in {NAME}").click()
    acts.choose(page, "German army in Munich", "Move", "Cze")
    acts.bid(page, 0, "Army in Austria", str(example.points["GERMANY"]), "Support move", "A Mun", "Cze")
    expect(page.locator("[data-left]")).to_have_text(str(3 - example.points["GERMANY"]))
    acts.save(page)


def write_by_text(page: Page, example: Example) -> None:
    """Italy types its orders."""
    page.goto("/games/")
    page.get_by_role("link", name=f"Enter orders in {NAME}").click()
    acts.write(page, f"{ATTACKS['ITALY']}\n{bid_of('ITALY', example.points)}")
    acts.save(page)


def assert_result(page: Page, game: Game, example: Example) -> None:
    page.goto(reverse("games:phase", kwargs={"slug": game.slug, "ordinal": 0}))
    succeeded, failed = (page.locator(".outcomes li:not(.failed) .what"), page.locator(".outcomes li.failed .what"))
    attack = succeeded if example.czechia_taken else failed
    expect(succeeded.get_by_text(example.austria, exact=True)).to_be_visible()
    expect(attack.get_by_text("A Mun–Cze", exact=True)).to_be_visible()
    expect(failed.get_by_text("A Mil–Swi", exact=True)).to_be_visible()


def assert_position(page: Page, game: Game, example: Example) -> None:
    """The step after the result is the current position."""
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(rf"/games/{game.slug}/$"))
    place = "Czechia" if example.czechia_taken else "Munich"
    assert_unit_on_map(page, f"German army in {place}")
    assert_unit_on_map(page, "Italian army in Milan")
    assert_unit_on_map(page, "Army in Czechia", count=0 if example.czechia_taken else 1)


def assert_unit_on_map(page: Page, title: str, *, count: int = 1) -> None:
    expect(page.locator("svg title", has_text=re.compile(f"^{title}$"))).to_have_count(count)


def assert_only_its_owner_reads_a_bid(germany: Page, italy: Page, example: Example) -> None:
    """Each sees only their own bid; Italy's page says nothing about Germany's points."""
    for power, page in (("GERMANY", germany), ("ITALY", italy)):
        own = page.get_by_role("region", name="Your saved orders")
        bids = own.get_by_role("listitem").filter(has_text=re.compile(r"^\d+: "))
        expect(bids).to_have_text([bid_of(power, example.points).replace("-", "–")])
        assert len(re.findall(r"\d+: A Aus", page.content())) == 1


def assert_nobody_can_tell_the_bids(game: Game, example: Example, sweep: Callable[[], None], *pages: Page) -> None:
    """These users receive the same, byte for byte, in a game with other bids; no bid is in it."""
    twin = twin_of(game, example, sweep)
    for page in pages:
        for each in (game, twin):
            sources(page, each)  # the bell forgets what is seen there
        seen, seen_of_twin = sources(page, game), sources(page, twin)
        assert [name for name in seen if seen[name] != seen_of_twin[name]] == []
        for source in (*seen.values(), page.content()):
            assert_no_trace_of_a_bid(source, example)


def twin_of(game: Game, example: Example, sweep: Callable[[], None]) -> Game:
    """The same game with other bids, written without a browser."""
    twin = begun(like=game)
    story = Story(twin)
    for power in example.points:
        story.order(power, ATTACKS[power], bid_of(power, example.other_points))
    story.deadline_comes()
    sweep()
    return twin


def sources(page: Page, game: Game) -> dict[str, str]:
    """What the server sends this user about the game, without anything that differs between any two games."""
    of_game, of_phase = {"slug": game.slug}, {"slug": game.slug, "ordinal": 0}
    addresses = {
        "board": reverse("games:game", kwargs=of_game),
        "phase": reverse("games:phase", kwargs=of_phase),
        "pulse": reverse("games:pulse", kwargs=of_game),
        "game of the API": reverse("api:game", kwargs=of_game),
        "phase of the API": reverse("api:phase", kwargs=of_phase),
    }
    answers = {name: page.request.get(address) for name, address in addresses.items()}
    assert all(answer.ok for answer in answers.values())
    lobby = page.request.get(reverse("games:lobby"), params={"show": "running"}).text()
    row = next(row for row in ROW.findall(lobby) if game.slug in row)
    found = {"row of the lobby": row, **{name: answer.text() for name, answer in answers.items()}}
    return {name: timeless(source.replace(game.slug, "SLUG")) for name, source in found.items()}


def timeless(source: str) -> str:
    for pattern in (STAMP, MOMENT, COUNTDOWN, TOKEN, VERSION, TICKET):
        source = pattern.sub("…", source)
    return source


def assert_no_trace_of_a_bid(source: str, example: Example) -> None:
    """No points before an order, no order of Austria's that won no bid, and no seat's orders."""
    assert not re.search(r"\d+\s*:\s*A Aus", source, re.IGNORECASE)
    assert not re.search(r"data-bid|points bid|Your saved orders", source)
    for order in set(WANTED.values()):
        if order.replace("-", "–") != example.austria:
            assert not re.search(re.sub(r"\W", ".{1,3}", order), source, re.IGNORECASE)
    if source.startswith("{"):
        for part in ("order_sheet", "own_sheet", "opened_bids"):
            assert f'"{part}":null' in source
