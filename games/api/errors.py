"""Every refusal in one shape: {"error": {"code": ..., "sentence": ..., "problems": [...], "receipt": {}}}."""

from math import ceil
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework.exceptions import APIException, Throttled, ValidationError
from rest_framework.response import Response
from rest_framework.views import exception_handler

from adjudication.english import amount
from games.api.serializers import serializer_of
from games.kernel.refusals import BadMessage, BadProposal, NotAllowed, Refusal, TooOften
from games.orders.parts import ProblemView, Receipt
from games.orders.rules import TooLate
from games.orders.services import BadSheet

A_MINUTE = 60
NOT_FOUND = "There is nothing here."


def answer(error: Exception, context: dict[str, Any]) -> Response | None:
    """REST framework's exception handler; None leaves the exception to Django."""
    if isinstance(error, Refusal):
        return Response({"error": _refusal(error)}, status=_status(error))
    usual = exception_handler(error, context)
    if usual is not None:
        usual.data = {"error": _usual(error)}
    return usual


@csrf_exempt
def nothing(_request: HttpRequest, **_rest: str) -> HttpResponse:
    """For addresses below /api/ that do not exist, because apps cannot read pages."""
    return JsonResponse({"error": {"code": "NotFound", "sentence": NOT_FOUND}}, status=404)


def _status(refusal: Refusal) -> int:
    match refusal:
        case BadSheet() | BadProposal() | BadMessage():
            return 400
        case NotAllowed():
            return 403
        case TooOften():
            return 429
        case _:
            return 409


def _refusal(refusal: Refusal) -> dict[str, Any]:
    body: dict[str, Any] = {"code": type(refusal).__name__, "sentence": refusal.sentence}
    if isinstance(refusal, BadSheet):
        body["problems"] = serializer_of(ProblemView)(refusal.sheet.problems, many=True).data
    if isinstance(refusal, TooLate):
        body["receipt"] = serializer_of(Receipt)(refusal.receipt).data if refusal.receipt else None
    return body


def _usual(error: Exception) -> dict[str, Any]:
    if isinstance(error, ValidationError):
        return {"code": "BadInput", "sentence": "There are mistakes in the input.", "problems": error.detail}
    if isinstance(error, Http404):
        return {"code": "NotFound", "sentence": NOT_FOUND}
    if isinstance(error, PermissionDenied):
        return {"code": "NotAllowed", "sentence": "You are not allowed to do that."}
    if isinstance(error, Throttled):
        wait: float | None = getattr(error, "wait", None)  # the stubs do not know it
        sentence = f"Too many requests. Try again in {amount(ceil(wait or A_MINUTE), 'second')}."
        return {"code": "TooOften", "sentence": sentence}
    assert isinstance(error, APIException), "exception_handler answers no other exceptions"
    return {"code": type(error).__name__, "sentence": str(error.detail)}
