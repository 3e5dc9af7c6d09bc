"""What surrounds every page: headers for the response, and a page where an address does not take the method."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

UNUSED = ("accelerometer", "camera", "geolocation", "gyroscope", "microphone", "midi", "payment", "usb")
ALWAYS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
}
PRIVATE = "private, no-store"
PAGES = ("games:", "account", "mfa_", "admin:")
"""How the names of the addresses for people begin."""


class Headers:
    """No other site can embed our responses, no page can use a camera, and no cache stores a signed-in user's page,
    unless the response says otherwise."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        for name, value in ALWAYS.items():
            answer.headers.setdefault(name, value)
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            answer.headers.setdefault("Cache-Control", PRIVATE)
        return answer


class WrongMethod:
    """Answers with a page, because the framework's own answer is empty."""

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
