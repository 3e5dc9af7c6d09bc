"""Accounts in the admin pages."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from diplomacy_site.accounts.models import User


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # Django's class takes no type argument at run time
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Place", {"fields": ("time_zone",)}))
