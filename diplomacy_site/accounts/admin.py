"""Accounts in the admin pages."""

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest

from diplomacy_site.accounts.models import User

admin.site.unregister(Authenticator)  # being able to change one would mean being able to sign in as its owner


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # Django's class takes no type argument at run time
    """Accounts are suspended, not deleted: the confirmation page would list every seat and message of the player."""

    list_display = ("username", "email", "date_joined", "last_seen", "is_active", "is_staff")
    ordering = ("-date_joined", "-pk")  # lists to choose from add no tiebreaker, and rows move when written
    readonly_fields = ("date_joined", "last_login", "last_seen")
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Time zone", {"fields": ("time_zone", "last_seen")}))

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Leave out guests and bots, who never ask for support."""
        return super().get_queryset(request).filter(is_guest=False, is_bot=False)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False
