"""Getting into games and out of them again, the roll call, and being ready: the same services as on the pages."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.access import is_bot
from games.api.acts import player_method
from games.api.answers import Changed
from games.api.endpoint import INVITATION, Endpoint, changed_answer, done_answer, game_access, operation
from games.api.inputs import Input, checked_input, refuse_unknown_powers
from games.kernel.access import GameAccess, access_sheet
from games.kernel.acts import LARGEST
from games.kernel.models import Occupancy
from games.kernel.refusals import NotAllowed
from games.orders.services import set_ready
from games.people.models import Scope
from games.seating.options import Dealing, SeatAssignment
from games.seating.queries import vacant_seat
from games.seating.services import joining, vacancies
from games.seating.services.bots import let_own_bot_play
from games.seating.services.new_game import take_seat

POWER = OpenApiParameter("power", str, OpenApiParameter.PATH, description="The id of a power, as in GERMANY.")


class JoinInput(Input):
    """Where powers are chosen, `power` names yours; where they are assigned by preference, send `wishes`."""

    power = serializers.CharField(required=False, allow_null=True, default=None)
    wishes = serializers.ListField(child=serializers.CharField(), required=False, default=list)


class ReadyInput(Input):
    """Whether this seat needs no more time in this phase."""

    ordinal = serializers.IntegerField(min_value=0, max_value=LARGEST)
    ready = serializers.BooleanField()
    mark = serializers.CharField(required=False, default=None)


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
    put = player_method("change_wishes", "saved", kind="WishesInput")


class LeaveAnswer(Endpoint):
    scope = Scope.SEAT
    post = player_method("leave", "left")


class ConfirmAnswer(Endpoint):
    scope = Scope.SEAT
    post = player_method("confirm", "confirmed")


class RequestAnswer(Endpoint):
    scope = Scope.SEAT
    post = player_method("ask_to_join", "asked", parameters=[INVITATION])
    delete = player_method("withdraw_request", "withdrawn", parameters=[INVITATION])


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


def _seated(access: GameAccess, sent: dict[str, Any], _result: object) -> Response:
    done = "seated" if sent.get("accept", True) else "declined"
    return changed_answer(done, access.game_id, _my_power(access))


def _accepted(_access: GameAccess, sent: dict[str, Any], _result: object) -> Response:
    return done_answer("accepted" if sent["accept"] else "declined")


class ReturnAnswer(Endpoint):
    scope = Scope.SEAT
    post = player_method("come_back", _seated, answer=Changed)


class OfferAnswer(Endpoint):
    scope = Scope.SEAT
    put = player_method("answer_offer", _seated, kind="AcceptInput", answer=Changed)


class BotSeatAnswer(Endpoint):
    scope = Scope.SEAT
    delete = player_method("stop_bot", "stopped")


class NextMasterAnswer(Endpoint):
    scope = Scope.MASTER
    put = player_method("answer_hand_over", _accepted, kind="AcceptInput")


class AssistantAnswer(Endpoint):
    scope = Scope.MASTER
    put = player_method("answer_assist", _accepted, kind="AcceptInput")
    delete = player_method("step_down", "stepped down")


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
