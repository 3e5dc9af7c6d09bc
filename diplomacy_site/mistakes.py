"""The page for a mistake of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponseServerError
from django.template import loader
from structlog.contextvars import get_contextvars

if TYPE_CHECKING:
    from django.http import HttpRequest


def server_error(_request: HttpRequest) -> HttpResponseServerError:
    """Says the id of the request, by which its lines are found in the log."""
    number = get_contextvars().get("request", "")
    return HttpResponseServerError(loader.get_template("500.html").render({"number": number}))
