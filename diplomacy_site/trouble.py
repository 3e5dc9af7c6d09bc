"""What is wrong with the site, measured once: for the metrics, the letter to administrators and the moderators' page.

Every number is about the whole site. None tells anything of a game, a player or an order.
"""

import math
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from celery import current_app
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import DatabaseError, connection
from django.db.models import Count, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from diplomacy_site import shared_counts
from diplomacy_site.health import WORK_IS_RECENT_SECONDS
from diplomacy_site.state import SiteState, count_waiting_emails, site_state
from games.bots.services import turns_nobody_has_claimed
from games.delivery.push import count_users_pushed_to
from games.kernel import clock
from games.kernel.languages import later
from games.kernel.models import MODERATORS, Game, Status
from games.kernel.wording import moment_words
from games.news.emails import host_of_site, single_email
from games.news.models import Webhook

LASTING, SHORT, AT_ONCE = timedelta(minutes=10), timedelta(minutes=1), timedelta(0)
MAIL_SECONDS, CLOCK_SECONDS = 40, 60
"""For how long the mail server may take no letter, which is more than one retry; how far clocks may differ."""
FIRST_BACKUP = timedelta(hours=3)
FEWEST_FAILING = 3
"""Fewer say something about their users, and nothing about the site."""
AGE = "_seconds"
"""How the names of ages end: what they measure has been so since then."""
wrong_since: dict[str, datetime] = {}
"""Kind of trouble -> since when the watch of this process has noted it without a break."""

MAIL_WORDS = later("Emails can’t be sent. Does the mail server take them?")
WORK_WORDS = {
    settings.DEADLINES: later("The worker for deadlines does nothing: it has stopped, or it hangs."),
    settings.BACKGROUND: later("The background worker does nothing: it has stopped, or it hangs. Emails wait."),
    settings.BOTS: later("The worker for bots does nothing: it has stopped, or it hangs."),
}


@dataclass(frozen=True, slots=True)
class Measure:
    """A number; above `limit`, for as long as `patience`, something is wrong, as `words` say. `part`: a label and its
    value."""

    name: str
    meaning: str
    value: float
    limit: float = math.inf
    words: str = ""
    part: tuple[str, str] = ("", "")
    patience: timedelta = LASTING

    @property
    def kind(self) -> str:
        return " ".join(filter(None, (self.name, self.part[1])))


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong, in words for people, and since when."""

    words: str
    since: datetime

    def __str__(self) -> str:
        return _("{trouble} This has been so since {moment}.").format(
            trouble=self.words, moment=moment_words(self.since)
        )


def measures() -> Iterator[Measure]:
    """All that can be measured now: without Redis, only what is in the database and on the disk."""
    state = site_state()
    yield from _of_letters_and_games(state)
    yield from _of_posts()
    yield from _of_disks()
    try:
        redis_measures = list(_of_redis()) if shared_counts.redis_works() else []
    except RedisError:
        redis_measures = []
    words = later("Redis is away or takes nothing: emails and bots wait, and deadlines are seconds late.")
    yield Measure("redis_away", "1 if Redis takes nothing.", not redis_measures, 0, words, patience=SHORT)
    yield from redis_measures


def _of_letters_and_games(state: SiteState) -> Iterator[Measure]:
    letters, oldest = count_waiting_emails()
    count = Game.objects.filter(status=Status.HELD).exclude(incident=MODERATORS).count()
    late_words = later("Phases are overdue. Are the workers running?")
    yield Measure("games_running", "Games that are running.", state.running)
    yield Measure("games_held", "Games on hold after a failure.", count, 0, later("A game is on hold after a failure."))
    yield Measure("phases_due", "Open phases of running games whose deadline has passed.", state.due)
    yield Measure("phases_overdue", "Open phases that are more than a minute late.", state.overdue)
    yield Measure("phases_overdue_oldest_seconds", "How late the latest phase is.", state.late_seconds, 120, late_words)
    yield Measure("letters_waiting", "Emails that are not sent yet.", letters)
    yield Measure("letters_waiting_oldest_seconds", "How long the oldest of them has waited.", oldest, 1800, MAIL_WORDS)


def _of_posts() -> Iterator[Measure]:
    running = Webhook.objects.filter(next_try__isnull=False)
    hooks = running.aggregate(all=Count("pk"), failing=Count("pk", filter=Q(failures__gt=0)))
    waiting_count, told_count = count_users_pushed_to(since=LASTING)
    webhook_words = later("Most webhooks fail. Can this machine reach other sites?")
    push_words = later("Most push notifications fail. Can this machine reach other sites?")
    yield Measure("webhooks_failing", "Webhooks whose last post has failed.", hooks["failing"])
    share = _share(hooks["failing"], hooks["all"])
    yield Measure("webhooks_failing_share", "Their share, if they are three or more.", share, 0.5, webhook_words)
    yield Measure("pushes_failing", "Users whose devices have not been told for ten minutes.", waiting_count)
    share = _share(waiting_count, waiting_count + told_count)
    yield Measure("pushes_failing_share", "Their share, if they are three or more.", share, 0.5, push_words)


def _share(count: int, number: int) -> float:
    return count / number if count >= FEWEST_FAILING else 0.0


def _of_disks() -> Iterator[Measure]:
    places = {"site": str(settings.BASE_DIR), "temporary": tempfile.gettempdir()}
    if settings.BACKUP_TO and "://" not in settings.BACKUP_TO:
        places["backups"] = settings.BACKUP_TO
    words = later("A disk is nine tenths full.")
    for name, path in places.items():
        try:
            disk = shutil.disk_usage(path)
        except OSError:  # a folder that a backup has yet to make
            continue
        share = 1 - disk.free / disk.total
        yield Measure("disk_used_share", "How full the disk of this folder is.", share, 0.9, words, ("place", name))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        yield Measure("database_bytes", "The size of the database.", cursor.fetchone()[0])


def _of_redis() -> Iterator[Measure]:
    moments = shared_counts.last_moments()
    sweep = moments.get(shared_counts.SWEEP)
    failed_share, slow_share = shared_counts.recent_shares()
    age = sweep.age if sweep else math.inf
    sweep_words = later("Deadlines are not being checked. Is a worker for deadlines running?")
    yield Measure("sweep_age_seconds", "Time since the last check for due phases.", age, 60, sweep_words)
    yield Measure("bots_waiting", "Bots that nothing has asked for orders yet.", len(turns_nobody_has_claimed()))
    yield Measure("watchers", "Open pages that receive live updates.", shared_counts.count_watchers())
    failing = moments[shared_counts.MAIL_FAILS].age if shared_counts.MAIL_FAILS in moments else 0
    meaning = "Since when the mail server has taken none."
    yield Measure("letters_failing_seconds", meaning, failing, MAIL_SECONDS, MAIL_WORDS, patience=AT_ONCE)
    yield from _of_work(moments)
    failures = later("More than one page in twenty fails.")
    delays = later("More than one page in five takes 2 seconds.")
    yield Measure("recent_failures_share", "Of the last 10 to 20 minutes’ requests.", failed_share, 0.05, failures)
    yield Measure("recent_slow_share", "Those over 2 seconds, likewise.", slow_share, 0.2, delays)
    queue_words = later("Tasks pile up. Is a worker for each queue running?")
    with current_app.connection_for_read() as broker:
        channel = broker.channel()
        for queue in settings.CELERY_TASK_QUEUES:
            length = channel.queue_declare(queue).message_count
            yield Measure("queue_length", "Tasks that wait for a worker.", length, 300, queue_words, ("queue", queue))
    if (share := shared_counts.share_of_redis_used()) is not None:
        yield Measure("redis_used_share", "How full Redis is.", share, 0.9, later("Redis is nine tenths full."))
    if settings.BACKUP_TO:
        yield from _of_backups()


def _of_work(moments: dict[str, shared_counts.Moment]) -> Iterator[Measure]:
    ahead = time.time() - clock.now().timestamp()
    yield _of_clock("web", ahead)
    for queue, words in WORK_WORDS.items():
        last = moments.get(queue)
        age, patience = (last.age, AT_ONCE) if last else (math.inf, SHORT)
        meaning, part = "Since a task of this queue was done.", ("queue", queue)
        yield Measure("work_age_seconds", meaning, age, WORK_IS_RECENT_SECONDS, words, part, patience)
        yield _of_clock(queue, last.ahead + ahead if last else 0)


def _of_clock(process: str, ahead: float) -> Measure:
    meaning = "By how many seconds the clock of this process and that of the database differ."
    words = later("The clocks of two machines differ by more than a minute. Are they set by NTP?")
    return Measure("clock_difference", meaning, abs(ahead), CLOCK_SECONDS, words, ("process", process), AT_ONCE)


def _of_backups() -> Iterator[Measure]:
    record = shared_counts.backup_record()
    no_backup = later("The newest backup is older than 3 hours, or there is none.")
    no_proof = later("No backup has been restored as a test for 40 days.")
    yield _age_of_backup("backup", "Since the newest backup.", record.made, timedelta(hours=3), no_backup)
    yield _age_of_backup("proof", "Since the newest that was restored.", record.proved, timedelta(days=40), no_proof)


def _age_of_backup(name: str, meaning: str, moment: datetime | None, limit: timedelta, words: str) -> Measure:
    """The measure of a backup's age. A site that has none yet gets some time to make one."""
    age, patience = (math.inf, FIRST_BACKUP) if moment is None else ((clock.now() - moment).total_seconds(), LASTING)
    return Measure(f"{name}_age{AGE}", meaning, age, limit.total_seconds(), words, patience=patience)


def lasting_troubles() -> list[Trouble]:
    """What has been wrong for long enough. The watch of this process notes since when; of an age, it is known."""
    return _lasting(_wrong_measures())


def _wrong_measures() -> list[Measure]:
    """What is wrong now; that the database does not answer, if so."""
    try:
        return [measure for measure in measures() if measure.value > measure.limit]
    except DatabaseError:
        words = later("The database does not answer. Pages, deadlines and emails wait.")
        return [Measure("database_away", "1 if the database is away.", 1, 0, words, patience=SHORT)]


def note_troubles() -> list[Trouble]:
    """Note since when each measure has been wrong without a break, and return what has been for long enough."""
    wrong = _wrong_measures()
    for kind in wrong_since.keys() - {measure.kind for measure in wrong}:
        del wrong_since[kind]
    for measure in wrong:
        wrong_since.setdefault(measure.kind, timezone.now())
    return _lasting(wrong)


def _lasting(wrong: Sequence[Measure]) -> list[Trouble]:
    now = timezone.now()  # the database, with the games' clock, may be away
    starts = [(it, _since(it, wrong_since.get(it.kind, now), now)) for it in wrong]
    troubles = [Trouble(str(it.words), since) for it, since in starts if now - since >= it.patience]
    return list({trouble.words: trouble for trouble in troubles}.values())


def _since(measure: Measure, first_noted: datetime, now: datetime) -> datetime:
    is_age = measure.name.endswith(AGE) and math.isfinite(measure.value)
    return now - timedelta(seconds=measure.value) if is_age else first_noted


def administrators_letter(troubles: Sequence[Trouble]) -> EmailMultiAlternatives:
    letter = single_email(
        _("Something is wrong on {site}").format(site=host_of_site()),
        " ".join(map(str, troubles)),
        to=settings.ADMIN_EMAIL[0],
        about=f"trouble.{timezone.now().date().isoformat()}",
        address=reverse("status"),
        act=_("Open the status page"),
        closing=_("You get such an email at most once a day."),
    )
    letter.to = settings.ADMIN_EMAIL
    return letter
