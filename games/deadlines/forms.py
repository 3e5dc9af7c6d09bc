"""When the phases of a new game end."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import time
from typing import Any, NamedTuple

from django import forms
from django.utils.dates import WEEKDAYS_ABBR
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.deadlines import timetable
from games.deadlines.options import CUSTOM_PACE, EarlyEnd, Paced, PhaseLengths
from games.kernel import clock
from games.kernel.days import DAY, MINUTE
from games.kernel.forms import Day, FreeText, SectionGroup
from games.kernel.game_options import GameOptions, Section
from games.kernel.languages import SOURCE, later, later_as
from games.kernel.zones import read_zone, zone_suggestions

HOLIDAY_ROWS = 3
EVENING = time(19)
MONDAY, WEDNESDAY, THURSDAY, SUNDAY = 0, 2, 3, 6


class Pace(NamedTuple):
    """A ready-made timetable. Lengths and weekdays are for movement, retreats and adjustments; fields that are `Paced`
    follow it. `all_ready`: phases end as soon as all players are ready, no matter what else is chosen."""

    title: str
    help: str
    seconds: tuple[int, int, int]
    weekdays: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] = ((), (), ())
    all_ready: bool = False


PACES = {
    "week": Pace(
        later("One turn a week"),
        later("Orders on Sundays, retreats and builds on Wednesdays."),
        (2 * DAY, DAY, DAY),
        ((SUNDAY,), (WEDNESDAY,), (WEDNESDAY,)),
    ),
    "twice": Pace(
        later("Two fixed deadlines a week"),
        later("Orders on Mondays and Thursdays, retreats and builds within 24 hours."),
        (DAY, DAY, DAY),
        ((MONDAY, THURSDAY), (), ()),
    ),
    "evening": Pace(
        later("Live evening"),
        later("15 minutes for orders, 5 for retreats and builds, or less when all players are ready."),
        (15 * MINUTE, 5 * MINUTE, 5 * MINUTE),
        all_ready=True,
    ),
}

LENGTH_NAMES = tuple(f"{kind}_seconds" for kind in timetable.TIMES_FIELDS)
HOLIDAY = {
    "first": later("Holiday {number}: first day"),
    "last": later("Holiday {number}: last day"),
    "name": later("Holiday {number}: name"),
}


class WhenGroup(SectionGroup):
    """The fields for when phases end. Lengths and times come from a pace or from fields of their own."""

    paces = PACES
    clock_changes = timetable.CLOCK_CHANGES
    zones = property(lambda _self: zone_suggestions())

    pace = forms.ChoiceField(
        choices=[*((key, it.title) for key, it in PACES.items()), (CUSTOM_PACE, later_as("a pace", "Custom"))],
        initial="twice",
    )
    hour = forms.TimeField(
        label=later("Time of day"),
        initial=EVENING,
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        error_messages={"invalid": later("Enter a time such as 19:00.")},
    )
    zone = forms.CharField(label=later("Time zone"), max_length=64, required=False)
    movement_times = FreeText(label=later("Fixed times for orders"), max_length=300, required=False)
    retreat_times = FreeText(label=later("Fixed times for retreats"), max_length=300, required=False)
    adjustment_times = FreeText(label=later("Fixed times for builds"), max_length=300, required=False)
    days_off = forms.TypedMultipleChoiceField(
        label=later("Weekdays without a deadline"),
        choices=list(WEEKDAYS_ABBR.items()),
        coerce=int,
        required=False,
        error_messages={"invalid_choice": later("Choose days of the week.")},
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, zone: str = "UTC") -> None:
        super().__init__(Section.TIME, Section.DAYS_OFF, Section.EXTRA_TIME, Section.EARLY_END, data=data)
        self.fields["zone"].initial = zone
        for row in range(HOLIDAY_ROWS):
            for end in ("first", "last"):
                self.fields[f"holiday_{row}_{end}"] = Day(
                    label=HOLIDAY[end].format(number=row + 1),
                    required=False,
                    error_messages={"invalid": _("Enter a date such as 2026-12-24.")},
                )
            self.fields[f"holiday_{row}_name"] = FreeText(
                label=HOLIDAY["name"].format(number=row + 1), max_length=40, required=False
            )

    @property
    def timetable_fields(self) -> set[str]:
        """The fields that make up the lengths and the week."""
        return {name for name in self.fields if name not in self.asks or name in LENGTH_NAMES}

    def in_section(self, section: Section) -> Iterable[str]:
        if section is Section.DAYS_OFF:
            return [name for name in self.fields if name == "days_off" or name.startswith("holiday_")]
        return super().in_section(section)

    def held(self, section: Section, options: GameOptions) -> str:
        if section is Section.DAYS_OFF:
            free = timetable.free_days_in_words(options[PhaseLengths].week)
            return _("No deadline {free}.").format(free=free) if free else _("A deadline may fall on any day.")
        return super().held(section, options)

    def holiday_rows(self) -> list[list[forms.BoundField]]:
        return [[self[f"holiday_{row}_{part}"] for part in ("first", "last", "name")] for row in range(HOLIDAY_ROWS)]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if self.errors:
            return data
        is_custom, hour = data["pace"] == CUSTOM_PACE, data["hour"] or EVENING
        if is_custom:
            times = []
            for field in (f"{kind}_times" for kind in timetable.TIMES_FIELDS):
                try:
                    times.append(timetable.parse_times(self.cleaned_data[field]))
                except ValueError as wrong:
                    self.add_error(field, str(wrong))
                    times.append(())
        else:
            weekdays = PACES[data["pace"]].weekdays
            times = [tuple(timetable.Slot(day, hour.hour, hour.minute) for day in days) for days in weekdays]
        holidays = self._holidays()
        if self.errors:
            return data
        try:
            data["week"] = timetable.Week(
                zone=read_zone(data["zone"]) or "UTC",
                **dict(zip(timetable.TIMES_FIELDS, times, strict=True)),
                days_off=tuple(data["days_off"]),
                holidays=tuple(holidays),
            )
        except timetable.BadTimetable as bad:
            fields = {name: f"{name}_times" if is_custom else "days_off" for name in timetable.TIMES_FIELDS}
            fields["holidays"] = "holiday_0_first"
            for name, sentence in bad.problems.items():
                self.add_error(fields.get(name, name), sentence)
        return data

    def _holidays(self) -> list[timetable.Holiday]:
        holidays = []
        for row in range(HOLIDAY_ROWS):
            first_day, last_day = (self.cleaned_data[f"holiday_{row}_{end}"] for end in ("first", "last"))
            name = self.cleaned_data[f"holiday_{row}_name"]
            if first_day or last_day:
                holidays.append(timetable.Holiday(first_day or last_day, last_day or first_day, name))
            elif name:
                self.add_error(
                    f"holiday_{row}_first", _("Enter the first day of {name}, or clear the name.").format(name=name)
                )
        return holidays

    def _paced(self) -> Iterator[tuple[str, Paced]]:
        """The fields whose default depends on the pace."""
        fields = ((name, self.fields[name]) for name in self.asks)
        return ((name, field) for name, field in fields if isinstance(field, Paced))

    def options(self) -> dict[str, Any]:
        pace, options = self.cleaned_data["pace"], super().options()
        if pace != CUSTOM_PACE:
            options |= zip(LENGTH_NAMES, PACES[pace].seconds, strict=True)
            options["all_ready"] |= PACES[pace].all_ready
        for name, field in self._paced():
            if options[name] is None:
                options[name] = field.usual(pace, options)
        if not options["grace_seconds"]:
            options["grace_times"] = 0
        return {**options, "week": self.cleaned_data["week"]}

    def like(self, options: GameOptions) -> dict[str, Any]:
        rhythm = options[PhaseLengths]
        pace = next((key for key, pace in PACES.items() if _has_pace(pace, options)), CUSTOM_PACE)
        values, week = super().like(options), rhythm.week
        slots = [slot for kind in timetable.TIMES_FIELDS for slot in getattr(week, kind)]
        for name, field in self._paced():
            values[name] = field.like(pace, options.values[name], options.values)
        if pace == CUSTOM_PACE:
            with override(SOURCE):  # as `parse_times` reads it
                values |= {
                    f"{kind}_times": timetable.times_in_words(getattr(week, kind)) for kind in timetable.TIMES_FIELDS
                }
        else:
            values = {name: value for name, value in values.items() if name not in LENGTH_NAMES}
        today = clock.now().date()
        holidays = [holiday for holiday in week.holidays if holiday.last >= today][:HOLIDAY_ROWS]
        holidays_to_come = {
            f"holiday_{row}_{part}": getattr(holiday, part)
            for row, holiday in enumerate(holidays)
            for part in ("first", "last", "name")
        }
        return {
            **values,
            "pace": pace,
            "hour": time(slots[0].hour, slots[0].minute) if slots else EVENING,
            "zone": week.zone_if_it_matters or self.fields["zone"].initial,
            "days_off": list(week.days_off),
            **holidays_to_come,
        }


def _has_pace(pace: Pace, options: GameOptions) -> bool:
    """Do the game's options have this pace, at any time of day?"""
    rhythm = options[PhaseLengths]
    times = [getattr(rhythm.week, kind) for kind in timetable.TIMES_FIELDS]
    weekdays = tuple(tuple(slot.weekday for slot in slots) for slots in times)
    at_one_time = len({slot.clock for slots in times for slot in slots}) <= 1
    lengths = tuple(getattr(rhythm, name) for name in LENGTH_NAMES)
    is_as_early = options[EarlyEnd].all_ready or not pace.all_ready
    return at_one_time and is_as_early and (lengths, weekdays) == (pace.seconds, pace.weekdays)


def _date_field(label: str, required: str, invalid: str) -> Day:
    return Day(label=label, error_messages={"required": required, "invalid": invalid})


class AbsenceForm(forms.Form):
    """A booking of days away, with the first and the last day included."""

    first = _date_field(
        later("First day"), later("Choose the first day."), later("Enter the first day as in 2026-12-24.")
    )
    last = _date_field(later("Last day"), later("Choose the last day."), later("Enter the last day as in 2026-12-24."))
