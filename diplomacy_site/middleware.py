"""Middleware around every page: headers for the response, and a page for methods that an address does not take."""

from collections.abc import Callable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.deprecation import MiddlewareMixin

UNUSED_FEATURES = ("accelerometer", "camera", "geolocation", "gyroscope", "microphone", "midi", "payment", "usb")
HEADERS_OF_ALL = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES),
}

API = "/api/v1/"
HEADERS_FOR_OTHER_SITES = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset",
}
HEADERS_OF_PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
    "Access-Control-Max-Age": "86400",
}
PREFIXES_OF_PAGES = ("games:", "account", "mfa_", "admin:")
"""How the names of the addresses for people begin."""


class CautiousHeaders(MiddlewareMixin):
    """Adds headers so that no other site can embed our responses, no page can use a camera, and no cache stores a
    signed-in user's page, unless the response says otherwise."""

    def process_response(self, request: HttpRequest, answer: HttpResponse) -> HttpResponse:
        for name, value in HEADERS_OF_ALL.items():
            answer.headers.setdefault(name, value)
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            answer.headers.setdefault("Cache-Control", "private, no-store")
        return answer


class ScriptsOfOtherSites:
    """Lets scripts of other sites read what is public, and anything that a token allows. A response to a request with a
    cookie never allows it, and such a script can't send a cookie."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith(API):
            return self.get_response(request)
        asks_first = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
        answer = HttpResponse(status=HTTPStatus.NO_CONTENT) if asks_first else self.get_response(request)
        may_read = asks_first or request.method in {"GET", "HEAD"} or "Authorization" in request.headers
        if may_read and not request.headers.get("Cookie"):
            for name, value in (HEADERS_OF_PREFLIGHT if asks_first else HEADERS_FOR_OTHER_SITES).items():
                answer[name] = value
        return answer


class PageForWrongMethod(MiddlewareMixin):
    """Answers with a page, because the framework's own answer is empty."""

    def process_response(self, request: HttpRequest, answer: HttpResponse) -> HttpResponse:
        match = request.resolver_match
        is_page = match is not None and match.view_name.startswith(PREFIXES_OF_PAGES)
        if answer.status_code != HTTPStatus.METHOD_NOT_ALLOWED or answer.content or not is_page:
            return answer
        page = render(request, "405.html", {"reads": "GET" in answer["Allow"]}, status=answer.status_code)
        page["Allow"] = answer["Allow"]
        return page
