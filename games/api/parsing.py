"""Reads what apps send; answers always have the same form."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser


class ShallowJSON(JSONParser):
    """Treats JSON nested too deep to be read as the sender's mistake, just like invalid JSON."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError(_("JSON parse error - it is nested too deep.")) from None


class OnlyOneForm(DefaultContentNegotiation):
    """Gives every answer the one form that it has, no matter what the header `Accept` asks for."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: str | None = None) -> Any:  # noqa: ARG002
        return renderers[0], renderers[0].media_type
