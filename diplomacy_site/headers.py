"""Headers for every response."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

UNUSED = ("accelerometer", "camera", "geolocation", "gyroscope", "microphone", "midi", "payment", "usb")
ALWAYS = {
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED),
}
PRIVATE = "private, no-store"


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
