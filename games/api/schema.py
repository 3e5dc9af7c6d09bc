"""The schema of the API, and in it what no serializer says: the other answers that every operation may give, the kinds
of news in a log, and what stands in addresses."""

from functools import cache
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
from games.kernel.news import LINES
from games.kernel.shared_pages import shared_answer

SCOPE = "x-scope"
WHY = {
    400: "There are mistakes in the input; `problems` lists them.",
    401: "The caller is not signed in, or the token is not valid.",
    403: "The caller, or the token, is not allowed to do that.",
    404: "There is nothing here, or nothing that the caller may see.",
    405: "The address doesn't take this method; `Allow` names those it takes.",
    408: "The request took too long to arrive.",
    409: "The state of the game or the phase does not allow that.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    429: "Too many requests; try again later.",
    503: "A part of the site is restarting; try again after `Retry-After` seconds.",
}
PROBLEM = {
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri", "description": "The page that explains this kind of error."},
        "title": {"type": "string", "description": "The kind of error in a few words, always the same."},
        "status": {"type": "integer", "description": "The status of the answer."},
        "detail": {"type": "string", "description": "What was wrong this time, in a sentence for people."},
        "code": {"type": "string", "enum": list(KINDS), "description": "The kind of error, for apps."},
        "problems": {
            "type": "array",
            "description": "Every mistake in what was sent: by its `field`, as in `bids.0.points`, or, in orders, by "
            "its `line` and that line's `text`.",
            "items": {
                "type": "object",
                "required": ["sentence"],
                "properties": {
                    "sentence": {"type": "string"},
                    "field": {"type": "string"},
                    "line": {"type": "integer"},
                    "text": {"type": "string"},
                },
            },
        },
        "receipt": {
            "description": "With `TooLate`: what counted instead, or null. With `NewerOrders`: what is saved.",
            "allOf": [{"$ref": "#/components/schemas/Receipt"}],
            "nullable": True,
        },
    },
}


PATH_PARAMETERS = {
    "slug": "Names the game.",
    "ordinal": "The place of the phase among all phases of the game, from 0.",
    "number": "Its number, from a list.",
    "address": "“everybody”, or the ids of the conversation’s powers in order, as in “FRANCE+ITALY”.",
    "verb": "The act.",
}
OF_A_VARIANT = "Names the variant."


def completed(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """drf-spectacular's last step: the shape that all errors share, the kinds of news, and what stands in addresses."""
    schemas = result["components"]["schemas"]
    schemas["Problem"] = PROBLEM
    schemas["Event"]["properties"]["kind"]["enum"] = sorted(LINES)
    for path, ways in result["paths"].items():
        for operation in ways.values() if path.startswith(VERSION_1) else ():
            _complete(path, operation)
    return result


def _complete(path: str, operation: dict[str, Any]) -> None:
    for parameter in operation.get("parameters", ()):
        usual = OF_A_VARIANT if path.startswith(f"{VERSION_1}variants/") else PATH_PARAMETERS.get(parameter["name"], "")
        parameter.setdefault("description", usual)
    for told in operation["responses"].values():
        told["description"] = told["description"] or "It worked."
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for status, why in WHY.items():
        operation["responses"].setdefault(str(status), {"description": why, "content": content})


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
