"""What is sent to create a game: every option that the page for a new game asks for, by its name."""

import json
from typing import Any

from rest_framework import serializers

from games.api.from_views import with_schema
from games.api.inputs import DayField, Input
from games.deadlines.timetable import BadTimetable, Holiday, Slot, Week
from games.kernel.acts import LARGEST
from games.kernel.game_options import OptionDeclaration, ZeroOr, declared_options, shown_values
from games.kernel.refusals import BadGame
from games.kernel.zones import read_zone

KINDS_OF_TIME = ("movement", "retreat", "adjustment")


class SlotInput(Input):
    """A time of the week."""

    weekday = serializers.IntegerField(min_value=0, max_value=6)
    hour = serializers.IntegerField(min_value=0, max_value=23)
    minute = serializers.IntegerField(min_value=0, max_value=59)


class HolidayInput(Input):
    """Days without a deadline."""

    first, last = DayField(), DayField()
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
    """This input class with a field for every option that the page for a new game asks for."""
    fields = {name: _field_of_option(name, option) for name, (_, option) in declared_options().items() if option.asked}
    return type(name, (kind,), {"__doc__": kind.__doc__, **fields})


def _field_of_option(name: str, option: OptionDeclaration) -> Any:
    """The field for one option; left out, it takes its default. The option itself checks its range, with its own
    sentence, and the schema names the range."""
    hint = shown_values()[name].hint
    facts: dict[str, Any] = {"required": False, "help_text": _help_of_option(option)}
    if hint is bool:
        return serializers.BooleanField(**facts)
    if hint is str:
        return with_schema(serializers.CharField, type="string", **_choices_of_option(option))(**facts)
    if hint == tuple[str, ...]:
        return serializers.ListField(
            child=with_schema(serializers.CharField, type="string", **_choices_of_option(option))(), **facts
        )
    kind = with_schema(
        serializers.IntegerField, type="integer", **_bounds_of_option(option), **_choices_of_option(option)
    )
    return kind(min_value=-LARGEST, max_value=LARGEST, allow_null=option.default is None, **facts)


def _bounds_of_option(option: OptionDeclaration) -> dict[str, int]:
    within = option.allowed.within if isinstance(option.allowed, ZeroOr) else option.allowed
    if not isinstance(within, range):
        return {}
    least = min(0, within[0]) if isinstance(option.allowed, ZeroOr) else within[0]
    return {"minimum": least, "maximum": within[-1]}


def _choices_of_option(option: OptionDeclaration) -> dict[str, list[Any]]:
    return {"enum": list(option.allowed)} if isinstance(option.allowed, tuple | dict) else {}


def _help_of_option(option: OptionDeclaration) -> str:
    """What the option is, what can be chosen, and its usual value."""
    words = [str(value) for value in option.allowed] if isinstance(option.allowed, tuple | dict) else []
    bounds = option.allowed.within if isinstance(option.allowed, ZeroOr) else option.allowed
    sentences = [str(option.help_text)]
    if words:
        sentences.append(f"Choices: {', '.join(words)}.")
    elif isinstance(bounds, range):
        sentences.append(
            f"From {bounds[0]} to {bounds[-1]}{', or 0 for none' if bounds is not option.allowed else ''}."
        )
    usual = "depends on the other choices" if option.usual is None else f"is {json.dumps(option.usual)}"
    return " ".join([*sentences, f"The usual value {usual}."])


def arguments_of_service(data: dict[str, Any]) -> dict[str, Any]:
    """The input as arguments of the service. Raises BadGame for an impossible timetable."""
    arguments = {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}
    if "week" not in data:
        return arguments
    week = data["week"]
    times = {kind: tuple(Slot(**slot) for slot in week[kind]) for kind in KINDS_OF_TIME}
    holidays = tuple(Holiday(**holiday) for holiday in week["holidays"])
    try:
        chosen_week = Week(zone=read_zone(week["zone"]), **times, days_off=tuple(week["days_off"]), holidays=holidays)
    except BadTimetable as impossible:
        raise BadGame({f"week.{field}": sentence for field, sentence in impossible.problems.items()}) from None
    return {**arguments, "week": chosen_week}
