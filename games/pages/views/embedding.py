"""A board that other sites can embed in a frame, and oEmbed, which tells them how.

The only page that may be framed: it has no forms, scripts or cookies, and is the same for everyone.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from csp.constants import NONE
from csp.decorators import csp_replace
from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils.cache import patch_cache_control
from django.utils.html import format_html
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from games.kernel import clock
from games.kernel.limits import FEEDS, rate_limited
from games.kernel.live import version_for_strangers
from games.kernel.models import OVER, Game
from games.kernel.page import page_for_strangers
from games.kernel.shared_pages import THEMES, shared_by_strangers

if TYPE_CHECKING:
    from django.utils.safestring import SafeString


STYLES = ("css/00-tokens.css", "css/10-reset.css", "css/board.css", "css/40-blocks/embedded.css")
THEME_QUERIES = ("", *(f"theme={theme}" for theme in THEMES))
SOON_SECONDS, SOON_REFRESH_SECONDS, REFRESH_SECONDS = 3_600, 60, 300
"""How often a board that is looked at asks what is new: more often in the last hour before a deadline."""
WIDTH, HEIGHT = 640, 560
"""Of a frame for a board, in pixels, unless a site has less room."""
LONGEST_NUMBER = 9
EMBEDDABLE_PAGES = ("games:game", "games:board", "games:phase")
"""The pages of a game in whose place a board may be shown, or the picture of a phase."""


@cache
def inline_styles() -> SafeString:
    """The style of the board, included in its page: a sandboxed frame has no origin, so that files of this site would
    count as foreign."""
    files = [finders.find(name) for name in STYLES]
    return mark_safe("".join(Path(str(path)).read_text() for path in files))  # noqa: S308 - files of ours


def embedding_policy() -> dict[str, list[str]]:
    """What the page of a board may load, which is nothing, and where it may be framed: everywhere."""
    digest = b64encode(hashlib.sha256(inline_styles().encode()).digest()).decode()
    loads = {directive: [NONE] for directive in ("script-src", "img-src", "font-src", "connect-src", "manifest-src")}
    return {**loads, "style-src": [f"'sha256-{digest}'"], "form-action": [NONE], "frame-ancestors": ["*"]}


def version_of_board(request: HttpRequest, slug: str) -> str | None:
    """The version of an embedded board, whose address may name a theme."""
    return version_for_strangers(slug) if request.META.get("QUERY_STRING", "") in THEME_QUERIES else None


@require_safe
@xframe_options_exempt
@csp_replace(embedding_policy())
@shared_by_strangers(version_of_board)
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """The map of a public game, its phase, deadline and powers; `?theme=light` or `dark` instead of the browser's."""
    view = page_for_strangers(slug)
    theme, deadline = request.GET.get("theme"), view.game.deadline
    is_soon = deadline is not None and (deadline - clock.now()).total_seconds() < SOON_SECONDS
    refresh = SOON_REFRESH_SECONDS if is_soon else REFRESH_SECONDS
    facts = {
        "view": view,
        "look": inline_styles(),
        "theme": theme if theme in THEMES else "",
        "refresh": None if view.game.status in OVER else refresh,
    }
    return HttpResponse(render_to_string("pages/board.html", facts))


def iframe_for(slug: str, name: str, width: int = WIDTH, height: int = HEIGHT) -> SafeString:
    """The HTML that shows the board of this public game on another site."""
    address = settings.SITE_ADDRESS + reverse("games:board", args=[slug])
    words = '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy" style="border:0"></iframe>'
    return format_html(words, address, width, height, name)


@require_safe
@rate_limited("oembed", FEEDS)
def oembed(request: HttpRequest) -> HttpResponse:
    """How to embed the public game or phase at `?url=`, within `maxwidth` and `maxheight`, as oembed.com describes."""
    if request.GET.get("format", "json") != "json":
        return _plain_refusal(_("This site answers as JSON only: ask with format=json."), HTTPStatus.NOT_IMPLEMENTED)
    try:
        width, height = _pixels_asked_for(request, "maxwidth", WIDTH), _pixels_asked_for(request, "maxheight", HEIGHT)
    except ValueError as mistake:
        return _plain_refusal(str(mistake), HTTPStatus.BAD_REQUEST)
    found = _place_at(request.GET.get("url", ""))
    in_phase = {"phases__ordinal": found["ordinal"]} if "ordinal" in found else {}
    game = Game.objects.filter(slug=found.get("slug"), by_invitation=False, **in_phase).first()
    if game is None:
        start = settings.SITE_ADDRESS + reverse("games:lobby")
        sentence = _("There is no public game at this url. Give the whole address of one, as in {start}name/.").format(
            start=start
        )
        return _plain_refusal(sentence, HTTPStatus.NOT_FOUND)
    name = game.name
    shown = _picture_of(found, name, width) if in_phase else iframe_for(game.slug, name, width, height)
    answer = JsonResponse(
        {
            "version": "1.0",
            "type": "rich",
            "title": name,
            "provider_name": "Diplomacy",
            "provider_url": settings.SITE_ADDRESS,
            "cache_age": REFRESH_SECONDS,
            "html": shown,
            "width": width,
            "height": height,
        }
    )
    patch_cache_control(answer, public=True, max_age=REFRESH_SECONDS)
    return answer


def _pixels_asked_for(request: HttpRequest, name: str, largest: int) -> int:
    """The usual size, or less if the embedding site has less room; raises ValueError with a sentence."""
    text = request.GET.get(name)
    if text is None:
        return largest
    if not (text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER and int(text)):
        raise ValueError(f"{name} must be a number of pixels, as in {name}={largest}.")
    return min(largest, int(text))


def _picture_of(phase: dict[str, Any], name: str, width: int) -> SafeString:
    """The HTML that shows the map of a phase of a game on another site, with a link to its page."""
    page, picture = (settings.SITE_ADDRESS + reverse(f"games:{it}", kwargs=phase) for it in ("phase", "picture"))
    return format_html('<a href="{}"><img src="{}" width="{}" alt="{}"></a>', page, picture, width, name)


def _place_at(address: str) -> dict[str, Any]:
    """The slug of the game whose page or board has this address, and the ordinal of its phase if it is that of one;
    nothing for other addresses."""
    try:
        parts = urlsplit(address)
        match = resolve(parts.path)
    except (ValueError, Resolver404):
        return {}
    is_here = parts.netloc == urlsplit(settings.SITE_ADDRESS).netloc
    return match.kwargs if is_here and match.view_name in EMBEDDABLE_PAGES else {}


def _plain_refusal(sentence: str, status: HTTPStatus) -> HttpResponse:
    return HttpResponse(sentence, status=status, content_type="text/plain")
