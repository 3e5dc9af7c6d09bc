"""The home page, the lists of games, a new game, invitations."""

from __future__ import annotations

from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.history.drawing import drawing_of
from games.kernel.access import access_game
from games.kernel.cards import invitation
from games.kernel.models import OVER
from games.kernel.parts import GameCard
from games.kernel.queries import variants_offered
from games.kernel.refusals import BadGame
from games.kernel.view_helpers import SeeOther, account, enter, form_page, keep_invitation, status_of
from games.learning.lessons import BOARD
from games.pages.forms import CreateGameForm, LobbyFilter
from games.pages.parts import Lobby, PhaseView
from games.pages.queries import lobby, phase_view
from games.pages.terms import choices_of
from games.seating.services.new_game import create_game
from variants.registry import find

if TYPE_CHECKING:
    from games.history.parts import PowerView


SHELVES = ("mine", "open", "running", "finished")
MOST_LEADERS = 3


@gzip_page
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What the site is about, beside a game in progress; above it, the user's own games if they have any."""
    shelves = lobby(request.user)
    showcase = _showcase(shelves)
    view = phase_view(access_game(user=AnonymousUser(), slug=showcase.slug)) if showcase else None
    variants = variants_offered()
    context = {
        "lobby": shelves,
        "mine": sorted((game for game in shelves.mine if game.status not in OVER), key=attrgetter("is_next")),
        "view": view,
        "leaders": _leaders(view) if view else (),
        "teaching": drawing_of(find(BOARD).start, find(BOARD)),
        "board": BOARD,
        "variants": variants,
        "bids": [variant for variant in variants if variant.bids],
    }
    return render(request, "pages/home.html", context)


def _leaders(view: PhaseView) -> list[PowerView]:
    """The powers with the most centres, best first."""
    holding = [power for power in view.powers if power.centres]
    return sorted(holding, key=attrgetter("centres"), reverse=True)[:MOST_LEADERS]


def _showcase(shelves: Lobby) -> GameCard | None:
    """The public game with the next deadline, or one that is over."""
    moving = [(game.deadline, game) for game in shelves.running if game.deadline and not game.by_invitation]
    if moving:
        return min(moving, key=itemgetter(0))[1]
    return next((game for game in shelves.finished if not game.by_invitation), None)


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """One shelf of the lobby, chosen by ?show= (by default the first useful one); LobbyFilter filters all of them."""
    form = LobbyFilter(request.GET)
    wanted = form.chosen()
    shelves = lobby(request.user, **wanted)
    shown = request.GET.get("show", "")
    if shown not in SHELVES:
        shown = "mine" if shelves.mine else "open" if shelves.open else "running"
    context = {
        "tabs": [(shelf, getattr(shelves, shelf)) for shelf in SHELVES],
        "shown": shown,
        "games": getattr(shelves, shown),
        "filter": form,
        "wanted": urlencode(wanted),
    }
    return render(request, "pages/lobby.html", context)


@form_page
def create(request: HttpRequest) -> HttpResponse:
    """The form for a new game, filled in like the game in ?like=; its creator becomes the game master."""
    is_first = request.method != "POST" and "like" in request.GET
    like, options = choices_of(enter(request, request.GET["like"])) if is_first else ("", None)
    form = CreateGameForm(request.POST or None, like=options)
    if request.method == "POST" and form.is_valid():
        try:
            slug = create_game(by=account(request), **form.options())
        except BadGame as refusal:
            for field, sentence in refusal.problems.items():
                form.add_error(field, sentence)
        else:
            return SeeOther(reverse("games:game", kwargs={"slug": slug}))
    return render(request, "pages/create.html", {"form": form, "like": like}, status=status_of(form))


@require_safe
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation link: the token is kept in the session, not in the address bar."""
    slug = invitation(token)
    keep_invitation(request, slug, token)
    return redirect("games:game", slug=slug)
