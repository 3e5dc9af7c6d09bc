"""How values are written to the cache."""

import json
from typing import Any

BYTES, JSON = b"B", b"J"


class PlainValues:
    """Numbers, bytes and JSON. The framework would pickle them, and then anyone who can write to Redis could run code
    in the site's processes."""

    def dumps(self, value: Any) -> int | bytes:
        if type(value) is int:
            return value  # Redis counts on
        return BYTES + value if isinstance(value, bytes) else JSON + json.dumps(value).encode()

    def loads(self, kept: bytes) -> Any:
        form, value = kept[:1], kept[1:]
        if form == BYTES:
            return value
        return json.loads(value) if form == JSON else int(kept)
