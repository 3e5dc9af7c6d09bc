"""The variants that are played here, and the board of each."""

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.answers import VariantPage, VariantSerializer
from games.api.endpoint import Endpoint, for_strangers
from games.api.from_views import facts_in
from games.api.lists import whole
from games.history.boards import board_of
from games.kernel import queries
from games.kernel.shared_pages import of_release, shared_answer
from variants.lone_map import empty_map
from variants.registry import find

SVG = "image/svg+xml"


class VariantsAnswer(Endpoint):
    may_be_kept = True

    @extend_schema(operation_id="variants", responses=VariantPage)
    @for_strangers(of_release)
    def get(self, request: Request) -> Response:  # noqa: ARG002  # the same for everyone
        """The variants that can be played here, with their rules."""
        return Response(VariantPage(whole(queries.variants_offered())).data)


class VariantAnswer(Endpoint):
    may_be_kept = True

    @extend_schema(operation_id="variant", responses=VariantSerializer)
    @for_strangers(of_release)
    def get(self, request: Request, slug: str) -> Response:  # noqa: ARG002  # the same for everyone
        """A variant with its board: provinces, borders, home centres, the start, and all places on the map."""
        card, variant = queries.variant_card(slug), find(slug)
        facts = {
            **facts_in(card),
            "version": variant.version,
            "digest": variant.digest,
            "map": settings.SITE_ADDRESS + reverse("api:board", args=[slug]),
            "board": board_of(variant),
        }
        return Response(VariantSerializer(facts).data)


class BoardAnswer(Endpoint):
    may_be_kept = True

    @extend_schema(operation_id="board", responses={(200, SVG): OpenApiTypes.STR})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The empty map as SVG. Its shapes carry `data-province` with the ids of provinces."""
        title = f"Map of {queries.variant_card(slug).title}"
        return shared_answer(
            request._request, settings.SITE_VERSION, lambda: HttpResponse(empty_map(slug, title), content_type=SVG)
        )
