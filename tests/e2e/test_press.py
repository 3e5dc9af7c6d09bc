"""Two players exchange messages: without reloading, without scripts, and on a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from games.press import views as press
from tests.cast import PLAYERS
from tests.e2e.test_pages_everywhere import Visit, everything_wrong
from tests.factories import running_game
from tests.press.test_press import say

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, ViewportSize

    from games.kernel.models import Game
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALICE, BOB, FRITZ = PLAYERS[:3]
PHONE: ViewportSize = {"width": 390, "height": 844}


def talk(game: Game, at: str = "") -> str:
    base = reverse("games:talk", kwargs={"slug": game.slug})
    return f"{base}{at}/" if at else base


def open_talk(page: Page, game: Game, name: str) -> None:
    """Through the game's navigation and the list of conversations."""
    page.goto(reverse("games:game", kwargs={"slug": game.slug}))
    page.get_by_role("navigation", name="This game").get_by_role("link", name="Messages").click()
    page.get_by_role("navigation", name="Conversations").get_by_role("link", name=name).first.click()
    expect(page.get_by_role("heading", level=2)).to_have_text(name)


def write(page: Page, text: str) -> None:
    page.get_by_role("textbox").fill(text)
    page.get_by_role("button", name="Send").click()


def messages(page: Page) -> Locator:
    return page.locator(".message__text")


def test_at_a_desk_the_enter_key_sends_and_with_shift_starts_a_new_line(browsers: Browsers) -> None:
    game = running_game()
    page = browsers.of(ALICE)
    open_talk(page, game, "France")
    page.get_by_role("textbox").press_sequentially("Channel")
    page.keyboard.press("Shift+Enter")
    page.get_by_role("textbox").press_sequentially("stays empty?")
    page.keyboard.press("Enter")
    expect(messages(page)).to_contain_text(["stays empty?"])
    expect(messages(page).locator("br")).to_have_count(1)
    time = page.locator(".message time")
    expect(time).to_have_text("just now")
    time.click()
    expect(time).to_contain_text(" 20")


def test_a_message_that_was_begun_shows_in_the_list_of_conversations(browsers: Browsers) -> None:
    game = running_game()
    page = browsers.of(ALICE)
    open_talk(page, game, "France")
    page.get_by_role("textbox").fill("Shall we")
    page.goto(talk(game))
    entry = page.get_by_role("navigation", name="Conversations").get_by_role("link", name="France")
    expect(entry).to_contain_text("Draft: Shall we")
    open_talk(page, game, "France")
    page.keyboard.press("Tab")
    expect(page.get_by_role("textbox")).to_have_value("Shall we")
    page.get_by_role("button", name="Send").click()
    expect(messages(page)).to_have_text(["Shall we"])
    page.goto(talk(game))
    expect(entry).not_to_contain_text("Draft")


def test_two_players_talk_and_see_each_other_without_reloading(
    browsers: Browsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(press, "POLL_SECONDS", 1)
    game = running_game()
    alice, bob = browsers.of(ALICE), browsers.of(BOB)
    open_talk(alice, game, "France")
    open_talk(bob, game, "Britain")
    write(alice, "Channel stays empty?")
    expect(messages(bob)).to_have_text(["Channel stays empty?"])
    write(bob, "Agreed.\nAnd Burgundy?")
    expect(messages(alice)).to_have_text(["Channel stays empty?", "Agreed.\nAnd Burgundy?"])
    alice.get_by_role("textbox").fill("half a tho")
    say(game, BOB, "Well?", "BRITAIN")
    expect(messages(alice)).to_have_count(3)
    expect(alice.get_by_role("textbox")).to_have_value("half a tho")
    expect(alice.locator(".talk__phase")).to_have_text(["Spring 1926, movement"])


def test_the_newest_message_is_in_sight_and_older_ones_are_above(browsers: Browsers) -> None:
    game = running_game()
    for number in range(30):
        say(game, ALICE, f"Word {number}", "FRANCE")
    for options in ({}, {"viewport": PHONE}, {"java_script_enabled": False}):
        page = browsers.of(BOB, **options)
        page.goto(talk(game, "BRITAIN+FRANCE"))
        expect(page.get_by_text("Word 29", exact=True)).to_be_in_viewport()
        expect(page.get_by_role("button", name="Send")).to_be_in_viewport()
        expect(page.get_by_text("Word 0", exact=True)).not_to_be_in_viewport()


def test_quick_replies_leave_the_page_as_it_is(browsers: Browsers) -> None:
    game = running_game()
    for number in range(30):
        say(game, ALICE, f"Word {number}", "FRANCE")
    page = browsers.of(BOB, viewport=PHONE)
    page.goto(talk(game, "BRITAIN+FRANCE"))
    page.evaluate("window.isStillHere = true")
    box = page.get_by_role("textbox")
    for text in ("Yes", "Yes", "And no"):
        write(page, text)
        expect(box).to_have_value("")
        expect(box).to_be_focused()
    expect(messages(page)).to_have_count(33)
    expect(messages(page).last).to_have_text("And no")
    expect(messages(page).last).to_be_in_viewport()
    assert page.evaluate("window.isStillHere")
    page.get_by_role("textbox").fill("x" * 100_000)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_contain_text("Not sent: the message has 100000 characters")
    expect(box).to_have_value("x" * 100_000)


def test_what_is_typed_survives_a_reload_and_a_lost_line_until_it_is_sent_or_its_writer_signs_out(
    browsers: Browsers,
) -> None:
    game = running_game()
    page = browsers.of(ALICE)
    box = page.get_by_role("textbox")
    page.goto(talk(game, "BRITAIN+FRANCE"))
    box.fill("half a tho")
    page.goto(talk(game, "BRITAIN+GERMANY"))
    expect(box).to_have_value("")
    page.goto(talk(game, "BRITAIN+FRANCE"))
    expect(box).to_have_value("half a tho")
    page.route(
        "**/talk/**",
        lambda route: route.fetch() and route.abort() if route.request.method == "POST" else route.continue_(),
    )
    with page.expect_event("requestfailed", lambda request: request.is_navigation_request()):
        page.get_by_role("button", name="Send").click()
    page.unroute("**/talk/**")
    page.goto(talk(game, "BRITAIN+FRANCE"))
    expect(box).to_have_value("half a tho")
    page.get_by_role("button", name="Send").click()
    expect(box).to_have_value("")
    expect(messages(page)).to_have_text(["half a tho"])
    page.reload()
    expect(box).to_have_value("")
    box.fill("for nobody else")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('talk '))") == []


def test_without_scripts_a_group_is_opened_written_to_and_read(browsers: Browsers) -> None:
    game = running_game()
    alice = browsers.of(ALICE, java_script_enabled=False)
    alice.goto(talk(game))
    for power in ("France", "Germany"):
        alice.locator("label.pick", has_text=power).click()
    alice.get_by_role("button", name="Start the conversation").click()
    expect(alice.get_by_role("heading", level=2)).to_have_text("France and Germany")
    write(alice, "The three of us?")
    expect(messages(alice)).to_have_text(["The three of us?"])
    fritz = browsers.of(FRITZ, java_script_enabled=False)
    open_talk(fritz, game, "Britain and France")
    expect(messages(fritz)).to_have_text(["The three of us?"])


def test_on_a_phone_the_list_comes_first_then_the_thread_and_back(browsers: Browsers) -> None:
    game = running_game()
    say(game, ALICE, "Bonjour", "FRANCE")
    page = browsers.of(BOB, viewport=PHONE)
    page.goto(talk(game))
    talks = page.get_by_role("navigation", name="Conversations")
    expect(talks.get_by_role("link", name="Britain")).to_contain_text("1 unread")
    talks.get_by_role("link", name="Britain").click()
    expect(messages(page)).to_have_text(["Bonjour"])
    expect(talks).to_be_hidden()
    expect(page.get_by_role("contentinfo")).to_be_hidden()
    page.get_by_role("link", name="All conversations").click()
    expect(talks).to_be_visible()
    expect(talks.get_by_role("link", name="Britain")).not_to_contain_text("unread")


def test_the_pages_of_the_talk_are_whole(browsers: Browsers) -> None:
    game, gunboat = running_game(), running_game(name="Gunboat", press="none", hidden_names=True)
    say(game, ALICE, "Bonjour\n\nand a_very_long_word" * 20, "FRANCE")
    say(game, ALICE, "To three", "FRANCE", "GERMANY")
    say(game, BOB, "To all")
    paths = [talk(game), talk(game, "everybody"), talk(game, "BRITAIN+FRANCE"), talk(game, "FRANCE+ITALY")]
    assert everything_wrong(Visit(browsers.of(BOB)), [*paths, talk(gunboat, "everybody")]) == ""
    assert everything_wrong(Visit(browsers.of()), [talk(game, "everybody")]) == ""
