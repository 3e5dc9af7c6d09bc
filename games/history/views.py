"""The history of a game: centres over time, and every phase as a picture, a file and a printed page.

Apart from the page around the chart, everyone who may see the game sees the same.
"""

import gzip
import hashlib
import threading
from collections.abc import Callable
from http import HTTPStatus

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.http import require_safe

from games.history.drawing import draw
from games.history.pictures import Tally, lone_map, painted, preview
from games.history.queries import history_view
from games.kernel.limits import A_MINUTE, too_often
from games.kernel.parts import PhaseHead
from games.kernel.shared_pages import of_game, shared_by_strangers, unzipped
from games.kernel.view_helpers import enter
from games.pages.parts import PhaseView
from games.pages.queries import phase_view, public_view

PAINTERS, PAINT_SECONDS = threading.BoundedSemaphore(2), 2
FRESH_SECONDS = 300
KEPT_SECONDS = 7 * 86_400
PICTURES = "12/min"
"""How many pictures that don't exist yet one visitor may ask for."""

PNG, SVG = "image/png", "image/svg+xml"


@require_safe
@shared_by_strangers(of_game)
def history(request: HttpRequest, slug: str) -> HttpResponse:
    """Centres over time, and links to every phase."""
    access = enter(request, slug)
    view = phase_view(access)
    context = {
        "view": view,
        "years": years_of(view),
        "history": history_view(access),
        "closed": [head for head in view.phases if not head.is_open],
    }
    return render(request, "history/history.html", context)


@require_safe
def printed(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Map and orders of a phase on one sheet of paper."""
    view = _public(request, slug, ordinal)
    return _fresh(render(request, "history/print.html", {"view": view}), view)


@require_safe
def drawn(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """The map of a phase as SVG."""
    view = _public(request, slug, ordinal)
    return _file(request, view, SVG, lambda: lone_map(view.game.variant, view.drawing).encode())


@require_safe
def picture(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """The map of a phase as PNG."""
    view = _public(request, slug, ordinal)
    return _file(request, view, PNG, lambda: painted(lone_map(view.game.variant, view.drawing)))


@require_safe
def card(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """The picture for link previews of a phase: its map, the game's name and the centres."""
    view = _public(request, slug, ordinal)
    tally = [Tally(power.name, power.letter, power.colour, power.centres) for power in view.powers]
    game = view.game
    return _file(
        request,
        view,
        PNG,
        lambda: preview(game.variant, view.drawing, game.name, _title(view), tally),
        more=f"card {game.name} {_title(view)}",
    )


def years_of(view: PhaseView) -> list[tuple[int, list[PhaseHead]]]:
    """The phases of the game by year, oldest first."""
    years: dict[int, list[PhaseHead]] = {}
    for head in view.phases:
        years.setdefault(head.year, []).append(head)
    return list(years.items())


def _public(request: HttpRequest, slug: str, ordinal: int) -> PhaseView:
    return public_view(enter(request, slug), ordinal)


def _title(view: PhaseView) -> str:
    assert view.head is not None, "a view with an ordinal has a phase"
    return f"{view.head.title} · {view.head.kind_title}"


def _file(
    request: HttpRequest, view: PhaseView, kind: str, make: Callable[[], bytes], *, more: str = ""
) -> HttpResponse:
    """The file, made once for everyone and named by all that it shows; 304 for browsers that have it."""
    shown = f"{kind} {more} {draw(view.game.variant, view.drawing)}"
    digest = hashlib.sha256(shown.encode()).hexdigest()
    tag = f'W/"{digest}"' if kind == SVG else f'"{digest}"'  # weak: compressed or not
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None:
        return _fresh(unchanged, view)
    content = cache.get(f"file:{digest}")
    if content is None:
        if kind == PNG and too_often(request, "pictures", PICTURES):
            return _busy("That was a lot of pictures in one minute. Wait a moment, then reload this one.")
        content = gzip.compress(make(), mtime=0) if kind == SVG else _painted(make)
        if content is None:
            return _busy("Other pictures are being painted. Reload this one in a few seconds.")
        cache.set(f"file:{digest}", content, KEPT_SECONDS)
    response = unzipped(request, content, kind) if kind == SVG else HttpResponse(content, content_type=kind)
    response["ETag"] = tag
    response["Content-Disposition"] = f'inline; filename="{_file_name(view)}.{kind[6:9]}"'
    return _fresh(response, view)


def _painted(make: Callable[[], bytes]) -> bytes | None:
    """None if it is not its turn soon: painting takes a second of a core, and pages must not wait for it."""
    if not PAINTERS.acquire(timeout=PAINT_SECONDS):
        return None
    try:
        return make()
    finally:
        PAINTERS.release()


def _busy(sentence: str) -> HttpResponse:
    answer = HttpResponse(sentence, status=HTTPStatus.TOO_MANY_REQUESTS, content_type="text/plain")
    answer["Retry-After"] = str(A_MINUTE)
    return answer


def _file_name(view: PhaseView) -> str:
    if view.head is None:
        raise Http404
    return f"{view.game.slug}-{view.head.code}"


def _fresh(response: HttpResponse, view: PhaseView) -> HttpResponse:
    """May be cached for a while: by anyone, unless the game is by invitation."""
    kept = {"private": True} if view.game.by_invitation else {"public": True}
    patch_cache_control(response, max_age=FRESH_SECONDS, **kept)
    return response
