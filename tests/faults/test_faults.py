"""Every kind of fault once, with nothing lost and nothing done twice; and the rounds would notice a failure."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from celery import current_app
from django.conf import settings as site
from django.test import Client

from diplomacy_site.beat import LONGEST_SLEEP, SteadyScheduler
from diplomacy_site.settings.servers import caches
from games.kernel.models import Game, Phase, Result, Seat
from games.sealed.models import Sheets
from tests.cast import person
from tests.factories import open_phase, running_game
from tests.faults import mails
from tests.faults.checks import Checks
from tests.faults.people import VARIANT
from tests.faults.wires import Arrived
from tests.faults.writers import REFUSED, SAVED, TOO_LATE, UNKNOWN, Memory, Said
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings

ROUNDS, GAMES, WRITERS = 22, 5, 1
SHEET = "A VIE H"


@pytest.mark.slow
def test_every_kind_of_fault_loses_nothing_and_doubles_nothing() -> None:
    chosen = {"--rounds": ROUNDS, "--games": GAMES, "--writers": WRITERS}
    command = [sys.executable, "-m", "tests.faults", *(str(part) for pair in chosen.items() for part in pair)]
    done = subprocess.run(command, check=False, cwd=site.BASE_DIR, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"rounds {ROUNDS}, games {GAMES}" in done.stdout
    assert "\nwrong: 0\n" in done.stdout


class Noted(SteadyScheduler):
    """Records what it would send."""

    sent = 0

    def apply_entry(self, _entry: object, producer: object = None) -> None:  # noqa: ARG002 - Celery's name
        self.sent += 1


def test_the_beat_goes_on_when_the_clock_is_put_back_by_an_hour() -> None:
    noon = datetime(2026, 11, 16, 12, tzinfo=UTC)
    sweep = {"sweep": {"task": "games.tasks.sweep", "schedule": 5.0}}
    with time_machine.travel(noon, tick=False) as clock:
        beat = Noted(app=current_app, lazy=True)
        beat.merge_inplace(sweep)
        assert (beat.tick() <= LONGEST_SLEEP, beat.sent) == (True, 0)
        clock.shift(6)
        beat.tick()
        assert beat.sent == 1
        clock.shift(-3600)
        assert beat.tick() <= LONGEST_SLEEP
        clock.shift(6)
        beat.tick()
        assert beat.sent == 2


@pytest.mark.django_db
def test_orders_are_saved_while_redis_is_away(client: Client, settings: Settings) -> None:
    game = running_game(variant=VARIANT, players=("alice", "bob"))
    client.force_login(person("alice"))
    settings.CACHES = caches("redis://127.0.0.1:1")
    address, sheet = f"/api/v1/games/{game.slug}/sheet/", {"ordinal": 0, "text": SHEET}
    answer = client.put(address, sheet, content_type="application/json")
    assert (answer.status_code, answer.json()["saved"]) == (200, True)
    assert Client().get("/api/v1/games/").status_code == 200


@pytest.fixture
def game() -> Game:
    """Alice, as Austria, has saved orders for a phase that has been adjudicated."""
    game = running_game(variant=VARIANT, players=("alice", "bob"))
    story = Story(game)
    story.order("AUSTRIA", SHEET)
    story.deadline()
    return game


def complaints(game: Game, *said: Said) -> list[str]:
    """What the checks find if Austria's writer remembers this."""
    checks = Checks(Memory(), [(0.0, 0.0)])
    checks.memory.sheets[game.pk, 0, "AUSTRIA"] = list(said)
    checks.look()
    return checks.complaints


@pytest.mark.django_db
def test_a_sheet_counts_that_was_acknowledged_or_of_which_nobody_knows(game: Game) -> None:
    right, other = Said(SHEET, SAVED), Said("# 2", UNKNOWN)
    assert complaints(game, right) == complaints(game, right, other) == []
    assert complaints(game, Said("# 1", SAVED), Said(SHEET, UNKNOWN)) == []
    assert complaints(game, right, Said("# 3", TOO_LATE, SHEET)) == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "said", [(Said("# lost", SAVED),), (Said(SHEET, SAVED), Said("# lost", SAVED)), (Said(SHEET, REFUSED),), ()]
)
def test_a_lost_save_is_noticed(game: Game, said: tuple[Said, ...]) -> None:
    (complaint,) = complaints(game, *said)
    assert "AUSTRIA: counted" in complaint


@pytest.mark.django_db
def test_an_untrue_too_late_is_noticed(game: Game) -> None:
    untrue, true = Said("# 2", TOO_LATE, "A VIE - TRI"), Said("# 2", TOO_LATE, SHEET)
    (complaint,) = complaints(game, Said(SHEET, SAVED), untrue)
    assert "told that 'A VIE - TRI' counts" in complaint
    (complaint,) = complaints(game, true, Said(SHEET, SAVED))
    assert "saved after it was too late" in complaint


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda: Result.objects.update(inputs_hmac="0" * 64), "judged on other sheets"),
        (lambda: Result.objects.all().delete(), "has 0 results"),
        (lambda: Phase.objects.filter(ordinal=1).update(ordinal=2), "the phases of game"),
        (lambda: Phase.objects.filter(ordinal=1).update(position={}), "does not follow"),
        (lambda: Phase.objects.filter(ordinal=0).update(deadline=datetime.max.replace(tzinfo=UTC)), "before its"),
        (lambda: Sheets.rows.filter(phase__ordinal=0).delete(), "has no sheets"),
        (lambda: Seat.objects.create(game=Game.objects.get(), power="ATLANTIS"), "not one slot for every seat"),
    ],
)
def test_harm_is_noticed(game: Game, harm: Callable[[], object], words: str) -> None:
    harm()
    assert any(words in complaint for complaint in complaints(game, Said(SHEET, SAVED)))


@pytest.mark.django_db
def test_mail_about_what_was_rolled_back_is_noticed_and_mail_that_is_missing(game: Game) -> None:
    phase = open_phase(game)
    subject, now = mails.subject_of(phase), time.monotonic()
    readers = ("alice@example.org", "bob@example.org")
    in_time = [Arrived(now, reader, subject) for reader in readers]
    too_early = Arrived(now - 60, "alice@example.org", subject)
    of_nothing = Arrived(now, "alice@example.org", f"{game.name}: Year 1999, movement")
    shifts = [(now - timedelta(days=1).total_seconds(), 0.0)]

    def found(*arrived: Arrived) -> list[str]:
        return [it for it in mails.complaints(arrived, shifts, Counter()) if "wait" not in it]

    assert found(*in_time) == []
    assert found(*in_time[:1]) == [f"nobody told {readers[1]} of {subject}"]
    assert found(*in_time, too_early) == [f"a mail told of {subject} before it came to be"]
    assert found(*in_time, of_nothing) == [f"a mail tells of {of_nothing.subject}, which there is not"]
