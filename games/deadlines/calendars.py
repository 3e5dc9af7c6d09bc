"""Deadlines as a calendar file (iCalendar, RFC 5545), and the secret address of each person's calendar."""

from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import F
from django.urls import reverse
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from games.deadlines.models import CalendarKey
from games.deadlines.queries import GameDeadlines
from games.kernel import clock
from variants.words.orders import phase_words

REFRESH_INTERVAL = timedelta(hours=1)


def calendar_file(name: str, games: Iterable[GameDeadlines]) -> bytes:
    """One event for each coming deadline.

    Only a game's first deadline is certain; the others are marked as expected.
    """
    calendar, now = Calendar(), clock.now()
    calendar.add("prodid", "-//Diplomacy//Deadlines//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", name)
    calendar.add("refresh-interval", REFRESH_INTERVAL, {"VALUE": "DURATION"})
    for game in games:
        address = settings.SITE_ADDRESS + reverse("games:game", kwargs={"slug": game.slug})
        for place, view in enumerate(game.coming):
            expected = place > 0
            sentence = _("Expected if no deadline moves. {address}") if expected else _("Deadline. {address}")
            what = f"{game.name}: {phase_words(view)}"
            event = Event()
            event.add("uid", f"{game.slug}.{view.code}@deadlines")
            event.add("dtstamp", now)
            event.add("last-modified", game.changed)
            event.add("sequence", int((game.changed - game.created).total_seconds()))  # it only grows
            event.add("dtstart", view.at)
            event.add("summary", _("{what} (expected)").format(what=what) if expected else what)
            event.add("description", sentence.format(address=address))
            event.add("url", address)
            event.add("status", "TENTATIVE" if expected else "CONFIRMED")
            event.add("transp", "TRANSPARENT")
            calendar.add_component(event)
    body: bytes = calendar.to_ical()
    return body


def _signer() -> Signer:
    return Signer(salt="games.calendar", sep=".")


def calendar_secret_of(user_id: int) -> str:
    """The end of the address of this person's calendar, signed with the site's key, so no table holds it."""
    number = CalendarKey.objects.filter(user_id=user_id).values_list("number", flat=True).first() or 1
    return _signer().sign(f"{user_id}-{number}")


def calendar_owner(text: str) -> int | None:
    """The owner of the calendar with this secret; None if it is forged or has been replaced."""
    try:
        user_id = int(_signer().unsign(text).split("-")[0])
    except BadSignature:
        return None
    return user_id if calendar_secret_of(user_id) == text else None


@transaction.atomic
def renew_calendar(*, user_id: int) -> None:
    """Give this person's calendar a new address; the old one stops working."""
    CalendarKey.objects.get_or_create(user_id=user_id)
    CalendarKey.objects.filter(user_id=user_id).update(number=F("number") + 1)
