"""The lists of games, a page at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.response import Response

from games.api.creating import Created, choices_in, create_input
from games.api.serializers import sent_as, serializer_of
from games.api.views import Endpoint
from games.kernel.cards import MOST_CARDS, NEWEST_FIRST
from games.kernel.forms import moment_of
from games.kernel.limits import count_new_game
from games.kernel.models import Game
from games.pages.forms import ArchiveSearch, LobbyFilter
from games.pages.parts import GameList, Lobby
from games.pages.queries import Shelves
from games.people.models import Scope
from games.seating.services.new_game import create_game

if TYPE_CHECKING:
    from rest_framework.request import Request

LISTS = ("mine", "open", "running", "finished")
PARAMETERS = [
    OpenApiParameter("shelf", str, OpenApiParameter.PATH, enum=LISTS),
    OpenApiParameter("cursor", str, description="As in the address of the next or the previous page."),
    OpenApiParameter("variant", str, description="The slug of a variant."),
    OpenApiParameter("press", str, description="full, public or none."),
    OpenApiParameter("pace", str, description="live or slow."),
    OpenApiParameter("name", str, description="Finished games only: a part of the name, at least 3 characters."),
    OpenApiParameter("player", str, description="Finished games only: the name of a user who played."),
    OpenApiParameter("year", int, description="Finished games only: the year in which the game was created."),
]


class NewestFirst(CursorPagination):
    page_size = MOST_CARDS
    ordering = NEWEST_FIRST

    def decode_cursor(self, request: Request) -> Any:
        """As in the library, which takes any text for a moment; NotFound if it is none."""
        cursor = super().decode_cursor(request)
        if cursor is not None and cursor.position is not None and moment_of(str(cursor.position)) is None:
            raise NotFound(self.invalid_cursor_message)
        return cursor


class GamesAnswer(Endpoint):
    scope = Scope.MASTER

    @extend_schema(operation_id="games", responses=serializer_of(Lobby))
    def get(self, request: Request) -> Response:
        """The newest of your own games and of all public ones, and where each list goes on."""
        shelves = Shelves(request.user)
        pages = {name: _page(request, shelves, name) for name in LISTS}
        further = {name: page.next for name, page in pages.items() if page.next}
        lobby = Lobby(**{name: page.results for name, page in pages.items()}, next=further)
        return Response(serializer_of(Lobby)(lobby).data)

    @extend_schema(operation_id="create", request=create_input(), responses={201: Created})
    def post(self, request: Request) -> Response:
        """Create a game; you become its game master. An option that you leave out takes its usual value."""
        assert request.user.pk is not None, "strangers may only read"
        sent = choices_in(sent_as(create_input(), request.data))
        count_new_game(request.user.pk)
        slug = create_game(by=request.user.pk, **sent)
        invitation = Game.objects.get(slug=slug).invitation if sent["by_invitation"] else ""
        return Response(Created({"slug": slug, "invitation": invitation}).data, status=201)


class ListAnswer(Endpoint):
    @extend_schema(operation_id="list", parameters=PARAMETERS, responses=serializer_of(GameList))
    def get(self, request: Request, shelf: str) -> Response:
        """One list of games, newest first."""
        if shelf not in LISTS:
            raise Http404
        wanted, archive = LobbyFilter(request.query_params), ArchiveSearch(request.query_params)
        if shelf == "finished" and not archive.is_valid():
            raise ValidationError({name: list(map(str, errors)) for name, errors in archive.errors.items()})
        shelves = Shelves(request.user, search=archive.search(), **wanted.chosen())
        return Response(serializer_of(GameList)(_page(request, shelves, shelf)).data)


def _page(request: Request, shelves: Shelves, name: str) -> GameList:
    """The page of this list that the request asks for."""
    pages: Any = NewestFirst()
    rows = pages.paginate_queryset(shelves.shelves[name].only("created"), request)
    asked = request.query_params.urlencode()
    pages.base_url = request.build_absolute_uri(f"{reverse('api:list', args=[name])}?{asked}")
    shown = Game.objects.filter(pk__in=[row.pk for row in rows]).order_by(*NEWEST_FIRST)
    return GameList(pages.get_next_link(), pages.get_previous_link(), shelves.cards(shown))
