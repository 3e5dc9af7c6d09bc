"""Days away, for the player who books them alone."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import Done
from games.api.endpoint import Endpoint
from games.api.from_views import answer_of
from games.api.inputs import sent_as
from games.deadlines.absences import AbsenceView, absence_view, book_absence, cancel_absence
from games.kernel.access import access_game, access_seat
from games.people.models import Scope


class DaysInput(serializers.Serializer[Any]):
    """Whole days in your time zone, the last one included."""

    first = serializers.DateField(help_text="The first day away.")
    last = serializers.DateField(help_text="The last day away.")


class AbsencesAnswer(Endpoint):
    scope = Scope.SEAT

    @extend_schema(operation_id="absences", responses=answer_of(AbsenceView))
    def get(self, request: Request, slug: str) -> Response:
        """The days away that you have booked in this game; no one else sees them."""
        return Response(_booked(request, slug))

    @extend_schema(operation_id="book_days", request=DaysInput, responses={201: answer_of(AbsenceView)})
    def post(self, request: Request, slug: str) -> Response:
        """Book days away. If a deadline falls on one of them it moves, and everyone is told that a player is away, but
        not who."""
        seat, sent = access_seat(user=request.user, slug=slug), sent_as(DaysInput, request.data)
        zone = getattr(request.user, "time_zone", "UTC")
        book_absence(game_id=seat.game_id, user_id=seat.user_id, zone=zone, **sent)
        return Response(_booked(request, slug), status=201)


class AbsenceAnswer(Endpoint):
    scope = Scope.SEAT

    @extend_schema(operation_id="cancel_days", request=None, responses=Done)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Cancel a booking. The days are given back unless they have moved a deadline."""
        seat = access_seat(user=request.user, slug=slug)
        is_given_back = cancel_absence(game_id=seat.game_id, user_id=seat.user_id, number=number)
        return Response(Done({"done": "cancelled" if is_given_back else "cancelled, but used up"}).data)


def _booked(request: Request, slug: str) -> Any:
    return answer_of(AbsenceView)(absence_view(access_game(user=request.user, slug=slug))).data
