"""The pages that need more than a password: those of staff and moderators."""

import time

from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode

from games.kernel.languages import later
from games.kernel.view_helpers import SeeOther

FACTOR_HOLDS_SECONDS = 12 * 3600
SET_UP_FIRST = later("These pages need two-step verification. Add a passkey or an authenticator app first.")


def has_shown_second_factor(request: HttpRequest) -> bool:
    """Whether this session has shown a passkey, a key or a code within the last twelve hours."""
    if not settings.STAFF_SECOND_FACTOR:
        return True
    records = get_authentication_records(request, request.user)
    newest = max((record["at"] for record in records if record.get("method") == "mfa"), default=0.0)
    return time.time() - newest < FACTOR_HOLDS_SECONDS


def redirect_to_second_factor(request: HttpRequest, back: str) -> SeeOther:
    """Redirect to the page where a second factor is confirmed or, before that, set up. It leads `back` afterwards."""
    kinds = set(Authenticator.objects.filter(user_id=request.user.pk).values_list("type", flat=True))
    if not kinds:
        messages.info(request, SET_UP_FIRST)
        return SeeOther(reverse("mfa_index"))
    page = "mfa_reauthenticate" if Authenticator.Type.TOTP in kinds else "mfa_reauthenticate_webauthn"
    return SeeOther(f"{reverse(page)}?{urlencode({'next': back})}")
