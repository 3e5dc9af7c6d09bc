"""One game: the position now, every phase at its own address, the log, what is new, following, seats."""

from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.consent.queries import requests_for_viewer
from games.endings.forms import StatementForm
from games.endings.queries import farewell
from games.history.queries import history_view
from games.kernel import news
from games.kernel.access import GameAccess, access_game, standpoint_of
from games.kernel.cards import card_of_game
from games.kernel.forms import parse_whole_number
from games.kernel.languages import later
from games.kernel.models import OVER, Status
from games.kernel.page import Page, page_of
from games.kernel.parts import GameCard
from games.kernel.rules import allowed
from games.kernel.shared_pages import shared_by_strangers, version_of_game_page
from games.kernel.standpoint import Standpoint
from games.kernel.view_helpers import access_for_visitor, button_action, own_page, signed_in_id
from games.news import choices as news_choices
from games.news.log import log_view
from games.orders.bids import rows_of_published_bids
from games.orders.queries import order_sheet
from games.practice.guests import guest_of
from games.practice.queries import next_practices
from games.practice.services import PRACTICE_KEPT
from games.seating.rules.joining import may_rematch


class Banner(NamedTuple):
    """The banner of a page that isn't replaced when its phase has been processed, with the link in it."""

    sentence: str
    button: str
    leads_to: str
    heading: str = later("The phase has just ended.")
    replaces: bool = False
    """Where nothing is unsaved the result takes the place of the page."""


BANNERS = {
    "orders": Banner(
        later("Your saved orders were counted. Anything you’ve typed since then is still here but hasn’t been saved."),
        later("Show the new position"),
        "games:orders",
        replaces=True,
    ),
    "phase": Banner("", later("Show the new position"), "games:game"),
    "gm": Banner(later("This page is out of date."), later("Show the current page"), "games:gm"),
}

PAGES_THAT_ASK = frozenset({"game", "thread", "talk", *BANNERS})


@require_safe
@shared_by_strangers(version_of_game_page)
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """The current position and what led to it. `?ground=` names the map ground that the page already has."""
    access = access_for_visitor(request, slug)
    view = page_of(access)
    if request.user.is_authenticated and request.method == "GET":
        news.mark_letters_as_seen(access.game_id, signed_in_id(request))
    watches = request.user.is_authenticated and access.seat is None and not access.is_gm and not guest_of(request)
    context = {
        **_view_and_ground(request, view),
        "waits": _waits_for_result(view),
        "follows": watches and news_choices.is_following(access.game_id, access.user_id),
        "may_follow": watches and allowed(news_choices.may_follow, standpoint_of(access)),
        **_end_context(access, view),
        "requests": requests_for_viewer(access),
        "kept_until": view.game.created + PRACTICE_KEPT,
    }
    return render(request, "pages/game.html", context)


@require_safe
@shared_by_strangers(version_of_game_page)
def phase(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """One phase of the history, with its orders drawn on the map."""
    view = page_of(access_for_visitor(request, slug), ordinal)
    if view.head is not None and view.head.is_open:
        return redirect("games:game", slug=slug)
    heads = [head for head in view.phases if not head.is_open]
    at = heads.index(view.head) if view.head in heads else 0
    context = {
        **_view_and_ground(request, view),
        "first": heads[0] if at > 0 else None,
        "previous": heads[at - 1] if at > 0 else None,
        "following": heads[at + 1] if at + 1 < len(heads) else None,
    }
    return render(request, "pages/phase.html", context)


@require_safe
@shared_by_strangers(version_of_game_page)
def log(request: HttpRequest, slug: str) -> HttpResponse:
    """The public log of a game, newest first, or what comes before the place ?before=."""
    access, before = access_for_visitor(request, slug), parse_whole_number(request.GET.get("before", ""))
    return render(request, "pages/log.html", {"view": page_of(access), "log": log_view(access, before)})


@own_page
def pulse(request: HttpRequest, slug: str) -> HttpResponse:
    """News from public facts only: either nothing, or a fragment that makes the page show the new position.

    Pages ask often, so the reader is looked up only for a game by invitation.
    """
    try:
        access = access_game(user=AnonymousUser(), slug=slug)
    except Http404:
        access = access_for_visitor(request, slug)
    card, version = card_of_game(Standpoint(access.game, None), unread=0), access.version
    is_repaired = request.GET.get("repairs", str(card.repairs)) != str(card.repairs)
    is_processed = is_repaired or request.GET.get("ordinal") != ("" if card.ordinal is None else str(card.ordinal))
    is_new_position = is_processed or request.GET.get("status") != card.status or card.status == Status.OPEN
    is_changed = is_processed or request.GET.get("version") != version
    page = request.GET.get("on")
    context = {
        "game": card,
        "version": version,
        "changed": is_changed,
        "on": page if page in PAGES_THAT_ASK else "",
        "banner": _banner(page or "", card, repaired=is_repaired) if is_processed else None,
    }
    response = render(request, "pages/partials/pulse.html", context)
    if is_changed:
        response["HX-Trigger"] = "phase-changed" if is_new_position else "facts-changed"
    return response


@button_action("games:game")
def follow(request: HttpRequest, slug: str) -> str:
    """Follow a public game, or stop following it."""
    game = access_for_visitor(request, slug).game
    if "stop" in request.POST:
        news_choices.unfollow(game_id=game.pk, user_id=signed_in_id(request))
        return _("You no longer follow {game}.").format(game=game.name)
    news_choices.follow(game_id=game.pk, user_id=signed_in_id(request))
    return _("You follow {game}. It is in your list of followed games, and we’ll tell you its results.").format(
        game=game.name
    )


def _banner(page: str, card: GameCard, *, repaired: bool) -> Banner | None:
    banner = BANNERS.get(page)
    if banner is None:
        return None
    if repaired:
        heading = _("The game master has made a correction.")
        return Banner(
            _("Anything you’ve typed is still here but hasn’t been sent."), banner.button, banner.leads_to, heading
        )
    if card.status not in OVER:
        return banner
    return Banner(card.verdict, _("Show the outcome"), "games:game", _("The game is over."), banner.replaces)


def _waits_for_result(view: Page) -> bool:
    """Is the viewer a player who has no use for the old position any more?"""
    if view.game.status != Status.RUNNING:
        return False
    my_sheet = order_sheet(view) if view.game.practice else None
    return my_sheet.ready is True if my_sheet else view.game.ends_now and view.my_power is not None


def _view_and_ground(request: HttpRequest, view: Page) -> dict[str, object]:
    art = view.rows.variant.art
    return {"view": view, "ground": art.ground if request.GET.get("ground") == art.ground else ""}


def _end_context(access: GameAccess, view: Page) -> dict[str, object]:
    end = farewell(view)
    if end is None:
        return {}
    form = StatementForm(initial={"text": end.my_statement}) if end.may_state else None
    again = next_practices(access.game, view.my_power, end.winners) if access.game.practice and view.my_power else ()
    return {
        "history": history_view(access),
        "statement_form": form,
        "again": again,
        "bids_are_open": rows_of_published_bids(access.game).exists(),
        "may_rematch": allowed(may_rematch, view.rows),
    }
