"""The accounts as a Django application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "diplomacy_site.accounts"
    label = "accounts"
