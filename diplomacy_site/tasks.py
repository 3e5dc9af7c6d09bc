"""Celery's tasks for the host of the site."""

from celery import shared_task

LONGEST = 6 * 3600
"""In seconds: a large database over a slow line."""


@shared_task(  # type: ignore[untyped-decorator]  # Celery has no types
    acks_late=False, soft_time_limit=LONGEST, time_limit=LONGEST + 60
)
def back_up() -> None:
    from diplomacy_site.scheduled_backups import make_scheduled_backup  # noqa: PLC0415 - few have the packages it needs

    make_scheduled_backup()
