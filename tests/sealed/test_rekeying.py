"""Changing the key of the sheets: nothing is lost, it can be stopped halfway, and a wrong key is reported at the
start."""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from django.db import connection

from games.mastering.judging import what_differs_on_replay
from games.orders.parts import Receipt
from games.sealed import store
from games.sealed.crypto import CannotOpen
from games.sealed.rekeying import BadKeys, keys_open_what_is_sealed, rekey
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

    from games.kernel.models import Game

NEW = bytes(range(100, 132))
GERMAN = ("A Mun-Cze", "2: A Aus S A Mun-Cze")


def german_sheet(game: Game, ordinal: int) -> store.Body:
    return store.read_own(occupancy_of(game, "GERMANY"), game.phases.get(ordinal=ordinal))


@pytest.mark.django_db
def test_all_sheets_move_to_the_new_key_step_by_step_and_stay_what_they_were(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", *GERMAN)
    story.deadline()
    story.order("GERMANY", "A Ber H")
    running_game(name="Another")
    before = [german_sheet(game, ordinal) for ordinal in (0, 1)]
    old = settings.SEALED_KEYS[0]
    settings.SEALED_KEYS = (NEW, old)
    steps = rekey(batch=1)
    assert next(steps) == 1
    steps.close()
    assert len(store.phases_under_other_keys()) == 3 - 1, "stopped halfway; the site goes on with both keys"
    assert [german_sheet(game, ordinal) for ordinal in (0, 1)] == before
    call_command("rotate_sheet_key", "--batch=10")
    assert "All orders are sealed with the first key (2 phases resealed just now)." in capsys.readouterr().out
    settings.SEALED_KEYS = (NEW,)
    after = [german_sheet(game, ordinal) for ordinal in (0, 1)]
    assert [(body.lines, body.salt, body.at) for body in after] == [(body.lines, body.salt, body.at) for body in before]
    assert what_differs_on_replay(game_id=game.pk) == ()
    settings.SEALED_KEYS = (old,)
    with pytest.raises(CannotOpen, match="sealed with a key that is not here"):
        german_sheet(game, 0)


@pytest.mark.django_db
def test_keys_of_another_database_are_refused_before_the_site_starts(settings: Settings) -> None:
    running_game()
    assert keys_open_what_is_sealed(databases=["default"]) == []
    settings.SEALED_KEYS = (NEW,)
    (error,) = keys_open_what_is_sealed(databases=["default"])
    assert error.id == "games.E002"
    assert "was sealed with a key that is not here. SEALED_KEYS must contain every key" in error.msg
    assert keys_open_what_is_sealed() == [], "only when the database is asked"
    with pytest.raises(SystemCheckError, match="E002"):
        call_command("check", "--database=default")
    with pytest.raises(BadKeys):
        list(rekey())
    with pytest.raises(CommandError, match="The orders of 0 phases sealed again"):
        call_command("rotate_sheet_key")


@pytest.mark.django_db(transaction=True)
def test_who_saves_meanwhile_loses_nothing(settings: Settings) -> None:
    game = running_game()
    settings.SEALED_KEYS = (NEW, settings.SEALED_KEYS[0])
    stop, receipts = Event(), list[Receipt]()

    def save() -> None:
        try:
            while not stop.is_set():
                receipts.append(Story(game).order("GERMANY", *GERMAN))
        finally:
            connection.close()

    writer = Thread(target=save)
    writer.start()
    try:
        while len(receipts) < 5:
            assert writer.is_alive()
            sum(rekey(batch=1))
    finally:
        stop.set()
        writer.join()
    assert store.phases_under_other_keys() == []
    body = store.read_own(occupancy_of(game, "GERMANY"), open_phase(game))
    assert (body.at, body.lines) == (receipts[-1].at and receipts[-1].at.isoformat(), receipts[-1].text)
