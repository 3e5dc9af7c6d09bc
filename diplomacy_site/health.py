"""Two questions for monitoring. /healthz: does this process respond? /readyz: does everything work?

Neither reveals more than yes, no and how many, because anyone may ask.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

from diplomacy_site.shared_counts import SWEEP, Moment, last_moments, redis_works
from diplomacy_site.trouble import KINDS
from games.deadlines.queries import overdue_phases
from games.sealed.rekeying import check_keys

T = TypeVar("T")


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """Answer 200 if this process is alive, without checking anything else."""
    return HttpResponse("alive\n", content_type="text/plain; charset=utf-8")


@never_cache
@require_safe
def readyz(_request: HttpRequest) -> JsonResponse:
    """Answer 200 if pages can be served and deadlines are met, else 503; the parts of the answer say what is wrong."""
    parts = readiness()
    return JsonResponse(parts, status=200 if is_ready(parts) else 503)


def readiness() -> dict[str, Any]:
    """Whether each part works, and how many phases are late, None if that is not known."""
    moments = answer_or_none(last_moments) or {}
    return {
        "database": bool(answer_or_none(database_answers)),
        "migrations": bool(answer_or_none(tables_are_up_to_date)),
        "redis": redis_works(),
        "keys": bool(answer_or_none(lambda: not check_keys())),
        "sweep": is_recent(moments, SWEEP, "sweep_age_seconds"),
        **{queue: is_recent(moments, queue, "work_age_seconds") for queue in settings.CELERY_TASK_QUEUES},
        "overdue_phases": answer_or_none(lambda: len(overdue_phases())),
    }


def is_ready(parts: dict[str, Any]) -> bool:
    late = parts["overdue_phases"]
    return late == 0 and all(works for name, works in parts.items() if name != "overdue_phases")


def answer_or_none(question: Callable[[], T]) -> T | None:
    """The answer to this question; None if the database or Redis that knows it is down."""
    try:
        return question()
    except (DatabaseError, RedisError):
        return None


def database_answers() -> bool:
    """Does it take changes too? One whose disk is full, or that follows another, may only be read."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")
        return bool(cursor.fetchone()[0] == "off")


def tables_are_up_to_date() -> bool:
    """Has every migration that this version knows been applied, and none of a newer one?"""
    applied = frozenset(MigrationRecorder(connection).applied_migrations())
    return known_migrations() <= applied and not unknown_migrations(applied)


@cache
def unknown_migrations(applied: frozenset[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """Those that only another version has. One that replaces others may be recorded besides them."""
    return applied - known_migrations() - MigrationLoader(None).replacements.keys()


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """(app, name) of every migration in the code; one that replaces others counts as those, as older versions recorded
    them."""
    found = MigrationLoader(None).disk_migrations.items()
    return frozenset(name for key, migration in found for name in migration.replaces or [key])


def is_recent(moments: Mapping[str, Moment], name: str, kind: str) -> bool:
    """Was this noted no longer ago than the limit for measures of this kind?"""
    return name in moments and bool(moments[name].age <= KINDS[kind]["limit"])
