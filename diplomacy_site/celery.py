"""The Celery application."""

import os
from pathlib import Path

from celery import Celery
from celery.signals import after_task_publish, heartbeat_sent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_site.settings.production")

app = Celery("diplomacy_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


def show_life(**_: object) -> None:
    """Renew the file that a health check looks at."""
    if path := os.environ.get("ALIVE_FILE"):
        Path(path).touch()


heartbeat_sent.connect(show_life)
after_task_publish.connect(show_life)
