"""Playing against bots at once, with or without an account."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from games.kernel import view_helpers as web
from games.kernel.cards import game_cards
from games.kernel.limits import count_practice_game
from games.kernel.options import LEVELS
from games.kernel.queries import card_of_power, variant_card, variants_offered
from games.kernel.refusals import NotAllowed, Refusal
from games.kernel.rules import why_not
from games.practice.guests import sign_in_as_guest
from games.practice.queries import default_board, practice_games_that_count
from games.practice.services import NO_SUCH_BOARD, delete_practice, may_start_practice, start_as_guest, start_practice
from variants.bots.evenness import best_power, share_of
from variants.registry import playable
from variants.words import aim_words


def start_page(request: HttpRequest) -> HttpResponse:
    """The page before a game against bots, to choose the board (`variant` or `board`), the power and the level. What
    the address names is chosen, so that a refused start comes back as it was sent. People who have too many games
    already read first which, because they have to delete one."""
    asked = request.GET.get("variant") or request.GET.get("board")
    known = playable(asked)
    if asked and known is None and not messages.get_messages(request):
        messages.error(request, NO_SUCH_BOARD)
    board = known or default_board()
    best, power, level = best_power(board).id, request.GET.get("power"), request.GET.get("level")
    user = request.user
    too_many = why_not(may_start_practice, user) if user.is_authenticated else ""
    context = {
        "board": variant_card(board.slug),
        "boards": variants_offered(),
        "aim": aim_words(board.ruleset),
        "power": power if power in {"", *(each.id for each in board.powers)} else best,
        "sides": [(card_of_power(power), share_of(power, board)) for power in board.powers],
        "levels": LEVELS,
        "level": level if level in LEVELS else next(iter(LEVELS)),
        "too_many": too_many,
        "mine": game_cards(practice_games_that_count(user), user_id=user.pk) if too_many else (),
    }
    return render(request, "practice/start.html", context)


def begin_practice(request: HttpRequest) -> HttpResponse:
    """Start the game that was chosen and show its orders. A stranger becomes a guest."""
    choices = {name: request.POST[name] for name in ("variant", "power", "level") if name in request.POST}
    try:
        if not web.is_from_here(request):
            raise NotAllowed(_("Nothing was started: this button only works on our own pages. Press it here."))
        count_practice_game(request)
        if request.user.pk is None:
            guest, slug = start_as_guest(**choices)
            sign_in_as_guest(request, guest)
        else:
            slug = start_practice(user_id=request.user.pk, **choices)
    except Refusal as refusal:
        return web.redirect_with_refusal(request, refusal, f"{reverse('games:play')}?{urlencode(choices)}")
    return web.SeeOther(resolve_url("games:orders", slug=slug))


@csrf_exempt  # the pages with its button are shared by strangers, so they hold no token; see `is_from_here`
@require_http_methods(["GET", "HEAD", "POST"])
def play(request: HttpRequest) -> HttpResponse:
    return begin_practice(request) if request.method == "POST" else start_page(request)


@web.button_action("games:game")
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a game against bots for good."""
    delete_practice(game_id=web.access_for_visitor(request, slug).game_id, user_id=web.signed_in_id(request))
    return web.redirect_with_success(request, _("The game has been deleted."), "games:home")
