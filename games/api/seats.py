"""Resigning a seat, sitters, and days away: the same services as on the pages."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import Done, SittingPage
from games.api.endpoint import Endpoint, done_answer, operation
from games.api.from_views import answer_class
from games.api.inputs import Day, Input, SitterInput, SittingInput, checked_input
from games.api.lists import on_one_page
from games.deadlines.absences import AbsenceView, absence_view, book_absence, cancel_absence
from games.kernel.access import access_game, access_seat
from games.people.models import Scope
from games.seating.parts import SittingView
from games.seating.queries import open_sittings_of, sitter_view
from games.seating.services.sitters import answer_sitting, end_sitting, let_gm_enter_orders, name_sitter
from games.seating.services.vacancies import resign


class ResignAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="resign", request=None, responses=Done)
    def post(self, request: Request, slug: str) -> Response:
        """Resign your seat: it becomes vacant, saved orders are deleted unread, and it counts as abandoning the
        game."""
        seat = access_seat(user=request.user, slug=slug)
        resign(game_id=seat.game_id, user_id=seat.user_id)
        return done_answer("resigned")


class SitterAnswer(Endpoint):
    """The sitter who plays for this player for some days."""

    scope = Scope.SEAT

    @operation(operation_id="sitter", responses=answer_class(SittingView))
    def get(self, request: Request, slug: str) -> Response:
        """The sitter that you have named, with their answer."""
        return Response(answer_class(SittingView)(_sitting_in(request, slug)).data)

    @operation(operation_id="name_sitter", request=SitterInput, responses={201: answer_class(SittingView)})
    def post(self, request: Request, slug: str) -> Response:
        """Ask another user to sit for you: they get an email and say yes or no. Days are in your time zone."""
        seat = access_seat(user=request.user, slug=slug)
        sent = checked_input(SitterInput, request.data)
        zone = getattr(request.user, "time_zone", "UTC")
        name_sitter(game_id=seat.game_id, user_id=seat.user_id, zone=zone, **sent)
        return Response(answer_class(SittingView)(_sitting_in(request, slug)).data, status=201)

    @operation(operation_id="end_sitter", request=None, responses=Done)
    def delete(self, request: Request, slug: str) -> Response:
        """Withdraw the request or end the sitting, at once."""
        seat = access_seat(user=request.user, slug=slug)
        end_sitting(user_id=seat.user_id, number=_sitting_in(request, slug).number)
        return done_answer("ended")


class EnteringInput(Input):
    agree = serializers.BooleanField()


class EnteringAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="let_gm_enter", request=EnteringInput, responses=Done)
    def put(self, request: Request, slug: str) -> Response:
        """Let the game master see and enter your orders for the current phase, where the terms allow that, or withdraw
        it."""
        seat = access_seat(user=request.user, slug=slug)
        agree = checked_input(EnteringInput, request.data)["agree"]
        let_gm_enter_orders(game_id=seat.game_id, user_id=seat.user_id, agree=agree)
        return done_answer("agreed" if agree else "withdrawn")


class SittingsAnswer(Endpoint):
    @operation(operation_id="sittings", responses=SittingPage)
    def get(self, request: Request) -> Response:
        """Sittings that you are asked for or have agreed to."""
        return Response(SittingPage(on_one_page(open_sittings_of(request.user))).data)


class SittingAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="answer_sitting", request=SittingInput, responses=Done)
    def put(self, request: Request, number: int) -> Response:
        """Say yes or no to a player who asks you to sit, or end a sitting."""
        user_id = request.user.pk
        if user_id is None or number not in {sitting.number for sitting in open_sittings_of(request.user)}:
            raise Http404
        sent = checked_input(SittingInput, request.data)
        answer = sent["answer"]
        if answer == "end":
            end_sitting(user_id=user_id, number=number)
        else:
            answer_sitting(user_id=user_id, number=number, accept=answer == "yes")
        return done_answer(answer)


def _sitting_in(request: Request, slug: str) -> SittingView:
    sitting = sitter_view(access_game(user=request.user, slug=slug)).sitting
    if sitting is None:
        raise Http404
    return sitting


class DaysInput(Input):
    """Whole days in your time zone, the last one included."""

    first, last = Day(), Day()


class AbsencesAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="absences", responses=answer_class(AbsenceView))
    def get(self, request: Request, slug: str) -> Response:
        """The days away that you have booked in this game; no one else sees them."""
        return Response(_booked_days(request, slug))

    @operation(operation_id="book_days", request=DaysInput, responses={201: answer_class(AbsenceView)})
    def post(self, request: Request, slug: str) -> Response:
        """Book days away. If a deadline falls on one of them it moves, and everyone is told that a player is away, but
        not who."""
        seat, sent = access_seat(user=request.user, slug=slug), checked_input(DaysInput, request.data)
        zone = getattr(request.user, "time_zone", "UTC")
        book_absence(game_id=seat.game_id, user_id=seat.user_id, zone=zone, **sent)
        return Response(_booked_days(request, slug), status=201)


class AbsenceAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="cancel_days", request=None, responses=Done)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Cancel a booking. The days are given back unless they have moved a deadline."""
        seat = access_seat(user=request.user, slug=slug)
        is_given_back = cancel_absence(game_id=seat.game_id, user_id=seat.user_id, number=number)
        return done_answer("cancelled" if is_given_back else "cancelled, but used up")


def _booked_days(request: Request, slug: str) -> Any:
    return answer_class(AbsenceView)(absence_view(access_game(user=request.user, slug=slug))).data
