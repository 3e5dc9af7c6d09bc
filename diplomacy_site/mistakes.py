"""The page for a mistake of ours."""

from django.http import HttpRequest, HttpResponseServerError
from django.template import loader
from structlog.contextvars import get_contextvars


def server_error(_request: HttpRequest) -> HttpResponseServerError:
    """Says the id of the request, by which its lines are found in the log."""
    number = get_contextvars().get("request", "")
    return HttpResponseServerError(loader.get_template("500.html").render({"number": number}))
