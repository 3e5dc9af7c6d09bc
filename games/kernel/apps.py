"""The kernel as an app: it checks the database before the site starts."""

from django.apps import AppConfig


class KernelConfig(AppConfig):
    name = "games.kernel"

    def ready(self) -> None:
        from games.kernel import checks  # noqa: F401, PLC0415 - they register themselves once the settings are there
