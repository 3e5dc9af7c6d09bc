"""What is wrong with the site, measured once: for the metrics, the letter to administrators and the moderators' page.

`trouble.toml` says what each number means, and what is wrong above which. Every number is about the whole site. None
tells anything of a game, a player or an order.
"""

import math
import shutil
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import DatabaseError, connection
from django.db.models import Count, Min, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from diplomacy_site import shared_counts
from games.bots.services import turns_nobody_has_claimed
from games.deadlines.queries import overdue_phases
from games.delivery.push import count_users_pushed_to
from games.kernel import clock
from games.kernel.languages import later
from games.kernel.models import MODERATORS, Game, Status
from games.kernel.wording import moment_words
from games.news.emails import host_of_site, single_email
from games.news.models import Webhook
from games.news.outboxes import OUTBOXES
from games.people.models import ActKind, Approval, ModerationAct
from games.seating.models import MailedInvitation
from games.seating.services.placing import VALID_FOR

LASTING = timedelta(minutes=10)
"""For how long something must have been wrong, unless `trouble.toml` says otherwise."""
LONGEST_DAY = timedelta(hours=26)
"""From one daily digest to the next, with a change of clocks and some time to send it."""
FEWEST_FAILING = 3
"""Fewer say something about their users, and nothing about the site."""
AGE = "_seconds"
"""How the names of ages end: what they measure has been so since then."""
KINDS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
wrong_since: dict[str, datetime] = {}
"""Kind of trouble -> since when the watch of this process has noted it without a break."""
found: list["Trouble"] = []
"""What that watch found when it last looked."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number; above `limit`, for as long as `patience`, something is wrong, as `words` say. `part`: a label and its
    value."""

    name: str
    value: float
    part: tuple[str, str]
    meaning: str
    limit: float
    words: str
    patience: timedelta

    @property
    def kind(self) -> str:
        return " ".join(filter(None, (self.name, self.part[1])))


def measured(name: str, value: float, label: str = "", part: str = "") -> Measure:
    """The number with what `trouble.toml` says of its name; infinity is the age of what has never been."""
    row = KINDS[name]
    words, patience = row.get("words", ""), row.get("patience", LASTING.total_seconds())
    return Measure(
        name=name,
        value=value,
        part=(label, part),
        meaning=row["meaning"],
        limit=row.get("limit", math.inf),
        words=later(words[part] if isinstance(words, dict) else words),
        patience=timedelta(seconds=row.get("beginning", patience) if math.isinf(value) else patience),
    )


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong, in words for people, and since when."""

    words: str
    since: datetime


def measures() -> Iterator[Measure]:
    """All that can be measured now: without Redis, only what is in the database and on the disk."""
    due, late = overdue_phases(late_seconds=0), overdue_phases()
    held = Game.objects.filter(status=Status.HELD).exclude(incident=MODERATORS)
    yield measured("games_running", Game.objects.of_people().filter(status=Status.RUNNING).count())
    yield measured("games_held", held.count())
    yield measured("phases_due", len(due))
    yield measured("phases_overdue", len(late))
    yield measured("phases_overdue_oldest_seconds", (clock.now() - late[0].since).total_seconds() if late else 0)
    # Emails that the mail server refused wait, too, and parts of daily digests once their day is over.
    now = clock.now()
    is_waiting = Q(next_try__isnull=False) | Q(for_the_day=True, written__lt=now - LONGEST_DAY)
    counts = [_count_and_oldest(box.rows.filter(is_waiting, sent__isnull=True), "written") for box in OUTBOXES]
    invitations, sooner = _count_and_oldest(MailedInvitation.objects.filter(next_try__isnull=False), "expires")
    approvals = Approval.objects.values("user")
    decisions = ModerationAct.objects.filter(kind=ActKind.APPROVED, user__in=approvals)
    counts += [(invitations, sooner and sooner - VALID_FOR), _count_and_oldest(decisions, "at")]
    moments = [oldest for _count, oldest in counts if oldest]
    yield measured("letters_waiting", sum(count for count, _oldest in counts))
    yield measured("letters_waiting_oldest_seconds", (now - min(moments)).total_seconds() if moments else 0.0)
    running = Webhook.objects.filter(next_try__isnull=False)
    hooks = running.aggregate(all=Count("pk"), failing=Count("pk", filter=Q(failures__gt=0)))
    waiting_count, told_count = count_users_pushed_to(since=LASTING)
    yield measured("webhooks_failing", hooks["failing"])
    yield measured("webhooks_failing_share", _share(hooks["failing"], hooks["all"]))
    yield measured("pushes_failing", waiting_count)
    yield measured("pushes_failing_share", _share(waiting_count, waiting_count + told_count))
    places = {"site": str(settings.BASE_DIR), "temporary": tempfile.gettempdir()}
    if settings.BACKUP_TO and "://" not in settings.BACKUP_TO:
        places["backups"] = settings.BACKUP_TO
    for name, path in places.items():
        try:
            disk = shutil.disk_usage(path)
        except OSError:  # a folder that a backup has yet to make
            continue
        yield measured("disk_used_share", 1 - disk.free / disk.total, "place", name)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        yield measured("database_bytes", cursor.fetchone()[0])
    try:
        redis_measures = list(_of_redis()) if shared_counts.redis_works() else []
    except RedisError:
        redis_measures = []
    yield measured("redis_away", int(not redis_measures))
    yield from redis_measures


def _count_and_oldest(rows: QuerySet[Any], moment: str) -> tuple[int, datetime | None]:
    row = rows.aggregate(count=Count("pk"), oldest=Min(moment))
    return row["count"], row["oldest"]


def _share(count: int, number: int) -> float:
    return count / number if count >= FEWEST_FAILING else 0.0


def _of_redis() -> Iterator[Measure]:
    moments = shared_counts.last_moments()
    ages = {name: moment.age for name, moment in moments.items()}
    failed_share, slow_share = shared_counts.recent_shares()
    yield measured("sweep_age_seconds", ages.get(shared_counts.SWEEP, math.inf))
    yield measured("bots_waiting", len(turns_nobody_has_claimed()))
    yield measured("watchers", shared_counts.count_watchers())
    yield measured("letters_failing_seconds", ages.get(shared_counts.MAIL_FAILS, 0))
    yield measured("recent_failures_share", failed_share)
    yield measured("recent_slow_share", slow_share)
    ahead = time.time() - clock.now().timestamp()
    yield measured("clock_difference", abs(ahead), "process", "web")
    with current_app.connection_for_read() as broker:
        channel = broker.channel()
        for queue in settings.CELERY_TASK_QUEUES:
            waiting_count = channel.queue_declare(queue).message_count
            yield measured("queue_length", waiting_count, "queue", queue)
            yield measured("work_age_seconds", ages.get(queue, math.inf), "queue", queue)
            yield measured(
                "clock_difference", abs(moments[queue].ahead + ahead) if queue in moments else 0, "process", queue
            )
    if (share := shared_counts.share_of_redis_used()) is not None:
        yield measured("redis_used_share", share)
    if settings.BACKUP_TO:
        yield measured("backup_age_seconds", ages.get(shared_counts.BACKUP, math.inf))
        yield measured("proof_age_seconds", ages.get(shared_counts.PROOF, math.inf))


def note_troubles() -> list[Trouble]:
    """Note since when each measure has been wrong without a break, and what has been for long enough; return that."""
    try:
        wrong = [measure for measure in measures() if measure.value > measure.limit]
    except DatabaseError:
        wrong = [measured("database_away", 1)]
    now, before = timezone.now(), wrong_since.copy()  # the database, with the games' clock, may be away
    wrong_since.clear()
    lasting: dict[str, Trouble] = {}
    for it in wrong:
        wrong_since[it.kind] = before.get(it.kind, now)
        is_age = it.name.endswith(AGE) and math.isfinite(it.value)
        since = now - timedelta(seconds=it.value) if is_age else wrong_since[it.kind]
        if now - since >= it.patience:
            lasting[it.words] = Trouble(it.words, since)
    found[:] = lasting.values()
    return found


def administrators_letter(troubles: Sequence[Trouble]) -> EmailMultiAlternatives:
    message = _("{trouble} This has been so since {moment}.")
    sentences = [message.format(trouble=it.words, moment=moment_words(it.since)) for it in troubles]
    letter = single_email(
        _("Something is wrong on {site}").format(site=host_of_site()),
        " ".join(sentences),
        to=settings.ADMIN_EMAIL[0],
        about=f"trouble.{timezone.now().date().isoformat()}",
        address=reverse("status"),
        act=_("Open the status page"),
        closing=_("You get such an email at most once a day."),
    )
    letter.to = settings.ADMIN_EMAIL
    return letter
