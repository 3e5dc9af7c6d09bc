"""What is new: one call for all games of a user, and the stream of events."""

from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.serializers import ChangesInput, Stream, sent_as, serializer_of
from games.api.views import INVITATION, Endpoint
from games.kernel.access import access_game
from games.kernel.live_tickets import ticket_for
from games.kernel.refusals import WrongMoment
from games.pages.changes import MOST_GAMES, Changes, changes_since, current_games

SINCE = OpenApiParameter("since", str, description="The mark of an earlier answer; without it, everything is new.")
GAME = OpenApiParameter("game", str, description="The slug of one game, in place of all your own.")
GAMES = OpenApiParameter("game", str, many=True, description="The slugs of games, in place of all your own.")


class ChangesAnswer(Endpoint):
    @extend_schema(operation_id="changes", parameters=[SINCE, GAME, INVITATION], responses=serializer_of(Changes))
    def get(self, request: Request) -> Response:
        """What has changed since a mark, in all your games or in one that you may see. Games that are over stay in the
        list for a week. Ask again with the new mark: whatever changed in between is in the next answer."""
        asked = sent_as(ChangesInput, request.query_params)
        only = _access(request, asked["game"]) if asked["game"] else None
        if only is None and not request.user.is_authenticated:
            raise NotAuthenticated
        return Response(serializer_of(Changes)(changes_since(asked["since"], request.user, only)).data)


class EventsAnswer(Endpoint):
    @extend_schema(operation_id="events", parameters=[GAMES, INVITATION], responses=Stream)
    def get(self, request: Request) -> Response:
        """The address of a stream of server-sent events for your own games, or for other games that you may see.

        `GET /events/` with your token in the header opens the same stream directly. It begins with `event: hello` and
        the slugs of the games, and then sends `{"game": slug, "version": version}` whenever something public has
        changed; ask for the changes then. It ends after ten minutes: open it again, and ask for the changes once.
        """
        wanted = request.query_params.getlist("game")[:MOST_GAMES]
        if not wanted and not request.user.is_authenticated:
            raise NotAuthenticated
        own = current_games(request.user).values_list("slug", flat=True)
        slugs = [_access(request, slug).slug for slug in wanted] or list(own[:MOST_GAMES])
        if not slugs:
            raise WrongMoment("You have no games at the moment. Name a game that you want to watch.")
        ticket = ticket_for(*slugs)
        stream = f"{settings.SITE_ADDRESS}{reverse('events')}?{urlencode({'ticket': ticket})}"
        return Response(Stream({"games": slugs, "ticket": ticket, "stream": stream}).data)


def _access(request: Request, slug: str):  # noqa: ANN202
    return access_game(user=request.user, slug=slug, token=request.query_params.get("invitation", ""))
