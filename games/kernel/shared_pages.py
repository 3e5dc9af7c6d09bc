"""Pages that look the same to every stranger: made and compressed once for each version of what they show.

Browsers and proxies may keep them but must ask each time whether they are still valid. Nothing made for signed-in
visitors, or for a game by invitation, is cached.
"""

import gzip
import hashlib
import re
from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import TypeVar, cast

from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language

from games.kernel.limits import View
from games.kernel.live import version_for_strangers
from games.kernel.page import Page, page_for_strangers
from games.kernel.view_helpers import access_for_visitor
from games.kernel.zipping import gzip_page, gzip_response

LARGEST_PAGE = 128 * 1024
"""In bytes, compressed. Larger ones are made each time, so that those kept have a bound; the longest takes 88 kB."""
KEPT_SECONDS = 15
"""Also a bound for what has no version: the time left as it is written in the page, confirmations, votes."""

CHANGES_EACH_TIME = re.compile(rb'data-ticket="[^"]*"|data-countdown="[^"]*">[^<]*')
"""What differs each time a page is made and is mended by its scripts."""

PERSONAL = frozenset({settings.SESSION_COOKIE_NAME, "messages"})
THEMES = ("light", "dark")
TAG_BYTES = 16
Version = Callable[..., str | None]
T = TypeVar("T")


def shared_by_strangers(version: Version) -> Callable[[View], View]:
    """Share a page among strangers. `version` takes the view's arguments and names what the page shows now; if it
    returns None, and for anyone with a session, the page is made for this request only and not kept."""

    def decorate(view: View) -> View:
        compressed = gzip_page(view)

        @wraps(view)
        def answered(request: HttpRequest, **kwargs: object) -> HttpResponse:
            version_shown = None if PERSONAL & set(request.COOKIES) else version(request, **kwargs)
            if version_shown is None:
                answer = compressed(request, **kwargs)
                patch_cache_control(answer, private=True, no_store=True)
                return answer
            return shared_answer(request, version_shown, lambda: view(request, **kwargs))

        return answered

    return decorate


def version_of_game_page(request: HttpRequest, slug: str, **_where: object) -> str | None:
    """The version of a page about one game. The query may say which map background the browser has."""
    if not request.META.get("QUERY_STRING"):
        return version_for_strangers(slug)
    access = access_for_visitor(request, slug)
    variant = access.game.options.variant
    known = f"ground={variant.art.ground}" if variant else ""
    is_kept = request.META["QUERY_STRING"] == known and not access.game.by_invitation
    return access.version if is_kept else None


def version_of_games_page(*queries: str) -> Version:
    """Return a function for the version of a page about many games, with no query or one of these."""

    def version(request: HttpRequest, **_where: object) -> str | None:
        if request.META.get("QUERY_STRING", "") not in {"", *queries}:
            return None
        return version_of_all_games()

    return version


def version_of_all_games() -> str:
    """The version of everything public in all games: of their logs, and of their phases, whose end no log tells."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT (SELECT max(id) FROM kernel_event), (SELECT max(id) FROM kernel_phase)")
        line, phase = cursor.fetchone()
    return f"event-{line}-{phase}"


def version_of_release_page(request: HttpRequest, **_where: object) -> str | None:
    """The version of a page that only a new release changes."""
    return None if request.META.get("QUERY_STRING") else settings.SITE_VERSION


def shared_answer(request: HttpRequest, version: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """The response that `make` makes for all strangers who ask for this address in this version, or 304."""
    theme = request.COOKIES.get("theme")
    facts = (request.get_full_path(), get_language(), theme if theme in THEMES else "", settings.SITE_VERSION, version)
    pages, key = caches["pages"], digest_of(repr(facts).encode())
    content: bytes | None = pages.get(key)
    if content is None:
        answer = make()
        if answer.status_code != HTTPStatus.OK or "CSRF_COOKIE" in request.META:
            patch_cache_control(answer, private=True, no_store=True)
            return answer
        tag = digest_of(CHANGES_EACH_TIME.sub(b"", answer.content)).encode()
        kind = answer["Content-Type"].encode()
        content = b"\n".join((tag, kind, gzip_response(answer.content)))
        if len(content) <= LARGEST_PAGE:
            pages.set(key, content, KEPT_SECONDS)
    tag, kind, content = content.split(b"\n", 2)
    answer, etag = response_from_gzip(request, content, kind.decode()), f'W/"{tag.decode()}"'
    answer["ETag"] = etag
    answer = get_conditional_response(request, etag=etag, response=answer) or answer
    patch_cache_control(answer, public=True, no_cache=True)
    patch_vary_headers(answer, ["Accept-Encoding", "Cookie"])
    return answer


def response_from_gzip(request: HttpRequest, content: bytes, kind: str | None = None) -> HttpResponse:
    """A response with compressed content, which is decompressed for browsers that don't take gzip."""
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = HttpResponse(content if takes_gzip else gzip.decompress(content), content_type=kind)
    if takes_gzip:
        answer["Content-Encoding"] = "gzip"
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


def kept_in_process(name: str, version: str, make: Callable[[], T], seconds: int = KEPT_SECONDS) -> T:
    """What `make` returns for this version of public facts, kept in this process for so many seconds."""
    key = digest_of(repr((name, version, settings.SITE_VERSION, get_language())).encode())
    return cast("T", caches["parts"].get_or_set(key, make, seconds))


def part_for_everyone(page: Page, template: str, **context: str | None) -> str:
    """The part of a page that this template shows everyone alike. For a public game it is made as strangers see the
    game and kept in this process until something public changes, or for so long that what no version tells of shows
    soon. `context` may have public facts, but none of the viewer's.

    For other games it is made for this page only and not kept. It may contain no moment in local time, no form and
    nothing else that depends on the request.
    """
    if not isinstance(page, Page) or page.rows.game.by_invitation or page.rows.game.practice:
        return render_to_string(template, {"view": page, **context}).strip()
    parts, key = caches["parts"], _key_of_part(page, template, context)
    text: str | None = parts.get(key)
    if text is None:
        # The same phase as strangers see it, made once for all readers who share these rows. A visitor with a link
        # of an invitation is no stranger.
        rows = page.rows
        key_of_page = "strangers", rows.ordinal
        if key_of_page not in rows.shared:
            is_theirs = rows.user_id is None and not rows.token
            rows.shared[key_of_page] = page if is_theirs else page_for_strangers(rows.game.slug, rows.ordinal)
        seen: Page = rows.shared[key_of_page]
        text = render_to_string(template, {"view": seen, **context}).strip()
        parts.set(_key_of_part(seen, template, context), text, KEPT_SECONDS)
    return text


def _key_of_part(page: Page, template: str, context: Mapping[str, str | None]) -> str:
    rows, site = page.rows, (settings.SITE_VERSION, get_language())
    facts = (template, rows.game.slug, rows.ordinal, page.version, *site, sorted(context.items()))
    return digest_of(repr(facts).encode())


def digest_of(text: bytes) -> str:
    """A short digest of this content, for a tag or a key."""
    return hashlib.blake2s(text, digest_size=TAG_BYTES).hexdigest()
