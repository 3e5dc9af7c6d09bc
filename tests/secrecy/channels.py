"""What leaves the site other than as a response: emails, notifications, posts, events, tasks, log, errors, rows."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from celery import current_app
from celery.signals import before_task_publish
from django.conf import settings
from django.core import mail
from django.db import connection, reset_queries
from django.test import TestCase
from django.test.utils import CaptureQueriesContext

from games import tasks
from games.deadlines.news import GAME_HELD
from games.delivery import push
from games.delivery.choosing import choose_mail
from games.delivery.letters import deliver_letters
from games.delivery.posting import post_news
from games.delivery.webhooks import add_webhook
from games.kernel import clock, live_tickets
from games.kernel.models import Letter
from games.kernel.news import Topic
from games.news.models import Mail, PostForm, Webhook
from games.press.models import AnnouncementLetter, PressLetter
from games.sealed.models import Sheets
from tests.cast import person
from tests.delivery.test_push import PushService
from tests.delivery.test_webhooks import OtherSite
from tests.listening import Listener
from tests.moment import set_clock
from tests.secrecy.observation import CHANCE, TABLE, logged, public_rows
from tests.secrecy.roles import ROLES
from tests.secrecy.scene import steps, world_of
from tests.secrecy.sealed_records import without_codes
from tests.secrecy.worlds import NOON, world
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from django.core.mail import EmailMessage
    from pytest_django.fixtures import Settings

    from tests.secrecy.scene import Scene, Ways

Heard = dict[tuple[str, str], object]
"""The receiver and the channel -> what arrived, in sequence."""

CHANNELS = {
    "letters": "each role",
    "letter of the day": "each role",
    "notices on devices": "each role",
    "posts to other sites": "anybody",
    "events for open pages": "anybody",
    "tasks": "host",
    "steps of a deadline": "host",
    "log": "host",
    "error report": "host",
    "rows": "database holder",
}
"""The channels that are not addresses, and their receivers."""

MESSAGES = timedelta(minutes=3)
SIGNATURE = ("Webhook-Id", "Webhook-Timestamp", "Webhook-Signature")
BY_LOT = {"id", "root_id", "origin", "expires", "timelimit"}


@dataclass(frozen=True)
class Receivers:
    """Another site and a push service: real ones that keep what is posted."""

    site: OtherSite
    browsers: PushService


@contextmanager
def receivers(settings: Settings) -> Iterator[Receivers]:
    with OtherSite() as site, PushService() as browsers:
        settings.OUTBOUND_ALLOWED = frozenset({site.place, browsers.place})
        yield Receivers(site, browsers)


def listen(scene: Scene, receivers: Receivers, people: Collection[str]) -> None:
    """These users are told everything: at once, daily and on a device; and so are other sites."""
    for name in people:
        number = person(name).pk
        choose_mail(user_id=number, mail={Topic.PROPOSAL: Mail.DAILY, Topic.PHASE: Mail.DAILY})
        push.add_device(user_id=number, **receivers.browsers.device(name))
    for game in scene.played:
        for form in PostForm:
            address = f"{receivers.site.address}/{form}"
            add_webhook(game_id=game.pk, user_id=game.gm_id, address=address, form=form)
    Webhook.objects.update(told_until=NOON - MESSAGES)


def heard(scene: Scene, ways: Ways, receivers: Receivers, people: Collection[str]) -> Heard:
    """All that leaves the site in such a world, during its making and on the next day; emails to these users."""
    receivers.site.got.clear()
    receivers.browsers.got.clear()
    with world(), logged() as lines:
        found: Heard = {("host", "log"): lines, **_while_it_happens(scene, ways)}
        for outbox in (Letter, PressLetter, AnnouncementLetter):
            outbox.objects.exclude(user__username__in=people).delete()
        found |= _letters("letters")
        found["each role", "notices on devices"] = _notices(receivers)
        found["anybody", "posts to other sites"] = _posts(receivers)
        with _at(NOON + timedelta(days=1)):
            found |= _letters("letter of the day")
        found["host", "error report"] = _error(scene)
    return found


def rows_of(scene: Scene, ways: Ways) -> Heard:
    """The contents of a dump: all rows, and the phases and lengths of sealed orders."""
    with world_of(scene, ways):
        sizes = [(row.pk, len(row.sealed)) for row in Sheets.rows.order_by("pk")]
        return {("database holder", "rows"): (public_rows(), sizes)}


def _while_it_happens(scene: Scene, ways: Ways) -> Heard:
    """Events and tasks, step by step, and the queries of the step that everyone waits for."""
    sent: list[tuple[str, str]] = []
    shapes: list[str] = []
    with Listener() as listener, _messages(sent):
        for name, act in steps(scene, ways).items():
            reset_queries()
            capture = TestCase.captureOnCommitCallbacks
            with CaptureQueriesContext(connection) as queries, capture(execute=True):
                act()
            if name == "the deadline":
                shapes = [_shape(query["sql"]) for query in queries.captured_queries]
            _mark(name, sent)
        events = listener.heard()
    return {
        ("host", "tasks"): sent,
        ("host", "steps of a deadline"): shapes,
        ("anybody", "events for open pages"): events,
    }


def _shape(sql: str) -> str:
    return f"{sql.split(' ', 1)[0]} {' '.join(TABLE.findall(sql))}"


@contextmanager
def _messages(sent: list[tuple[str, str]]) -> Iterator[None]:
    """What is given to the broker, without random values; what earlier tests gave would keep it from taking more."""
    with current_app.connection_for_write() as broker:
        broker.default_channel.client.delete(*settings.CELERY_TASK_QUEUES)

    def note(sender: str, body: object, headers: dict[str, object], **_more: object) -> None:
        told = {name: value for name, value in sorted(headers.items()) if name not in BY_LOT}
        sent.append((sender, CHANCE.sub("…", f"{body} {told}")))

    before_task_publish.connect(note, weak=False)
    try:
        yield
    finally:
        before_task_publish.disconnect(note)


def _mark(name: str, sent: list[tuple[str, str]]) -> None:
    """The end of a step, in both sequences."""
    sent.append(("end of", name))
    live_tickets.publish_versions({"end": name})


def _letters(channel: str) -> Heard:
    """The emails sent now and once messages have waited long enough, by recipient."""
    mail.outbox.clear()
    deliver_letters()
    with _at(clock.now() + MESSAGES):
        deliver_letters()
    received: Heard = {(role.title, channel): [] for role in ROLES}
    for role in ROLES:
        received[role.title, channel] = [
            without_codes(f"{message.subject} {message.body} {message.extra_headers} {_web_page(message)}")
            for message in mail.outbox
            if message.to == [f"{role.name}@example.org"]
        ]
    return received


def _web_page(message: EmailMessage) -> str:
    return "".join(str(part) for part in getattr(message, "alternatives", ()))


def _notices(receivers: Receivers) -> list[dict[str, str]]:
    """They are sent at once, so in no sequence."""
    push.notify_devices()
    return sorted(receivers.browsers.opened(), key=lambda told: sorted(told.items()))


def _posts(receivers: Receivers) -> list[tuple[dict[str, str], bytes]]:
    """With their signatures, in sequence for each webhook; those of different ones are sent at once, so in no
    sequence."""
    while post_news():
        pass
    signed = [({name: headers[name] for name in SIGNATURE}, body) for headers, body in receivers.site.got]
    return sorted(signed, key=lambda post: post[0]["Webhook-Id"])


@contextmanager
def _at(moment: datetime) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, time_machine.travel(moment, tick=False):
        set_clock(patch, lambda: moment)
        yield


def _error(scene: Scene) -> list[str]:
    """What is reported if a result can't be stored, and what the host and the game master are told."""
    game = scene.played[0]
    Story(game).deadline_comes()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE kernel_result ADD CONSTRAINT broken CHECK (id < 0) NOT VALID")
    mail.outbox.clear()
    with logged() as lines:
        tasks.sweep.apply()
        deliver_letters()
    held = [str(message.subject) for message in mail.outbox]
    assert any("incident" in line for line in lines), "the fault must happen after the orders are read"
    assert game.letters.filter(kind=GAME_HELD.letter).exists()
    return [*lines, *held]
