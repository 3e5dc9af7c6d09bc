"""The home page, the lists of games, a new game, invitations."""

from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_safe

from adjudication.turns import Turn
from games.deadlines.options import PhaseLengths
from games.deadlines.queries import coming_deadlines_from
from games.kernel import clock
from games.kernel import view_helpers as web
from games.kernel.cards import slug_for_invitation
from games.kernel.game_options import BadOptions
from games.kernel.languages import later, later_as
from games.kernel.limits import count_new_game
from games.kernel.models import NOT_OVER, OVER, Occupancy
from games.kernel.parts import GamePage
from games.kernel.queries import variants_offered
from games.kernel.refusals import BadGame, TooOften
from games.kernel.shared_pages import kept_in_process, shared_by_strangers, version_of_all_games, version_of_games_page
from games.kernel.signing_in import signed_in
from games.learning.lessons import BOARD
from games.mastering.overview import games_to_see
from games.pages.forms import ArchiveSearch, CreateGameForm, suggested_name
from games.pages.queries import NO_SEARCH, PERSONAL_LISTS, GameLists, newest_game_with_open_bids, showcase
from games.people.profiles import count_players_yesterday
from games.practice.guests import guest_of
from games.practice.queries import practice_cards_of
from games.seating.forms import LobbyFilter
from games.seating.services.new_game import create_game
from games.tournaments.queries import entries_to_play
from variants.maps import drawing_of
from variants.registry import find

MOST_OPEN = 4
TITLES = {
    "mine": later("My games"),
    "followed": later_as("games", "Followed"),
    "open": later_as("games", "Open"),
    "running": later("In progress"),
    "finished": later_as("games", "Finished"),
}


@require_safe
@shared_by_strangers(version_of_games_page())
def home(request: HttpRequest) -> HttpResponse:
    """What the site is about, beside a game in progress; above it, the games of the user or guest, if any."""
    lists, guest = GameLists(request.user), guest_of(request)
    own_lists = (
        lists.first_of_personal_lists()
        if lists.user_id
        else {"practice": practice_cards_of(guest.pk if guest else None)}
    )
    variants = variants_offered()
    context = {
        "practice": own_lists["practice"],
        **{
            list_name: [game for game in own_lists.get(list_name, ()) if game.status not in OVER]
            for list_name in PERSONAL_LISTS
        },
        "to_see": games_to_see(lists.user_id, clock.now()) if lists.user_id and lists.runs_games else (),
        "asked": lists.asked if lists.user_id else (),
        "entries": entries_to_play(lists.user_id) if lists.user_id else (),
        "alike": kept_in_process("home", version_of_all_games(), home_for_everyone),
        "variants": variants,
        "bids": [variant for variant in variants if variant.bids],
    }
    return render(request, "pages/home.html", context)


def home_for_everyone() -> dict[str, Any]:
    """The parts of the home page that are the same for every reader: two figures, and two rendered parts."""
    open_games = GameLists(AnonymousUser()).page("open", most=MOST_OPEN).games
    showcase_context = {"showcase": showcase(), "board": BOARD, "teaching": drawing_of(find(BOARD).start, find(BOARD))}
    return {
        "open": bool(open_games),
        "opened": newest_game_with_open_bids(),
        "played": count_players_yesterday(),
        "showcase": render_to_string("pages/alike/showcase.html", showcase_context),
        "open_games": render_to_string("pages/alike/open_games.html", {"open": open_games}),
    }


@signed_in
@web.own_page
def welcome(request: HttpRequest) -> HttpResponse:
    """The first page after signing up, if the user was not on the way to another page: what to do first."""
    playing = Occupancy.objects.filter(user_id=web.signed_in_id(request), until__isnull=True, game__status__in=NOT_OVER)
    waiting = GameLists(request.user).count_games_and_players(["open"])[0]["open"]
    return render(request, "pages/welcome.html", {"open": waiting, "plays": playing.exists()})


@require_safe
@shared_by_strangers(version_of_games_page("show=open", "show=running", "show=finished"))
def games(request: HttpRequest) -> HttpResponse:
    """One list of the lobby, chosen by ?show= (by default the first useful one), from the game ?after= on; LobbyFilter
    filters all of them, and ArchiveSearch the finished games."""
    form, shown = LobbyFilter(request.GET), request.GET.get("show", "")
    filters = form.chosen()
    archive = ArchiveSearch(request.GET) if shown == "finished" else None
    lists = GameLists(request.user, search=archive.search() if archive else NO_SEARCH, **filters)
    counts, players = lists.count_games_and_players(
        [it for it in lists.lists if it not in PERSONAL_LISTS or lists.user_id]
    )
    if shown not in lists.lists:
        shown = next((list_name for list_name in ("mine", "open") if counts.get(list_name)), "running")
    is_wrong = archive is not None and not archive.is_valid()
    page = GamePage((), "") if is_wrong else lists.page(shown, after=request.GET.get("after", ""))
    texts = archive.typed_values() if archive else {}
    context = {
        "tabs": [
            (list_name, TITLES[list_name], count)
            for list_name, count in counts.items()
            if count or list_name != "followed"
        ],
        "played": players,
        "shown": shown,
        "title": TITLES[shown],
        "games": page.games,
        "more": urlencode({"show": shown, **filters, **texts, "after": page.last}) if page.last else "",
        "filter": form,
        "archive": archive,
        "wrong": is_wrong,
        "wanted": urlencode(filters),
        "searched": bool(filters or texts or is_wrong),
    }
    return render(request, "pages/lobby.html", context, status=web.status_of(archive) if archive else HTTPStatus.OK)


@web.form_page
def create(request: HttpRequest) -> HttpResponse:
    """The form for a new game, filled in like the game in ?like=; its creator becomes the game master."""
    slug_to_copy = request.GET.get("like", "").replace("\0", "") if request.method != "POST" else ""
    old_game = web.access_for_visitor(request, slug_to_copy).game if slug_to_copy else None
    form = CreateGameForm(
        request.POST or None, options_to_copy=old_game.options if old_game else None, zone=web.time_zone_of(request).key
    )
    if request.method == "POST" and form.is_valid():
        try:
            count_new_game(web.signed_in_id(request))
            slug = create_game(by=web.signed_in_id(request), **form.options())
        except (BadGame, TooOften) as refusal:
            for field, sentence in web.problems_by_field(refusal, "name").items():
                form.add_error(field, sentence)
        else:
            return web.SeeOther(reverse("games:game", kwargs={"slug": slug}))
    context = {"form": form, "like": old_game.name if old_game else "", **outlook_context(form)}
    return render(request, "pages/create.html", context, status=web.status_of(form))


@signed_in
@require_safe
def outlook(request: HttpRequest) -> HttpResponse:
    """The effect of the form as it is filled in: the first five deadlines, and a line for everything folded away."""
    sent = request.GET.copy()
    sent["name"] = suggested_name()
    return render(request, "pages/create/outlook.html", outlook_context(CreateGameForm(sent)))


def outlook_context(form: CreateGameForm, turn: Turn | None = None) -> dict[str, Any]:
    """The same effect, for a game that begins in this turn or in its variant's first one."""
    try:
        options = form.options_so_far()
    except BadOptions as unlawful:
        return {"folds": form.folded_sections(None), "problems": list(unlawful.problems.values())}
    lengths, variant = options[PhaseLengths], options.variant
    assert variant is not None
    calendar = variant.ruleset.calendar
    return {
        "folds": form.folded_sections(options),
        "when": lengths.sentence(),
        "coming": coming_deadlines_from(lengths.timetable, calendar, turn or variant.start.turn, clock.now()),
        "zone": lengths.zone,
    }


@require_safe
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """An invitation link: the token is kept in the session, not in the address bar."""
    slug = slug_for_invitation(token)
    web.keep_invitation(request, slug, token)
    return redirect("games:game", slug=slug)
