"""The address of a person's calendar."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from games.models import CalendarKey


@transaction.atomic
def renew_calendar(*, user_id: int) -> None:
    """Give this person's calendar a new address; the old one is worthless from now on."""
    CalendarKey.objects.get_or_create(user_id=user_id)
    CalendarKey.objects.filter(user_id=user_id).update(number=F("number") + 1)
