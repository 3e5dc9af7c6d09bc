"""Resigning a seat, sitters, and days away: the same services as on the pages."""

from typing import Any

from django.http import Http404
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.acts import player_method
from games.api.answers import Done, SittingPage
from games.api.endpoint import Endpoint, done_answer, operation
from games.api.from_views import answer_class
from games.api.inputs import SittingInput, checked_input
from games.api.lists import on_one_page
from games.deadlines.absences import AbsenceView, absence_view
from games.kernel.access import GameAccess, access_game, access_seat
from games.people.models import Scope
from games.seating.parts import SittingView
from games.seating.queries import open_sittings_of, sitter_view
from games.seating.services.sitters import answer_sitting, end_sitting


class ResignAnswer(Endpoint):
    scope = Scope.SEAT
    post = player_method("resign", "resigned")


def _named(access: GameAccess, _sent: object, _result: object) -> Response:
    return Response(answer_class(SittingView)(_sitting_of(access.read_again())).data, status=201)


class SitterAnswer(Endpoint):
    """The sitter who plays for this player for some days."""

    scope = Scope.SEAT

    @operation(operation_id="sitter", responses=answer_class(SittingView))
    def get(self, request: Request, slug: str) -> Response:
        """The sitter that you have named, with their answer."""
        return Response(answer_class(SittingView)(_sitting_of(access_game(user=request.user, slug=slug))).data)

    post = player_method("name_sitter", _named, kind="SitterInput", answer={201: answer_class(SittingView)})

    @operation(operation_id="end_sitter", request=None, responses=Done)
    def delete(self, request: Request, slug: str) -> Response:
        """Withdraw the request or end the sitting, at once."""
        seat = access_seat(user=request.user, slug=slug)
        end_sitting(user_id=seat.user_id, number=_sitting_of(access_game(user=request.user, slug=slug)).number)
        return done_answer("ended")


class EnteringAnswer(Endpoint):
    scope = Scope.SEAT
    put = player_method(
        "let_gm_enter",
        lambda _access, sent, _result: done_answer("agreed" if sent["agree"] else "withdrawn"),
        kind="EnteringInput",
    )


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


def _sitting_of(access: GameAccess) -> SittingView:
    sitting = sitter_view(access).sitting
    if sitting is None:
        raise Http404
    return sitting


def _booked_days(access: GameAccess) -> Any:
    return answer_class(AbsenceView)(absence_view(access)).data


class AbsencesAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="absences", responses=answer_class(AbsenceView))
    def get(self, request: Request, slug: str) -> Response:
        """The days away that you have booked in this game; no one else sees them."""
        return Response(_booked_days(access_game(user=request.user, slug=slug)))

    post = player_method(
        "book_days",
        lambda access, _sent, _result: Response(_booked_days(access.read_again()), status=201),
        kind="DaysInput",
        answer={201: answer_class(AbsenceView)},
    )


class AbsenceAnswer(Endpoint):
    scope = Scope.SEAT
    delete = player_method(
        "cancel_days",
        lambda _access, _sent, is_given_back: done_answer("cancelled" if is_given_back else "cancelled, but used up"),
    )
