"""How players agree: proposals to end a game and votes on them, what a game master asks of them, and their statements
after the end."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import endpoint
from games.api.acts import player_method
from games.api.answers import Changed, Requests
from games.api.from_views import answer_class
from games.consent.queries import requests_for_viewer
from games.endings.parts import AgreementView, Counted
from games.endings.queries import agreement
from games.kernel.access import GameAccess
from games.kernel.page import page_of
from games.kernel.refusals import WrongMoment
from games.people.models import Scope


def _counted(_access: GameAccess, _sent: object, has_ended: Any) -> Response:
    return Response(answer_class(Counted)(Counted(has_ended)).data)


def _applied(access: GameAccess, _sent: object, applies: bool) -> Response:
    return endpoint.changed_answer("applied" if applies else "answered", access.game_id)


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

    post = player_method("propose", _counted, kind="ProposalInput", answer=answer_class(Counted))


class VoteAnswer(endpoint.Endpoint):
    scope = Scope.ORDERS
    put = player_method("vote", _counted, kind="VoteInput", answer=answer_class(Counted))


class ProposalAnswer(endpoint.Endpoint):
    scope = Scope.ORDERS
    delete = player_method("withdraw_proposal", "withdrawn")


class StatementAnswer(endpoint.Endpoint):
    scope = Scope.PRESS
    put = player_method("write_statement", "saved", kind="StatementInput")


class RequestsAnswer(endpoint.Endpoint):
    @endpoint.operation(operation_id="requests", responses=Requests)
    def get(self, request: Request, slug: str) -> Response:
        """What the game master asks you to agree to: new terms, or an earlier deadline. A game master sees their own
        requests."""
        return Response(Requests({"requests": requests_for_viewer(endpoint.game_access(request, slug))}).data)


class ConsentAnswer(endpoint.Endpoint):
    scope = Scope.ORDERS
    put = player_method("consent", _applied, kind="VoteInput", answer=Changed)
