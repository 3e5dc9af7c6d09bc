"""The history of a game: centres over time, every phase as a picture, a file and a printed page, and the newest map.

Everyone who may see the game sees the same, except on the page around the chart. Other sites may show the pictures of
public games.
"""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from http import HTTPStatus

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.history.files import PNG, SVG, PictureFile, card_file, map_file
from games.history.queries import drawing, drawing_with_last_orders, history_view, reports_brought_along
from games.kernel.languages import later
from games.kernel.limits import View, refusal_if_too_often
from games.kernel.page import Page, page_for_strangers, page_of, public_page
from games.kernel.shared_pages import digest_of, response_from_gzip, shared_by_strangers, version_of_game_page
from games.kernel.view_helpers import access_for_visitor

PAINTERS, QUEUE = threading.BoundedSemaphore(2), threading.BoundedSemaphore(4)
"""How many pictures are painted at a time, and how many are painted or wait for that, each in a thread for pages."""
WAIT_SECONDS, SOON_SECONDS = 2, 5
QUICKLY = 4
"""The level at which an SVG is compressed in 4 ms; the best one takes 20 and saves a twentieth."""
FRESH_SECONDS, NEWEST_SECONDS = 300, 60
PICTURES, TOO_OFTEN = "12/min", later("{most} new pictures were painted for your account or network within a minute.")
"""How many pictures that don't exist yet one visitor may ask for."""


class BusyError(Exception):
    """Other pictures must be painted first."""


@contextmanager
def place_in(line: threading.BoundedSemaphore, seconds: float = 0) -> Iterator[None]:
    """Hold a place during the block; raises BusyError if none becomes free within so many seconds."""
    if not line.acquire(timeout=seconds):
        raise BusyError
    try:
        yield
    finally:
        line.release()


def refused_while_painters_are_busy(view: View) -> View:
    """Refuse a PNG at once while all places in the queue are taken, before anything is read for it: so a flood of them
    costs pages little. Public ones that this process has shown in the last hour are sent all the same."""

    @wraps(view)
    def answered(request: HttpRequest, slug: str, **where: object) -> HttpResponse:
        shown, key = caches["parts"], digest_of(request.path.encode())
        try:
            if where.get("kind") != SVG and not shown.get(key):
                with place_in(QUEUE):
                    pass
            response = view(request, slug, **where)
        except BusyError:
            sentence = _("Other pictures are being painted. Reload this one in a few seconds.")
            return _try_later(sentence, SOON_SECONDS)
        if response.status_code == HTTPStatus.OK and "public" in response["Cache-Control"]:
            shown.set(key, 1)
        return response

    return answered


@require_safe
@shared_by_strangers(version_of_game_page)
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """The page with the chart of centres and links to every phase."""
    access = access_for_visitor(request, slug)
    view = page_of(access)
    context = {
        "view": view,
        "history": history_view(access),
        "closed": [head for head in view.phases if not head.is_open],
        "reports": reports_brought_along(access),
    }
    return render(request, "history/history.html", context)


@require_safe
def printed(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """A page for printing, with the map and orders of a phase."""
    view = _public_page(request, slug, ordinal)
    return _cacheable(render(request, "history/print.html", {"view": view}), view)


@require_safe
def map_as_svg(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    view = _public_page(request, slug, ordinal)
    return _file_response(request, view, map_file(view.game.board, drawing(view), SVG))


@require_safe
@refused_while_painters_are_busy
def map_as_png(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    view = _public_page(request, slug, ordinal)
    return _file_response(request, view, map_file(view.game.board, drawing(view), PNG))


@require_safe
@refused_while_painters_are_busy
def newest_map(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The map of a public game as it stands now, at one address for the whole game; `?arrows=yes` adds the orders of
    the last phase. Everyone gets the same picture; raises Http404 for a game by invitation."""
    view = page_for_strangers(slug)
    board = drawing_with_last_orders(view) if request.GET.get("arrows") == "yes" else drawing(view)
    return _file_response(request, view, map_file(view.game.board, board, kind), NEWEST_SECONDS)


@require_safe
@refused_while_painters_are_busy
def card(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    view = _public_page(request, slug, ordinal)
    return _file_response(request, view, card_file(view))


def _public_page(request: HttpRequest, slug: str, ordinal: int) -> Page:
    return public_page(access_for_visitor(request, slug), ordinal)


def _file_response(request: HttpRequest, view: Page, file: PictureFile, seconds: int = FRESH_SECONDS) -> HttpResponse:
    """A response with the file; 304 for browsers that have it."""
    tag = f'W/"{file.digest}"' if file.kind == SVG else f'"{file.digest}"'  # weak: compressed or not
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        return _embeddable(_cacheable(unchanged, view, seconds), view)
    if file.kind == SVG:
        response = response_from_gzip(request, gzip.compress(file.paint(), QUICKLY, mtime=0), SVG)
    elif (content := file.kept) is not None:
        response = HttpResponse(content, content_type=PNG)
    elif refusal := refusal_if_too_often(request, "pictures", PICTURES, TOO_OFTEN):
        return _try_later(refusal.sentence, refusal.wait)
    else:
        with place_in(QUEUE), place_in(PAINTERS, WAIT_SECONDS):  # pages must not wait for seconds
            response = HttpResponse(file.kept or file.make(), content_type=PNG)  # others may have wanted the same
    response["ETag"] = tag
    name = f"{view.game.slug}-{view.head.code if view.head else 'start'}.{file.kind[6:9]}"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return _embeddable(_cacheable(response, view, seconds), view)


def _try_later(sentence: str, wait: int) -> HttpResponse:
    answer = HttpResponse(sentence, status=HTTPStatus.TOO_MANY_REQUESTS, content_type="text/plain")
    answer["Retry-After"] = str(wait)
    return answer


def _cacheable(response: HttpResponse, view: Page, seconds: int = FRESH_SECONDS) -> HttpResponse:
    """Let the response be cached for a while: by anyone, unless the game is by invitation."""
    scope = {"private": True} if view.game.by_invitation else {"public": True}
    patch_cache_control(response, max_age=seconds, **scope)
    return response


def _embeddable(response: HttpResponse, view: Page) -> HttpResponse:
    """Let other sites show the pictures of a public game on their pages."""
    if not view.game.by_invitation:
        response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response
