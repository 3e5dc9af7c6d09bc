"""Lists, a page at a time, each page with the addresses of its neighbours."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from games.api.answers import Created, GamePageSerializer
from games.api.creating import NewGameInput, arguments_of_service, with_options
from games.api.endpoint import Endpoint, caller_id, operation, shared_among_strangers
from games.api.inputs import GamesInput, checked_input
from games.kernel.cards import MOST_CARDS, NEWEST_FIRST
from games.kernel.forms import parse_moment
from games.kernel.limits import count_new_game
from games.kernel.models import Game
from games.kernel.shared_pages import version_of_games_page
from games.pages.forms import ArchiveSearch
from games.pages.queries import GameLists
from games.people.models import Scope
from games.seating.services.new_game import create_game

FILTERS = ("variant", "press", "pace")
CreateInput = with_options(NewGameInput, "CreateInput")


class NewestFirst(CursorPagination):
    page_size = MOST_CARDS
    ordering = NEWEST_FIRST

    def decode_cursor(self, request: Request) -> Any:
        """Raises ValidationError unless the cursor names a moment; the library accepts any text."""
        error = ValidationError({"cursor": [_("Take the address of the next or the previous page from an answer.")]})
        try:
            cursor = super().decode_cursor(request)
        except NotFound:
            raise error from None
        if cursor is not None and cursor.position is not None and parse_moment(str(cursor.position)) is None:
            raise error
        return cursor


class GamesAnswer(Endpoint):
    scope = Scope.MASTER
    bots_may = True
    may_be_kept = True

    @operation(operation_id="games", parameters=[GamesInput], responses=GamePageSerializer)
    @shared_among_strangers(version_of_games_page(*(f"show={list_name}" for list_name in GamesInput.SHOWN)))
    def get(self, request: Request) -> Response:
        """Public games or your own, newest first."""
        query = checked_input(GamesInput, request.query_params)
        archive = ArchiveSearch(request.query_params)
        if not archive.is_valid():
            raise ValidationError({name: list(map(str, errors)) for name, errors in archive.errors.items()})
        lists = GameLists(request.user, **{name: query[name] for name in FILTERS if name in query})
        pages: Any = NewestFirst()
        games = lists.lists.get(query["show"], lists.public)
        rows = archive.search().matching(games).only("created")
        rows_of_page = pages.paginate_queryset(rows, request)
        pages.base_url = settings.SITE_ADDRESS + request.get_full_path()
        shown = Game.objects.filter(pk__in=[row.pk for row in rows_of_page]).order_by(*NEWEST_FIRST)
        page = {"next": pages.get_next_link(), "previous": pages.get_previous_link(), "results": lists.cards(shown)}
        return Response(GamePageSerializer(page).data)

    @operation(operation_id="create", request=CreateInput, responses={201: Created})
    def post(self, request: Request) -> Response:
        """Create a game; you become its game master. An option that you leave out takes its usual value."""
        data = arguments_of_service(checked_input(CreateInput, request.data))
        count_new_game(caller_id(request))
        slug = create_game(by=caller_id(request), **data)
        invitation = Game.objects.get(slug=slug).invitation if data["by_invitation"] else ""
        return Response(Created({"slug": slug, "invitation": invitation}).data, status=201)


def on_one_page(results: Sequence[Any]) -> dict[str, Any]:
    """A list that always fits on one page."""
    return {"next": None, "previous": None, "results": results}


def neighbouring_pages(request: Request, first: int, last: int, total: int) -> dict[str, str | None]:
    """The addresses of the pages next to the places from `first` to `last` of a list that begins with the newest: the
    next page has the older ones."""
    here = settings.SITE_ADDRESS + request.path
    return {
        "next": _address_at(request, here, "before", first) if first > 1 else None,
        "previous": _address_at(request, here, "after", last) if last < total else None,
    }


def _address_at(request: Request, here: str, name: str, place: int) -> str:
    invitation = request.query_params.get("invitation")
    address = replace_query_param(here, "invitation", invitation) if invitation else here
    return str(replace_query_param(address, name, place))
