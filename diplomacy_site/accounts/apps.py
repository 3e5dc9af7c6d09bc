"""The accounts and the admin pages as Django applications."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class AccountsConfig(AppConfig):
    name = "diplomacy_site.accounts"
    label = "accounts"

    def ready(self) -> None:
        from diplomacy_site.accounts import backend, second_factor  # noqa: F401, PLC0415 - connects their receivers
        from diplomacy_site.accounts.leaving import delete_account  # noqa: PLC0415 - the models are loaded by now
        from games.kernel import hooks  # noqa: PLC0415

        hooks.delete_account.answered_by(delete_account)


class GuardedAdmin(AdminConfig):
    default_site = "diplomacy_site.accounts.admin_site.GuardedAdminSite"
