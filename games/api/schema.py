"""What no serializer says: the other answers that every operation may give, and the kinds of news in a log."""

from typing import Any

from games.kernel.news import LINES

WHY = {
    400: "There are mistakes in the input; `problems` lists them.",
    401: "The caller is not signed in, or the token is not valid.",
    403: "The caller, or the token, is not allowed to do that.",
    404: "There is nothing here, or nothing that the caller may see.",
    408: "The request took too long to arrive.",
    409: "The state of the game or the phase does not allow that.",
    413: "The body is too long.",
    415: "The body is not JSON.",
    429: "Too many requests; try again later.",
    503: "A part of the site is restarting; try again after `Retry-After` seconds.",
}
REFUSAL = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "sentence"],
            "properties": {"code": {"type": "string"}, "sentence": {"type": "string"}, "problems": {}, "receipt": {}},
        }
    },
}


def completed(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """drf-spectacular's last step: the shape that all refusals share, and the kinds of news."""
    schemas = result["components"]["schemas"]
    schemas["Refused"] = REFUSAL
    schemas["EventView"]["properties"]["kind"]["enum"] = sorted(LINES)
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}}
    for path, ways in result["paths"].items():
        for operation in ways.values() if path.startswith("/api/") else ():
            for status, why in WHY.items():
                operation["responses"].setdefault(str(status), {"description": why, "content": content})
    return result
