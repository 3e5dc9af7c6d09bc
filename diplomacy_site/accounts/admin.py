"""Accounts in the admin pages."""

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from diplomacy_site.accounts.models import User

admin.site.unregister(Authenticator)  # whoever could change one could sign in as its owner


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # Django's class takes no type argument at run time
    """Accounts are suspended, not deleted: the page that asks would list every seat and talk of the person."""

    fieldsets = (*(UserAdmin.fieldsets or ()), ("Place", {"fields": ("time_zone",)}))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False
