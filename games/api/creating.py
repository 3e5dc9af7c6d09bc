"""What is sent to create a game: every option that the page for a new game asks for, by its name."""

import json
from typing import Any

from rest_framework import serializers

from games.api.from_views import shaped
from games.api.inputs import Input
from games.deadlines.timetable import BadTimetable, Holiday, Slot, Week
from games.kernel.game_options import OptionDeclaration, ZeroOr, declared_options, shown_values
from games.kernel.refusals import BadGame
from games.kernel.zones import read_zone

TIMES = ("movement", "retreat", "adjustment")
LARGEST = 2**31 - 1


class SlotInput(Input):
    """A time of the week."""

    weekday = serializers.IntegerField(min_value=0, max_value=6)
    hour = serializers.IntegerField(min_value=0, max_value=23)
    minute = serializers.IntegerField(min_value=0, max_value=59)


class HolidayInput(Input):
    """Days without a deadline."""

    first = serializers.DateField()
    last = serializers.DateField()
    name = serializers.CharField(default="", allow_blank=True)


class WeekInput(Input):
    """The times of the week at which phases end, and the days on which none does."""

    zone = serializers.CharField(default="UTC")
    movement = SlotInput(many=True, default=list)
    retreat = SlotInput(many=True, default=list)
    adjustment = SlotInput(many=True, default=list)
    days_off = serializers.ListField(child=serializers.IntegerField(min_value=0, max_value=6), default=list)
    holidays = HolidayInput(many=True, default=list)


class NewGameInput(Input):
    """A new game: its name, its variant, and the options that differ from what is usual. You are its game master; to
    play in it too, join it."""

    name = serializers.CharField()
    variant = serializers.CharField()
    by_invitation = serializers.BooleanField(default=False)
    week = WeekInput(required=False)


class TermsInput(Input):
    """The options that change; what is left out stays as it is."""

    week = WeekInput(required=False)


def with_options(kind: type[serializers.Serializer[Any]], name: str) -> type[serializers.Serializer[Any]]:
    """The same input with every option that the page for a new game asks for."""
    asked = {name: _field(name, it) for name, (_, it) in declared_options().items() if it.asked}
    return type(name, (kind,), {"__doc__": kind.__doc__, **asked})


def _field(name: str, it: OptionDeclaration) -> Any:
    """For one option; left out, it takes its default. The option itself checks its range, with its own sentence, and
    the schema says what that is."""
    hint = shown_values()[name].hint
    said: dict[str, Any] = {"required": False, "help_text": _help(it)}
    if hint is bool:
        return serializers.BooleanField(**said)
    if hint is str:
        return shaped(serializers.CharField, type="string", **_choices(it))(**said)
    if hint == tuple[str, ...]:
        return serializers.ListField(child=shaped(serializers.CharField, type="string", **_choices(it))(), **said)
    kind = shaped(serializers.IntegerField, type="integer", **_bounds(it), **_choices(it))
    return kind(min_value=-LARGEST, max_value=LARGEST, allow_null=it.default is None, **said)


def _bounds(it: OptionDeclaration) -> dict[str, int]:
    within = it.allowed.within if isinstance(it.allowed, ZeroOr) else it.allowed
    if not isinstance(within, range):
        return {}
    least = min(0, within[0]) if isinstance(it.allowed, ZeroOr) else within[0]
    return {"minimum": least, "maximum": within[-1]}


def _choices(it: OptionDeclaration) -> dict[str, list[Any]]:
    return {"enum": list(it.allowed)} if isinstance(it.allowed, tuple | dict) else {}


def _help(it: OptionDeclaration) -> str:
    """What it is, what can be chosen, and what it is if nothing is."""
    words = [str(value) for value in it.allowed] if isinstance(it.allowed, tuple | dict) else []
    bounds = it.allowed.within if isinstance(it.allowed, ZeroOr) else it.allowed
    told = [str(it.help_text)]
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
