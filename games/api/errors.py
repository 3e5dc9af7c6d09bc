"""Turns exceptions into problem details."""

from collections.abc import Iterator
from math import ceil
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from games.api.from_views import answer_class
from games.api.problems import MEDIA_TYPE, PROBLEM_KINDS, VERSION_1, problem, problem_answer
from games.kernel.refusals import BadInput, Refusal, TooOften, Unconfirmed
from games.kernel.wording import SPANS
from games.orders.parts import ProblemView, Receipt
from games.orders.rules import TooLate
from games.orders.services import BadSheet, NewerOrders

A_MINUTE = 60


def answer_to_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's exception handler; None leaves the exception to Django."""
    if isinstance(error, Refusal):
        facts = problem(type(error).__name__, error.sentence, **_facts_of_refusal(error))
        headers = {"Retry-After": str(error.wait)} if isinstance(error, TooOften) else {}
        return Response(facts, status=facts["status"], headers=headers, content_type=MEDIA_TYPE)
    answer = exception_handler(error, context)
    if answer is None:
        return None
    answer.data, answer.content_type = _problem_of_library(answer, error, context), MEDIA_TYPE
    return answer


@csrf_exempt
def answer_to_unknown_address(_request: HttpRequest, rest: str) -> HttpResponse:
    """Answer addresses below /api/ that do not exist, because apps cannot read pages. /api/ itself leads to the
    guide."""
    if f"/api/{rest.rstrip('/')}/" == VERSION_1:
        return redirect("api:guide")
    is_versioned = f"/api/{rest}".startswith(VERSION_1)
    sentence = _(PROBLEM_KINDS["NotFound"].example)
    if not is_versioned:
        where = _("The addresses of the API begin with {prefix}, and /api/ explains them.").format(prefix=VERSION_1)
        sentence = f"{sentence} {where}"
    return problem_answer("NotFound", sentence)


def _facts_of_refusal(refusal: Refusal) -> dict[str, Any]:
    match refusal:
        case BadSheet():
            return {"problems": answer_class(ProblemView)(refusal.sheet.problems, many=True).data}
        case BadInput():
            return {"problems": [{"field": name, "sentence": sentence} for name, sentence in refusal.problems.items()]}
        case Unconfirmed():
            moves = [it._asdict() for it in refusal.effect.moves]
            return {"mark": refusal.mark, "moves": moves, "rulings": refusal.effect.rulings}
        case NewerOrders():
            return {"receipt": answer_class(Receipt)(refusal.receipt).data}
        case TooLate():
            return {"receipt": answer_class(Receipt)(refusal.receipt).data if refusal.receipt else None}
        case _:
            return {}


def _problem_of_library(answer: Response, error: Exception, context: dict[str, Any]) -> dict[str, Any]:
    # The code for this exception: the name of its class, unless the library's class has another here.
    known = {Http404: "NotFound", exceptions.PermissionDenied: "NotAllowed", exceptions.ParseError: "BadJSON"}
    known |= {exceptions.Throttled: "TooOften", exceptions.ValidationError: "BadInput"}
    code = known.get(type(error), type(error).__name__)
    match error:
        case exceptions.ValidationError():
            return problem(code, _(PROBLEM_KINDS[code].example), problems=list(_mistakes_by_field(error.detail)))
        case exceptions.MethodNotAllowed():
            takes = ", ".join(context["view"].allowed_methods)
            told = _("{method} isn’t possible here. What is: {takes}.")
            return problem(code, told.format(method=context["request"].method, takes=takes))
        case exceptions.Throttled():
            answer.headers.setdefault("Retry-After", str(A_MINUTE))
            sentence = _("Too many requests. Try again in {wait}.").format(
                wait=SPANS[1].format(count=seconds_to_wait(error))
            )
            return problem(code, sentence)
        case exceptions.AuthenticationFailed() | exceptions.ParseError() | exceptions.PermissionDenied():
            return problem(code, str(error.detail))
        case _:
            return problem(code, _(PROBLEM_KINDS[code].example))


def seconds_to_wait(error: exceptions.Throttled) -> int:
    wait: float | None = getattr(error, "wait", None)  # the stubs do not know it
    return ceil(wait or A_MINUTE)


def _mistakes_by_field(detail: Any, field: str = "") -> Iterator[dict[str, str]]:
    """Every mistake with the path of its field, as in "bids.0.points"; the path is empty for the input as a whole."""
    if not isinstance(detail, list | dict):
        yield {"field": field, "sentence": str(detail)}
        return
    for name, inner in detail.items() if isinstance(detail, dict) else enumerate(detail):
        is_place = isinstance(detail, dict) or isinstance(inner, list | dict)
        step = str(name) if is_place and name != api_settings.NON_FIELD_ERRORS_KEY else ""
        yield from _mistakes_by_field(inner, ".".join(filter(None, (field, step))))
