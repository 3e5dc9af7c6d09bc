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

from games.api.serializers import sent_as
from games.api.views import INVITATION, Endpoint
from games.kernel.access import GameAccess, access_game
from games.kernel.live_tickets import ticket_for
from games.kernel.models import Status
from games.kernel.parts import Wanted
from games.kernel.refusals import WrongMoment
from games.pages.changes import LONGEST_MARK, MOST_GAMES, changes_since, current_games
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


class GameNews(serializers.Serializer[Any]):
    """A game as it stands for you now."""

    slug = serializers.CharField(help_text="The name of the game in addresses.")
    name = serializers.CharField(help_text="The name of the game.")
    variant = serializers.CharField(help_text="The slug of the variant.")
    version = serializers.CharField(help_text="Changes whenever anything public in the game does; events carry it.")
    status = serializers.ChoiceField(Status.choices, help_text="The state of the game.")
    status_sentence = serializers.CharField(help_text="The state in words.")
    ordinal = serializers.IntegerField(allow_null=True, help_text="The number of the open phase; null without one.")
    turn_title = serializers.CharField(help_text="The turn of the open phase, as in “Spring 1926”.")
    kind_title = serializers.CharField(help_text="The kind of the open phase, as in “movement”.")
    deadline = serializers.DateTimeField(allow_null=True, help_text="Null while the clock is stopped.")
    remaining_seconds = serializers.IntegerField(
        allow_null=True, help_text="What is left while the clock is stopped, else null."
    )
    my_power = serializers.CharField(allow_null=True, help_text="The power that you play; null without a seat.")
    i_am_gm = serializers.BooleanField(help_text="Whether you are the game master.")
    wants = serializers.ChoiceField(
        [wanted.value for wanted in Wanted], allow_null=True, help_text="What the game wants of you first."
    )
    must_decide = serializers.BooleanField(help_text="Whether the game waits for orders of yours.")
    unread = serializers.IntegerField(help_text="Your unread messages in the game.")


class ChangesView(serializers.Serializer[Any]):
    """What has changed, and the mark to send the next time."""

    mark = serializers.CharField(help_text="Stands for all games as they are now. Send it as `since`.")
    games = serializers.ListField(
        child=serializers.CharField(),
        help_text=f"The slugs of all games looked at, the {MOST_GAMES} with the nearest deadlines at most.",
    )
    changed = GameNews(many=True, help_text="Those that differ from what the mark stood for.")


class Stream(serializers.Serializer[Any]):
    """Where to listen."""

    games = serializers.ListField(child=serializers.CharField(), help_text="The slugs of the games listened to.")
    ticket = serializers.CharField(help_text="Lets its bearer listen to these games for a quarter of an hour.")
    stream = serializers.CharField(help_text="The address of the stream, with the ticket.")


class ChangesAnswer(Endpoint):
    @extend_schema(operation_id="changes", parameters=[SINCE, GAME, INVITATION], responses=ChangesView)
    def get(self, request: Request) -> Response:
        """What has changed since a mark, in all your games or in one that you may see. Games that are over stay in the
        list for a week. Ask again with the new mark: whatever changed in between is in the next answer."""
        asked = sent_as(ChangesInput, request.query_params)
        only = _access(request, asked["game"]) if asked["game"] else None
        if only is None and not request.user.is_authenticated:
            raise NotAuthenticated
        return Response(ChangesView(changes_since(asked["since"], request.user, only)).data)


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
        slugs = [_access(request, slug).slug for slug in wanted] or _own(request)
        if not slugs:
            raise WrongMoment("You have no games at the moment. Name a game that you want to watch.")
        ticket = ticket_for(*slugs)
        stream = f"{settings.SITE_ADDRESS}{reverse('events')}?{urlencode({'ticket': ticket})}"
        return Response(Stream({"games": slugs, "ticket": ticket, "stream": stream}).data)


def _own(request: Request) -> list[str]:
    return list(current_games(Shelves(request.user)).values_list("slug", flat=True)[:MOST_GAMES])


def _access(request: Request, slug: str) -> GameAccess:
    return access_game(user=request.user, slug=slug, token=request.query_params.get("invitation", ""))
