"""Playing against bots at once, with or without an account."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.kernel.limits import count_practice_game
from games.kernel.options import LEVELS
from games.kernel.queries import card_of_power, variant_card
from games.kernel.refusals import NotAllowed
from games.kernel.signing_in import sent_from
from games.kernel.view_helpers import (
    SeeOther,
    access_for_visitor,
    button_action,
    redirect_with_success,
    refusals_to,
    signed_in_id,
)
from games.practice.guests import sign_in_as_guest
from games.practice.queries import default_board, evenness_words
from games.practice.services import delete_practice, start_as_guest, start_practice
from variants.bots.evenness import best_power, share_of
from variants.registry import ALL, playable
from variants.words import aim_words


def start_page(request: HttpRequest) -> HttpResponse:
    """The page before a game against bots, to choose the `board`, the power and the level."""
    board = playable(request.GET.get("board")) or default_board()
    context = {
        "board": variant_card(board.slug),
        "boards": [(variant_card(each.slug), evenness_words(each)) for each in ALL],
        "evenness": evenness_words(board),
        "aim": aim_words(board.ruleset),
        "best": best_power(board).id,
        "sides": [(card_of_power(power), share_of(power, board)) for power in board.powers],
        "levels": LEVELS,
    }
    return render(request, "practice/start.html", context)


@sent_from("games:play")
@refusals_to("games:play")
def begin_practice(request: HttpRequest) -> HttpResponse:
    """Start the game that was chosen and show its orders. A stranger becomes a guest."""
    if not _is_from_here(request):
        raise NotAllowed(_("Nothing was started: this button only works on our own pages. Press it here."))
    choices = {name: request.POST[name] for name in ("variant", "power", "level") if name in request.POST}
    count_practice_game(request, request.user.pk)
    if request.user.pk is None:
        guest, slug = start_as_guest(**choices)
        sign_in_as_guest(request, guest)
    else:
        slug = start_practice(user_id=request.user.pk, **choices)
    return SeeOther(resolve_url("games:orders", slug=slug))


@csrf_exempt  # the pages with its button are shared by strangers, so they hold no token; see `_is_from_here`
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest) -> HttpResponse:
    return begin_practice(request) if request.method == "POST" else start_page(request)


def _is_from_here(request: HttpRequest) -> bool:
    """Was the button pressed on a page of this site? Browsers send an origin with every POST."""
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == request.get_host()


@button_action("games:game")
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a game against bots for good."""
    delete_practice(game_id=access_for_visitor(request, slug).game_id, user_id=signed_in_id(request))
    return redirect_with_success(request, _("The game has been deleted."), "games:home")
