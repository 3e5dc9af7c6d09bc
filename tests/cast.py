"""The people in the tests.

Alice plays the first power, Bob the second, and so on; Carol is the game master and does not play; Dave has an account
and watches; Eve is a stranger without one; Sam is on the staff and may open every admin page.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model

if TYPE_CHECKING:
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
    users = get_user_model().objects
    found = users.filter(username=name).first()
    if found is None:
        found = users.create_user(
            username=name,
            email=f"{name}@example.org",
            password=PASSWORD,
            is_staff=name == SAM,
            is_superuser=name == SAM,
            date_joined=LONG_AGO,
        )
    return found
