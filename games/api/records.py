"""The published record of a game."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.endpoint import INVITATION, Endpoint, entered, for_strangers, of_public_game
from games.orders.records import record_view


class RecordAnswer(Endpoint):
    may_be_kept = True

    @extend_schema(operation_id="record", parameters=[INVITATION], responses=OpenApiTypes.OBJECT)
    @for_strangers(of_public_game)
    def get(self, request: Request, slug: str) -> Response:
        """All adjudicated phases with orders, results and sealed records, as `python -m variants replay` reads them."""
        return Response(record_view(entered(request, slug)))
