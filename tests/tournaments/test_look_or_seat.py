"""A look and a seat at the same moment: the second waits for the first, and is refused."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, connections, transaction

from games.kernel.models import Sitting
from games.kernel.refusals import NotAllowed, Refusal
from games.mastering.services.desk import empty_seat
from games.seating.options import SeatAssignment
from games.seating.services.joining import join_game
from games.seating.services.new_game import take_seat
from games.seating.services.sitters import answer_sitting, name_sitter
from games.seating.services.vacancies import take_over_seat
from games.tournaments import entry, rights
from tests.cast import CAROL, DAVE, person
from tests.factories import running_game, waiting_game
from tests.tournaments.test_rights import BOB, cup, directed_by_dave, of

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)
WAITS_FOR_US = "SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid)"


def one_after_the_other(first: Callable[[], object], second: Callable[[], object]) -> object:
    """Do the first act, begin the second on another connection, and commit the first once the second waits for it or is
    done; what the second returned or raised."""

    def beside() -> object:
        try:
            return second()
        except Refusal as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic(), connection.cursor() as cursor:
            first()
            other = pool.submit(beside)
            while not other.done() and not cursor.execute(WAITS_FOR_US).fetchone()[0]:
                time.sleep(0.005)
        return other.result()


def entering() -> tuple[Tournament, Callable[[], object]]:
    it = cup()
    return it, lambda: entry.enter(tournament_id=it.pk, by=person(DAVE).pk)


def choosing_a_power() -> tuple[Tournament, Callable[[], object]]:
    game = waiting_game(seats=SeatAssignment.CHOICE.value)
    return cup(game), lambda: take_seat(game_id=game.pk, user_id=person(DAVE).pk, power="ITALY")


def joining() -> tuple[Tournament, Callable[[], object]]:
    game = waiting_game(seats=SeatAssignment.RANDOM.value)
    return cup(game), lambda: join_game(game_id=game.pk, user_id=person(DAVE).pk)


def taking_over() -> tuple[Tournament, Callable[[], object]]:
    game = running_game()
    empty_seat(game_id=game.pk, by=person(CAROL).pk, power="BRITAIN", reason="Gone")
    return cup(game), lambda: take_over_seat(game_id=game.pk, user_id=person(DAVE).pk, power="BRITAIN")


def sitting() -> tuple[Tournament, Callable[[], object]]:
    game, dave = running_game(), person(DAVE)
    today = game.created.date()
    days: dict[str, Any] = {"first": today, "last": today, "zone": "UTC"}
    name_sitter(game_id=game.pk, user_id=person(BOB).pk, username=DAVE, **days)
    number = Sitting.objects.get().pk
    return cup(game), lambda: answer_sitting(user_id=dave.pk, number=number, accept=True)


@pytest.mark.parametrize("looks_first", [True, False], ids=["look first", "seat first"])
@pytest.mark.parametrize("way", [entering, choosing_a_power, joining, taking_over, sitting])
def test_of_a_look_and_a_seat_at_the_same_moment_the_second_is_refused(
    way: Callable[[], tuple[Tournament, Callable[[], object]]], looks_first: bool
) -> None:
    it, play = way()
    directed_by_dave(it)
    dave = of(it, DAVE)

    def look() -> None:
        entry.look(**dave)

    refused = one_after_the_other(look, play) if looks_first else one_after_the_other(play, look)
    assert isinstance(refused, NotAllowed)
    assert ("looked at the" if looks_first else "You play in this tournament") in refused.sentence
    assert (it.looks.exists(), rights.plays(it, dave["by"])) == (looks_first, not looks_first)
