"""The games as a Django application."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import checks, sign_ins  # noqa: F401, PLC0415 - they register themselves once the settings are there
