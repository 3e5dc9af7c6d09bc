"""What is sent to create a game: every option that the page for a new game asks for, by its name."""

import json
from typing import Any

from rest_framework import serializers

from games.api.from_views import shaped
from games.deadlines.timetable import BadTimetable, Holiday, Slot, Week
from games.kernel.game_options import Declared, ZeroOr, declared, shown
from games.kernel.refusals import BadGame
from games.kernel.zones import read_zone

TIMES = ("movement", "retreat", "adjustment")
LARGEST = 2**31 - 1


class SlotInput(serializers.Serializer[Any]):
    """A time of the week."""

    weekday = serializers.IntegerField(min_value=0, max_value=6, help_text="0 is Monday.")
    hour = serializers.IntegerField(min_value=0, max_value=23, help_text="The hour, by the clocks of the zone.")
    minute = serializers.IntegerField(min_value=0, max_value=59, help_text="The minute.")


class HolidayInput(serializers.Serializer[Any]):
    """Days without a deadline."""

    first = serializers.DateField(help_text="The first day.")
    last = serializers.DateField(help_text="The last day, included.")
    name = serializers.CharField(default="", allow_blank=True, help_text="What everyone is told.")


class WeekInput(serializers.Serializer[Any]):
    """The times of the week at which phases end, and the days on which none does."""

    zone = serializers.CharField(default="UTC", help_text="A time zone, as in Europe/Berlin.")
    movement = SlotInput(many=True, default=list, help_text="When movement phases end; empty: when their time is over.")
    retreat = SlotInput(many=True, default=list, help_text="The same for retreats.")
    adjustment = SlotInput(many=True, default=list, help_text="The same for builds, removals and declarations.")
    days_off = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=6), default=list, help_text="Weekdays without a deadline."
    )
    holidays = HolidayInput(many=True, default=list, help_text="Days without a deadline.")


class NewGameInput(serializers.Serializer[Any]):
    """A new game: its name, its variant, and the options that differ from what is usual. You are its game master; to
    play in it too, join it."""

    name = serializers.CharField(help_text="Everyone can see it.")
    variant = serializers.CharField(help_text="The slug of a variant.")
    by_invitation = serializers.BooleanField(default=False, help_text="Only people with the link can see and join it.")
    week = WeekInput(required=False, help_text="Fixed times and days off; without it, only lengths count.")


class TermsInput(serializers.Serializer[Any]):
    """The options that change; what is left out stays as it is."""

    week = WeekInput(required=False, help_text="Fixed times and days off.")


def with_options(kind: type[serializers.Serializer[Any]], name: str) -> type[serializers.Serializer[Any]]:
    """The same input with every option that the page for a new game asks for."""
    asked = {name: _field(name, it) for name, (_, it) in declared().items() if it.asked}
    return type(name, (kind,), {"__doc__": kind.__doc__, **asked})


def _field(name: str, it: Declared) -> Any:
    """For one option; left out, it takes its default. The option itself checks its range, with its own sentence, and
    the schema says what that is."""
    hint = shown()[name].hint
    said: dict[str, Any] = {"required": False, "help_text": _help(it)}
    if hint is bool:
        return serializers.BooleanField(**said)
    if hint is str:
        return shaped(serializers.CharField, type="string", **_choices(it))(**said)
    if hint == tuple[str, ...]:
        return serializers.ListField(child=shaped(serializers.CharField, type="string", **_choices(it))(), **said)
    kind = shaped(serializers.IntegerField, type="integer", **_bounds(it), **_choices(it))
    return kind(min_value=-LARGEST, max_value=LARGEST, allow_null=it.default is None, **said)


def _bounds(it: Declared) -> dict[str, int]:
    within = it.allowed.within if isinstance(it.allowed, ZeroOr) else it.allowed
    if not isinstance(within, range):
        return {}
    least = min(0, within[0]) if isinstance(it.allowed, ZeroOr) else within[0]
    return {"minimum": least, "maximum": within[-1]}


def _choices(it: Declared) -> dict[str, list[Any]]:
    return {"enum": list(it.allowed)} if isinstance(it.allowed, tuple | dict) else {}


def _help(it: Declared) -> str:
    """What it is, what can be chosen, and what it is if nothing is."""
    words = [str(value) for value in it.allowed] if isinstance(it.allowed, tuple | dict) else []
    bounds = it.allowed.within if isinstance(it.allowed, ZeroOr) else it.allowed
    told = [it.help_text]
    if words:
        told.append(f"Choices: {', '.join(words)}.")
    elif isinstance(bounds, range):
        told.append(f"From {bounds[0]} to {bounds[-1]}{', or 0 for none' if bounds is not it.allowed else ''}.")
    usual = "depends on the other choices" if it.usual is None else f"is {json.dumps(it.usual)}"
    return " ".join([*told, f"The usual value {usual}."])


def choices_in(sent: dict[str, Any]) -> dict[str, Any]:
    """As the service takes them. BadGame for an impossible timetable."""
    found = {name: tuple(value) if isinstance(value, list) else value for name, value in sent.items()}
    if "week" not in sent:
        return found
    week = sent["week"]
    times = {kind: tuple(Slot(**slot) for slot in week[kind]) for kind in TIMES}
    holidays = tuple(Holiday(**holiday) for holiday in week["holidays"])
    try:
        made = Week(zone=read_zone(week["zone"]), **times, days_off=tuple(week["days_off"]), holidays=holidays)
    except BadTimetable as bad:
        raise BadGame({f"week.{field}": sentence for field, sentence in bad.problems.items()}) from None
    return {**found, "week": made}
