"""The site as an app on a device: its name, its look, and its page for devices without a connection.

These files are the same for everyone, so devices keep them.
"""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

STYLES = ("00-tokens", "10-reset", "20-base", "30-layout", "40-blocks/controls", "40-blocks/error")
FILES_OF_OFFLINE_PAGE = (*(f"css/{style}.css" for style in STYLES), "img/icons.svg", "img/favicon.svg")
"""What the page for devices without a connection is drawn with."""

BACKGROUND_COLOUR, THEME_COLOUR = "#f4efe4", "#16324d"
ICONS = (("img/app-192.png", 192, "any"), ("img/app-512.png", 512, "any"), ("img/app-maskable.png", 512, "maskable"))
AN_HOUR, A_DAY = 3_600, 86_400


@require_safe
@cache_control(public=True, max_age=A_DAY)
def manifest(_request: HttpRequest) -> HttpResponse:
    """The data with which a device installs the site as an app."""
    icons = [
        {"src": static(file), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for file, size, purpose in ICONS
    ]
    shortcuts = {_("Games"): "games:lobby", _("Notifications"): "games:notices"}
    home_address = reverse("games:home")
    app = {
        "id": home_address,
        "name": "Diplomacy",
        "short_name": "Diplomacy",
        "description": _("Diplomacy and its variants, by deadline."),
        "lang": "en-GB",
        "categories": ["games"],
        "start_url": home_address,
        "scope": home_address,
        "display": "standalone",
        "background_color": BACKGROUND_COLOUR,
        "theme_color": THEME_COLOUR,
        "icons": icons,
        "shortcuts": [{"name": name, "url": reverse(page)} for name, page in shortcuts.items()],
    }
    return JsonResponse(app, content_type="application/manifest+json")


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """The page for a device without a connection."""
    return render(request, "pages/offline.html")


words_for_scripts = cache_control(public=True, max_age=AN_HOUR)(JavaScriptCatalog.as_view(packages=["games"]))
"""What scripts say, in the language that the address asks for."""
