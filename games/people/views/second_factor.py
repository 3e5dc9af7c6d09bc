"""Pages that a password alone does not open: those of the staff and of the moderators."""

import time

from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode

from games.kernel.view_helpers import SeeOther

HOLDS_SECONDS = 12 * 3600
SET_UP = "These pages ask for more than a password. Add a passkey or an app first."


def second_factor_given(request: HttpRequest) -> bool:
    """Has this session shown a passkey, a key or a code within the last twelve hours?"""
    if not settings.STAFF_SECOND_FACTOR:
        return True
    records = get_authentication_records(request, request.user)
    newest = max((record["at"] for record in records if record.get("method") == "mfa"), default=0.0)
    return time.time() - newest < HOLDS_SECONDS


def to_second_factor(request: HttpRequest, back: str) -> SeeOther:
    """Where it is shown, or first set up; from there `back`."""
    own = set(Authenticator.objects.filter(user_id=request.user.pk).values_list("type", flat=True))
    if not own:
        messages.info(request, SET_UP)
        return SeeOther(reverse("mfa_index"))
    way = "mfa_reauthenticate" if Authenticator.Type.TOTP in own else "mfa_reauthenticate_webauthn"
    return SeeOther(f"{reverse(way)}?{urlencode({'next': back})}")
