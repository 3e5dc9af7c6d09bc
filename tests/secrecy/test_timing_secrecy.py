"""A deadline that moves shows that a player had not saved, or is away, never who; reminders stay private."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine

from games.deadlines.absences import book_absence
from games.deadlines.grace import extensions_used
from games.deadlines.models import Absence
from games.deadlines.phases import close_due_phase
from games.deadlines.reminders import remind_of_phase
from tests.cast import CAROL, PLAYERS, person
from tests.factories import HOUR, occupancy_of, open_phase, powers_of, running_game
from tests.moment import MONDAY_NOON, Moment
from tests.secrecy.addresses import addresses
from tests.secrecy.observation import Observed, letters, observed_at, public_rows
from tests.secrecy.worlds import world
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

LOOKED_AT = (
    "api:game",
    "games:absences",
    "games:calendar",
    "games:game",
    "games:gm",
    "games:lobby",
    "games:orders",
    "games:pulse",
    "games:seat",
)
VIEWERS = ("eve", PLAYERS[0], CAROL, "sam")


@pytest.fixture
def moment(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Moment]:
    """Every clock stands still: the site's own, and the one behind sessions and pages. All viewers have accounts."""
    for name in VIEWERS[1:]:
        person(name)
    with time_machine.travel(MONDAY_NOON, tick=False):
        yield Moment(monkeypatch)


def seen(game: Game) -> dict[str, dict[str, Observed]]:
    paths = {name: path for name, path in addresses(game).items() if name in LOOKED_AT}
    assert len(paths) == len(LOOKED_AT)
    return {viewer: observed_at(paths, viewer) for viewer in VIEWERS}


def rows_but(*labels: str) -> dict[str, list[dict[str, Any]]]:
    """Every row that a dump would show, except in these tables and the sealed sheets."""
    return {label: rows for label, rows in public_rows().items() if label not in labels}


def all_but(game: Game, power: str) -> None:
    for other in powers_of(game):
        if other != power:
            Story(game).order(other, "")


def test_a_deadline_that_moved_does_not_say_who_had_not_saved(moment: Moment) -> None:
    game = running_game(grace_seconds=HOUR, grace_times=2)
    letters()
    worlds = []
    for power in ("GERMANY", "ITALY"):
        moment.now = MONDAY_NOON
        with world():
            all_but(game, power)
            moment.now = MONDAY_NOON + timedelta(days=1)
            assert not close_due_phase(phase_id=open_phase(game).pk)
            assert list(extensions_used([game.pk])) == [(game.pk, occupancy_of(game, power).user_id)]
            worlds.append((seen(game), letters(), rows_but()))
    assert worlds[0] == worlds[1]
    page = worlds[0][0]["eve"]["GET games:game"].body
    assert "was put back by 1 hour because orders were missing." in page


def test_a_deadline_that_moved_does_not_say_who_is_away(moment: Moment) -> None:
    game = running_game(absence_days=5, movement_seconds=72 * HOUR)
    letters()
    worlds = []
    for power in ("GERMANY", "ITALY"):
        with world():
            player = occupancy_of(game, power).user
            thursday = date(2026, 11, 19)
            book_absence(game_id=game.pk, user_id=player.pk, first=thursday, last=thursday, zone="UTC")
            worlds.append((seen(game), letters(), rows_but(Absence._meta.label)))
    assert worlds[0] == worlds[1]
    assert "was put back because a player is away." in worlds[0][0]["eve"]["GET games:game"].body


def test_who_is_reminded_changes_nothing_for_anybody_else(moment: Moment) -> None:
    game = running_game(movement_seconds=72 * HOUR)
    letters()
    worlds = []
    for power in ("GERMANY", "ITALY"):
        moment.now = MONDAY_NOON
        with world():
            all_but(game, power)
            moment.now = MONDAY_NOON + timedelta(hours=48)
            remind_of_phase(phase_id=open_phase(game).pk)
            ((_subject, _body, to),) = letters()
            worlds.append((seen(game), rows_but()))
            assert to == [person(occupancy_of(game, power).user.username).email]
    assert worlds[0] == worlds[1]
