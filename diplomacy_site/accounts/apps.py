"""The accounts and the admin pages as Django applications."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class AccountsConfig(AppConfig):
    name = "diplomacy_site.accounts"
    label = "accounts"

    def ready(self) -> None:
        from diplomacy_site.accounts import second_factor, watch  # noqa: F401, PLC0415 - connects their receivers


class GuardedAdmin(AdminConfig):
    default_site = "diplomacy_site.accounts.admin_site.GuardedAdminSite"
