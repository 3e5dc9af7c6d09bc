"""Two requests at the same moment, on a real server: one seat, one deadline, one result."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING

import pytest
from django.db import connections, transaction

from diplomacy_site.accounts.leaving import delete_account
from games.deadlines.phases import ClosingTally, close_due_phase, close_due_phases
from games.kernel.locking import lock_game
from games.kernel.models import Letter, Occupancy, Phase, Result, Status
from games.kernel.queries import phase_head
from games.kernel.refusals import NotAllowed, Refusal, SeatTaken, WrongMoment
from games.mastering.services.desk import pause_game
from games.mastering.services.repair import roll_back
from games.orders.parts import Receipt
from games.orders.rules import TooLate
from games.orders.services import NewerOrders, has_saved, save_sheet
from games.orders.sheets import SentSheet
from games.sealed import store
from games.seating.services.new_game import create_game, take_seat
from tests.cast import CAROL, PLAYERS, person
from tests.factories import due_phases, occupancy_of, open_phase, powers_of, running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Start each in its own thread at the same moment; what each returned or raised."""
    start = Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        try:
            start.wait()
            return act()
        except Refusal as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def test_of_two_who_claim_one_seat_one_gets_it() -> None:
    game = waiting_game()
    people = [person(name).pk for name in ("alice", "bob", "dave")]

    def claim(user_id: int) -> Callable[[], object]:
        return lambda: take_seat(game_id=game.pk, user_id=user_id, power="ITALY")

    outcomes = at_once(*(claim(user_id) for user_id in people))
    assert outcomes.count("ITALY") == 1
    assert sum(isinstance(outcome, SeatTaken) for outcome in outcomes) == 2
    assert Occupancy.objects.filter(game=game).count() == 1


def test_the_last_seats_taken_at_once_start_the_game_once() -> None:
    game = waiting_game()

    def claim(name: str, power: str) -> Callable[[], object]:
        user_id = person(name).pk
        return lambda: take_seat(game_id=game.pk, user_id=user_id, power=power)

    at_once(*(claim(name, power) for name, power in zip(PLAYERS, powers_of(game), strict=True)))
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert game.phases.count() == 1


@pytest.mark.parametrize("name", ["alice", "bob", "dave"])
def test_an_account_that_is_deleted_while_it_takes_seats_keeps_none(name: str) -> None:
    user, games = person(name), [waiting_game() for _ in range(4)]

    def claim(game_id: int) -> Callable[[], object]:
        return lambda: take_seat(game_id=game_id, user_id=user.pk)

    deleted, *taken = at_once(lambda: delete_account(person(name)), *(claim(game.pk) for game in games))
    user.refresh_from_db()
    assert user.is_active == isinstance(deleted, WrongMoment)
    if user.is_active:
        delete_account(user)
    assert not Occupancy.objects.filter(user=user, until__isnull=True).exists()
    assert {type(outcome) for outcome in taken} <= {str, NotAllowed}
    with pytest.raises(NotAllowed, match="This account has been deleted"):
        create_game(by=user.pk, name="Afterwards", variant="standard")


def sweep() -> ClosingTally:
    return close_due_phases(until=math.inf)


def test_many_workers_judge_many_due_phases_once_each() -> None:
    games = [running_game(name=f"Game {number}") for number in range(6)]
    phases = [Story(game).deadline_comes().pk for game in games]
    assert sorted(due_phases()) == sorted(phases)

    answers = at_once(sweep, sweep, sweep)
    assert sum(answer.closed for answer in answers if isinstance(answer, ClosingTally)) == len(games)
    assert Result.objects.count() == len(games)
    assert Phase.objects.filter(closed__isnull=True, ordinal=1).count() == len(games)
    told = Letter.objects.filter(ordinal=1).values_list("game_id", "kind", "user__username")
    each = [*(("new phase", name) for name in PLAYERS), ("result", CAROL)]
    assert sorted(told) == sorted((game.pk, *letter) for game in games for letter in each)


def test_a_sweep_does_not_wait_for_a_game_somebody_is_writing_in() -> None:
    free, busy = running_game(name="Free"), running_game(name="Busy")
    Story(busy).deadline_comes()
    Story(free).deadline_comes()
    with transaction.atomic():
        lock_game(busy.pk)
        assert at_once(sweep) == [ClosingTally(closed=1)]
    assert due_phases() == [open_phase(busy).pk]


def test_a_save_that_races_with_the_deadline_is_counted_or_refused_but_never_lost() -> None:
    for _ in range(5):
        game = running_game()
        saved, result = race(game)
        counted = bodies_of(game)["GERMANY"].saved
        assert isinstance(saved, TooLate) is not counted
        assert ("GERMANY" in result.missed) is not counted


def race(game: Game) -> tuple[object, Result]:
    story = Story(game)
    phase = game.phases.get()
    occupancy = occupancy_of(game, "GERMANY").pk

    def save() -> object:
        return save_sheet(occupancy_id=occupancy, sheet=SentSheet("A Mun-Cze", 0))

    def end() -> object:
        story.deadline_comes()
        return close_due_phase(phase_id=phase.pk)

    saved, judged = at_once(save, end)
    assert judged is True
    return saved, Result.objects.get(phase=phase)


def test_all_seats_that_save_at_once_keep_what_they_saved_even_without_the_lock_on_the_game() -> None:
    game = running_game()
    phase, powers = open_phase(game), powers_of(game)

    def save(power: str) -> Callable[[], object]:
        @transaction.atomic
        def write() -> None:
            store.write_own(occupancy_of(game, power), phase, store.Body(saved=True, typed=power, lines="A MUN H"))

        return write

    assert at_once(*map(save, powers)) == [None] * len(powers)
    with transaction.atomic():
        assert {power: body.typed for power, body in store.read_all_at_closing([phase])[phase.pk].items()} == dict(
            zip(powers, powers, strict=True)
        )


def test_of_two_pages_that_save_for_one_seat_at_once_one_meets_the_other() -> None:
    for _ in range(4):
        game = running_game()
        occupancy = occupancy_of(game, "GERMANY").pk

        def save(text: str, occupancy_id: int = occupancy) -> Callable[[], object]:
            return lambda: save_sheet(occupancy_id=occupancy_id, sheet=SentSheet(text, 0, after=""))

        told = at_once(save("A Mun-Cze"), save("A Ber H"))
        kept = store.read_own(occupancy_of(game, "GERMANY"), open_phase(game)).lines
        assert [isinstance(it, NewerOrders) for it in told].count(True) == 1
        assert [it.text for it in told if isinstance(it, Receipt)] == [kept]


def bodies_of(game: Game) -> dict[str, store.Body]:
    return store.read_closed(game.phases.get(ordinal=0))


def test_a_pause_and_the_deadline_at_once_leave_one_of_the_two() -> None:
    game = running_game()
    phase = Story(game).deadline_comes()
    carol = person(CAROL).pk
    paused, judged = at_once(lambda: pause_game(game_id=game.pk, by=carol), lambda: close_due_phase(phase_id=phase.pk))
    game.refresh_from_db()
    assert judged is True
    assert game.phases.filter(closed__isnull=True).count() == 1
    assert (game.status == Status.PAUSED) is (paused is None)


def test_going_back_while_a_phase_is_judged_leaves_one_of_the_two_and_says_so() -> None:
    carol = person(CAROL).pk
    for _ in range(4):
        game = running_game()
        Story(game).deadline()
        seen = phase_head(open_phase(game)).mark
        phase = Story(game).deadline_comes()

        def back(game_id: int = game.pk, seen: str = seen) -> object:
            return roll_back(game_id=game_id, by=carol, ordinal=0, seen=seen, reason="Wrong start.")

        def end(phase_id: int = phase.pk) -> object:
            return close_due_phase(phase_id=phase_id)

        went_back, judged = at_once(back, end)
        assert judged is not (went_back is None)
        assert open_phase(game).ordinal == (2 if judged else 0)
        if judged:
            assert isinstance(went_back, WrongMoment)
            assert "has moved on since you opened this page" in went_back.sentence
        assert game.phases.filter(closed__isnull=True).count() == 1


def test_a_save_while_the_game_goes_back_is_kept_for_nobody_or_refused() -> None:
    carol = person(CAROL).pk
    for _ in range(4):
        game = running_game()
        Story(game).deadline()
        seen, occupancy = phase_head(open_phase(game)).mark, occupancy_of(game, "GERMANY").pk

        def back(game_id: int = game.pk, seen: str = seen) -> object:
            return roll_back(game_id=game_id, by=carol, ordinal=0, seen=seen, reason="Wrong start.")

        def save(occupancy_id: int = occupancy) -> object:
            return save_sheet(occupancy_id=occupancy_id, sheet=SentSheet("A Mun-Cze", 1))

        went_back, saved = at_once(back, save)
        assert went_back is None
        undone = Phase.every.get(game=game, ordinal=1)
        assert not any(body.saved for body in store.read_closed(undone).values())
        if isinstance(saved, Refusal):
            assert "gone back" in saved.sentence
        assert not has_saved(occupancy_id=occupancy, ordinal=0)
