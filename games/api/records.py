"""The published record of a game."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.views import INVITATION, Endpoint
from games.kernel.access import access_game
from games.orders.records import record_view


class RecordAnswer(Endpoint):
    @extend_schema(operation_id="record", parameters=[INVITATION], responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str) -> Response:
        """All adjudicated phases with orders, results and sealed records, as `python -m variants replay` reads them."""
        token = request.query_params.get("invitation", "")
        return Response(record_view(access_game(user=request.user, slug=slug, token=token)))
