"""The schema of the API, and in it what no serializer says: the other answers that every operation may give, the kinds
of news in a log, and what stands in addresses."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from games.api.endpoint import Endpoint
from games.api.problems import KINDS, MEDIA_TYPE, VERSION_1
from games.kernel.models import Status
from games.kernel.news import NEWS_BY_LINE
from games.kernel.shared_pages import shared_answer

SCOPE = "x-scope"
TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
OF_A_VARIANT = "Names the variant."


def completed(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """drf-spectacular's last step: the shape that all errors share, the kinds of news, and what stands in addresses."""
    schemas = result["components"]["schemas"]
    schemas["Problem"] = TOLD["problem"]
    schemas["Problem"]["properties"]["code"]["enum"] = list(KINDS)
    schemas["Event"]["properties"]["kind"]["enum"] = sorted(NEWS_BY_LINE)
    schemas["GameCard"]["properties"]["status"]["enum"] = list(Status)
    for path, ways in result["paths"].items():
        for way in ways.values() if path.startswith(VERSION_1) else ():
            _complete(path, way)
    return result


def _complete(path: str, operation: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        usual = TOLD["in_addresses"].get(parameter["name"], "")
        of_a_variant = path.startswith(f"{VERSION_1}variants/")
        parameter.setdefault("description", OF_A_VARIANT if of_a_variant else usual)
    for told in operation["responses"].values():
        told["description"] = told["description"] or "It worked."
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, why in TOLD["why"].items():
        operation["responses"].setdefault(status, {"description": why, "content": content})


class Described(AutoSchema):
    """The library's description of an operation, and the scope that a token needs for it."""

    def get_extensions(self) -> dict[str, Any]:
        scope = getattr(self.view, "scope", None)
        return {SCOPE: scope.value} if scope and self.method != "GET" else {}


@cache
def schema() -> dict[str, Any]:
    """The schema, made once: it is the same for everyone."""
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return made


class SchemaAnswer(Endpoint):
    may_be_kept = True

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """The schema as OpenAPI 3, in JSON."""
        return shared_answer(request._request, settings.SITE_VERSION, _rendered)


def _rendered() -> HttpResponse:
    text = OpenApiJsonRenderer().render(schema(), renderer_context={})
    return HttpResponse(text, content_type=OpenApiJsonRenderer.media_type)
