"""A mistake of ours: the page for the visitor, and the report for the host."""

from typing import Any

from django.http import HttpRequest, HttpResponseServerError
from django.template import loader
from django.views.debug import ExceptionReporter
from structlog.contextvars import get_contextvars

LEFT_OUT = "(left out)"


def server_error(_request: HttpRequest) -> HttpResponseServerError:
    """Says the id of the request, by which its lines are found in the log."""
    number = get_contextvars().get("request", "")
    return HttpResponseServerError(loader.get_template("500.html").render({"number": number}))


class ErrorReport(ExceptionReporter):
    """Where it happened, and nothing of what anybody typed, was shown or carried along: the kinds of exceptions without
    their words, the lines they came through without the values of variables, since a sheet may be in each, and the
    address without its question."""

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
