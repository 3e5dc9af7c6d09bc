"""The site as a Django application."""

from importlib import import_module

from django.apps import AppConfig


class DiplomacySiteConfig(AppConfig):
    name = "diplomacy_site"

    def ready(self) -> None:
        from diplomacy_site import shared_counts, trouble  # noqa: PLC0415 - settings come first
        from games.kernel import hooks  # noqa: PLC0415

        # Makes this Celery application the current one, so that `current_app.send_task` finds the broker.
        import_module("diplomacy_site.celery")
        hooks.site_troubles.answered_by(lambda: trouble.found)
        hooks.phases_counted.answered_by(shared_counts.note_closing)
