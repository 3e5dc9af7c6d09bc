"""The schema of the API, completed by what no serializer says: errors that every operation may answer with, the kinds
of news in a log, and the parts of addresses."""

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
from games.api.problems import MEDIA_TYPE, PROBLEM_KINDS, VERSION_1
from games.kernel.models import Status
from games.kernel.news import NEWS_BY_LINE
from games.kernel.shared_pages import shared_answer

SCOPE = "x-scope"
DESCRIPTIONS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
OF_A_VARIANT = "Names the variant."


def complete_schema(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """Add the shape that all errors share, the kinds of news, and the parts of addresses. drf-spectacular calls this
    last."""
    schemas = result["components"]["schemas"]
    schemas["Problem"] = DESCRIPTIONS["problem"]
    schemas["Problem"]["properties"]["code"]["enum"] = list(PROBLEM_KINDS)
    schemas["Event"]["properties"]["kind"]["enum"] = sorted(NEWS_BY_LINE)
    schemas["GameCard"]["properties"]["status"]["enum"] = list(Status)
    for path, methods in result["paths"].items():
        for operation in methods.values() if path.startswith(VERSION_1) else ():
            for parameter in operation.get("parameters", ()):
                usual = DESCRIPTIONS["in_addresses"].get(parameter["name"], "")
                of_a_variant = path.startswith(f"{VERSION_1}variants/")
                parameter.setdefault("description", OF_A_VARIANT if of_a_variant else usual)
            for response in operation["responses"].values():
                response["description"] = response["description"] or "It worked."
            content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
            for status, reason in DESCRIPTIONS["why"].items():
                operation["responses"].setdefault(status, {"description": reason, "content": content})
    return result


class SchemaWithScopes(AutoSchema):
    """Adds to the library's description of an operation the scope that a token needs for it."""

    def get_extensions(self) -> dict[str, Any]:
        scope = getattr(self.view, "scope", None)
        return {SCOPE: scope.value} if scope and self.method != "GET" else {}


@cache
def openapi_schema() -> dict[str, Any]:
    """The schema, made once: it is the same for everyone."""
    generated: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return generated


class SchemaAnswer(Endpoint):
    may_be_kept = True

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """The schema as OpenAPI 3, in JSON."""
        return shared_answer(request._request, settings.SITE_VERSION, _rendered_schema)


def _rendered_schema() -> HttpResponse:
    text = OpenApiJsonRenderer().render(openapi_schema(), renderer_context={})
    return HttpResponse(text, content_type=OpenApiJsonRenderer.media_type)
