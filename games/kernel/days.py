"""Whole days that a player names, from midnight to midnight on the clocks of a zone."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from games.kernel.refusals import WrongMoment
from games.kernel.timetable import DAY, at_wall

FURTHEST_AHEAD = timedelta(days=365)


def refuse_days(first: date, last: date, today: date) -> None:
    """WrongMoment for days that end before they begin, are over, or lie further ahead than a year."""
    if last < first:
        raise WrongMoment("The last day is before the first. Choose a last day on or after the first.")
    if first < today or last - today > FURTHEST_AHEAD:
        raise WrongMoment("Choose days from today on, and not more than a year ahead.")


def span_of(first: date, last: date, zone: str) -> tuple[datetime, datetime]:
    """The instants at which these days begin and, the last day included, end."""
    return _midnight(first, zone), _midnight(last + DAY, zone)


def _midnight(day: date, zone: str) -> datetime:
    return at_wall(day, time(), ZoneInfo(zone))
