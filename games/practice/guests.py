"""Guests: people who play against bots without an account.

A guest is a stranger everywhere except on the pages of their own games. Elsewhere `request.user` is anonymous, so code
that needs an account can ignore guests. `request.guest` is the guest, or None.
"""

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject

from games.kernel.limits import View
from games.practice.services import PRACTICE_KEPT, give_guest_games_to

OWN_PAGES = frozenset(
    f"games:{name}"
    for name in (
        *("game", "pulse", "phase", "history", "map", "picture", "print", "record", "export", "log", "terms"),
        *("orders", "read", "ready", "receipt", "whatif", "notebook", "play", "delete-practice", "bid-table"),
    )
)
"""The pages on which a guest is the player of their own games."""


class GuestMiddleware(MiddlewareMixin):
    """Sets `request.guest` lazily: it asks the database only if the view does."""

    def process_request(self, request: Any) -> None:
        signed_in = request.user
        request.guest = SimpleLazyObject(lambda: signed_in if getattr(signed_in, "is_guest", False) else None)

    def process_view(self, request: Any, _view: View, _args: Any, _kwargs: Any) -> None:
        signed_in = request.user
        if request.resolver_match.view_name not in OWN_PAGES:
            request.user = SimpleLazyObject(lambda: AnonymousUser() if request.guest else signed_in)
        if request.method == "POST" and settings.SESSION_COOKIE_NAME in request.COOKIES:
            bool(request.guest)  # signing in replaces the session, so it must be known before


def guest_of(request: HttpRequest) -> Any:
    """The guest in this browser; None if there is none."""
    return getattr(request, "guest", None)


def sign_in_as_guest(request: HttpRequest, guest: Any) -> None:
    """Sign this browser in as the guest, for as long as their games are kept."""
    login(request, guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    request.session.set_expiry(PRACTICE_KEPT)


def link_guest_to_account(request: HttpRequest, user: Any) -> None:
    """Record that this browser's guest has made this account; its owner may first sign in from another browser."""
    if guest := guest_of(request):
        get_user_model().objects.filter(pk=guest.pk).update(joins=user)


@receiver(user_logged_in)
def _keep_guest_games(request: Any, user: Any, **_more: object) -> None:
    """Give the user the games of the guest in this browser, and of guests who signed up as this user."""
    if user.is_guest:
        return
    guest = guest_of(request)
    guest_ids = set(user.guests.values_list("pk", flat=True)) | ({guest.pk} if guest else set())
    for guest_id in sorted(guest_ids):
        give_guest_games_to(guest_id=guest_id, user_id=user.pk)
