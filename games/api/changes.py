"""What is new: one call for all games of a user, and the stream of events."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import Stream
from games.api.endpoint import INVITATION, Endpoint, entered
from games.api.from_views import answer_of
from games.api.inputs import sent_as
from games.kernel.live_tickets import ticket_for
from games.kernel.refusals import WrongMoment
from games.pages.changes import LONGEST_MARK, MOST_GAMES, Changes, changes_since, current_games
from games.pages.queries import Shelves

SINCE = OpenApiParameter("since", str, description="The mark of an earlier answer; without it, everything is new.")
GAME = OpenApiParameter("game", str, description="The slug of one game, in place of all your own.")
GAMES = OpenApiParameter("game", str, many=True, description="The slugs of games, in place of all your own.")


class ChangesInput(serializers.Serializer[Any]):
    since = serializers.RegexField(
        rf"^[A-Za-z0-9_-]{{0,{LONGEST_MARK}}}\Z",
        default="",
        allow_blank=True,
        error_messages={"invalid": "This is no mark. Send the `mark` of an earlier answer, or nothing."},
    )
    game = serializers.CharField(default="", allow_blank=True)


class EventsInput(serializers.Serializer[Any]):
    game = serializers.ListField(child=serializers.CharField(), max_length=MOST_GAMES)


class ChangesAnswer(Endpoint):
    @extend_schema(operation_id="changes", parameters=[SINCE, GAME, INVITATION], responses=answer_of(Changes))
    def get(self, request: Request) -> Response:
        """What has changed since a mark, in all your games or in one that you may see. Games that are over stay in the
        list for a week. Ask again with the new mark: whatever changed in between is in the next answer."""
        asked = sent_as(ChangesInput, request.query_params)
        only = entered(request, asked["game"]) if asked["game"] else None
        if only is None and not request.user.is_authenticated:
            raise NotAuthenticated
        return Response(answer_of(Changes)(changes_since(asked["since"], request.user, only)).data)


class EventsAnswer(Endpoint):
    @extend_schema(operation_id="events", parameters=[GAMES, INVITATION], responses=Stream)
    def get(self, request: Request) -> Response:
        """The address of a stream of server-sent events for your own games, or for others that you may see.

        `GET /events/` with your token in its header opens the same stream directly. It begins with `event: hello` and
        the slugs of the games, and then sends `{"game": slug, "version": version}` whenever anything public changes in
        one of them: ask for the changes then. It ends after ten minutes. Open it again, and ask for the changes once.
        """
        wanted = sent_as(EventsInput, {"game": request.query_params.getlist("game")})["game"]
        if not wanted and not request.user.is_authenticated:
            raise NotAuthenticated
        slugs = [entered(request, slug).slug for slug in wanted] or _own(request)
        if not slugs:
            raise WrongMoment("You have no games at the moment. Name a game that you want to watch.")
        ticket = ticket_for(*slugs)
        stream = f"{settings.SITE_ADDRESS}{reverse('events')}?{urlencode({'ticket': ticket})}"
        return Response(Stream({"games": slugs, "ticket": ticket, "stream": stream}).data)


def _own(request: Request) -> list[str]:
    return list(current_games(Shelves(request.user)).values_list("slug", flat=True)[:MOST_GAMES])
