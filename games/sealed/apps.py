"""The sealed sheets as an application of their own, so that no relation leads to them."""

from django.apps import AppConfig


class SealedConfig(AppConfig):
    name = "games.sealed"
    label = "sealed"
