"""A page where an address does not take the method: the framework's own answer is empty."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

PAGES = ("games:", "account", "mfa_", "admin:")
"""How the names of the addresses for people begin."""


class WrongMethod:
    """The middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        match = request.resolver_match
        is_page = match is not None and match.view_name.startswith(PAGES)
        if answer.status_code != HTTPStatus.METHOD_NOT_ALLOWED or answer.content or not is_page:
            return answer
        page = render(request, "405.html", {"reads": "GET" in answer["Allow"]}, status=answer.status_code)
        page["Allow"] = answer["Allow"]
        return page
