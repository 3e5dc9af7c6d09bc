"""When the phases of a new game end."""

from __future__ import annotations

from datetime import time
from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms

from games.kernel import clock
from games.kernel.forms import DAY, HOUR, LENGTHS, MINUTE, FreeText, Group, nearest
from games.kernel.options import OPTION_TEXTS
from games.kernel.timetable import (
    CLOCK_CHANGES,
    DAYS,
    TIMES,
    BadTimetable,
    Holiday,
    Slot,
    Week,
    read_times,
    times_in_words,
    zones,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


OWN = "own"

AS_USUAL = ""

HOLIDAY_ROWS = 3

EVENING = time(19)

MONDAY, WEDNESDAY, THURSDAY, SUNDAY = 0, 2, 3, 6


class Pace(NamedTuple):
    """A choice that comes with everything. Lengths and weekdays stand for movement, retreats and adjustments."""

    title: str
    help: str
    seconds: tuple[int, int, int]
    weekdays: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]] = ((), (), ())
    grace_seconds: int = 0
    grace_times: int = 0
    absence_days: int = 0
    panic_seconds: int = 0


PACES = {
    "week": Pace(
        "A week a turn",
        "Orders on Sundays, retreats and builds on Wednesdays. Who has saved nothing gets 24 hours more, twice in the "
        "game, and everybody may book 14 days off.",
        (2 * DAY, DAY, DAY),
        ((SUNDAY,), (WEDNESDAY,), (WEDNESDAY,)),
        grace_seconds=DAY,
        grace_times=2,
        absence_days=14,
        panic_seconds=30 * MINUTE,
    ),
    "twice": Pace(
        "Two fixed deadlines a week",
        "Orders on Mondays and Thursdays, retreats and builds within 24 hours. Who has saved nothing gets 12 hours "
        "more, twice in the game, and everybody may book 14 days off.",
        (DAY, DAY, DAY),
        ((MONDAY, THURSDAY), (), ()),
        grace_seconds=12 * HOUR,
        grace_times=2,
        absence_days=14,
        panic_seconds=30 * MINUTE,
    ),
    "evening": Pace(
        "A live evening",
        "15 minutes for orders, 5 for retreats and builds. Who has saved nothing gets 3 minutes more, twice in "
        "the game.",
        (15 * MINUTE, 5 * MINUTE, 5 * MINUTE),
        grace_seconds=3 * MINUTE,
        grace_times=2,
        panic_seconds=30,
    ),
}

NOTHING_MORE = Pace("", "", (DAY, DAY, DAY))

ABSENCES = ((7, "7 days"), (14, "14 days"), (21, "21 days"), (30, "30 days"))

GRACE_TIMES = tuple((times, f"{times} times") for times in (1, 2, 3, 5))

GRACES = (
    (3 * MINUTE, "3 minutes"),
    (HOUR, "1 hour"),
    (6 * HOUR, "6 hours"),
    (12 * HOUR, "12 hours"),
    (DAY, "24 hours"),
    (2 * DAY, "2 days"),
)

WINDOWS = (
    (30, "30 seconds"),
    (MINUTE, "1 minute"),
    (5 * MINUTE, "5 minutes"),
    (15 * MINUTE, "15 minutes"),
    (30 * MINUTE, "30 minutes"),
    (HOUR, "1 hour"),
)

USUAL = (AS_USUAL, "As usual at this pace")

SHORT_DAYS = [(number, name[:3]) for number, name in enumerate(DAYS)]


def _number(value: str) -> int | None:
    return None if value == AS_USUAL else int(value)


def _choice(
    label: str, none: str, choices: tuple[tuple[int, str], ...], option: str
) -> forms.TypedChoiceField:
    """One of these numbers; left out: what the pace has."""
    return forms.TypedChoiceField(
        label=label,
        choices=[USUAL, (0, none), *choices],
        coerce=_number,
        empty_value=None,
        required=False,
        help_text=OPTION_TEXTS[option],
    )


class WhenGroup(Group):
    """Lengths and times come from a pace or, for the pace "own", from fields of their own."""

    title = "Time"
    template = "deadlines/partials/create.html"
    paces = PACES
    clock_changes = CLOCK_CHANGES
    zones = property(lambda _self: zones())

    pace = forms.ChoiceField(
        choices=[*((key, it.title) for key, it in PACES.items()), (OWN, "My own")], initial="twice"
    )
    hour = forms.TimeField(
        label="Fixed deadlines at",
        initial=EVENING,
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        error_messages={"invalid": "Write a time of day such as 19:00."},
    )
    zone = forms.CharField(label="On the clocks of", max_length=64, required=False)
    movement_seconds = forms.TypedChoiceField(label="Orders", choices=LENGTHS, coerce=int, initial=DAY)
    retreat_seconds = forms.TypedChoiceField(label="Retreats", choices=LENGTHS, coerce=int, initial=12 * HOUR)
    adjustment_seconds = forms.TypedChoiceField(
        label="Builds, removals, declarations", choices=LENGTHS, coerce=int, initial=12 * HOUR
    )
    movement_times = FreeText(label="Fixed times for orders", max_length=300, required=False)
    retreat_times = FreeText(label="Fixed times for retreats", max_length=300, required=False)
    adjustment_times = FreeText(label="Fixed times for builds", max_length=300, required=False)
    days_off = forms.TypedMultipleChoiceField(
        label="Days of the week without a deadline",
        choices=SHORT_DAYS,
        coerce=int,
        required=False,
        error_messages={"invalid_choice": "Choose among the seven days of the week."},
    )
    grace_seconds = _choice("Extra time for who has saved nothing", "None", GRACES, "grace_seconds")
    grace_times = forms.TypedChoiceField(
        label="How often for one player",
        choices=[USUAL, *GRACE_TIMES],
        coerce=_number,
        empty_value=None,
        required=False,
        help_text=OPTION_TEXTS["grace_times"],
    )
    absence_days = _choice("Days away", "None", ABSENCES, "absence_days")
    all_ready = forms.BooleanField(required=False, help_text=OPTION_TEXTS["all_ready"])
    panic_seconds = _choice('Time to take "ready" back', "None", WINDOWS, "panic_seconds")
    gm_processes_early = forms.BooleanField(required=False, help_text=OPTION_TEXTS["gm_processes_early"])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for row in range(HOLIDAY_ROWS):
            for end in ("first", "last"):
                self.fields[f"holiday_{row}_{end}"] = forms.DateField(
                    label=f"Holiday {row + 1}: {end} day",
                    required=False,
                    widget=forms.DateInput({"type": "date"}),
                    error_messages={"invalid": "Write a day such as 2026-12-24."},
                )
            self.fields[f"holiday_{row}_name"] = FreeText(
                label=f"Holiday {row + 1}: name", max_length=40, required=False
            )

    @property
    def free_days_touched(self) -> bool:
        return self.touched(name for name in self.fields if name == "days_off" or name.startswith("holiday_"))

    @property
    def early_end_touched(self) -> bool:
        return self.is_bound or self.touched(("all_ready", "panic_seconds", "gm_processes_early"))

    @property
    def extra_time_touched(self) -> bool:
        return self.touched(("grace_seconds", "grace_times", "absence_days"))

    def holiday_rows(self) -> list[list[forms.BoundField]]:
        return [
            [self[f"holiday_{row}_{part}"] for part in ("first", "last", "name")]
            for row in range(HOLIDAY_ROWS)
        ]

    def clean(self) -> dict[str, Any]:
        chosen = super().clean() or self.cleaned_data
        if not self.errors:
            self._read_week(chosen)
        return chosen

    def _read_week(self, chosen: dict[str, Any]) -> None:
        times = self._own_times() if chosen["pace"] == OWN else self._fixed_times(PACES[chosen["pace"]])
        holidays = self._holidays()
        if self.errors:
            return
        try:
            chosen["week"] = Week(
                zone=chosen["zone"].strip() or "UTC",
                **dict(zip(TIMES, times, strict=True)),
                days_off=tuple(chosen["days_off"]),
                holidays=tuple(holidays),
            )
        except BadTimetable as bad:
            for name, sentence in bad.problems.items():
                self.add_error(self._field_of(name), sentence)

    def _field_of(self, name: str) -> str:
        """Where a problem of the week is shown."""
        if name == "holidays":
            return "holiday_0_first"
        if name in TIMES:
            return f"{name}_times" if self.cleaned_data["pace"] == OWN else "days_off"
        return name

    def _fixed_times(self, pace: Pace) -> list[tuple[Slot, ...]]:
        hour = self.cleaned_data["hour"] or EVENING
        return [tuple(Slot(day, hour.hour, hour.minute) for day in days) for days in pace.weekdays]

    def _own_times(self) -> list[tuple[Slot, ...]]:
        found = []
        for name in (f"{kind}_times" for kind in TIMES):
            try:
                found.append(read_times(self.cleaned_data[name]))
            except ValueError as wrong:
                self.add_error(name, str(wrong))
                found.append(())
        return found

    def _holidays(self) -> list[Holiday]:
        found = []
        for row in range(HOLIDAY_ROWS):
            first, last = (self.cleaned_data[f"holiday_{row}_{end}"] for end in ("first", "last"))
            name = self.cleaned_data[f"holiday_{row}_name"]
            if first or last:
                found.append(Holiday(first or last, last or first, name))
            elif name:
                self.add_error(f"holiday_{row}_first", f"Say when {name} begins, or take the name out.")
        return found

    @classmethod
    def like(cls, chosen: Mapping[str, Any]) -> dict[str, Any]:
        week, key = chosen["week"], next((key for key, pace in PACES.items() if _keeps(pace, chosen)), OWN)
        usual = NOTHING_MORE if key == OWN else PACES[key]
        slots = [slot for kind in TIMES for slot in getattr(week, kind)]
        return {
            "pace": key,
            "hour": time(slots[0].hour, slots[0].minute) if slots else EVENING,
            "zone": week.place,
            "days_off": list(week.days_off),
            **(_own_rhythm(chosen) if key == OWN else {}),
            **_holidays_to_come(week),
            **_extra_time(chosen, usual),
            "all_ready": chosen["all_ready"],
            "gm_processes_early": chosen["gm_processes_early"],
        }

    def options(self) -> dict[str, Any]:
        chosen = self.cleaned_data
        own = chosen["pace"] == OWN
        usual = NOTHING_MORE if own else PACES[chosen["pace"]]
        names = [f"{kind}_seconds" for kind in TIMES]
        lengths = [chosen[name] for name in names] if own else usual.seconds
        return {
            **dict(zip(names, lengths, strict=True)),
            "week": chosen["week"],
            "all_ready": chosen["all_ready"],
            "gm_processes_early": chosen["gm_processes_early"],
            "absence_days": _chosen(chosen["absence_days"], usual.absence_days),
            "panic_seconds": _chosen(
                chosen["panic_seconds"], usual.panic_seconds if chosen["all_ready"] else 0
            ),
            **self._grace(usual),
        }

    def _grace(self, usual: Pace) -> dict[str, int]:
        seconds = _chosen(self.cleaned_data["grace_seconds"], usual.grace_seconds)
        times = _chosen(self.cleaned_data["grace_times"], usual.grace_times or 1)
        return {"grace_seconds": seconds, "grace_times": times if seconds else 0}


def _keeps(pace: Pace, chosen: Mapping[str, Any]) -> bool:
    """Do phases end at this pace where these arguments were chosen, at whatever time of the day?"""
    times = [getattr(chosen["week"], kind) for kind in TIMES]
    weekdays = tuple(tuple(slot.weekday for slot in slots) for slots in times)
    at_one_time = len({slot.clock for slots in times for slot in slots}) <= 1
    lengths = tuple(chosen[f"{kind}_seconds"] for kind in TIMES)
    return at_one_time and (lengths, weekdays) == (pace.seconds, pace.weekdays)


def _own_rhythm(chosen: Mapping[str, Any]) -> dict[str, Any]:
    lengths = {f"{kind}_seconds": nearest(chosen[f"{kind}_seconds"], LENGTHS) for kind in TIMES}
    return {**lengths, **{f"{kind}_times": times_in_words(getattr(chosen["week"], kind)) for kind in TIMES}}


def _holidays_to_come(week: Week) -> dict[str, Any]:
    today = clock.now().date()
    found = [holiday for holiday in week.holidays if holiday.last >= today][:HOLIDAY_ROWS]
    return {
        f"holiday_{row}_{part}": getattr(holiday, part)
        for row, holiday in enumerate(found)
        for part in ("first", "last", "name")
    }


def _extra_time(chosen: Mapping[str, Any], usual: Pace) -> dict[str, Any]:
    seconds, times = chosen["grace_seconds"], chosen["grace_times"]
    panic = usual.panic_seconds if chosen["all_ready"] else 0
    return {
        "grace_seconds": _or_usual(seconds, usual.grace_seconds, GRACES),
        "grace_times": _or_usual(times, usual.grace_times or 1, GRACE_TIMES) if seconds else AS_USUAL,
        "absence_days": _or_usual(chosen["absence_days"], usual.absence_days, ABSENCES),
        "panic_seconds": _or_usual(chosen["panic_seconds"], panic, WINDOWS),
    }


def _or_usual(value: int, usual: int, choices: tuple[tuple[int, str], ...]) -> int | str:
    """What is chosen in a field whose empty choice means what is usual, and whose 0 means none."""
    return AS_USUAL if value == usual else nearest(value, choices) if value else 0


def _chosen(value: int | None, usual: int) -> int:
    return usual if value is None else value


class AbsenceForm(forms.Form):
    """Both days are booked, and all between them."""

    first = forms.DateField(
        label="First day",
        widget=forms.DateInput({"type": "date"}),
        error_messages={
            "required": "Choose the first day.",
            "invalid": "Write the first day as in 2026-12-24.",
        },
    )
    last = forms.DateField(
        label="Last day",
        widget=forms.DateInput({"type": "date"}),
        error_messages={
            "required": "Choose the last day.",
            "invalid": "Write the last day as in 2026-12-24.",
        },
    )
