"""Before a game starts: every page is intact, and players join, rank the powers and confirm with its controls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from games.kernel.models import Joiner, Status
from games.seating.services.joining import ask_to_join, confirm_place, join_game
from games.seating.services.new_game import take_seat
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.e2e.test_pages_everywhere import Visit, everything_wrong
from tests.factories import HOUR, powers_of, waiting_game

if TYPE_CHECKING:
    from games.kernel.models import Game
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def calling_the_roll() -> Game:
    game = waiting_game(name="Roll call", roll_call_seconds=HOUR)
    for name, power in zip(PLAYERS, powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    return game


def test_the_pages_before_the_start_are_whole(browsers: Browsers) -> None:
    wished = waiting_game(name="Wishes", seats="preferences", least_reliability=90)
    asked = waiting_game(name="By leave", approval=True)
    ask_to_join(game_id=asked.pk, user_id=person(DAVE).pk)
    roll = calling_the_roll()
    player = Visit(browsers.of(PLAYERS[0]))
    paths = [f"/games/{wished.slug}/terms/", f"/games/{roll.slug}/", "/games/?show=open&pace=live"]
    assert everything_wrong(player, paths) == ""
    assert everything_wrong(Visit(browsers.of(CAROL)), [f"/games/{asked.slug}/gm/"]) == ""
    player.page.goto("/new-game/")
    player.page.get_by_label("Name", exact=True).fill("")
    player.page.get_by_role("button", name="Create the game").click()
    expect(player.page.get_by_role("alert")).to_be_visible()
    player.page.locator("summary", has_text="Powers, bots").click()
    expect(player.page.get_by_label("Powers by preference")).to_be_visible()
    player.wrong.clear()  # the form was refused, as it should be
    assert player.wrong_here() == []


def test_a_player_joins_ranks_the_powers_and_confirms(browsers: Browsers) -> None:
    game = waiting_game(name="Wishes", seats="preferences", roll_call_seconds=HOUR)
    for name in PLAYERS[1:]:
        join_game(game_id=game.pk, user_id=person(name).pk)
    confirmed = browsers.of(PLAYERS[0])
    confirmed.goto("/games/?show=open")
    confirmed.get_by_role("link", name="Join Wishes").click()
    confirmed.get_by_label("First", exact=True).select_option("Turkey")
    confirmed.get_by_role("button", name="Join the game").click()
    expect(confirmed.get_by_text("Roll call: 1 of 7 players confirmed.")).to_be_visible()
    other = browsers.of(PLAYERS[1])
    other.goto(f"/games/{game.slug}/")
    other.get_by_role("button", name="Confirm my place").click()
    expect(other.get_by_text("Roll call: 2 of 7 players confirmed.")).to_be_visible()
    for name in PLAYERS[2:]:
        confirm_place(game_id=game.pk, user_id=person(name).pk)
    confirmed.goto(f"/games/{game.slug}/")
    expect(confirmed.get_by_text("you are Turkey")).to_be_visible()
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert not Joiner.objects.exists()


def test_in_the_waiting_room_the_talk_is_one_part_of_the_page_with_one_name(browsers: Browsers) -> None:
    """The place that it is loaded into once had a name of its own around it."""
    game = waiting_game(seats="preferences")
    for name in PLAYERS[:2]:
        join_game(game_id=game.pk, user_id=person(name).pk)
    page = browsers.of(PLAYERS[0])
    page.goto(f"/games/{game.slug}/")
    talk = page.locator("#talk-here")
    expect(talk.get_by_role("region").first).to_be_visible()
    assert [talk.get_attribute(name) for name in ("role", "aria-label", "aria-labelledby")] == [None, None, None]
    regions = talk.get_by_role("region")
    expect(regions).to_have_count(2)
    expect(regions.first).to_have_accessible_name("Talk before the start")
    expect(regions.last).to_have_accessible_name("Messages")
