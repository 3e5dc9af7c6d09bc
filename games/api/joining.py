"""Getting into games and out of them again, the roll call, and being ready: the same services as on the pages."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.access import is_bot
from games.api.answers import Changed, Done
from games.api.endpoint import INVITATION, Endpoint, changed_answer, done_answer, game_access, operation
from games.api.inputs import Input, checked_input, refuse_unknown_powers
from games.kernel.access import GameAccess, access_seat, access_sheet
from games.kernel.acts import LARGEST
from games.kernel.models import Occupancy
from games.kernel.refusals import NotAllowed
from games.mastering.services.assistants import answer_assistance, answer_handover, stop_assisting
from games.orders.services import set_ready
from games.people.models import Scope
from games.seating.options import Dealing, SeatAssignment
from games.seating.queries import vacant_seat
from games.seating.services import joining, vacancies
from games.seating.services.bots import let_own_bot_play
from games.seating.services.new_game import leave_before_start, take_over_from_bot, take_seat

POWER = OpenApiParameter("power", str, OpenApiParameter.PATH, description="The id of a power, as in GERMANY.")


class WishesInput(Input):
    """The powers you would like, favourite first, where powers are assigned by preference."""

    wishes = serializers.ListField(child=serializers.CharField())


class JoinInput(Input):
    """Where powers are chosen, `power` names yours; where they are assigned by preference, send `wishes`."""

    power = serializers.CharField(required=False, allow_null=True, default=None)
    wishes = serializers.ListField(child=serializers.CharField(), required=False, default=list)


class ReadyInput(Input):
    """Whether this seat needs no more time in this phase."""

    ordinal = serializers.IntegerField(min_value=0, max_value=LARGEST)
    ready = serializers.BooleanField()
    mark = serializers.CharField(required=False, default=None)


class AcceptInput(Input):
    accept = serializers.BooleanField()


class JoinAnswer(Endpoint):
    scope = Scope.SEAT
    bots_may = True

    @operation(operation_id="join", parameters=[INVITATION], request=JoinInput, responses=Changed)
    def post(self, request: Request, slug: str) -> Response:
        """Take a seat in a game that has not started, or join it where powers are assigned later. The last player
        starts the game or, if it has one, the roll call. A bot can join where the terms allow players’ own bots, and
        everyone sees that it plays."""
        access, data = game_access(request, slug), checked_input(JoinInput, request.data)
        refuse_unknown_powers(access.game, data)
        with transaction.atomic():
            if access.game.options[Dealing].seats == SeatAssignment.CHOICE:
                take_seat(**_caller_in_game(access), power=data["power"], token=access.token)
            else:
                joining.join_game(**_caller_in_game(access), wishes=data["wishes"], token=access.token)
            if is_bot(request):
                let_own_bot_play(**_caller_in_game(access))
        return changed_answer("joined", access.game_id, _my_power(access))


class WishesAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="change_wishes", request=WishesInput, responses=Done)
    def put(self, request: Request, slug: str) -> Response:
        """Replace the powers you would like, until powers are assigned. Only you can see them."""
        access, sent = game_access(request, slug), checked_input(WishesInput, request.data)
        refuse_unknown_powers(access.game, sent)
        joining.change_wishes(**_caller_in_game(access), **sent)
        return done_answer("saved")


class LeaveAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="leave", request=None, responses=Done)
    def post(self, request: Request, slug: str) -> Response:
        """Leave a game that has not started. After the start, you would resign."""
        leave_before_start(**_caller_in_game(game_access(request, slug)))
        return done_answer("left")


class ConfirmAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="confirm", request=None, responses=Done)
    def post(self, request: Request, slug: str) -> Response:
        """Confirm your place in the roll call before the start; the last player to do so starts the game."""
        joining.confirm_place(**_caller_in_game(game_access(request, slug)))
        return done_answer("confirmed")


class RequestAnswer(Endpoint):
    """Your request to join a game that needs the game master's approval."""

    scope = Scope.SEAT

    @operation(operation_id="ask_to_join", parameters=[INVITATION], request=None, responses=Done)
    def post(self, request: Request, slug: str) -> Response:
        """Ask the game master to be let in."""
        access = game_access(request, slug)
        joining.ask_to_join(**_caller_in_game(access), token=access.token)
        return done_answer("asked")

    @operation(operation_id="withdraw_request", parameters=[INVITATION], request=None, responses=Done)
    def delete(self, request: Request, slug: str) -> Response:
        """Withdraw the request; no one is told."""
        joining.withdraw_join_request(**_caller_in_game(game_access(request, slug)))
        return done_answer("withdrawn")


class VacantAnswer(Endpoint):
    scope = Scope.SEAT
    bots_may = True

    @operation(operation_id="take_seat", parameters=[POWER, INVITATION], request=None, responses=Changed)
    def post(self, request: Request, slug: str, power: str) -> Response:
        """Take over a vacant seat, or that of a bot that gives way, in a game under way: you start with no orders and
        have at least a full phase. Where the game needs approval, this asks the game master for the seat. Everyone sees
        that a bot plays it; bots can’t ask for seats."""
        access = game_access(request, slug)
        refuse_unknown_powers(access.game, {"power": power})
        if vacant_seat(access, power).must_ask:
            if is_bot(request):
                raise NotAllowed(_("A bot can’t ask for a seat. Ask for it yourself, and then let your bot play."))
            vacancies.ask_for_seat(**_caller_in_game(access), power=power, token=access.token)
            return changed_answer("asked", access.game_id)
        with transaction.atomic():
            vacancies.take_over_seat(**_caller_in_game(access), power=power, token=access.token)
            if is_bot(request):
                let_own_bot_play(**_caller_in_game(access))
        return changed_answer("seated", access.game_id, power)


class ReturnAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="come_back", request=None, responses=Changed)
    def post(self, request: Request, slug: str) -> Response:
        """Return to the seat that you lost by missing too many phases: once, and in the phase after."""
        access = game_access(request, slug)
        vacancies.come_back(**_caller_in_game(access))
        return changed_answer("seated", access.game_id, _my_power(access))


class OfferAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="answer_offer", request=AcceptInput, responses=Changed)
    def put(self, request: Request, slug: str) -> Response:
        """Take the seat that the game master has invited you to, or decline."""
        access, sent = game_access(request, slug), checked_input(AcceptInput, request.data)
        vacancies.answer_invitation(**_caller_in_game(access), **sent)
        return changed_answer("seated" if sent["accept"] else "declined", access.game_id, _my_power(access))


class BotSeatAnswer(Endpoint):
    scope = Scope.SEAT

    @operation(operation_id="stop_bot", request=None, responses=Done)
    def delete(self, request: Request, slug: str) -> Response:
        """Stop the site's bot that plays your seat. What it has saved stays until you save something else."""
        take_over_from_bot(occupancy_id=access_seat(user=request.user, slug=slug).occupancy_id)
        return done_answer("stopped")


class NextMasterAnswer(Endpoint):
    scope = Scope.MASTER

    @operation(operation_id="answer_hand_over", request=AcceptInput, responses=Done)
    def put(self, request: Request, slug: str) -> Response:
        """Become the next game master of a game whose game master has asked you, or decline."""
        sent = checked_input(AcceptInput, request.data)
        answer_handover(**_caller_in_game(game_access(request, slug)), **sent)
        return done_answer("accepted" if sent["accept"] else "declined")


class AssistantAnswer(Endpoint):
    scope = Scope.MASTER

    @operation(operation_id="answer_assist", request=AcceptInput, responses=Done)
    def put(self, request: Request, slug: str) -> Response:
        """Become an assistant of the game master who has asked you, or decline."""
        sent = checked_input(AcceptInput, request.data)
        answer_assistance(**_caller_in_game(game_access(request, slug)), **sent)
        return done_answer("accepted" if sent["accept"] else "declined")

    @operation(operation_id="step_down", request=None, responses=Done)
    def delete(self, request: Request, slug: str) -> Response:
        """Stop being an assistant."""
        stop_assisting(**_caller_in_game(game_access(request, slug)))
        return done_answer("stepped down")


class ReadyAnswer(Endpoint):
    scope = Scope.ORDERS

    @operation(operation_id="ready", request=ReadyInput, responses=Changed)
    def put(self, request: Request, slug: str) -> Response:
        """Say that you need no more time for this phase, or take it back. Once all are ready the phase ends early. This
        says nothing about what you have saved: save your orders first."""
        seat, data = access_sheet(user=request.user, slug=slug), checked_input(ReadyInput, request.data)
        set_ready(
            occupancy_id=seat.occupancy_id,
            ordinal=data["ordinal"],
            ready=data["ready"],
            seen=data["mark"],
            sitting=seat.sitting,
        )
        return changed_answer("ready" if data["ready"] else "not ready", seat.game_id, seat.power)


def _my_power(access: GameAccess) -> str | None:
    """The caller's power; None while powers are not assigned."""
    seats = Occupancy.objects.filter(game=access.game_id, user=access.user_id, until__isnull=True)
    return seats.values_list("seat__power", flat=True).first()


def _caller_in_game(access: GameAccess) -> dict[str, Any]:
    return {"game_id": access.game_id, "user_id": access.user_id}
