"""The sealed sheets as a separate app, so that no relation leads to them."""

from django.apps import AppConfig


class SealedConfig(AppConfig):
    name = "games.sealed"
    label = "sealed"

    def ready(self) -> None:
        from games.sealed import rekeying  # noqa: F401, PLC0415 - its checks register themselves once the settings are there
