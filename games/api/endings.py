"""Withdrawing a proposal, and the statement of a player after the end."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import Done
from games.api.endpoint import Endpoint, entered
from games.api.inputs import sent_as
from games.endings.services import withdraw, write_statement
from games.kernel.access import access_seat
from games.people.models import Scope


class StatementInput(serializers.Serializer[Any]):
    text = serializers.CharField(
        allow_blank=True, trim_whitespace=False, help_text="What everyone can read; empty to withdraw it."
    )


class ProposalAnswer(Endpoint):
    scope = Scope.ORDERS

    @extend_schema(operation_id="withdraw_proposal", request=None, responses=Done)
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Withdraw a proposal of yours."""
        withdraw(occupancy_id=access_seat(user=request.user, slug=slug).occupancy_id, number=number)
        return Response(Done({"done": "withdrawn"}).data)


class StatementAnswer(Endpoint):
    scope = Scope.PRESS

    @extend_schema(operation_id="write_statement", request=StatementInput, responses=Done)
    def put(self, request: Request, slug: str) -> Response:
        """Publish your statement about a finished game, in place of any earlier one."""
        access, sent = entered(request, slug), sent_as(StatementInput, request.data)
        assert access.user_id is not None, "strangers may only read"
        write_statement(game_id=access.game_id, user_id=access.user_id, text=sent["text"])
        return Response(Done({"done": "saved"}).data)
