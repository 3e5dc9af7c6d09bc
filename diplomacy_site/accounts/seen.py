"""Keeps the last day on which each user opened a page."""

from collections.abc import Callable

from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse

from diplomacy_site.accounts.models import today


class Seen:
    """The middleware. It asks the database nothing, and writes once a day for each user."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        user = getattr(request, "_cached_user", None)  # only if the page has asked who is there
        if user and user.is_authenticated and user.last_seen != today():
            get_user_model().objects.filter(pk=user.pk, is_active=True).update(last_seen=today())
        return answer
