"""Where an act leads whose page is gone, when its form is sent once more from another tab, or its page opened again by
the way back."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse

from games.kernel.languages import later
from games.kernel.signing_in import page_of_form
from games.kernel.view_helpers import SeeOther

LED, MOST = "led", 20
"""The part of the session that says where acts led, by the pages of their forms; and for how many pages it does."""
GONE = later("The page that you wanted is gone, so nothing was done now. What you sent from it before was done.")


class PagesThatAreGone:
    """Middleware that sends people on from a page that is gone to where they were led when they last acted there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        if isinstance(answer, SeeOther) and not answer.refuses and request.user.is_authenticated:
            pages = {request.path, page_of_form(request)} - {unquote(urlsplit(answer.url).path)}
            others = [(page, to) for page, to in request.session.get(LED, {}).items() if page not in pages]
            if pages:
                request.session[LED] = dict([*others, *((page, answer.url) for page in sorted(pages))][-MOST:])
        return answer

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Http404) or request.headers.get("HX-Request") or not request.user.is_authenticated:
            return None
        led = request.session.get(LED, {})
        # what led to this page leads nowhere, so that two pages that are gone don't lead to each other for ever
        rest = {page: to for page, to in led.items() if unquote(urlsplit(to).path) != request.path}
        if rest != led:
            request.session[LED] = rest
        if request.path not in rest:
            return None
        messages.info(request, GONE)
        return SeeOther(rest[request.path])
