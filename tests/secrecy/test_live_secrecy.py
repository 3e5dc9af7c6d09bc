"""What open pages are told, and how often, is the same in worlds that differ only in what is secret."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from games.kernel import live_tickets
from games.mastering.services.desk import extend_deadline
from tests.cast import CAROL, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.listening import Listener, current_version
from tests.secrecy.scene import BIDS, joined
from tests.secrecy.test_press_secrecy import SEATINGS, TALKS, play_on, say
from tests.secrecy.worlds import world
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django import DjangoCaptureOnCommitCallbacks

    from games.kernel.models import Game
    from tests.secrecy.scene import Writing

    Told = Callable[[Callable[[], object]], list[tuple[str, str]]]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]


@pytest.fixture
def told(django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks) -> Iterator[Told]:
    """What the wire carries meanwhile, in sequence: (channel, version)."""
    with Listener() as listener:

        def listen(act: Callable[[], object]) -> list[tuple[str, str]]:
            with django_capture_on_commit_callbacks(execute=True):
                act()
            return listener.heard()

        yield listen


def write(game: Game, writing: Writing) -> None:
    for power, lines in writing.items():
        Story(game).order(power, *lines)


def seen(game: Game) -> tuple[str, str]:
    """The ticket in a page of the game."""
    return current_version(game.pk), live_tickets.ticket_for(game.slug)


def test_while_a_phase_is_open_no_sheet_is_heard(told: Told) -> None:
    game = running_game()
    worlds = []
    for writing in ({}, *map(joined, BIDS)):
        with world():
            worlds.append((told(partial(write, game, writing)), seen(game)))
    assert worlds == [([], seen(game))] * 4


def test_what_is_heard_of_a_deadline_does_not_depend_on_bids(told: Told) -> None:
    game = running_game()
    worlds = []
    for bids in BIDS:
        with world():
            write(game, joined(bids))
            worlds.append((told(Story(game).deadline), seen(game)))
    assert worlds[0] == worlds[1]
    heard, (version, _ticket) = worlds[0]
    assert [it for it in heard if "@" not in it[0]] == [(game.slug, version)]


def test_what_is_heard_does_not_depend_on_private_words(told: Told) -> None:
    game = running_game()
    worlds = []
    for held in TALKS:
        with world():
            private = told(partial(held, game))
            public = told(partial(say, game, PLAYERS[2], "Good morning, all"))
            assert private == []
            assert public != []
            worlds.append((public, seen(game)))
    assert worlds[0] == worlds[1]


def test_what_is_heard_does_not_depend_on_who_hides_behind_a_power(told: Told) -> None:
    game = waiting_game(hidden_names=True, gm_plays=True)
    for name in (*PLAYERS, CAROL):
        person(name)
    worlds = []
    for seating in SEATINGS:
        with world():
            seating(game)
            heard = told(partial(play_on, game))
            worlds.append(([it for it in heard if "@" not in it[0]], seen(game)))
    assert worlds[0] == worlds[1], "the channel of each player is open to no one else"
    assert worlds[0][0] != []


def test_a_public_change_is_noticed_by_the_same_means(told: Told) -> None:
    game = running_game()
    worlds = []
    for seconds in (60, 120):
        with world():
            worlds.append(told(partial(extend_deadline, game_id=game.pk, by=game.gm_id, seconds=seconds)))
    assert worlds[0] != worlds[1]
