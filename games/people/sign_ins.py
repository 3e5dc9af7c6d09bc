"""Where users signed in from, stored as digests, and which other users signed in from the same places."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from games.kernel import clock
from games.people.models import SignIn

MOST_SIGN_INS = 50


@dataclass(frozen=True, slots=True)
class AccountFromSameAddress:
    """Another account that signed in `times` from the same addresses; `same_browser`: with that, too."""

    name: str
    same_browser: bool
    times: int


@receiver(user_logged_in)
def record_sign_in(request: HttpRequest | None, user: Any, **_more: object) -> None:
    """Record a sign-in with its place and browser, as keyed digests. Nothing is recorded about guests."""
    if request is None or user.is_guest:
        return
    SignIn.objects.create(
        user=user,
        at=clock.now(),
        address=_keyed_digest("address", request.META.get("REMOTE_ADDR", "")),
        browser=_keyed_digest("browser", request.META.get("HTTP_USER_AGENT", "")),
    )


def _keyed_digest(what: str, text: str) -> str:
    return salted_hmac(f"sign-in {what}", text, algorithm="sha256").hexdigest() if text else ""


def sign_ins_of(user_id: int) -> QuerySet[SignIn]:
    """This user's sign-ins, the newest first."""
    return SignIn.objects.filter(user_id=user_id).order_by("-at", "-pk")[:MOST_SIGN_INS]


def accounts_from_same_addresses(user_id: int) -> tuple[AccountFromSameAddress, ...]:
    """Other users who signed in from the same addresses: those with the same browser first, then the most frequent."""
    mine = SignIn.objects.filter(user_id=user_id).exclude(address="")
    places = set(mine.values_list("address", "browser"))
    others = SignIn.objects.filter(address__in={address for address, _browser in places}).exclude(user_id=user_id)
    rows = others.values_list("user__username", "address", "browser")
    counted = Counter((name, (address, browser) in places) for name, address, browser in rows)
    hints = [AccountFromSameAddress(name, same, times) for (name, same), times in counted.items()]
    return tuple(sorted(hints, key=lambda hint: (not hint.same_browser, -hint.times, hint.name)))
