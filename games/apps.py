"""The games as a Django application."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        from games import checks  # noqa: F401, PLC0415 - registers the checks once the settings are there
