"""Server errors: the page for the visitor, and the report for the host."""

import logging
import sys
from http import HTTPStatus
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.template import loader
from django.views.debug import ExceptionReporter
from redis.exceptions import RedisError
from structlog.contextvars import get_contextvars

from games.api.problems import PROBLEM_KINDS, VERSION_1, problem_answer

log = logging.getLogger(__name__)
LEFT_OUT = "(left out)"
ERRORS_OF_ABSENT_SERVERS = (OperationalError, InterfaceError, RedisError)

PAGE_OF_ORDERS = "games:orders"


def server_error(request: HttpRequest) -> HttpResponse:
    """A page with the id of the request, which is in its lines of the log. If the database or Redis is down, or its
    tables are of another version, a page that says so."""
    from diplomacy_site.health import answer_or_none, tables_are_up_to_date  # noqa: PLC0415 - settings name this module

    problem = sys.exception()
    if isinstance(problem, ERRORS_OF_ABSENT_SERVERS) or (
        isinstance(problem, DatabaseError) and answer_or_none(tables_are_up_to_date) is False
    ):
        return _unavailable(request, problem)
    number = get_contextvars().get("request", "")
    if request.path.startswith(VERSION_1):
        return problem_answer("ServerError", f"Something went wrong. The host has been told; the number is {number}.")
    return HttpResponseServerError(_page_without_request(request, "500.html", number=number))


def _unavailable(request: HttpRequest, problem: Exception) -> HttpResponse:
    """Answer 503 without using the database or Redis. If orders were sent, the page lets the player send them again."""
    if request.path.startswith(VERSION_1):
        answer: HttpResponse = problem_answer("Unavailable", PROBLEM_KINDS["Unavailable"].example)
    else:
        match = request.resolver_match
        is_sheet = request.method == "POST" and match is not None and match.view_name == PAGE_OF_ORDERS
        fields = [(name, value) for name, values in request.POST.lists() for value in values] if is_sheet else []
        facts = {"is_lost": request.method not in {"GET", "HEAD"}, "fields": fields, "here": request.path}
        answer = HttpResponse(_page_without_request(request, "503.html", **facts))
    answer.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    answer["Retry-After"] = "5"
    answer["Cache-Control"] = "no-store"
    if isinstance(problem, RedisError) or connection.connection is None or connection.connection.closed:
        log.warning("The database or Redis is away: %s", type(problem.__cause__ or problem).__name__)
        answer._has_been_logged = True  # type: ignore[attr-defined]  # Django would add the whole traceback each time
    return answer


def _page_without_request(request: HttpRequest, template: str, **facts: Any) -> str:
    """A page that depends on nothing in the request but its theme."""
    return loader.get_template(template).render({"theme": request.COOKIES.get("theme"), **facts})


class ErrorReport(ExceptionReporter):
    """Where an error happened, without anything that users typed or saw: kinds of exceptions without their words, the
    lines they came through without the values of variables, any of which may contain orders, and the address without
    its query."""

    def get_traceback_data(self) -> dict[str, Any]:
        data = dict(super().get_traceback_data())
        for frame in data["frames"]:
            frame["vars"] = []
            frame["exc_cause"] = type(frame["exc_cause"]).__name__ if frame["exc_cause"] else None
        data |= {"exception_value": LEFT_OUT, "exception_notes": "", "unicode_hint": "", "user_str": LEFT_OUT}
        data |= {"request_meta": {}, "request_COOKIES_items": (), "filtered_POST_items": ()}
        if self.request is not None:
            data |= {"request_GET_items": (), "request_FILES_items": (), "request_insecure_uri": self.request.path}
        return data
