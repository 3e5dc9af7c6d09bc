"""Resigning a seat, sitters, and days away: the same services as on the pages."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import Done, SittingPage
from games.api.endpoint import Endpoint, done, operation
from games.api.from_views import answer_of
from games.api.inputs import Input, SitterInput, SittingInput, sent_as
from games.api.lists import whole
from games.deadlines.absences import AbsenceView, absence_view, book_absence, cancel_absence
from games.kernel.access import access_game, access_seat
from games.people.models import Scope
from games.seating.parts import SittingView
from games.seating.queries import my_sittings, sitter_view
from games.seating.services.sitters import answer_sitting, end_sitting, let_gm_enter, name_sitter
from games.seating.services.vacancies import resign


class ResignAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="resign", request=None, responses=Done)
    def post(self, request: Request, slug: str) -> Response:
        """Resign your seat: it becomes vacant, saved orders are deleted unread, and it counts as abandoning the
        game."""
        seat = access_seat(user=request.user, slug=slug)
        resign(game_id=seat.game_id, user_id=seat.user_id)
        return done("resigned")


class SitterAnswer(Endpoint):
    """The sitter who plays for this player for some days."""

    scope = Scope.SEAT

    @operation(operation_id="sitter", responses=answer_of(SittingView))
    def get(self, request: Request, slug: str) -> Response:
        """The sitter that you have named, with their answer."""
        return Response(answer_of(SittingView)(_named(request, slug)).data)

    @operation(operation_id="name_sitter", request=SitterInput, responses={201: answer_of(SittingView)})
    def post(self, request: Request, slug: str) -> Response:
        """Ask another user to sit for you: they get an email and say yes or no. Days are in your time zone."""
        seat = access_seat(user=request.user, slug=slug)
        sent = sent_as(SitterInput, request.data)
        zone = getattr(request.user, "time_zone", "UTC")
        name_sitter(game_id=seat.game_id, user_id=seat.user_id, zone=zone, **sent)
        return Response(answer_of(SittingView)(_named(request, slug)).data, status=201)

    @operation(operation_id="end_sitter", request=None, responses=Done)
    def delete(self, request: Request, slug: str) -> Response:
        """Withdraw the request or end the sitting, at once."""
        seat = access_seat(user=request.user, slug=slug)
        end_sitting(user_id=seat.user_id, number=_named(request, slug).number)
        return done("ended")


class EnteringInput(Input):
    agree = serializers.BooleanField()


class EnteringAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="let_gm_enter", request=EnteringInput, responses=Done)
    def put(self, request: Request, slug: str) -> Response:
        """Let the game master see and enter your orders for the current phase, where the terms allow that, or withdraw
        it."""
        seat = access_seat(user=request.user, slug=slug)
        agree = sent_as(EnteringInput, request.data)["agree"]
        let_gm_enter(game_id=seat.game_id, user_id=seat.user_id, agree=agree)
        return done("agreed" if agree else "withdrawn")


class SittingsAnswer(Endpoint):
    @operation(operation_id="sittings", responses=SittingPage)
    def get(self, request: Request) -> Response:
        """Sittings that you are asked for or have agreed to."""
        return Response(SittingPage(whole(my_sittings(request.user))).data)


class SittingAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="answer_sitting", request=SittingInput, responses=Done)
    def put(self, request: Request, number: int) -> Response:
        """Say yes or no to a player who asks you to sit, or end a sitting."""
        who = request.user.pk
        if who is None or number not in {sitting.number for sitting in my_sittings(request.user)}:
            raise Http404
        sent = sent_as(SittingInput, request.data)
        said = sent["answer"]
        if said == "end":
            end_sitting(user_id=who, number=number)
        else:
            answer_sitting(user_id=who, number=number, accept=said == "yes")
        return done(said)


def _named(request: Request, slug: str) -> SittingView:
    sitting = sitter_view(access_game(user=request.user, slug=slug)).sitting
    if sitting is None:
        raise Http404
    return sitting


class DaysInput(Input):
    """Whole days in your time zone, the last one included."""

    first = serializers.DateField()
    last = serializers.DateField()


class AbsencesAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="absences", responses=answer_of(AbsenceView))
    def get(self, request: Request, slug: str) -> Response:
        """The days away that you have booked in this game; no one else sees them."""
        return Response(_booked(request, slug))

    @operation(operation_id="book_days", request=DaysInput, responses={201: answer_of(AbsenceView)})
    def post(self, request: Request, slug: str) -> Response:
        """Book days away. If a deadline falls on one of them it moves, and everyone is told that a player is away, but
        not who."""
        seat, sent = access_seat(user=request.user, slug=slug), sent_as(DaysInput, request.data)
        zone = getattr(request.user, "time_zone", "UTC")
        book_absence(game_id=seat.game_id, user_id=seat.user_id, zone=zone, **sent)
        return Response(_booked(request, slug), status=201)


class AbsenceAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="cancel_days", request=None, responses=Done)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Cancel a booking. The days are given back unless they have moved a deadline."""
        seat = access_seat(user=request.user, slug=slug)
        is_given_back = cancel_absence(game_id=seat.game_id, user_id=seat.user_id, number=number)
        return done("cancelled" if is_given_back else "cancelled, but used up")


def _booked(request: Request, slug: str) -> Any:
    return answer_of(AbsenceView)(absence_view(access_game(user=request.user, slug=slug))).data
