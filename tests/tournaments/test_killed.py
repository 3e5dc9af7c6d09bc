"""A process that is killed while it creates the tables of a round leaves none of them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.db import connection

from games.kernel import clock
from games.kernel.models import Game
from games.tournaments.models import Change, Table
from games.tournaments.seating import begin_round, seat_round
from tests.cast import CAROL, person
from tests.database import database_address
from tests.tournaments.test_tournament import ids, made, planned

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db(transaction=True)
LOCK, SECONDS = 4711, 60
HELD_AT_THE_THIRD = f"""
CREATE FUNCTION hold_third() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.number = 3 THEN PERFORM pg_advisory_xact_lock({LOCK}); END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hold_third BEFORE INSERT ON tournaments_table FOR EACH ROW EXECUTE FUNCTION hold_third();
"""
WAITS = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted"
SEAT = """
import django
django.setup()
from games.tournaments.seating import begin_round, seat_round
{act}
"""


def asked(sql: str) -> list[tuple[object, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def third_table_held() -> Iterator[None]:
    asked(HELD_AT_THE_THIRD)
    asked(f"SELECT pg_advisory_lock({LOCK})")
    try:
        yield
    finally:
        asked(f"SELECT pg_advisory_unlock({LOCK})")
        asked("DROP TRIGGER hold_third ON tournaments_table; DROP FUNCTION hold_third()")


def until(sql: str, *, is_there: bool) -> None:
    end = time.monotonic() + SECONDS
    while bool(asked(sql)) != is_there:
        assert time.monotonic() < end, sql
        time.sleep(0.05)


@pytest.mark.parametrize("by_itself", [False, True])
def test_a_process_killed_at_the_third_table_leaves_none_and_the_round_is_created_once_after_it(
    by_itself: bool,
) -> None:
    it = made()
    planned(it)
    it.rounds.update(due=clock.now())
    seat = f"seat_round(tournament_id={it.pk}, by={person(CAROL).pk}, number=1)"
    act = f"begin_round(round_id={it.rounds.get().pk})" if by_itself else seat
    servers = {**os.environ, "DATABASE_URL": database_address()}
    with third_table_held():
        command = [sys.executable, "-c", SEAT.format(act=act)]
        child = subprocess.Popen(command, cwd=settings.BASE_DIR, env=servers)
        until(WAITS, is_there=True)
        ((backend,),) = asked(WAITS)
        child.kill()
        child.wait()
    until(f"SELECT FROM pg_stat_activity WHERE pid = {backend}", is_there=False)
    assert not Table.objects.exists()
    assert not Game.objects.exists()
    assert not it.rounds.get().seated
    if by_itself:
        begin_round(round_id=it.rounds.get().pk)
        begin_round(round_id=it.rounds.get().pk)
    else:
        seat_round(**ids(it, number=1))
    assert Table.objects.count() == Game.objects.count() == 3
    assert Change.objects.filter(kind__in=["seated", "begun"]).count() == 1
