"""The site as a Django application."""

from importlib import import_module

from django.apps import AppConfig


class DiplomacySiteConfig(AppConfig):
    name = "diplomacy_site"

    def ready(self) -> None:
        # Makes this Celery application the current one, so that `current_app.send_task` finds the broker.
        import_module("diplomacy_site.celery")
