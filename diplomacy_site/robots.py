"""/robots.txt: search engines may read what is public, and need not ask for what they would not get."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

PRIVATE = (
    *("/accounts/", "/add-a-game/", "/api/v1/", "/api/webdiplomacy/", "/calendar/", "/events", "/invitations/"),
    *("/metrics", "/moderation/", "/new-game/", "/notifications/", "/offline/", "/profile/", "/seats/standby/"),
    *("/sign-up/", "/sitting/", "/unsubscribe/", "/welcome/"),
)
OF_A_GAME = (
    *(
        "absences",
        "calendar.ics",
        "confirm",
        "export",
        "follow",
        "gm",
        "notes",
        "notifications",
        "offer",
        "orders",
        "requests",
    ),
    *("phases/*/receipt.txt", "pulse", "resign", "seat", "sitter", "talk", "terms", "try", "webhooks"),
)
"""Its pages for players, and those that are never twice the same. Where the admin pages are is not said here."""


@require_safe
@cache_control(public=True, max_age=24 * 3600)
def robots(_request: HttpRequest) -> HttpResponse:
    away = [*PRIVATE, *(f"/games/*/{page}" for page in OF_A_GAME)]
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in away)]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")
