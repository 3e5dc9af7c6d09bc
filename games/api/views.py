"""Each endpoint checks access, calls one service or one view, and answers in JSON."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from games.api.serializers import (
    BeforeInput,
    MessageInput,
    ProposalInput,
    SheetInput,
    VoteInput,
    sent_as,
    serializer_of,
)
from games.endings.parts import AgreementView, Counted
from games.endings.services import propose, vote
from games.kernel import queries as selectors
from games.kernel.access import GameAccess, access_game, access_seat, access_sheet
from games.kernel.limits import count_vote
from games.kernel.parts import LogView, VariantCard
from games.kernel.refusals import WrongMoment
from games.news.log import log_view
from games.orders.parts import Receipt, SheetView
from games.orders.services import save_sheet
from games.orders.sheets import SentSheet, sheet_text
from games.pages.parts import PhaseView
from games.pages.queries import phase_view
from games.people.models import Scope
from games.press.parts import TalkView, ThreadView
from games.press.queries import talk_view
from games.press.services import send_message
from games.press.talk import powers_of

INVITATION = OpenApiParameter("invitation", str, description="The token of an invitation link.")
BEFORE = OpenApiParameter("before", int, description="Show only what comes before this place.")


class Endpoint(APIView):
    """Answers depend on the caller, so no cache may keep them. `scope` is what a token needs for writing here."""

    scope: ClassVar[Scope | None] = None

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        final = super().finalize_response(request, response, *args, **kwargs)
        final["Cache-Control"] = "no-store"
        return final


class GameAnswer(Endpoint):
    @extend_schema(operation_id="game", parameters=[INVITATION], responses=serializer_of(PhaseView))
    def get(self, request: Request, slug: str) -> Response:
        """The game now: the open phase, or the final position."""
        return Response(_view(request, slug, None))


class PhaseAnswer(Endpoint):
    @extend_schema(operation_id="phase", parameters=[INVITATION], responses=serializer_of(PhaseView))
    def get(self, request: Request, slug: str, ordinal: int) -> Response:
        """One phase: its position and, once it has closed, its result."""
        return Response(_view(request, slug, ordinal))


class LogAnswer(Endpoint):
    @extend_schema(operation_id="log", parameters=[INVITATION, BEFORE], responses=serializer_of(LogView))
    def get(self, request: Request, slug: str) -> Response:
        """The newest entries of the public log, or those before a place. The Link header leads to the earlier ones."""
        asked = sent_as(BeforeInput, request.query_params)
        view = log_view(_access(request, slug), asked.get("before"))
        return _with_next(Response(serializer_of(LogView)(view).data), request, view.first)


class SheetAnswer(Endpoint):
    """Your orders for the open phase, with everything that may be ordered."""

    scope = Scope.ORDERS

    @extend_schema(operation_id="sheet", responses=serializer_of(SheetView))
    def get(self, request: Request, slug: str) -> Response:
        """Your saved orders, every lawful order of every unit, and the points you can bid."""
        access_sheet(user=request.user, slug=slug)
        order_sheet = phase_view(access_game(user=request.user, slug=slug)).order_sheet
        if order_sheet is None:
            raise WrongMoment("The game has no current phase.")
        return Response(serializer_of(SheetView)(order_sheet).data)

    @extend_schema(operation_id="save_sheet", request=SheetInput, responses=serializer_of(Receipt))
    def put(self, request: Request, slug: str) -> Response:
        """Save your orders, in place of any saved before. If any line has a mistake, nothing is saved."""
        seat = access_sheet(user=request.user, slug=slug)
        sent = sent_as(SheetInput, request.data)
        sheet = SentSheet(_text(sent), sent["ordinal"], sent["mark"])
        receipt = save_sheet(occupancy_id=seat.occupancy_id, sheet=sheet, sitting=seat.sitting)
        return Response(serializer_of(Receipt)(receipt).data)


class ProposalsAnswer(Endpoint):
    scope = Scope.ORDERS

    @extend_schema(operation_id="proposals", parameters=[INVITATION], responses=serializer_of(AgreementView))
    def get(self, request: Request, slug: str) -> Response:
        """How the game may end by agreement, and the proposals made."""
        token = request.query_params.get("invitation", "")
        view = phase_view(access_game(user=request.user, slug=slug, token=token)).agreement
        if view is None:
            raise WrongMoment("The game is not under way.")
        return Response(serializer_of(AgreementView)(view).data)

    @extend_schema(operation_id="propose", request=ProposalInput, responses=serializer_of(Counted))
    def post(self, request: Request, slug: str) -> Response:
        """Propose a draw or a concession, and agree to it."""
        seat = access_seat(user=request.user, slug=slug)
        sent = sent_as(ProposalInput, request.data)
        ended = propose(occupancy_id=seat.occupancy_id, **sent)
        return Response(serializer_of(Counted)(Counted(ended)).data)


class TalkAnswer(Endpoint):
    @extend_schema(operation_id="talk", parameters=[INVITATION], responses=serializer_of(TalkView))
    def get(self, request: Request, slug: str) -> Response:
        """The conversations that you may read, with the number of unread messages in each."""
        return Response(serializer_of(TalkView)(talk_view(_access(request, slug))).data)


class ThreadAnswer(Endpoint):
    """The address of a conversation is "everybody", or its powers in alphabetical order, as in FRANCE+ITALY."""

    scope = Scope.PRESS

    @extend_schema(operation_id="thread", parameters=[INVITATION, BEFORE], responses=serializer_of(ThreadView))
    def get(self, request: Request, slug: str, address: str) -> Response:
        """The newest messages of a conversation, or those before a place. They are not marked as read. The Link header
        leads to the earlier ones."""
        asked = sent_as(BeforeInput, request.query_params)
        shown = talk_view(_access(request, slug), address, before=asked.get("before")).shown
        assert shown is not None, "an address was given"
        return _with_next(Response(serializer_of(ThreadView)(shown).data), request, shown.first)

    @extend_schema(operation_id="write", request=MessageInput, responses=serializer_of(ThreadView))
    def post(self, request: Request, slug: str, address: str) -> Response:
        """Write a message. The answer is the conversation with it."""
        access = _access(request, slug)
        assert access.user_id is not None, "callers who are not signed in may only read"
        talk_view(access, address)
        sent = sent_as(MessageInput, request.data)
        send_message(game_id=access.game_id, user_id=access.user_id, to=powers_of(address), **sent)
        return Response(serializer_of(ThreadView)(talk_view(access, address).shown).data, status=201)


class VoteAnswer(Endpoint):
    scope = Scope.ORDERS

    @extend_schema(operation_id="vote", request=VoteInput, responses=serializer_of(Counted))
    def put(self, request: Request, slug: str, number: int) -> Response:
        """Agree to an open proposal or refuse it, in place of any earlier vote."""
        seat = access_seat(user=request.user, slug=slug)
        sent = sent_as(VoteInput, request.data)
        assert request.user.pk is not None, "strangers have no seat"
        count_vote(request.user.pk)
        ended = vote(occupancy_id=seat.occupancy_id, number=number, agrees=sent["agrees"])
        return Response(serializer_of(Counted)(Counted(ended)).data)


class VariantsAnswer(Endpoint):
    @extend_schema(operation_id="variants", responses=serializer_of(VariantCard)(many=True))
    def get(self, request: Request) -> Response:
        """The variants that can be played here, with their rules."""
        return Response(serializer_of(VariantCard)(selectors.variants_offered(), many=True).data)


def _with_next(response: Response, request: Request, first: int) -> Response:
    """The answer, with the address of what comes before its first place."""
    if first > 1:
        response["Link"] = f'<{replace_query_param(request.build_absolute_uri(), "before", first)}>; rel="next"'
    return response


def _access(request: Request, slug: str) -> GameAccess:
    return access_game(user=request.user, slug=slug, token=request.query_params.get("invitation", ""))


def _view(request: Request, slug: str, ordinal: int | None) -> Any:
    token = request.query_params.get("invitation", "")
    view = phase_view(access_game(user=request.user, slug=slug, token=token), ordinal)
    return serializer_of(PhaseView)(view).data


def _text(sent: dict[str, Any]) -> str:
    if "text" in sent:
        return str(sent["text"])
    bids = [(bid["points"], bid["order"]) for bid in sent.get("bids", [])]
    return sheet_text(sent.get("orders", []), bids)
