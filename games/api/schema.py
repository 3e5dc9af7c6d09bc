"""What no serializer says: what every operation may answer besides its view, and which kinds of news a log may have."""

from typing import Any

from games.kernel.news import LINES

WHY = {
    400: "What was sent has mistakes; `problems` says which.",
    401: "Nobody is signed in, or the token does not hold.",
    403: "It is not the caller's right, or not the token's.",
    404: "There is nothing here, or nothing that the caller may see.",
    409: "The game or the phase is not in a state for it.",
    415: "The body is not JSON.",
    429: "Too many requests; ask again later.",
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
    """drf-spectacular's last step: the one shape of all refusals, and the kinds of news."""
    schemas = result["components"]["schemas"]
    schemas["Refused"] = REFUSAL
    schemas["EventView"]["properties"]["kind"]["enum"] = sorted(LINES)
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}}
    for path, ways in result["paths"].items():
        for operation in ways.values() if path.startswith("/api/") else ():
            for status, why in WHY.items():
                operation["responses"].setdefault(str(status), {"description": why, "content": content})
    return result
