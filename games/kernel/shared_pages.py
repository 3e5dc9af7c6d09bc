"""Pages that look the same to every stranger: made and compressed once for each version of what they show.

Browsers and proxies may keep them but must ask each time whether they still hold. Nothing made for anyone who is signed
in, or for a game by invitation, comes near the cache.
"""

import gzip
import hashlib
import logging
import re
from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import TypeVar, cast

from django.conf import settings
from django.core.cache import cache, caches
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.translation import get_language
from redis.exceptions import RedisError

from games.kernel.limits import View
from games.kernel.live import version_for_strangers
from games.kernel.page import Page, page_for_strangers
from games.kernel.view_helpers import access_for_visitor
from games.kernel.zipping import gzip_page, gzip_response

log = logging.getLogger(__name__)

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
    """For a page that strangers share. `version`, called like the view, names what it shows now; with None, and for
    anyone who has a session, the page is made for this request alone and kept nowhere."""

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
    """The version of a page about one game. A page may say which ground of the map the browser has."""
    if not request.META.get("QUERY_STRING"):
        return version_for_strangers(slug)
    access = access_for_visitor(request, slug)
    variant = access.game.options.variant
    known = f"ground={variant.art.ground}" if variant else ""
    is_kept = request.META["QUERY_STRING"] == known and not access.game.by_invitation
    return access.version if is_kept else None


def version_of_games_page(*queries: str) -> Version:
    """The version of a page about many games, with no query or one of these: everything public that happens to any of
    them is logged."""

    def version(request: HttpRequest, **_where: object) -> str | None:
        if request.META.get("QUERY_STRING", "") not in {"", *queries}:
            return None
        return version_of_all_games()

    return version


def version_of_all_games() -> str:
    """Names the present state of all that is public in any game."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(id) FROM kernel_event")
        (newest,) = cursor.fetchone()
    return f"event-{newest}"


def version_of_release_page(request: HttpRequest, **_where: object) -> str | None:
    """The version of a page that only a new release changes."""
    return None if request.META.get("QUERY_STRING") else settings.SITE_VERSION


def shared_answer(request: HttpRequest, version: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What `make` makes for every stranger who asks for this address in this version; 304 for those who have it."""
    theme = request.COOKIES.get("theme")
    facts = (request.get_full_path(), get_language(), theme if theme in THEMES else "", settings.SITE_VERSION, version)
    key = f"page:{digest_of(repr(facts).encode())}"
    content = _from_cache(key)
    if content is None:
        answer = make()
        if answer.status_code != HTTPStatus.OK or "CSRF_COOKIE" in request.META:
            return answer
        tag = digest_of(CHANGES_EACH_TIME.sub(b"", answer.content)).encode()
        kind = answer["Content-Type"].encode()
        content = b"\n".join((tag, kind, gzip_response(answer.content)))
        _keep(key, content)
    return _answer(request, *content.split(b"\n", 2))


def _answer(request: HttpRequest, digest: bytes, kind: bytes, zipped: bytes) -> HttpResponse:
    answer, tag = response_from_gzip(request, zipped, kind.decode()), f'W/"{digest.decode()}"'
    answer["ETag"] = tag
    answer = get_conditional_response(request, etag=tag, response=answer) or answer
    patch_cache_control(answer, public=True, no_cache=True)
    patch_vary_headers(answer, ["Accept-Encoding", "Cookie"])
    return answer


def response_from_gzip(request: HttpRequest, zipped: bytes, kind: str | None = None) -> HttpResponse:
    """Content of this type that was compressed once, for a browser that may or may not take it so."""
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = HttpResponse(zipped if takes_gzip else gzip.decompress(zipped), content_type=kind)
    if takes_gzip:
        answer["Content-Encoding"] = "gzip"
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


def _from_cache(key: str) -> bytes | None:
    try:
        content: bytes | None = cache.get(key)
    except RedisError:
        return None
    return content


def _keep(key: str, content: bytes) -> None:
    try:
        cache.set(key, content, KEPT_SECONDS)
    except RedisError:
        log.warning("Redis is not answering, so pages are made anew for every stranger.")


def kept_in_process(name: str, version: str, make: Callable[[], T], seconds: int = KEPT_SECONDS) -> T:
    """What is made of public facts in this version, kept in this process for so long: by default, as the pages that
    strangers share."""
    key = digest_of(repr((name, version, settings.SITE_VERSION, get_language())).encode())
    return cast("T", caches["parts"].get_or_set(key, make, seconds))


def part_for_everyone(page: Page, template: str, **context: str | None) -> str:
    """What this template shows everyone alike: for a public game made as for a stranger, no matter who asks first, and
    kept for all in this process for as long as nothing public changes. `context` may be a public fact, not one of the
    viewer.

    Of other games it is made for this page alone and kept nowhere. It may contain no moment in a local time, no form
    and nothing else that depends on the request.
    """
    if not isinstance(page, Page) or page.rows.game.by_invitation or page.rows.game.practice:
        return render_to_string(template, {"view": page, **context}).strip()
    parts, key = caches["parts"], _key_of_part(page, template, context)
    text: str | None = parts.get(key)
    if text is None:
        seen = _as_strangers_see(page)
        text = render_to_string(template, {"view": seen, **context}).strip()
        parts.set(_key_of_part(seen, template, context), text)
    return text


def _key_of_part(page: Page, template: str, context: Mapping[str, str | None]) -> str:
    rows = page.rows
    facts = (
        template,
        rows.game.slug,
        rows.ordinal,
        page.version,
        settings.SITE_VERSION,
        get_language(),
        sorted(context.items()),
    )
    return digest_of(repr(facts).encode())


def _as_strangers_see(page: Page) -> Page:
    """The same phase, read for nobody; once for each request."""
    shared = page.rows.shared
    if "strangers" not in shared:
        rows = page.rows
        shared["strangers"] = page if rows.user_id is None else page_for_strangers(rows.game.slug, rows.ordinal)
    strangers_page: Page = shared["strangers"]
    return strangers_page


def digest_of(text: bytes) -> str:
    """A name for this content, in a tag or a key."""
    return hashlib.blake2s(text, digest_size=TAG_BYTES).hexdigest()
