"""What the database itself refuses, no matter what the code above it does."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from games.deadlines.news import CLOSED, GAME_OVER
from games.kernel import clock
from games.kernel.models import Event, Game, Letter, Occupancy, Phase, Readiness, Result, Seat, Status
from games.press.models import Mute, PressLetter
from games.sealed.models import Sheets
from games.seating.models import MailedInvitation
from games.seating.news import GAME_CREATED
from tests.cast import DAVE, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


def refuses(constraint: str, act: Callable[[], Any]) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        act()


def test_a_power_has_one_seat_and_a_seat_one_holder_and_a_player_one_seat() -> None:
    game = running_game()
    now = clock.now()
    refuses("seat_once_per_power", lambda: Seat.objects.create(game=game, power="ITALY"))
    italy, turkey = (game.seats.get(power=power) for power in ("ITALY", "TURKEY"))
    refuses("seat_held_by_one", lambda: Occupancy.objects.create(game=game, seat=italy, user=person(DAVE), since=now))
    turkish = occupancy_of(game, "TURKEY")
    turkish.until = now
    turkish.save()
    refuses(
        "one_seat_per_player",
        lambda: Occupancy.objects.create(game=game, seat=turkey, user=occupancy_of(game, "ITALY").user, since=now),
    )
    refuses(
        "occupancy_ends_after_it_began",
        lambda: Occupancy.objects.filter(pk=turkish.pk).update(until=turkish.since - timedelta(seconds=1)),
    )


def test_a_game_has_one_open_phase_and_each_ordinal_once() -> None:
    game = running_game()
    facts = {"game": game, "turn": "S1926M", "position": {}, "opened": clock.now()}
    refuses("one_open_phase", lambda: Phase.objects.create(ordinal=1, deadline=clock.now(), **facts))
    refuses("phase_ordinal_once", lambda: Phase.objects.create(ordinal=0, closed=clock.now(), **facts))


def test_an_open_phase_has_either_a_deadline_or_time_that_remains() -> None:
    phases = Phase.objects.filter(pk=open_phase(running_game()).pk)
    refuses("open_phase_has_one_clock", lambda: phases.update(deadline=None))
    refuses("open_phase_has_one_clock", lambda: phases.update(remaining=timedelta(hours=1)))


def test_a_phase_has_one_result_and_one_row_of_sheets_and_a_seat_one_readiness_in_it() -> None:
    game = running_game()
    Story(game).deadline()
    phase = game.phases.get(ordinal=0)
    seat = game.seats.get(power="ITALY")
    refuses("phase_id", lambda: Result.objects.create(phase=phase, public={}, inputs_hmac="", engine_version=""))
    refuses("sealed_sheets_pkey", lambda: Sheets.rows.create(phase=phase, sealed=b""))
    Readiness.objects.create(phase=phase, seat=seat)
    refuses("ready_once_per_phase", lambda: Readiness.objects.create(phase=phase, seat=seat))


def test_a_status_is_known_and_fits_incident_and_verdict() -> None:
    games = Game.objects.filter(pk=waiting_game().pk)
    refuses("game_status_is_known", lambda: games.update(status="lost"))
    refuses("game_held_has_incident", lambda: games.update(status=Status.HELD))
    refuses("game_held_has_incident", lambda: games.update(incident="abc"))
    refuses("game_over_has_verdict", lambda: games.update(status=Status.FINISHED))
    refuses("game_over_has_verdict", lambda: games.update(verdict={"winners": [], "sentence": ""}))


def test_the_public_log_only_grows() -> None:
    game = waiting_game()
    events = Event.objects.filter(game=game)
    refuses("only grows", lambda: events.update(kind=CLOSED.log))
    refuses("only grows", events.delete)
    assert [event.kind for event in events] == [GAME_CREATED.log]


def test_a_letter_is_written_once() -> None:
    game = waiting_game()
    now = clock.now()
    facts = {"game": game, "user": game.gm, "written": now, "next_try": now}
    Letter.objects.create(key="once", kind=GAME_OVER.letter, **facts)
    refuses("key", lambda: Letter.objects.create(key="once", kind=GAME_OVER.letter, **facts))


def test_what_has_happened_cannot_be_deleted_with_a_game_or_a_person() -> None:
    game = running_game()
    for row in (game, person("alice"), open_phase(game), game.seats.first()):
        assert row is not None
        with pytest.raises(ProtectedError):
            row.delete()


def test_rows_that_only_a_number_tells_apart_say_what_they_are() -> None:
    assert [str(row) for row in (Mute(pk=3), MailedInvitation(pk=4), PressLetter(pk=5))] == [
        "mute 3",
        "mailed invitation 4",
        "press letter 5",
    ]
