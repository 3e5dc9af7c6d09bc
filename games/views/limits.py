"""How often one visitor may ask for what costs work."""

from __future__ import annotations

from functools import wraps
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.shortcuts import render

from games.limits import Limit

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    View = Callable[..., HttpResponse]

FEEDS = "60/min"
A_MINUTE = 60


def too_often(request: HttpRequest, scope: str, rate: str) -> bool:
    """Has this visitor asked for this more often than the `rate`, as in "60/min", allows?"""
    limited: Any = request
    return not Limit(scope, rate).allow_request(limited, None)


def limited(scope: str, rate: str) -> Callable[[View], View]:
    """For pages that hold nothing typed: with too many requests, a page that says so."""

    def with_limit(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            if not too_often(request, scope, rate):
                return view(request, *args, **kwargs)
            answer = render(request, "429.html", status=HTTPStatus.TOO_MANY_REQUESTS)
            answer["Retry-After"] = str(A_MINUTE)
            return answer

        return guarded

    return with_limit
