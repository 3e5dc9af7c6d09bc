"""Acts at the same moment that need the same rows: none is lost, and what follows happens once."""

from __future__ import annotations

from functools import partial
from threading import Barrier, get_ident
from typing import TYPE_CHECKING, Any

import pytest
from django.db import OperationalError, transaction
from psycopg.errors import DeadlockDetected

from diplomacy_site.accounts.leaving import delete_account
from games.kernel import hooks
from games.kernel.locking import lock_account
from games.kernel.models import Game
from games.kernel.refusals import WrongMoment
from games.kernel.retrying import atomic_again
from games.tournaments import seating
from games.tournaments.models import Tournament
from tests.cast import PLAYERS, person
from tests.kernel.test_concurrency import at_once
from tests.tournaments.test_tournament import ids, made, planned

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db(transaction=True)
SECONDS = 60


def both_meet() -> Callable[[], None]:
    """What each of two threads calls when it holds its first row; it waits for the other, the first time."""
    barrier, met = Barrier(2), set[int]()

    def meet() -> None:
        if get_ident() not in met:
            met.add(get_ident())
            barrier.wait(SECONDS)

    return meet


def test_an_account_that_is_deleted_while_its_round_is_seated_has_just_joined_a_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    it, meet = made(), both_meet()
    planned(it)
    left = hooks.account_left

    def first(act: Any) -> Any:
        return lambda user_id: (meet(), act(user_id))[1]

    monkeypatch.setattr(hooks, "account_left", first(left))
    monkeypatch.setattr(seating, "lock_account", first(lock_account))
    alice = person(PLAYERS[0])
    deleted, seated = at_once(lambda: delete_account(alice), lambda: seating.seat_round(**ids(it, number=1)))
    assert (type(deleted), seated, Game.objects.count()) == (WrongMoment, None, 3)


def test_what_a_deadlock_ended_begins_again_and_its_tasks_start_once() -> None:
    one, other, meet, started = made(people=()).pk, made(people=()).pk, both_meet(), list[int]()

    @atomic_again
    def lock(*rows: int) -> None:
        for pk in rows:
            Tournament.objects.select_for_update().get(pk=pk)
            transaction.on_commit(partial(started.append, pk))
            meet()

    assert at_once(lambda: lock(one, other), lambda: lock(other, one)) == [None, None]
    assert sorted(started) == sorted([one, other] * 2)


def test_nothing_begins_again_that_is_committed() -> None:
    acts = list[str]()

    def fail() -> None:
        raise OperationalError from DeadlockDetected()

    @atomic_again
    def act() -> None:
        acts.append("done")
        transaction.on_commit(fail)

    with pytest.raises(OperationalError):
        act()
    assert acts == ["done"]
