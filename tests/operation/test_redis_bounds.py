"""The threat model lists everything that is in Redis. Each kind is filled here, from one network and from 1,000."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from allauth.core.ratelimit import consume
from allauth.mfa.totp.internal.auth import TOTP
from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.test import RequestFactory
from redis import Redis

from diplomacy_site import scheduled_backups, shared_counts, watch
from diplomacy_site.beat import LEASE_NAME, Lease
from diplomacy_site.embedded import places
from games.bots.services import BotTurn
from games.kernel.after_commit import MOST_WAITING, start_task_after_commit
from games.kernel.limits import StrangersThrottle, VisitorThrottle, takes_today
from games.kernel.live_tickets import redis_address, redis_client
from tests.operation.test_redis_refuses import own, valkey  # noqa: F401 - a server of its own

if TYPE_CHECKING:
    from diplomacy_site.embedded.valkey import Valkey

pytestmark = pytest.mark.django_db(transaction=True)
ROW = re.compile(r"^\| ((?:`[^`]+`(?:, )?)+) \| (\d+) \| ")
OF_THE_CACHE = re.compile(r"^:\d+:")
CROWD = 1_000
MOST = "240/min"
"""More than any limit that we have."""


def bounds() -> dict[str, int]:
    """Pattern of a key -> its most bytes, in the order of the table, where the first that fits counts."""
    rows = map(ROW.match, (places.CHECKOUT / "THREAT_MODEL.md").read_text().splitlines())
    return {name: int(row[2]) for row in rows if row for name in re.findall("`(.*?)`", row[1])}


def asked_from(network: str) -> Any:
    request: Any = RequestFactory().post("/", REMOTE_ADDR=network)
    request.user = SimpleNamespace(is_authenticated=False, pk=None)
    return request


def count_everywhere(network: str) -> None:
    request = asked_from(network)
    VisitorThrottle("a-limit-with-a-long-name:1234567", MOST).allow_request(request, None)
    strangers = StrangersThrottle.__new__(StrangersThrottle)
    strangers.rate = MOST
    strangers.__init__()  # type: ignore[misc]  # the tests have no rate
    strangers.allow_request(request, None)
    consume(request, action="login")
    consume(request, action="login_failed", key=f"a name {network}")


def fill() -> None:
    """As full as each kind can be."""
    for _ in range(300):
        count_everywhere("2001:db8:ffff:ffff::")
    for number in range(CROWD):
        count_everywhere(f"10.0.{number >> 8}.{number & 255}")
    takes_today("a-limit-with-a-long-name", "f" * 64, 10**9, 10**8)
    for number in range(CROWD):
        cache.add(BotTurn(10**9, number, 10**9 + number).claim, 1, 60)
    TOTP(SimpleNamespace(user_id=10**9, data={}))._mark_code_used("123456")
    cache.add(scheduled_backups.BUSY, True, timeout=60)
    assert Lease(redis_client(redis_address())).hold()
    redis_client(redis_address()).persist(LEASE_NAME)  # until all is counted
    redis_client(redis_address()).set(f"{shared_counts.WATCHERS_KEY}{'0' * 32}", 10**9)
    names = shared_counts.SWEEP, shared_counts.MAIL_FAILS, shared_counts.BACKUP, shared_counts.PROOF
    shared_counts.note_moments(*settings.CELERY_TASK_QUEUES, *names)
    shared_counts.note_closing(10**9, 10**9, 20.0)
    shared_counts.note_pages(
        {(f"games:page-number-{page}", str(step)): 10**9 for page in range(250) for step in range(6)}
    )
    for key in (watch.LETTER, watch.ALIVE):
        cache.set(key, True, watch.LETTER_EVERY_SECONDS)
    for task in ("games.tasks.sweep", "games.tasks.deliver", "games.tasks.play_bots"):
        for _ in range(2 * MOST_WAITING):
            start_task_after_commit(task)
    with current_app.connection_for_read() as broker, broker.SimpleQueue("bots") as queue:
        queue.get(timeout=60)
        check(broker.default_channel.client)


def check(broker: Redis) -> None:
    """Each key is one of the table's and no larger than it says, and every kind is there."""
    table, met = bounds(), set[str]()
    for redis in (broker, redis_client(redis_address())):
        for key in redis.scan_iter():
            name = OF_THE_CACHE.sub("", key.decode())
            kind = next((pattern for pattern in table if fnmatchcase(name, pattern)), None)
            assert kind, f"{name} is not in the table of THREAT_MODEL.md"
            assert (redis.memory_usage(key, samples=0) or 0) <= table[kind], name
            met.add(kind)
    assert met == set(table)


def test_everything_in_redis_is_in_the_table_and_within_its_bound(own: Valkey) -> None:  # noqa: F811
    fill()
