"""How the site is doing, in numbers that reveal nothing about any game or player."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet

from diplomacy_site import shared_counts
from games.deadlines.queries import LATE_SECONDS, overdue_phases
from games.kernel import clock
from games.kernel.models import Game, Status
from games.news.outboxes import OUTBOXES
from games.people.models import ActKind, Approval, ModerationAct
from games.seating.models import MailedInvitation
from games.seating.services.placing import VALID_FOR

LONGEST_DAY = timedelta(hours=26)
"""From one daily digest to the next, with a change of clocks and some time to send it."""


@dataclass(frozen=True, slots=True)
class SiteState:
    """`due`: open phases whose deadline has passed; `overdue`: those late by more than LATE_SECONDS; ages in
    seconds."""

    version: str
    running: int
    due: int
    overdue: int
    overdue_since: datetime | None
    late_seconds: float
    swept: datetime | None
    sweep_age: float | None


def site_state() -> SiteState:
    """The state now, in three queries; without the sweep if Redis is down."""
    now = clock.now()
    due_phases = overdue_phases(late_seconds=0)
    late_deadlines = [phase.since for phase in due_phases if (now - phase.since).total_seconds() > LATE_SECONDS]
    sweep = shared_counts.last_sweep()
    return SiteState(
        version=settings.SITE_VERSION,
        running=Game.objects.of_people().filter(status=Status.RUNNING).count(),
        due=len(due_phases),
        overdue=len(late_deadlines),
        overdue_since=late_deadlines[0] if late_deadlines else None,
        late_seconds=(now - late_deadlines[0]).total_seconds() if late_deadlines else 0.0,
        swept=sweep.at if sweep else None,
        sweep_age=sweep.age if sweep else None,
    )


def count_waiting_emails() -> tuple[int, float]:
    """How many emails are not sent yet, and for how many seconds the oldest has waited. Those that the mail server
    refused count too, and parts of daily digests once their day is over."""
    now = clock.now()
    is_waiting = Q(next_try__isnull=False) | Q(for_the_day=True, written__lt=now - LONGEST_DAY)
    counts = [_count_and_oldest(box.rows.filter(is_waiting, sent__isnull=True), "written") for box in OUTBOXES]
    invitations, sooner = _count_and_oldest(MailedInvitation.objects.filter(next_try__isnull=False), "expires")
    approvals = Approval.objects.values("user")
    decisions = ModerationAct.objects.filter(kind=ActKind.APPROVED, user__in=approvals)
    counts += [(invitations, sooner and sooner - VALID_FOR), _count_and_oldest(decisions, "at")]
    moments = [oldest for _count, oldest in counts if oldest]
    return sum(count for count, _oldest in counts), (now - min(moments)).total_seconds() if moments else 0.0


def _count_and_oldest(rows: QuerySet[Any], moment: str) -> tuple[int, datetime | None]:
    row = rows.aggregate(count=Count("pk"), oldest=Min(moment))
    return row["count"], row["oldest"]
