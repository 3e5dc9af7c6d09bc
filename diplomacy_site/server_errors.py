"""Server errors: the page for the visitor, and the report for the host."""

import logging
import sys
from http import HTTPStatus
from typing import Any

from django.db import InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template import loader
from django.views.debug import ExceptionReporter
from redis.exceptions import RedisError
from structlog.contextvars import get_contextvars

from games.api.problems import KINDS, VERSION_1, problem_answer

log = logging.getLogger(__name__)
LEFT_OUT = "(left out)"
AWAY = (OperationalError, InterfaceError, RedisError)
RETRY_SECONDS = 5
SENT_AGAIN = "games:orders"


def server_error(request: HttpRequest) -> HttpResponse:
    """Shows the id of the request, to find its lines in the log; a part that is away is not our mistake."""
    problem = sys.exception()
    if isinstance(problem, AWAY):
        return _away(request, problem)
    number = get_contextvars().get("request", "")
    if request.path.startswith(VERSION_1):
        return problem_answer("ServerError", f"Something went wrong. The host has been told; the number is {number}.")
    return HttpResponseServerError(_alone(request, "500.html", number=number))


def _away(request: HttpRequest, problem: Exception) -> HttpResponse:
    """503, made without the database and Redis. With orders that were sent, to send them again."""
    if request.path.startswith(VERSION_1):
        answer: HttpResponse = problem_answer("Unavailable", KINDS["Unavailable"].example)
    else:
        answer = HttpResponse(_alone(request, "503.html", **_sent(request)))
    answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    answer["Retry-After"] = str(RETRY_SECONDS)
    answer["Cache-Control"] = "no-store"
    if isinstance(problem, RedisError) or connection.connection is None or connection.connection.closed:
        log.warning("The database or Redis is away: %s", type(problem.__cause__ or problem).__name__)
        answer._has_been_logged = True  # type: ignore[attr-defined]  # Django would add the whole traceback each time
    return answer


def _sent(request: HttpRequest) -> dict[str, Any]:
    match = request.resolver_match
    is_sheet = request.method == "POST" and match is not None and match.view_name == SENT_AGAIN
    fields = [(name, value) for name, values in request.POST.lists() for value in values] if is_sheet else []
    return {"is_lost": request.method not in {"GET", "HEAD"}, "fields": fields, "here": request.path}


def _alone(request: HttpRequest, template: str, **facts: Any) -> str:
    """A page that asks nothing of the request but its theme."""
    return loader.get_template(template).render({"theme": request.COOKIES.get("theme"), **facts})


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
