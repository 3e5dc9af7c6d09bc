"""What no serializer says: the other answers that every operation may give, and the kinds of news in a log."""

from typing import Any

from games.api.problems import KINDS, MEDIA_TYPE, VERSION_1
from games.kernel.news import LINES

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
            "description": "With `TooLate`: what counted instead, or null.",
            "allOf": [{"$ref": "#/components/schemas/Receipt"}],
            "nullable": True,
        },
    },
}


def completed(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """drf-spectacular's last step: the shape that all errors share, and the kinds of news."""
    schemas = result["components"]["schemas"]
    schemas["Problem"] = PROBLEM
    schemas["EventView"]["properties"]["kind"]["enum"] = sorted(LINES)
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    for path, ways in result["paths"].items():
        for operation in ways.values() if path.startswith(VERSION_1) else ():
            for status, why in WHY.items():
                operation["responses"].setdefault(str(status), {"description": why, "content": content})
    return result
