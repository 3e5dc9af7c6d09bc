"""The app for people; it records sign-ins automatically."""

from django.apps import AppConfig


class PeopleConfig(AppConfig):
    name = "games.people"

    def ready(self) -> None:
        from games.people import sign_ins  # noqa: F401, PLC0415 - it registers itself once the settings are there
