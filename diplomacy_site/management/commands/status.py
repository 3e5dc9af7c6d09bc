"""Says what a host asks first."""

import logging
import time
from argparse import ArgumentParser
from http import HTTPStatus
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.test import Client
from redis.exceptions import RedisError

from diplomacy_site.health import is_ready, readiness
from diplomacy_site.shared_counts import BACKUP, PROOF, last_moments
from games.kernel.wording import moment_words

log = logging.getLogger(__name__)
PAUSE = 2.0


class Command(BaseCommand):
    help = (
        "The version, whether everything works as /readyz asks and pages can be shown, and the newest backup. "
        "Exits with 1 if it does not."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--wait", type=float, default=0.0, help="how many seconds to wait until it is ready")
        parser.add_argument("--pages", action="store_true", help="say only whether pages can be shown")

    def handle(self, *args: Any, wait: float, pages: bool, **options: Any) -> None:
        if pages:
            if not _pages_work():
                raise CommandError("Pages can’t be shown.")
            return
        end = time.monotonic() + wait
        while not is_ready(parts := readiness()) and time.monotonic() < end:
            time.sleep(PAUSE)
        parts["pages"] = _pages_work()
        self.stdout.write(f"Version {settings.SITE_VERSION}, database {connection.settings_dict['NAME']}")
        if settings.BACKUP_TO:
            self.stdout.write(_backups())
        if not is_ready(parts):
            late = parts["overdue_phases"]
            failed = [name for name, works in parts.items() if not works and name != "overdue_phases"]
            failed += [f"{late} phases are late"] if late else []
            raise CommandError(f"The site does not work as it should: {', '.join(failed)}.")
        self.stdout.write("Everything works.")


def _pages_work() -> bool:
    """Whether the server could start, and a visitor gets the front page and this one, which is never cached; they need
    templates, collected files and tables."""
    visitor = Client()
    try:
        import_module("diplomacy_site.asgi")
        answers = [visitor.get(page, secure=True, SERVER_NAME=settings.ALLOWED_HOSTS[0]) for page in ("/", "/status/")]
    except Exception:
        log.exception("A page could not be made.")
        return False
    return all(answer.status_code == HTTPStatus.OK for answer in answers)


def _backups() -> str:
    try:
        moments = last_moments()
    except RedisError:
        return "Newest scheduled backup: not known, as Redis does not respond."
    made, proved = (moment_words(moments[each].at) if each in moments else "none yet" for each in (BACKUP, PROOF))
    return f"Newest scheduled backup: {made}. Last one restored to prove it: {proved}."
