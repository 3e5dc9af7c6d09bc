"""The admin pages: for looking, not for playing. Sheets, seats and results change through services alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from rest_framework.authtoken.models import TokenProxy

from games.models import Event, Game, Letter, Occupancy

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest


admin.site.unregister(TokenProxy)  # whoever reads a player's token reads his sheet


class LookOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Nobody adds, changes or deletes here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Game)
class GameAdmin(LookOnly):
    list_display = ("name", "variant_slug", "status", "incident", "gm", "created")
    list_filter = ("status", "variant_slug")
    search_fields = ("name", "slug")
    exclude = ("invitation",)


@admin.register(Occupancy)
class OccupancyAdmin(LookOnly):
    list_display = ("game", "seat", "user", "bot", "since", "until", "missed")


@admin.register(Event)
class EventAdmin(LookOnly):
    list_display = ("at", "game", "kind", "by")


@admin.register(Letter)
class LetterAdmin(LookOnly):
    list_display = ("written", "game", "kind", "user", "tries", "sent")
