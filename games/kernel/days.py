"""Days in a time zone, and the instants at which its clocks show a given time.

Wall time in a zone becomes an instant by two rules. A time that the clocks skip becomes the first instant after the
gap; a time that occurs twice becomes the first of the two.
"""

from bisect import bisect_left
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

from games.kernel.refusals import WrongMoment

MINUTE, HOUR, DAY = 60, 3_600, 86_400
"""In seconds."""

SECOND, ONE_DAY = timedelta(seconds=1), timedelta(days=1)
FURTHEST_AHEAD = timedelta(days=365)
MOST_YEARS = 10
"""How far back or ahead anything on the site can be."""


def problem_with_day(day: date) -> str:
    """Why nobody can choose this day, or a moment of it; "" if they can. Every field, input and service with a day or a
    moment asks this, so that all zones can show what is stored."""
    this_year = timezone.now().year
    told = _("Choose a day in the years {first} to {last}.")
    is_near = abs(day.year - this_year) <= MOST_YEARS
    return "" if is_near else told.format(first=this_year - MOST_YEARS, last=this_year + MOST_YEARS)


def refuse_unlikely_day(day: date) -> None:
    """The same as a validator of fields."""
    if problem := problem_with_day(day):
        raise ValidationError(problem)


def refuse_impossible_days(first: date, last: date, today: date) -> None:
    """Raises WrongMoment for days that end before they begin, are in the past, or are more than a year ahead."""
    if last < first:
        raise WrongMoment(_("The last day is before the first day. Choose the same day or a later one."))
    if first < today or last - today > FURTHEST_AHEAD:
        raise WrongMoment(_("Choose days between today and a year from now."))


def start_and_end_of_days(first: date, last: date, zone: str) -> tuple[datetime, datetime]:
    """The instants at which these days begin and end, the last day included."""
    return _midnight(first, zone), _midnight(last + ONE_DAY, zone)


def _midnight(day: date, zone: str) -> datetime:
    return at_wall_time(day, time(), ZoneInfo(zone))


def at_wall_time(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """The instant at which clocks in this zone show this time, by the rules above."""
    local = datetime.combine(day, clock.replace(fold=0), zone)
    instant = local.astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return local
    # In the gap: the first second at which the clocks have changed.
    before, offset = local.replace(fold=1).astimezone(UTC), instant.astimezone(zone).utcoffset()
    seconds = range(int((instant - before).total_seconds()))
    changed = bisect_left(seconds, True, key=lambda it: (before + it * SECOND).astimezone(zone).utcoffset() == offset)
    return (before + changed * SECOND).astimezone(zone)
