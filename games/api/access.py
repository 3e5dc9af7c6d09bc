"""Tokens of callers, and what they let an app do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Q
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, MethodNotAllowed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS, BasePermission

from games.kernel.models import Joiner, Occupancy
from games.people.models import ApiToken, Scope
from games.people.tokens import token_row_of

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer dip_…`, with a token from the page of API tokens."""

    def authenticate(self, request: Request) -> tuple[Any, ApiToken] | None:
        word, _space, text = get_authorization_header(request).decode("latin-1").partition(" ")
        if word.lower() != SCHEME.lower():
            return None
        token = token_row_of(text.strip())
        if token is None:
            raise AuthenticationFailed(_("This token is unknown, revoked or expired. Create a new one."))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        return SCHEME


class OutsideScope(PermissionDenied):
    """The user may do it, but the token may not."""


class KnownMethod(BasePermission):
    """Refuses a method that an address doesn't take before asking anyone to sign in for it."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not hasattr(view, (request.method or "").lower()):
            raise MethodNotAllowed(str(request.method))
        return True


class WithinScope(BasePermission):
    """An app can read what its user can read, and write only what its token allows; browsers are not limited."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.method in SAFE_METHODS or not isinstance(request.auth, ApiToken):
            return True
        insist_on_scope(request.auth, getattr(view, "scope", None))
        return True


def insist_on_scope(token: ApiToken, scope: Scope | None) -> None:
    """OutsideScope unless the token has this scope; no token writes without one."""
    if scope is None or scope.value not in token.scopes:
        if scope is None:
            raise OutsideScope(_("Your token doesn’t allow that. Create one that does."))
        sentence = _("Your token doesn’t allow that: “{scope}”. Create one that does.")
        raise OutsideScope(sentence.format(scope=scope.label))


def is_bot(request: Request) -> bool:
    """Was this sent with the token of a bot?"""
    return isinstance(request.auth, ApiToken) and request.auth.is_bot


WHERE_BOTS_ACT = Q(own_bot=True) | Q(game__practice=True)
"""Seats and places in which a bot may act: those that everyone sees labelled, and those that no one else sees."""


class LabelledBotSeat(BasePermission):
    """A bot writes only in seats that are labelled as a bot's, and in its user's practice games. `bots_may` marks views
    that need no such seat, or through which a bot gets one."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.method in SAFE_METHODS or not is_bot(request) or getattr(view, "bots_may", False):
            return True
        place = {"game__slug": view.kwargs.get("slug", ""), "user_id": request.user.pk}
        seats = Occupancy.objects.filter(WHERE_BOTS_ACT, **place, until__isnull=True)
        if seats.exists() or Joiner.objects.filter(WHERE_BOTS_ACT, **place).exists():
            return True
        raise PermissionDenied(
            _(
                "A bot can act only in a seat that is labelled as a bot’s. If the game’s terms allow players’ own "
                "bots, label your seat on the page of the game: “Let my own bot play”."
            )
        )


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the library has no types here
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:  # noqa: ARG002
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from /profile/tokens/. It can read; what it can write was chosen at its creation.",
        }
