"""What a host can monitor: health, readiness, metrics, and the public status page."""

from __future__ import annotations

import asyncio
import json
import math
import re
from datetime import timedelta
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F
from django.test import Client
from redis import Redis

from diplomacy_site import __version__, page_counts, shared_counts
from diplomacy_site.celery import app
from diplomacy_site.events import hub
from diplomacy_site.settings.servers import caches
from diplomacy_site.status import DATC_RECORD
from games.deadlines import phases
from games.deadlines.models import Reminder
from games.deadlines.reminders import write_reminders
from games.delivery.letters import deliver_letters
from games.kernel import clock
from games.kernel.models import Game, Letter, Status
from games.people.newcomers import approve_accounts, send_approval_emails
from games.press.models import PressLetter
from games.press.services import send_message
from games.seating.models import MailedInvitation
from games.seating.services.placing import send_email_invitation, send_invitations
from games.tasks import sweep
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import open_phase, running_game, waiting_game
from tests.operation.datc_record import counted
from tests.operation.test_beat import until
from tests.served import served
from tests.story import Story

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import DjangoAssertNumQueries, Settings

pytestmark = pytest.mark.django_db
TOKEN = "a token of thirty-two characters or more"
READY = {"database": True, "migrations": True, "redis": True, "keys": True, "sweep": True, "overdue_phases": 0}
QUEUES = ("deadlines", "background", "bots")
READY |= dict.fromkeys(QUEUES, True)
IDLE = {"sweep": False, **dict.fromkeys(QUEUES, False)}


def all_is_done() -> None:
    shared_counts.note_moments(*QUEUES, shared_counts.SWEEP)


def ready(client: Client) -> tuple[int, dict[str, object]]:
    answer = client.get("/readyz")
    return answer.status_code, answer.json()


def metrics_of(client: Client) -> dict[str, float]:
    answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def overdue_game(minutes: int) -> Game:
    game = running_game(name="Zanzibar")
    phase = open_phase(game)
    phase.deadline = clock.now() - timedelta(minutes=minutes)
    phase.save(update_fields=["deadline"])
    return game


def test_a_process_that_lives_says_so_without_asking_anybody(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, settings: Settings
) -> None:
    settings.CACHES = caches("redis://127.0.0.1:1")
    with django_assert_num_queries(0):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"alive\n")
    assert client.post("/healthz").status_code == 405


def test_the_site_is_ready_once_deadlines_are_looked_for(client: Client) -> None:
    assert ready(client) == (503, {**READY, **IDLE})
    sweep.apply()
    assert ready(client) == (503, {**READY, **IDLE, "sweep": True})
    all_is_done()
    assert ready(client) == (200, READY)


def test_what_is_missing_makes_it_not_ready(client: Client, settings: Settings) -> None:
    all_is_done()
    newest = MigrationRecorder.Migration.objects.filter(app="kernel").order_by("name").last()
    assert newest is not None
    newest.delete()
    assert ready(client) == (503, {**READY, "migrations": False})
    newest.save(force_insert=True)
    assert ready(client) == (200, READY)
    newer = MigrationRecorder.Migration.objects.create(app="kernel", name="9999_newer")
    assert ready(client) == (503, {**READY, "migrations": False})
    newer.delete()
    assert ready(client) == (200, READY)
    running_game()
    settings.SEALED_KEYS, kept = (bytes(range(9, 41)),), settings.SEALED_KEYS
    assert ready(client) == (503, {**READY, "keys": False})
    settings.SEALED_KEYS = kept
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
        assert ready(client) == (503, {**READY, "database": False})
        transaction.set_rollback(True)
    settings.CACHES = caches("redis://127.0.0.1:1")
    assert ready(client) == (503, {**READY, "redis": False, **IDLE})


def test_a_phase_that_is_late_makes_it_not_ready_and_is_not_named(client: Client) -> None:
    overdue_game(minutes=5)
    all_is_done()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {**READY, "overdue_phases": 1})
    page = client.get("/status/").content.decode()
    assert "1 phase is overdue, since" in page
    assert "zanzibar" not in page.lower()


def test_an_old_sweep_is_no_sweep(client: Client) -> None:
    redis = Redis.from_url(settings.CACHES["default"]["LOCATION"])
    all_is_done()
    redis.hset(shared_counts.MOMENTS_KEY, shared_counts.SWEEP, f"{redis.time()[0] - 61} 0")
    redis.hset(shared_counts.MOMENTS_KEY, "bots", f"{redis.time()[0] - 76} 0")
    assert ready(client) == (503, {**READY, "sweep": False, "bots": False})
    assert "Deadlines haven’t been checked in the last minute" in client.get("/status/").content.decode()


@pytest.mark.parametrize("sent", [{}, {"Authorization": TOKEN}, {"Authorization": "Bearer "}])
def test_the_metrics_are_closed_to_who_has_no_token(client: Client, settings: Settings, sent: dict[str, str]) -> None:
    assert client.get("/metrics", headers=sent).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics", headers=sent).status_code == 404


def test_the_metrics_count_what_the_processes_have_done(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    story = Story(running_game())
    story.deadline_comes()
    assert sweep.apply().result == (1, 0)
    assert sweep.apply().result == (0, 0), "nothing is due"
    overdue_game(minutes=10)
    found = metrics_of(client)
    assert found[f'diplomacy_info{{version="{__version__}"}}'] == 1
    assert found["diplomacy_games_running"] == 2
    assert (found["diplomacy_phases_due"], found["diplomacy_phases_overdue"]) == (1, 1)
    assert 600 <= found["diplomacy_phases_overdue_oldest_seconds"] < 660
    assert 0 <= found["diplomacy_sweep_age_seconds"] < 60
    assert found["diplomacy_letters_waiting"] > 7
    assert found["diplomacy_watchers"] == 0
    assert found["diplomacy_adjudication_seconds_count"] == 1
    assert found['diplomacy_adjudication_seconds_bucket{le="+Inf"}'] == 1
    assert found["diplomacy_adjudication_failures_total"] == 0


@pytest.fixture
def dead_mail_server(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1


def waiting_emails(client: Client) -> tuple[float, float]:
    """How many, and the hours that the oldest has waited."""
    found = metrics_of(client)
    return found["diplomacy_letters_waiting"], found["diplomacy_letters_waiting_oldest_seconds"] // 3600


def of_an_hour_ago(row: Letter | PressLetter | Reminder) -> None:
    """The only one, and refused by the server just now."""
    type(row)._default_manager.exclude(pk=row.pk).delete()
    type(row)._default_manager.update(written=clock.now() - timedelta(hours=1))


@pytest.mark.usefixtures("dead_mail_server")
def test_a_letter_that_the_mail_server_refused_counts_until_it_is_sent(client: Client) -> None:
    running_game()
    of_an_hour_ago(Letter.objects.latest("pk"))
    assert deliver_letters() == 0
    assert not Letter.objects.filter(next_try__lte=clock.now()).exists(), "its next try is still to come"
    assert waiting_emails(client) == (1, 1)
    Letter.objects.update(sent=clock.now())
    assert waiting_emails(client) == (0, 0)


@pytest.mark.usefixtures("dead_mail_server")
def test_messages_and_reminders_count_likewise(client: Client) -> None:
    game = running_game()
    Letter.objects.all().delete()
    send_message(game_id=game.pk, user_id=person(PLAYERS[0]).pk, text="Peace?", to=["FRANCE"])
    assert waiting_emails(client) == (1, 0), "a fresh one is not sent either"
    of_an_hour_ago(PressLetter.objects.get())
    assert waiting_emails(client) == (1, 1)
    PressLetter.objects.all().delete()
    phase = open_phase(game)
    write_reminders(game, phase, clock.now(), clock.now())
    of_an_hour_ago(Reminder.objects.latest("pk"))
    deliver_letters()
    assert waiting_emails(client) == (1, 1)


@pytest.mark.usefixtures("dead_mail_server")
def test_a_digest_counts_once_its_day_is_over_and_an_unwanted_letter_never(client: Client) -> None:
    running_game()
    of_an_hour_ago(Letter.objects.latest("pk"))
    Letter.objects.update(next_try=None)
    assert waiting_emails(client) == (0, 0)
    Letter.objects.update(for_the_day=True)
    assert waiting_emails(client) == (0, 0)
    Letter.objects.update(written=clock.now() - timedelta(hours=30))
    assert waiting_emails(client) == (1, 30)


@pytest.mark.usefixtures("dead_mail_server")
def test_invitations_by_email_and_approvals_count_too(client: Client) -> None:
    carol, dave = person(CAROL), person(DAVE)
    send_email_invitation(game_id=waiting_game().pk, by=carol.pk, power="GERMANY", email="new@example.org")
    MailedInvitation.objects.update(expires=F("expires") - timedelta(hours=2))
    send_invitations()
    assert waiting_emails(client) == (1, 2)
    dave.awaits_approval, dave.is_active = True, False
    dave.save()
    approve_accounts(by=carol.pk, usernames=[DAVE])
    send_approval_emails()
    assert waiting_emails(client) == (2, 2)


def test_the_metrics_tell_the_step_of_a_judgement_and_no_more(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    told = []
    for seconds in (0.6, 1.9):
        shared_counts._redis().delete(shared_counts.JUDGED_KEY)
        shared_counts.note_closing(1, 0, seconds)
        found = metrics_of(client)
        told.append({name: value for name, value in found.items() if "adjudication" in name})
    assert told[0] == told[1]
    assert told[0]["diplomacy_adjudication_seconds_sum"] == 2.0


def test_a_phase_that_cannot_be_judged_is_counted(client: Client, settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    story = Story(running_game())
    Game.objects.update(variant_digest="of another map")
    story.deadline_comes()
    assert sweep.apply().result == (0, 1)
    story.game.refresh_from_db()
    assert story.game.status == Status.HELD
    assert metrics_of(client)["diplomacy_adjudication_failures_total"] == 1


def test_of_a_sweep_that_is_killed_what_it_had_done_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each batch is one transaction, and counted as soon as that is committed."""
    for _ in range(2):
        Story(running_game()).deadline_comes()
    close, turns = phases._close_phases, iter([True, False])

    def closed_once(*given: Any) -> Any:
        if next(turns):
            return close(*given)
        raise SystemExit

    monkeypatch.setattr(phases, "BATCH", 1)
    monkeypatch.setattr(phases, "_close_phases", closed_once)
    with pytest.raises(SystemExit):
        phases.close_due_phases(until=math.inf)
    assert sum(shared_counts.judge_tally().counts) == 1


def pages_counted(client: Client) -> dict[str, float]:
    """How often, and how often in vain, by what stands in braces."""
    page_counts.waiting.flush()
    wanted = re.compile(r'diplomacy_page_(seconds_count|failures_total){page="(.+)"}')
    found = {wanted.fullmatch(name): value for name, value in metrics_of(client).items()}
    return {f"{it[2]} {it[1].split('_')[0]}": value for it, value in found.items() if it and value}


@pytest.fixture
def nothing_counted(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    page_counts.waiting.flush()
    shared_counts._redis().flushdb()


@pytest.mark.usefixtures("nothing_counted")
def test_pages_are_counted_by_their_names_and_all_that_is_sent_is_one(client: Client) -> None:
    game = running_game(name="Zanzibar")
    for _ in range(2):
        client.get(f"/games/{game.slug}/")
    client.post("/accounts/login/", {"login": "x"})
    client.put("/api/v1/nothing/")
    client.get("/nowhere-at-all/")
    for watched in ("/healthz", "/readyz"):
        client.get(watched)
    assert pages_counted(client) == {"games:game seconds": 2, "form seconds": 2}


@pytest.mark.usefixtures("nothing_counted")
def test_what_failed_while_redis_was_away_is_counted_later(client: Client, settings: Settings) -> None:
    there, settings.CACHES = settings.CACHES, caches("redis://127.0.0.1:1")
    page_counts.waiting.note("games:lobby", 0.6, has_failed=True)
    page_counts.waiting.flush()
    settings.CACHES = there
    page_counts.waiting.note("games:lobby", 0.6, has_failed=False)
    assert pages_counted(client) == {"games:lobby seconds": 2, "games:lobby failures": 1}


@pytest.mark.usefixtures("nothing_counted")
def test_a_process_that_could_have_no_thread_counts_on_once_it_has_one(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Thread) -> None:
        raise RuntimeError

    monkeypatch.setattr(page_counts, "FLUSH_SECONDS", 0.01)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Thread, "start", refuse)
        page_counts.waiting.note("games:lobby", 0.6, has_failed=False)
    page_counts.waiting.note("games:lobby", 0.6, has_failed=False)
    until(lambda: metrics_of(client).get('diplomacy_page_seconds_count{page="games:lobby"}') == 2)


@pytest.mark.usefixtures("nothing_counted")
def test_a_process_that_is_stopped_writes_down_what_it_has_counted(tmp_path: Path) -> None:
    with served(tmp_path / "log") as address:
        urlopen(f"{address}/status/").close()  # noqa: S310 - our own
    assert sum(shared_counts.page_tallies()["status"].counts) == 1


def test_the_watchers_of_every_process_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hubs represent two processes."""
    monkeypatch.setattr(hub, "COUNT_SECONDS", 0.01)

    async def counted_while_three_watch() -> None:
        web, other = hub.Hub(), hub.Hub()
        await asyncio.gather(web.await_subscription(), other.await_subscription())
        with web.watching(["a"]), web.watching(["a", "b"]), other.watching(["a"]):
            async with asyncio.timeout(60):
                while shared_counts.count_watchers() != 3:
                    await asyncio.sleep(0.01)

    asyncio.run(counted_while_three_watch())


@pytest.mark.django_db(transaction=True)
def test_a_host_is_told_that_pages_fail_although_everything_behind_them_works(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a site whose static files were never collected."""
    all_is_done()
    call_command("status", pages=True)
    assert capsys.readouterr().out == ""
    call_command("status")
    assert "Everything works." in capsys.readouterr().out
    settings.STATIC_ROOT = tmp_path
    manifest = "whitenoise.storage.CompressedManifestStaticFilesStorage"
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {"BACKEND": manifest}}
    with pytest.raises(CommandError, match="does not work as it should: pages"):
        call_command("status")
    with pytest.raises(CommandError, match="Pages can’t be shown"):
        call_command("status", pages=True)


def test_the_tasks_that_are_watched_are_there() -> None:
    app.loader.import_default_modules()
    assert "games.tasks.sweep" in app.tasks


def test_the_status_page_says_what_was_built_and_what_the_judge_passes(client: Client, settings: Settings) -> None:
    settings.SITE_VERSION = "v1.2-3-gabcdef0"
    all_is_done()
    page = client.get("/status/").content.decode()
    assert "v1.2-3-gabcdef0" in page
    assert "no phase is overdue" in page
    assert "passes all 176 cases in the Diplomacy Adjudicator Test Cases" in page


def test_the_file_of_the_judges_test_cases_is_what_the_judge_does() -> None:
    """Write it again with `python -m tests.operation.datc_record`."""
    assert json.loads(DATC_RECORD.read_text(encoding="utf-8")) == counted()
