"""Days away, for the player who books them alone."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.serializers import Done, sent_as
from games.api.views import Endpoint
from games.deadlines.absences import absence_view, book_absence, cancel_absence
from games.kernel.access import access_game, access_seat
from games.people.models import Scope


class DaysInput(serializers.Serializer[Any]):
    """Whole days in your time zone, the last one included."""

    first = serializers.DateField(help_text="The first day away.")
    last = serializers.DateField(help_text="The last day away.")


class BookedDays(serializers.Serializer[Any]):
    """Days that you have booked."""

    number = serializers.IntegerField(help_text="Counts your bookings in this game.")
    first = serializers.DateField(help_text="The first day away.")
    last = serializers.DateField(help_text="The last day away.")
    zone = serializers.CharField(help_text="The time zone of these days.")
    days = serializers.IntegerField(help_text="How many days they are.")
    moved = serializers.BooleanField(help_text="They have moved a deadline, and stay used up even if cancelled.")
    cancelled = serializers.BooleanField(help_text="They were cancelled.")
    can_cancel = serializers.BooleanField(help_text="They can still be cancelled.")


class AbsenceView(serializers.Serializer[Any]):
    """The days that you have booked and may still book."""

    days = serializers.IntegerField(help_text="How many days this game allows each player.")
    left = serializers.IntegerField(help_text="How many of them you can still book.")
    why_not = serializers.CharField(help_text="Why you can’t book any; empty if you can.")
    booked = BookedDays(many=True, help_text="Your bookings, the first one first.")
    grace_times = serializers.IntegerField(help_text="How many extensions each player can cause by missing orders.")
    grace_left = serializers.IntegerField(help_text="How many of them you have left.")


class AbsencesAnswer(Endpoint):
    scope = Scope.SEAT

    @extend_schema(operation_id="absences", responses=AbsenceView)
    def get(self, request: Request, slug: str) -> Response:
        """The days away that you have booked in this game; no one else sees them."""
        return Response(_booked(request, slug))

    @extend_schema(operation_id="book_days", request=DaysInput, responses={201: AbsenceView})
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
    return AbsenceView(absence_view(access_game(user=request.user, slug=slug))).data
