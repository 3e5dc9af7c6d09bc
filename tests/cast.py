"""The people in the tests.

Alice plays the first power, Bob the second, and so on; Carol is the game master and does not play; Dave has an account
and watches; Eve is a stranger without one; Sam is on the staff and may open every admin page.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password

from diplomacy_site.accounts.looks import looks_of
from diplomacy_site.accounts.models import TakenLook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diplomacy_site.accounts.models import User

PLAYERS = ("alice", "bob", "fritz", "gina", "hugo", "ivan", "jane")
TEN = (*PLAYERS, "kate", "liam", "mona")
"""For variants with more than seven powers."""
CAROL, DAVE, SAM = "carol", "dave", "sam"
PASSWORD = "a long walk home"
LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)
"""When they signed up: accounts may do less in their first day."""


def person(name: str) -> User:
    """The account of this name, created on first use."""
    return people([name])[0]


def people(names: Sequence[str]) -> list[User]:
    """The accounts of these names, created together on first use."""
    users = get_user_model()
    there = {user.username: user for user in users.objects.filter(username__in=names)}
    new = [
        users(
            username=name,
            email=f"{name}@example.org",
            password=_hashed_password(),
            is_staff=name == SAM,
            is_superuser=name == SAM,
            date_joined=LONG_AGO,
        )
        for name in dict.fromkeys(names)
        if name not in there
    ]
    if new:
        there |= {user.username: user for user in users.objects.bulk_create(new)}
        looks = [TakenLook(look=look, user=user) for user in new for look in looks_of(user.username)]
        TakenLook.objects.bulk_create(looks, ignore_conflicts=True)
    return [there[name] for name in names]


@cache
def _hashed_password() -> str:
    return make_password(PASSWORD)
