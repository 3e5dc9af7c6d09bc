"""Private messages and anonymous players: two worlds that differ in them look alike to everyone not entitled.

Here: at the end, after a change of players, in rows and emails, and with bots. Everything else is in the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.kernel.access import access_game, access_seat
from games.mastering.services.assistants import answer_handover, offer_handover
from games.mastering.services.desk import close_game, pause_game, resume_game, seat_player, start_game
from games.press.models import Bookmark, Message, Mute, Notebook, PressLetter, Thread
from games.press.queries import reader_of, talk_view
from games.press.services import mark_read, save_notes, send_message, set_mute
from games.seating.services.new_game import leave_before_start, let_bot_play, take_over_from_bot, take_seat
from tests.browsers import EVE
from tests.cast import CAROL, DAVE, PLAYERS, SAM, person
from tests.factories import occupancy_of, powers_of, running_game, waiting_game
from tests.moment import set_clock
from tests.secrecy.addresses import OF_OTHERS, PRIVATE_THREAD, of_the_game
from tests.secrecy.observation import Browser, Observed, assert_alike, letters, observed_at, observed_by, public_rows
from tests.secrecy.worlds import NOON, world
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]

PRESS = (Bookmark, Message, Mute, Notebook, PressLetter, Thread)
BRITAIN, FRANCE, GERMANY, ITALY = PLAYERS[:4]
"""France, Germany and Italy write; viewers play Britain, or nothing."""


def say(game: Game, name: str, text: str, *to: str) -> None:
    send_message(game_id=game.pk, user_id=person(name).pk, text=text, to=to)


def nothing_is_said(_game: Game) -> None:
    pass


def a_word_is_said(game: Game) -> None:
    say(game, FRANCE, "Zygmunt goes to Burgundy", "GERMANY")


def much_is_said_and_read(game: Game) -> None:
    for number in range(5):
        say(game, FRANCE, f"Zygmunt {number}", "GERMANY")
        say(game, GERMANY, "I answer Zygmunt", "FRANCE")
    say(game, ITALY, "Zygmunt to three", "FRANCE", "GERMANY")
    access = access_game(user=person(GERMANY), slug=game.slug)
    shown = talk_view(access, OF_OTHERS).shown
    assert shown is not None
    mark_read(game_id=game.pk, reader=reader_of(access), powers=tuple(OF_OTHERS.split("+")), last=shown.last)
    set_mute(game_id=game.pk, user_id=person(ITALY).pk, power="BRITAIN", muted=True)
    save_notes(access_seat(user=person(GERMANY), slug=game.slug), text="Zygmunt lies", version=0)


def the_game_master_is_asked(game: Game) -> None:
    say(game, GERMANY, "May I see Zygmunt?", "")


def the_game_master_talks_to_two(game: Game) -> None:
    """Answers, with everything that is counted and kept: what was read, muted, reported and withheld."""
    carol = person(CAROL).pk
    for name, power in ((GERMANY, "GERMANY"), (FRANCE, "FRANCE")):
        for number in range(3):
            say(game, name, f"Zygmunt {number}?", "")
            send_message(game_id=game.pk, user_id=carol, text="No Zygmunt", to=(power,), as_gm=True)
        access = access_game(user=person(name), slug=game.slug)
        shown = talk_view(access, f"gm+{power}").shown
        assert shown is not None
        mark_read(game_id=game.pk, reader=reader_of(access), powers=("", power), last=shown.last)
    set_mute(game_id=game.pk, user_id=carol, power="FRANCE", muted=True)


ASIDES = nothing_is_said, the_game_master_talks_to_two
TALKS: tuple[Callable[[Game], None], ...] = nothing_is_said, much_is_said_and_read
LITTLE = a_word_is_said, the_game_master_is_asked


def threads(game: Game) -> dict[str, str]:
    """Name -> path of the public thread, of one of the first player's, and of one without them."""
    return {
        f"{name} {address}": reverse(f"games:{name}", kwargs={"slug": game.slug, "address": address})
        for name in ("thread", "messages")
        for address in ("everybody", PRIVATE_THREAD, OF_OTHERS, "gm+BRITAIN", "gm+GERMANY")
    }


def seen_of(game: Game, viewer: Browser) -> dict[str, Observed]:
    """What this viewer sees at every address of the game, and in three of its conversations."""
    return observed_at(of_the_game(game) | threads(game), viewer)


@pytest.mark.parametrize("viewer", [BRITAIN, CAROL])
def test_nor_after_the_end(viewer: str) -> None:
    game = running_game()
    browser, worlds = Browser(viewer), []
    for held in TALKS:
        with world():
            held(game)
            close_game(game_id=game.pk, by=person(CAROL).pk)
            worlds.append(seen_of(game, browser))
    assert_alike(worlds)


GUNBOAT = {"press": "none", "hidden_names": True}


@pytest.mark.parametrize(
    ("options", "viewer"),
    [({}, BRITAIN), ({}, EVE), (GUNBOAT, BRITAIN), (GUNBOAT, SAM)],
    ids=["open, player", "open, stranger", "gunboat, player", "gunboat, staff"],
)
def test_the_game_masters_private_words_are_for_their_two_sides_only(options: dict[str, Any], viewer: str) -> None:
    game = running_game(**options)
    browser, worlds = Browser(viewer), []
    for held in ASIDES:
        with world():
            held(game)
            send_message(game_id=game.pk, user_id=person(CAROL).pk, text="To Britain", to=("BRITAIN",), as_gm=True)
            worlds.append(seen_of(game, browser))
    assert_alike(worlds)
    assert not any("Zygmunt" in seen.body for seen in worlds[-1].values())
    assert ("To Britain" in worlds[-1]["GET thread gm+BRITAIN"].body) is (viewer == BRITAIN)


def test_a_newcomer_and_the_next_game_master_see_no_trace_of_the_game_masters_private_words() -> None:
    game = running_game()
    browsers = [Browser(name) for name in (DAVE, "oscar")]
    worlds = []
    for held in ASIDES:
        with world():
            held(game)
            with pytest.MonkeyPatch.context() as patch:
                set_clock(patch, lambda: NOON.replace(hour=13))
                seat_player(
                    game_id=game.pk,
                    by=person(CAROL).pk,
                    power="GERMANY",
                    username=person(DAVE).username,
                    reason="Agreed.",
                )
                offer_handover(game_id=game.pk, by=person(CAROL).pk, username=person("oscar").username)
                answer_handover(game_id=game.pk, user_id=person("oscar").pk, accept=True)
                game.refresh_from_db()
                oscar = person("oscar").pk
                send_message(game_id=game.pk, user_id=oscar, text="Welcome", to=("GERMANY",), as_gm=True)
                both = {
                    f"{each.viewer} {what}": seen for each in browsers for what, seen in seen_of(game, each).items()
                }
                worlds.append(both)
    assert_alike(worlds)
    pages = [worlds[-1][f"{name} GET thread gm+GERMANY"].body for name in (DAVE, "oscar")]
    assert all("Welcome" in page and "Zygmunt" not in page for page in pages)


def test_a_newcomer_sees_no_trace_of_what_was_written_to_the_player_before() -> None:
    game = running_game()
    browser, worlds = Browser(DAVE), []
    for held in TALKS:
        with world():
            held(game)
            with pytest.MonkeyPatch.context() as patch:
                set_clock(patch, lambda: NOON.replace(hour=13))
                seat_player(
                    game_id=game.pk,
                    by=person(CAROL).pk,
                    power="FRANCE",
                    username=person(DAVE).username,
                    reason="Agreed.",
                )
                say(game, GERMANY, "Welcome", "FRANCE")
                worlds.append(seen_of(game, browser))
    assert_alike(worlds)
    page = worlds[-1][f"GET thread {OF_OTHERS}"]
    assert ("Welcome" in page.body, "Zygmunt" in page.body) == (True, False)
    assert "You took over this seat on" in page.body


def test_letters_to_others_and_rows_that_others_see_do_not_depend_on_private_words() -> None:
    game = running_game()
    letters()
    private = {model._meta.label for model in PRESS}
    worlds = []
    for held in (*TALKS, *LITTLE, *ASIDES[1:]):
        with world():
            held(game)
            say(game, GERMANY, "Good morning, all")
            PressLetter.objects.update(next_try=NOON)
            to_others = [letter for letter in letters() if "private" not in letter[1]]
            rows = {label: rows for label, rows in public_rows().items() if label not in private}
            worlds.append((rows, to_others))
    assert all(other == worlds[0] for other in worlds)
    assert len(worlds[0][1]) == len(PLAYERS), "six players and the game master"


def seated(game: Game, people: tuple[str, ...]) -> None:
    """These users join in the powers' alphabetical order, and one of them leaves again."""
    for name, power in zip(people, powers_of(game), strict=True):
        if power == "ITALY":
            take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
            leave_before_start(game_id=game.pk, user_id=person(name).pk)
    for name, power in zip(people, powers_of(game), strict=True):
        if power != "TURKEY":
            take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    start_game(game_id=game.pk, by=game.gm_id)


def one_way_round(game: Game) -> None:
    seated(game, PLAYERS)


def the_other_way_round(game: Game) -> None:
    first, *others = PLAYERS
    seated(game, (first, *reversed(others)))


def play_on(game: Game) -> None:
    """Bots, messages, a pause and a deadline: everything that writes a line somewhere."""
    occupancy = occupancy_of(game, "GERMANY")
    let_bot_play(occupancy_id=occupancy.pk)
    take_over_from_bot(occupancy_id=occupancy.pk)
    let_bot_play(occupancy_id=occupancy_of(game, "POLAND").pk)
    send_message(game_id=game.pk, user_id=occupancy.user_id, text="Good morning, all")
    pause_game(game_id=game.pk, by=game.gm_id)
    resume_game(game_id=game.pk, by=game.gm_id)
    game.refresh_from_db()
    Story(game).deadline()


SEATINGS = one_way_round, the_other_way_round


@pytest.mark.parametrize("viewer", [BRITAIN, SAM])
def test_who_plays_which_power_shows_nowhere_while_names_are_hidden(viewer: str) -> None:
    game = waiting_game(hidden_names=True, gm_plays=True)
    for name in (*PLAYERS, CAROL, DAVE):
        person(name)
    browser, worlds = Browser(viewer), []
    for seating in SEATINGS:
        with world():
            seating(game)
            play_on(game)
            worlds.append(observed_by(browser, game))
    assert_alike(worlds)
    page = worlds[0]["GET games:log"].body
    assert "A player joined as Germany." in page
    assert "A player gave up Italy before the start." in page
    assert "A player stopped the bot and is now playing Germany." in page
    assert not [name for name in PLAYERS[1:] if name in page]


def test_a_game_master_who_does_not_play_sees_the_names_and_who_watches_does_not() -> None:
    game = waiting_game(hidden_names=True)
    one_way_round(game)
    assert {power.id: power.player for power in Story(game).seen_by(CAROL).powers}["GERMANY"] == GERMANY
    seen = Story(game).seen_by(DAVE)
    assert {power.player for power in seen.powers} == {""}
    assert [power.id for power in seen.powers if not power.seated] == ["TURKEY"]
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="TURKEY", username=person(DAVE).username, reason="Agreed.")
    assert "carol gave Turkey to dave. Reason: Agreed." in {e.sentence for e in Story(game).seen_by(CAROL).events}
    assert "carol gave Turkey to a player. Reason: Agreed." in {e.sentence for e in Story(game).seen_by(BRITAIN).events}


def test_the_names_are_shown_when_the_game_is_over() -> None:
    game = waiting_game(hidden_names=True, gm_plays=True)
    one_way_round(game)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    for viewer in (DAVE, CAROL):
        seen = Story(game).seen_by(viewer)
        assert {power.id: power.player for power in seen.powers}["GERMANY"] == GERMANY
        assert f"{GERMANY} joined as Germany." in {event.sentence for event in seen.events}


def test_a_letter_in_a_game_with_hidden_names_names_the_power_and_nobody() -> None:
    game = waiting_game(hidden_names=True)
    one_way_round(game)
    letters()
    say(game, FRANCE, "Hello", "BRITAIN")
    PressLetter.objects.update(next_try=NOON)
    ((subject, body, to),) = letters()
    assert (subject, to) == ("Locarno: a message from France", [person(BRITAIN).email])
    assert FRANCE not in body
