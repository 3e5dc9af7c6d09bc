"""The admin pages, only for looking. Orders, seats and results change only through services.

What players write to each other is not here, except single messages that their readers have reported. Nor is it shown
who plays what in a game that hides names, until it is over.
"""

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from games.kernel.models import OVER, Event, Game, Letter, Occupancy
from games.press.models import Report
from games.press.threads import user_of_voice


class LookOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Admin pages on which nothing can be added, changed or deleted."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Rows can be filtered only by what the page offers: counting matches would reveal what other columns hold."""
        return lookup.partition("__")[0] in self.list_filter


class NamesShown(LookOnly):
    """Rows of games of people, except games that still hide names."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        hidden = Game.objects.filter(stored_options__hidden_names=True).exclude(status__in=OVER)
        return super().get_queryset(request).filter(game__practice=False).exclude(game__in=hidden)


@admin.register(Game)
class GameAdmin(LookOnly):
    list_display = ("name", "variant_slug", "status", "incident", "gm", "created")
    list_filter = ("status", "variant_slug")
    search_fields = ("name", "slug")
    exclude = ("invitation",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return Game.objects.of_people()


@admin.register(Occupancy)
class OccupancyAdmin(NamesShown):
    list_display = ("game", "seat", "user", "bot", "since", "until", "missed")


@admin.register(Event)
class EventAdmin(NamesShown):
    list_display = ("at", "game", "kind", "by")


@admin.register(Letter)
class LetterAdmin(NamesShown):
    list_display = ("written", "game", "kind", "user", "tries", "sent")


@admin.register(Report)
class ReportAdmin(LookOnly):
    """The reported message, its power and the reason, but not who reported it or the rest of the conversation."""

    list_display = ("made", "game", "power", "text", "reason")
    fields = list_display
    list_select_related = ("message__thread__game",)

    def game(self, report: Report) -> str:
        return report.message.thread.game.name

    def power(self, report: Report) -> str:
        power = report.message.power
        return "player without a seat" if user_of_voice(power) is not None else power or "game master"

    def text(self, report: Report) -> str:
        return report.message.text
