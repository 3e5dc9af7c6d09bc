"""Where votes are secret, worlds that differ in one vote are the same for everybody but the one who gave it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
import time_machine

from games import clock
from games.services.votes import propose, vote
from tests.factories import occupancy_of, running_game
from tests.secrecy.observation import INSIDERS, Observed, letters, observed_by, public_rows
from tests.secrecy.worlds import world
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.models import Game

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
VOTES = {"not yet": None, "agrees": True, "refuses": False}


@pytest.fixture(autouse=True)
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(clock, "now", lambda: NOON)
    with time_machine.travel(NOON, tick=False):
        yield


def proposed(*, open_votes: bool = False) -> Game:
    """Alice, who plays Britain, has proposed a draw."""
    game = running_game(open_votes=open_votes)
    propose(occupancy_id=occupancy_of(game, "BRITAIN").pk, kind="draw", powers=("BRITAIN", "GERMANY"))
    return game


def germany_says(game: Game, agrees: bool | None) -> None:
    if agrees is not None:
        vote(occupancy_id=occupancy_of(game, "GERMANY").pk, number=1, agrees=agrees)


def seen(game: Game, viewer: str) -> list[dict[str, Observed]]:
    worlds = []
    for agrees in VOTES.values():
        with world():
            germany_says(game, agrees)
            worlds.append(observed_by(viewer, game))
    return worlds


@pytest.mark.parametrize("viewer", INSIDERS)
def test_nobody_learns_whether_or_how_another_has_voted_in_secret(viewer: str) -> None:
    first, *others = seen(proposed(), viewer)
    for other in others:
        assert other.keys() == first.keys()
        for address, observed in first.items():
            assert other[address] == observed, address
    assert "A draw among Britain and Germany" in first["GET games:game"].body


def test_rows_and_letters_do_not_tell_of_a_secret_vote_also_after_the_phase() -> None:
    game = proposed()
    letters()
    worlds = []
    for agrees in VOTES.values():
        with world():
            germany_says(game, agrees)
            Story(game).deadline()
            rows = public_rows()
            del rows["games.Vote"]
            worlds.append((rows, letters()))
    assert worlds[0] == worlds[1] == worlds[2]


def test_the_own_vote_and_open_votes_are_shown_so_that_the_pages_compared_are_the_real_ones() -> None:
    holder = occupancy_of(game := proposed(), "GERMANY").user.get_username()
    not_yet, agrees, refuses = (answers["GET games:game"].body for answers in seen(game, holder))
    assert "You agree." in agrees
    assert "You refuse." in refuses
    assert "You agree." not in not_yet
    not_yet, agrees, refuses = (
        page["GET games:game"].body for page in seen(proposed(open_votes=True), "eve")
    )
    assert "Germany: agrees" in agrees
    assert "Germany: refuses" in refuses
    assert "Germany: not yet" in not_yet
