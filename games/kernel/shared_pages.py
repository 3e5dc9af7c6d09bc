"""Pages that look the same to every stranger: made and compressed once for each version of what they show.

Browsers and proxies may keep them but must ask each time whether they still hold. Nothing made for anyone who is signed
in, or for a game by invitation, comes near the cache.
"""

import gzip
import hashlib
import logging
import re
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.views.decorators.gzip import gzip_page
from redis.exceptions import RedisError

from games.kernel.limits import View
from games.kernel.live import version_for_strangers
from games.kernel.view_helpers import enter

log = logging.getLogger(__name__)

KEPT_SECONDS = 15
"""Also a bound for what has no version: the time left as it is written in the page, confirmations, votes."""

MOVING = re.compile(rb'data-ticket="[^"]*"|data-countdown="[^"]*">[^<]*')
"""What differs each time a page is made and is mended by its scripts."""

PERSONAL = frozenset({settings.SESSION_COOKIE_NAME, "messages"})
THEMES = ("light", "dark")
TAG_BYTES = 16
Version = Callable[..., str | None]


def shared_by_strangers(version: Version) -> Callable[[View], View]:
    """For a page that strangers share. `version`, called like the view, names what it shows now; with None, and for
    anyone who has a session, the page is made for this request alone and kept nowhere."""

    def decorate(view: View) -> View:
        compressed = gzip_page(view)

        @wraps(view)
        def answered(request: HttpRequest, **where: object) -> HttpResponse:
            shown = None if PERSONAL & set(request.COOKIES) else version(request, **where)
            if shown is None:
                answer = compressed(request, **where)
                patch_cache_control(answer, private=True, no_store=True)
                return answer
            return shared_answer(request, shown, lambda: view(request, **where))

        return answered

    return decorate


def of_game(request: HttpRequest, slug: str, **_where: object) -> str | None:
    """The version of a page about one game. A page may say which ground of the map the browser has."""
    if not request.META.get("QUERY_STRING"):
        return version_for_strangers(slug)
    access = enter(request, slug)
    variant = access.game.options.variant
    known = f"ground={variant.art.ground}" if variant else ""
    is_kept = request.META["QUERY_STRING"] == known and not access.game.by_invitation
    return access.version if is_kept else None


def of_all_games(*queries: str) -> Version:
    """The version of a page about many games, with no query or one of these: everything public that happens to any of
    them is logged."""

    def version(request: HttpRequest, **_where: object) -> str | None:
        if request.META.get("QUERY_STRING", "") not in {"", *queries}:
            return None
        with connection.cursor() as cursor:
            cursor.execute("SELECT max(id) FROM kernel_event")
            (newest,) = cursor.fetchone()
        return f"event {newest}"

    return version


def of_release(request: HttpRequest, **_where: object) -> str | None:
    """The version of a page that only a new release changes."""
    return None if request.META.get("QUERY_STRING") else settings.SITE_VERSION


def shared_answer(request: HttpRequest, version: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """What `make` makes for every stranger who asks for this address in this version; 304 for those who have it."""
    theme = request.COOKIES.get("theme")
    facts = (request.get_full_path(), theme if theme in THEMES else "", settings.SITE_VERSION, version)
    key = f"page:{digest_of(repr(facts).encode())}"
    kept = _from_cache(key)
    if kept is None:
        answer = make()
        if answer.status_code != HTTPStatus.OK or "CSRF_COOKIE" in request.META:
            return answer
        tag = digest_of(MOVING.sub(b"", answer.content)).encode()
        kind = answer["Content-Type"].encode()
        kept = b"\n".join((tag, kind, gzip.compress(answer.content, compresslevel=6, mtime=0)))
        _keep(key, kept)
    return _answer(request, *kept.split(b"\n", 2))


def _answer(request: HttpRequest, digest: bytes, kind: bytes, zipped: bytes) -> HttpResponse:
    answer, tag = unzipped(request, zipped, kind.decode()), f'W/"{digest.decode()}"'
    answer["ETag"] = tag
    answer = get_conditional_response(request, etag=tag, response=answer) or answer
    patch_cache_control(answer, public=True, no_cache=True)
    patch_vary_headers(answer, ["Accept-Encoding", "Cookie"])
    return answer


def unzipped(request: HttpRequest, zipped: bytes, kind: str | None = None) -> HttpResponse:
    """Content of this type that was compressed once, for a browser that may or may not take it so."""
    takes_gzip = "gzip" in request.headers.get("Accept-Encoding", "")
    answer = HttpResponse(zipped if takes_gzip else gzip.decompress(zipped), content_type=kind)
    if takes_gzip:
        answer["Content-Encoding"] = "gzip"
    patch_vary_headers(answer, ["Accept-Encoding"])
    return answer


def _from_cache(key: str) -> bytes | None:
    try:
        kept: bytes | None = cache.get(key)
    except RedisError:
        return None
    return kept


def _keep(key: str, kept: bytes) -> None:
    try:
        cache.set(key, kept, KEPT_SECONDS)
    except RedisError:
        log.warning("Redis is not answering, so pages are made anew for every stranger.")


def digest_of(text: bytes) -> str:
    """A name for this content, in a tag or a key."""
    return hashlib.blake2s(text, digest_size=TAG_BYTES).hexdigest()
