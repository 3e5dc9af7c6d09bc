"""Keeps the last day on which each user opened a page."""

from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from diplomacy_site.accounts.models import today


class LastSeen(MiddlewareMixin):
    """Middleware that needs no query, and writes at most once a day for each user."""

    def process_response(self, request: HttpRequest, answer: HttpResponse) -> HttpResponse:
        user = getattr(request, "_cached_user", None)  # only if the page has asked who is there
        if user and user.is_authenticated and user.last_seen != today():
            get_user_model().objects.filter(pk=user.pk, is_active=True).update(last_seen=today())
        return answer
