"""What wakes a host: the measures, the rules and the dashboard that name them, the letter, and the moderators' page."""

from __future__ import annotations

import json
import math
import re
import sys
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING

import pytest
import yaml
from celery import current_app
from django.core import mail
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client

import manage
from diplomacy_site import shared_counts, trouble, watch
from diplomacy_site.embedded import places
from diplomacy_site.settings.servers import caches
from diplomacy_site.watch import Watch
from games.deadlines.phases import hold_game
from games.kernel import clock
from games.kernel.live_tickets import redis_address
from games.kernel.models import Letter
from games.news.models import Webhook
from tests.cast import CAROL, person
from tests.database import database_address
from tests.factories import running_game
from tests.people.test_moderation import moderator

if TYPE_CHECKING:
    from pytest_django import Settings

pytestmark = pytest.mark.django_db
TOKEN = "a token of thirty-two characters or more"
WATCHING = places.CHECKOUT / "diplomacy_site" / "watching"
SERVED = re.compile(r"^(diplomacy_\w+)", re.MULTILINE)
NAMED = re.compile(r"diplomacy_\w+")
HELD = "A game is on hold after a failure."


@pytest.fixture(autouse=True)
def empty_redis(settings: Settings) -> None:
    settings.METRICS_TOKEN, settings.ADMIN_EMAIL = TOKEN, ["host@example.org", "other@example.org"]
    shared_counts._redis().flushdb()
    shared_counts.note_moments(*settings.CELERY_TASK_QUEUES, shared_counts.SWEEP)
    trouble.wrong_since.clear()
    trouble.found.clear()


def test_a_letter_that_the_mail_server_does_not_take_is_said_in_a_sentence(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    monkeypatch.setattr(sys, "argv", ["manage.py", "sendtestemail", "anna@example.org"])
    for name, address in (("DATABASE_URL", database_address()), ("REDIS_URL", redis_address())):
        monkeypatch.setenv(name, address)
    with pytest.raises(SystemExit, match=r"^manage\.py sendtestemail failed: ConnectionRefusedError: "):
        manage.main()


def measured() -> dict[str, float]:
    return {one.kind: one.value for one in trouble.measures()}


def wrong() -> list[str]:
    """What is wrong, without the disk of the machine that runs the tests."""
    found = [one.kind for one in trouble.measures() if one.value > one.limit]
    return [kind for kind in found if not kind.startswith("disk_used_share")]


def minutes_pass(minutes: int) -> None:
    """For what the watch has noted."""
    for kind, since in trouble.wrong_since.items():
        trouble.wrong_since[kind] = since - timedelta(minutes=minutes)


def seconds_until_next_letter() -> int:
    return int(shared_counts._redis().ttl(cache.make_key(watch.LETTER)))


def served(client: Client) -> str:
    return client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()


def test_rules_and_dashboard_name_only_what_is_served_and_rules_have_the_limits_of_the_site(
    client: Client, settings: Settings
) -> None:
    settings.BACKUP_TO = "s3://club/backups"
    shared_counts.note_pages({("games:lobby", "0"): 1})
    shared_counts.note_closing(1, 1, 0.1)
    known = set(SERVED.findall(served(client)))
    rules = [
        rule for group in yaml.safe_load((WATCHING / "alerts.yml").read_text())["groups"] for rule in group["rules"]
    ]
    board = json.loads((WATCHING / "dashboard.json").read_text())
    asked = [rule["expr"] for rule in rules] + [it["expr"] for panel in board["panels"] for it in panel["targets"]]
    assert {name for expression in asked for name in NAMED.findall(expression)} <= known
    assert all({"alert", "expr", "for", "annotations"} == set(rule) for rule in rules)
    limits = {f"diplomacy_{one.name} > {one.limit:.10g}" for one in trouble.measures() if one.limit < math.inf}
    assert limits <= {rule["expr"] for rule in rules}, "a rule for each"


def test_a_site_where_all_is_well_is_in_no_trouble() -> None:
    running_game()
    assert wrong() == []
    assert measured()["games_running"] == 1
    assert measured()["database_bytes"] > 1_000_000


def test_what_is_wrong_is_measured(settings: Settings) -> None:
    game = running_game()
    hold_game(game_id=game.pk)
    Letter.objects.update(written=clock.now() - timedelta(hours=1))
    shared_counts.note_pages({("games:lobby", "0"): 18, ("games:lobby", "3"): 6, ("games:lobby", "failed"): 2})
    now = clock.now()
    for number in range(3):
        Webhook.objects.create(
            user=person(CAROL),
            game=game,
            address=f"https://{number}.example.org",
            told_until=now,
            next_try=now,
            failures=1,
        )
    settings.BACKUP_TO = "s3://club/backups"
    shared_counts.note_moments(shared_counts.BACKUP, at=now - timedelta(hours=4))
    assert sorted(wrong()) == sorted(
        [
            *("games_held", "letters_waiting_oldest_seconds", "webhooks_failing_share", "recent_failures_share"),
            *("recent_slow_share", "backup_age_seconds", "proof_age_seconds"),
        ]
    )


def test_tasks_that_pile_up_are_counted_by_their_queues() -> None:
    before = measured()["queue_length bots"]
    with current_app.connection_for_write() as broker:
        queue = broker.SimpleQueue("bots")
        for _ in range(2):
            queue.put("made up")
        assert measured()["queue_length bots"] == before + 2
        for _ in range(2):
            queue.get(timeout=60).ack()


def test_what_lasts_ten_minutes_is_written_to_the_administrators_once_a_day() -> None:
    hold_game(game_id=running_game().pk)
    Letter.objects.all().delete()
    one, other = Watch(), Watch()
    one.look()
    minutes_pass(9)
    one.look()
    assert mail.outbox == []
    minutes_pass(1)
    one.look()
    (letter,) = mail.outbox
    assert letter.to == ["host@example.org", "other@example.org"]
    assert HELD in str(letter.body)
    other.look()
    assert len(mail.outbox) == 1, "for all processes together"
    assert seconds_until_next_letter() > 23 * 3600
    shared_counts._redis().flushdb()
    one.look()
    assert len(mail.outbox) == 1, "it remembers what Redis forgot"


def test_what_has_passed_meanwhile_begins_anew() -> None:
    trouble.wrong_since["games_held"] = clock.now()
    Watch().look()
    assert "games_held" not in trouble.wrong_since


def test_a_letter_that_is_not_taken_or_whose_sender_is_killed_is_tried_again(settings: Settings) -> None:
    hold_game(game_id=running_game().pk)
    Watch().look()
    minutes_pass(10)
    there, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    Watch().look()
    settings.EMAIL_BACKEND = there
    Watch().look()
    assert mail.outbox == [], "another process may be sending it"
    assert 0 < seconds_until_next_letter() <= watch.LETTER_LEASE_SECONDS
    cache.delete(watch.LETTER)  # that time has passed
    Watch().look()
    assert len(mail.outbox) == 1


def test_moderators_see_what_is_wrong_even_while_mail_and_redis_are_away(client: Client, settings: Settings) -> None:
    desk = moderator()
    assert "Tell the host" not in desk.get("/moderation/").content.decode()
    hold_game(game_id=running_game().pk)
    Watch().look()
    minutes_pass(10)
    Watch().look()
    assert HELD in desk.get("/moderation/").content.decode()
    settings.CACHES = caches("redis://127.0.0.1:1")
    assert measured()["redis_away"] == 1
    Watch().look()
    minutes_pass(1)
    Watch().look()
    assert "Redis is away" in desk.get("/moderation/").content.decode()
    assert "diplomacy_redis_away 1.0" in served(client)


def happened(name: str, seconds: int, clock_ahead: int = 0) -> None:
    """As noted so many seconds ago, by a process whose clock was wrong by so much."""
    now = shared_counts._redis().time()[0]
    value = f"{now - seconds} {now - seconds + clock_ahead}"
    shared_counts._redis().hset(shared_counts.MOMENTS_KEY, name, value)


def test_a_worker_that_hangs_is_told_at_once_and_one_that_has_just_begun_gets_a_minute(client: Client) -> None:
    happened("background", seconds=720)
    shared_counts._redis().hdel(shared_counts.MOMENTS_KEY, "bots")
    assert [kind for kind in wrong() if "work" in kind] == ["work_age_seconds background", "work_age_seconds bots"]
    Watch().look()
    (letter,) = mail.outbox
    assert "The background worker does nothing" in str(letter.body)
    assert "bots" not in str(letter.body)
    minutes_pass(1)
    Watch().look()
    assert "The worker for bots does nothing" in moderator().get("/moderation/").content.decode()
    assert 'diplomacy_work_age_seconds{queue="background"} 7' in served(client)


@pytest.mark.parametrize(("ahead", "is_told"), [(59, False), (-59, False), (90, True), (-86400, True)])
def test_clocks_may_differ_by_a_minute(ahead: int, is_told: bool) -> None:
    happened("deadlines", seconds=1, clock_ahead=ahead)
    Watch().look()
    assert bool(mail.outbox) is is_told
    assert measured()["clock_difference deadlines"] == pytest.approx(abs(ahead), abs=3)


def test_a_mail_server_that_takes_no_letters_for_longer_than_a_retry_is_told() -> None:
    happened(shared_counts.MAIL_FAILS, seconds=30)  # and not 40, as a second may pass before it is looked at
    assert "letters_failing_seconds" not in wrong()
    happened(shared_counts.MAIL_FAILS, seconds=41)
    Watch().look()
    assert "Emails can’t be sent." in str(mail.outbox[0].body)
    shared_counts.note_mail(taken=True)
    assert wrong() == []


def test_without_redis_or_a_database_every_process_writes_once(settings: Settings) -> None:
    def refuse(*_: object) -> None:
        raise OperationalError

    watching = Watch()
    settings.CACHES = caches("redis://127.0.0.1:1")
    watching.look()
    assert mail.outbox == []
    minutes_pass(1)
    watching.look()
    assert "Redis is away" in str(mail.outbox[0].body)
    with connection.execute_wrapper(refuse):
        watching.look()
        minutes_pass(1)
        watching.look()
        assert len(mail.outbox) == 1
        Watch().look()
    assert "The database does not answer." in str(mail.outbox[1].body)


def test_another_site_is_called_about_once_a_minute_while_all_is_well(settings: Settings) -> None:
    calls = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            calls.append(self.path)
            self.send_response(200)
            self.end_headers()

    with HTTPServer(("127.0.0.1", 0), Listener) as listening:
        Thread(target=listening.serve_forever, daemon=True).start()
        settings.ALIVE_URL = f"http://127.0.0.1:{listening.server_port}/ping/club?from=site"
        for queue_age, expected in ((76, 0), (1, 1), (1, 1)):
            happened("bots", seconds=queue_age)
            Watch().look()
            assert calls == ["/ping/club?from=site"] * expected
        listening.shutdown()


def test_the_status_page_says_how_old_the_newest_backup_is_where_there_are_some(
    client: Client, settings: Settings
) -> None:
    assert "Newest backup" not in client.get("/status/").content.decode()
    settings.BACKUP_TO = "s3://club/backups"
    assert "not yet" in client.get("/status/").content.decode()
    shared_counts.note_moments(shared_counts.BACKUP, shared_counts.PROOF, at=clock.now())
    assert "not yet" not in client.get("/status/").content.decode()
