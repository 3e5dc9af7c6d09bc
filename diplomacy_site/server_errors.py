"""Server errors: the page for the visitor, and the report for the host."""

from typing import Any

from django.http import HttpRequest, HttpResponseServerError
from django.template import loader
from django.views.debug import ExceptionReporter
from structlog.contextvars import get_contextvars

LEFT_OUT = "(left out)"


def server_error(_request: HttpRequest) -> HttpResponseServerError:
    """Shows the id of the request, to find its lines in the log."""
    number = get_contextvars().get("request", "")
    return HttpResponseServerError(loader.get_template("500.html").render({"number": number}))


class ErrorReport(ExceptionReporter):
    """Where it happened, without anything that users typed or saw: the kinds of exceptions without their words, the
    lines they came through without the values of variables, since any may contain orders, and the address without its
    query."""

    def get_traceback_data(self) -> dict[str, Any]:
        told = dict(super().get_traceback_data())
        for frame in told["frames"]:
            frame["vars"] = []
            frame["exc_cause"] = type(frame["exc_cause"]).__name__ if frame["exc_cause"] else None
        told |= {"exception_value": LEFT_OUT, "exception_notes": "", "unicode_hint": "", "user_str": LEFT_OUT}
        told |= {"request_meta": {}, "request_COOKIES_items": (), "filtered_POST_items": ()}
        if self.request is not None:
            told |= {"request_GET_items": (), "request_FILES_items": (), "request_insecure_uri": self.request.path}
        return told
