"""How players agree: proposals to end a game and votes on them, what a game master asks of them, and their statements
after the end."""

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import endpoint
from games.api.answers import Changed, Done, Requests
from games.api.from_views import answer_class, with_schema
from games.api.inputs import Input, ProposalInput, VoteInput, checked_input, refuse_unknown_powers
from games.consent.queries import requests_for_viewer
from games.consent.services import answer_request
from games.endings.models import LONGEST_STATEMENT
from games.endings.parts import AgreementView, Counted
from games.endings.queries import agreement
from games.endings.services import propose_end, vote_on_proposal, withdraw_proposal, write_statement
from games.kernel.access import access_seat
from games.kernel.limits import count_vote
from games.kernel.models import Game
from games.kernel.page import page_of
from games.kernel.refusals import WrongMoment
from games.people.models import Scope


class StatementInput(Input):
    text = with_schema(serializers.CharField, type="string", maxLength=LONGEST_STATEMENT)(
        allow_blank=True, trim_whitespace=False
    )


class ProposalsAnswer(endpoint.Endpoint):
    scope = Scope.ORDERS
    may_be_kept = True

    @endpoint.operation(
        operation_id="proposals", parameters=[endpoint.INVITATION], responses=answer_class(AgreementView)
    )
    @endpoint.shared_among_strangers(endpoint.version_of_public_game)
    def get(self, request: Request, slug: str) -> Response:
        """How the game may end by agreement, and the proposals made."""
        view = agreement(page_of(endpoint.game_access(request, slug)))
        if view is None:
            raise WrongMoment(_("The game is not under way."))
        return Response(answer_class(AgreementView)(view).data)

    @endpoint.operation(operation_id="propose", request=ProposalInput, responses=answer_class(Counted))
    def post(self, request: Request, slug: str) -> Response:
        """Propose a draw or a concession, and agree to it."""
        seat = access_seat(user=request.user, slug=slug)
        sent = checked_input(ProposalInput, request.data)
        refuse_unknown_powers(Game.objects.get(pk=seat.game_id), sent)
        ended = propose_end(occupancy_id=seat.occupancy_id, **sent)
        return Response(answer_class(Counted)(Counted(ended)).data)


class VoteAnswer(endpoint.Endpoint):
    scope = Scope.ORDERS

    @endpoint.operation(operation_id="vote", request=VoteInput, responses=answer_class(Counted))
    def put(self, request: Request, slug: str, number: int) -> Response:
        """Agree to an open proposal or refuse it, in place of any earlier vote."""
        seat = access_seat(user=request.user, slug=slug)
        sent = checked_input(VoteInput, request.data)
        count_vote(endpoint.caller_id(request))
        ended = vote_on_proposal(occupancy_id=seat.occupancy_id, number=number, agrees=sent["agrees"])
        return Response(answer_class(Counted)(Counted(ended)).data)


class ProposalAnswer(endpoint.Endpoint):
    scope = Scope.ORDERS

    @endpoint.operation(operation_id="withdraw_proposal", request=None, responses=Done)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Withdraw a proposal of yours."""
        withdraw_proposal(occupancy_id=access_seat(user=request.user, slug=slug).occupancy_id, number=number)
        return endpoint.done_answer("withdrawn")


class StatementAnswer(endpoint.Endpoint):
    scope = Scope.PRESS

    @endpoint.operation(operation_id="write_statement", request=StatementInput, responses=Done)
    def put(self, request: Request, slug: str) -> Response:
        """Publish your statement about a finished game, in place of any earlier one."""
        access, sent = endpoint.game_access(request, slug), checked_input(StatementInput, request.data)
        assert access.user_id is not None, "strangers may only read"
        write_statement(game_id=access.game_id, user_id=access.user_id, text=sent["text"])
        return endpoint.done_answer("saved")


class RequestsAnswer(endpoint.Endpoint):
    @endpoint.operation(operation_id="requests", responses=Requests)
    def get(self, request: Request, slug: str) -> Response:
        """What the game master asks you to agree to: new terms, or an earlier deadline. A game master sees their own
        requests."""
        return Response(Requests({"requests": requests_for_viewer(endpoint.game_access(request, slug))}).data)


class ConsentAnswer(endpoint.Endpoint):
    scope = Scope.ORDERS

    @endpoint.operation(operation_id="consent", request=VoteInput, responses=Changed)
    def put(self, request: Request, slug: str, number: int) -> Response:
        """Agree, or refuse, which ends the request. It applies once everyone has agreed."""
        access, sent = endpoint.game_access(request, slug), checked_input(VoteInput, request.data)
        assert access.user_id is not None, "strangers may only read"
        applies = answer_request(game_id=access.game_id, user_id=access.user_id, number=number, **sent)
        return endpoint.changed_answer("applied" if applies else "answered", access.game_id)
