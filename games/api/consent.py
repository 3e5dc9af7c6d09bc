"""What a game master asks players to agree to, and their answers."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import Done, Requests
from games.api.endpoint import Endpoint, entered
from games.api.inputs import VoteInput, sent_as
from games.consent.queries import requests_in
from games.consent.services import answer
from games.people.models import Scope


class RequestsAnswer(Endpoint):
    @extend_schema(operation_id="requests", responses=Requests)
    def get(self, request: Request, slug: str) -> Response:
        """What the game master asks you to agree to: new terms, or an earlier deadline. A game master sees their own
        requests."""
        return Response(Requests({"requests": requests_in(entered(request, slug))}).data)


class ConsentAnswer(Endpoint):
    scope = Scope.ORDERS

    @extend_schema(operation_id="consent", request=VoteInput, responses=Done)
    def put(self, request: Request, slug: str, number: int) -> Response:
        """Agree, or refuse, which ends the request. It applies once everyone has agreed."""
        access, sent = entered(request, slug), sent_as(VoteInput, request.data)
        assert access.user_id is not None, "strangers may only read"
        applies = answer(game_id=access.game_id, user_id=access.user_id, number=number, **sent)
        return Response(Done({"done": "applied" if applies else "answered"}).data)
