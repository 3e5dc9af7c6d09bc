"""System checks of the games, each with an id."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

KEY_BYTES = 32


@register
def sheets_can_be_sealed(**_arguments: Any) -> list[CheckMessage]:
    """games.E001: without a key of 32 bytes no sheet can be sealed."""
    keys = getattr(settings, "SEALED_KEYS", ())
    if keys and all(isinstance(key, bytes) and len(key) == KEY_BYTES for key in keys):
        return []
    return [Error("SEALED_KEYS must hold at least one key of 32 bytes, and only such keys.", id="games.E001")]
