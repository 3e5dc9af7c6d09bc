"""Where votes are secret, worlds that differ in one vote are the same for everyone except its voter.

The table shows that no page reveals it to anyone else (`test_table.py`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.endings.models import Vote
from games.endings.services import propose_end, vote_on_proposal
from tests.browsers import address
from tests.factories import occupancy_of, running_game
from tests.secrecy.observation import letters, observed_at, public_rows
from tests.secrecy.worlds import world
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]

VOTES = (None, True, False)
"""Not given, in favour, against."""


def proposed(*, open_votes: bool = False) -> Game:
    """Alice, who plays Britain, has proposed a draw."""
    game = running_game(open_votes=open_votes)
    propose_end(occupancy_id=occupancy_of(game, "BRITAIN").pk, kind="draw", powers=("BRITAIN", "GERMANY"))
    return game


def germany_says(game: Game, agrees: bool | None) -> None:
    if agrees is not None:
        vote_on_proposal(occupancy_id=occupancy_of(game, "GERMANY").pk, number=1, agrees=agrees)


def seen(game: Game, viewer: str) -> list[str]:
    """The page of the game in each of the worlds."""
    page = {"game": address("game", game)}
    worlds = []
    for agrees in VOTES:
        with world():
            germany_says(game, agrees)
            worlds.append(observed_at(page, viewer)["GET game"].body)
    return worlds


def test_rows_and_letters_do_not_tell_of_a_secret_vote_also_after_the_phase() -> None:
    game = proposed()
    letters()
    worlds = []
    for agrees in VOTES:
        with world():
            germany_says(game, agrees)
            Story(game).deadline()
            rows = public_rows()
            del rows[Vote._meta.label]
            worlds.append((rows, letters()))
    assert worlds[0] == worlds[1] == worlds[2]


def test_the_own_vote_and_open_votes_are_shown_so_that_the_pages_compared_are_the_real_ones() -> None:
    holder = occupancy_of(game := proposed(), "GERMANY").user.get_username()
    not_yet, agrees, refuses = seen(game, holder)
    assert "You agree." in agrees
    assert "You refuse." in refuses
    assert "You agree." not in not_yet
    not_yet, agrees, refuses = seen(proposed(open_votes=True), "eve")
    assert "Germany: agrees" in agrees
    assert "Germany: refuses" in refuses
    assert "Germany: no vote yet" in not_yet
