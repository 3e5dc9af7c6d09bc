"""When phases end, what moves their deadlines, and the last year of a game."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, cast

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.deadlines.timetable import Timetable, Week, city_of_zone, times_in_words, timetable_in_words
from games.kernel.days import DAY, HOUR, MINUTE
from games.kernel.fields import LENGTHS, Pick, nearest
from games.kernel.game_options import Fixed, Heading, Options, Section, ZeroOr, option
from games.kernel.languages import later, later_as, later_by
from games.kernel.wording import duration_in_words, duration_in_words_later, length_in_words, length_later, moment_words
from variants.variant import Variant

SHORTEST_SECONDS, LONGEST_SECONDS = 30, 14 * DAY
ALLOWED_LENGTHS = range(SHORTEST_SECONDS, LONGEST_SECONDS + 1)
MOST_GRACE_TIMES = 5
MOST_ABSENCE_DAYS = 30
MOST_LENGTHS, MOST_EXTENDED_DAYS = 10, 30
MOST_YEARS = 100
CUSTOM_PACE = "own"
"""The custom pace, with no defaults of its own."""

GRACE_SECONDS_BY_PACE = {"week": DAY, "twice": 12 * HOUR, "evening": 3 * MINUTE}
GRACE_TIMES_BY_PACE = {"week": 2, "twice": 2, "evening": 2, CUSTOM_PACE: 1}
DAYS_AWAY_BY_PACE = {"week": 14, "twice": 14}
"""What comes with each pace."""

GRACE_IS_PUBLIC = later(
    "Everyone is told that orders were missing, but not whose. Saved orders can be changed until the new deadline."
)
WHEN_AWAY = later(
    "If a deadline falls on a day that a player has booked, and that player has orders to enter, it moves to the next "
    "possible time afterwards. The others are told that a player is away, but not who."
)
ENDED_EARLY_HELP = later(
    "Orders saved by then count. Players who haven’t saved any are not recorded as having missed the phase."
)
AT_ONCE_SHOWS = later("This shows everyone that they all had.")


LENGTHS_OF_A_PHASE = later_by("{count} length of the phase", "{count} lengths of the phase", "count")
AS_USUAL = ""


class Paced(forms.TypedChoiceField):
    """A field for one of these numbers, in which `none` stands for 0. Its default is that of the pace or, without the
    option `only_with`, 0."""

    def __init__(
        self,
        label: str,
        choices: Iterable[tuple[int, str]],
        *,
        none: str = "",
        paces: Mapping[str, int],
        only_with: str = "",
    ) -> None:
        zero = [(0, none)] if none else []
        super().__init__(
            label=label,
            choices=[(AS_USUAL, later("Default for this pace")), *zero, *choices],
            coerce=int,
            empty_value=None,
            required=False,
        )
        self.numbers = dict(choices)
        self.paces, self.only_with = paces, only_with

    def usual(self, pace: str, choices: Mapping[str, Any]) -> int:
        return self.paces.get(pace, 0) if not self.only_with or choices[self.only_with] else 0

    def like(self, pace: str, value: int, choices: Mapping[str, Any]) -> int | str:
        """What the form sends for this value, or for the nearest one."""
        if value == self.usual(pace, choices):
            return AS_USUAL
        return nearest(value, self.numbers) if value else 0


def _shorter_than_movement(values: Mapping[str, Any], _variant: Variant | None) -> int:
    movement: int = values["movement_seconds"]
    return min(movement, max(MINUTE, movement // 2))


class PhaseLengths(
    Options, section=Section.TIME, heading=Heading.WHEN, title=later("Length of a phase"), facts=("pace", "zone")
):
    """Lengths of phases in seconds; a phase with fixed times of the week lasts at least that long."""

    movement_seconds: int = option(
        DAY, allowed=ALLOWED_LENGTHS, asked=Pick(later("Orders"), LENGTHS, DAY), fixed=Fixed.NEVER
    )
    retreat_seconds: int = option(
        allowed=ALLOWED_LENGTHS,
        left_empty=_shorter_than_movement,
        asked=Pick(later("Retreats"), LENGTHS, 12 * HOUR),
        fixed=Fixed.NEVER,
    )
    adjustment_seconds: int = option(
        allowed=ALLOWED_LENGTHS,
        left_empty=_shorter_than_movement,
        asked=Pick(later("Builds, removals, declarations"), LENGTHS, 12 * HOUR),
        fixed=Fixed.NEVER,
    )
    week: Week = option(Week(), parse=Week.from_json, write=Week.to_json, fixed=Fixed.NEVER)

    clock: bool = option(True)

    @property
    def timetable(self) -> Timetable:
        return Timetable(self.week, self.movement_seconds, self.retreat_seconds, self.adjustment_seconds)

    @property
    def pace(self) -> str:
        """The time for orders in a few words, as in "24 hours for orders", "orders Mondays at 19:00 (Berlin)"."""
        if not self.clock:
            return _("no deadlines")
        times = self.week.movement
        if times:
            return _("orders {times} ({place})").format(times=times_in_words(times), place=city_of_zone(self.week.zone))
        return _("{length} for orders").format(length=length_in_words(self.movement_seconds))

    @property
    def zone(self) -> str:
        """The time zone of fixed times and days off; "" without any."""
        return self.week.zone_if_it_matters

    def in_words(self, moment: datetime) -> str:
        """A moment by the game's clock, for the public log."""
        return moment_words(moment, self.zone or "UTC")

    def problems(self) -> Iterable[tuple[str, str]]:
        if not self.clock and not self.whole[EarlyEnd].all_ready:
            yield "clock", _("Without deadlines, phases must end when all players are ready.")
        yield from (("week", told) for it in self.week.holidays if (told := it.problem()))

    def sentence(self) -> str:
        if not self.clock:
            return _("There are no deadlines.")
        variant = self.whole.variant
        return timetable_in_words(self.timetable, frozenset(variant.ruleset.special) if variant else frozenset())


class EarlyEnd(
    Options,
    section=Section.EARLY_END,
    heading=Heading.WHEN,
    title=later("Ending a phase early"),
    facts=("may_end_early",),
):
    all_ready: bool = option(False, fixed=Fixed.NEVER)
    panic_seconds: int = option(
        0,
        allowed=range(DAY + 1),
        asked=Paced(
            later("Time to change your mind"),
            [
                (time, duration_in_words_later(time))
                for time in (30, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR)
            ],
            none=later_as("time to change your mind", "None"),
            paces={"week": 30 * MINUTE, "twice": 30 * MINUTE, "evening": 30},
            only_with="all_ready",
        ),
        fixed=Fixed.NEVER,
    )
    gm_processes_early: bool = option(False, fixed=Fixed.NEVER)
    show_ready: bool = option(True, section=Section.TALK)

    @property
    def may_end_early(self) -> bool:
        """Can a phase end before its deadline?"""
        return self.all_ready or self.gm_processes_early

    def problems(self) -> Iterable[tuple[str, str]]:
        if self.panic_seconds and not self.all_ready:
            yield ("panic_seconds", _("Choose time to change your mind only if phases end when all players are ready."))

    def sentence(self) -> str:
        who_sees = _("Everyone sees who is ready.") if self.show_ready else _("No one sees who is ready.")
        sentence = _("Each phase runs until its deadline, even if everyone is ready sooner.")
        if self.panic_seconds:
            time_left = length_in_words(self.panic_seconds)
            sentence = _(
                "A phase ends {after} after everyone is ready, unless a player changes their mind. {shown}"
            ).format(after=time_left, shown=who_sees)
        elif self.all_ready:
            sentence = _("A phase ends as soon as everyone is ready. {shown}").format(shown=who_sees)
        return (
            _("{sentence} The game master may end a phase early.").format(sentence=sentence)
            if self.gm_processes_early
            else sentence
        )


class WrittenAhead(Options, section=Section.EARLY_END, heading=Heading.WHEN, title=later("Written with the moves")):
    ends_if_written_ahead: bool = option(False)

    def problems(self) -> Iterable[tuple[str, str]]:
        if self.ends_if_written_ahead and not self.whole[PhaseLengths].clock:
            yield "ends_if_written_ahead", _("Only a phase with a deadline can end at once when it was written ahead.")

    def sentence(self) -> str:
        if not self.ends_if_written_ahead:
            return ""
        return _(
            "Players can write retreats, builds and removals together with their moves. If everyone who has any to "
            "order did, their phase ends at once. {at_once_shows}"
        ).format(at_once_shows=AT_ONCE_SHOWS)


class Grace(Options, section=Section.EXTRA_TIME, heading=Heading.WHEN, title=later("Automatic extension")):
    grace_seconds: int = option(
        0,
        allowed=ZeroOr(range(SHORTEST_SECONDS, 7 * DAY + 1)),
        asked=Paced(
            later("Automatic extension when orders are missing"),
            [(time, length_later(time)) for time in (3 * MINUTE, HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY)],
            none=later_as("extension", "None"),
            paces=GRACE_SECONDS_BY_PACE,
        ),
        fixed=Fixed.NEVER,
    )
    grace_times: int = option(
        0,
        allowed=range(MOST_GRACE_TIMES + 1),
        asked=Paced(
            later("Extensions per player"),
            [(1, later("Once")), (2, later("Twice")), (3, later("3 times")), (5, later("5 times"))],
            paces=GRACE_TIMES_BY_PACE,
            only_with="grace_seconds",
        ),
        fixed=Fixed.NEVER,
    )

    def problems(self) -> Iterable[tuple[str, str]]:
        if bool(self.grace_seconds) != bool(self.grace_times):
            yield "grace_seconds", _("Choose both how long an extension is and how many each player can cause.")

    def sentence(self) -> str:
        if not self.grace_times:
            return ""
        put_back = _(
            "If a player has not saved orders by the deadline, the deadline is extended by {length}, once per phase."
        ).format(length=length_in_words(self.grace_seconds))
        limit = ngettext(
            "Each player can get this once in a game.",
            "Each player can get this {count} times in a game.",
            self.grace_times,
        ).format(count=self.grace_times)
        if self.grace_times == 2:  # noqa: PLR2004
            limit = _("Each player can get this twice in a game.")
        return f"{put_back} {limit} {GRACE_IS_PUBLIC}"


class Extensions(Options, section=Section.EXTRA_TIME, heading=Heading.WHEN, title=later("Most extra time")):
    """`most_extended` is None in games older than this limit, until their players agree to other terms."""

    most_extended: int | None = option(
        None,
        allowed=range(1, MOST_LENGTHS + 1),
        asked=Pick(
            later("All extensions of one phase, at most"),
            [(count, cast(str, format_lazy(LENGTHS_OF_A_PHASE, count=count))) for count in (1, 2, 3, 5, MOST_LENGTHS)],
            2,
            required=False,
        ),
        in_new_games=2,
        fixed=Fixed.NEVER,
    )

    def sentence(self) -> str:
        if self.most_extended is None:
            return ""
        return _(
            "All extensions of one phase together come to at most {length}, and never to more than {most}. "
            "Pauses don’t count."
        ).format(
            length=LENGTHS_OF_A_PHASE.format(count=self.most_extended), most=duration_in_words(MOST_EXTENDED_DAYS * DAY)
        )


class Absences(Options, section=Section.EXTRA_TIME, heading=Heading.WHEN, title=later("Days away")):
    absence_days: int = option(
        0,
        allowed=range(MOST_ABSENCE_DAYS + 1),
        asked=Paced(
            later("Days away"),
            [(days, duration_in_words_later(days * DAY)) for days in (7, 14, 21, 30)],
            none=later_as("days away", "None"),
            paces=DAYS_AWAY_BY_PACE,
        ),
        fixed=Fixed.NEVER,
    )

    def sentence(self) -> str:
        if not self.absence_days:
            return ""
        book = ngettext(
            "Each player may book {count} day away.", "Each player may book {count} days away.", self.absence_days
        )
        return f"{book.format(count=self.absence_days)} {WHEN_AWAY}"


EXTRA_REMINDER = later(
    "Players who haven’t saved orders get one more reminder, this long before the deadline, besides the usual ones a "
    "day and two hours before it."
)


class ExtraReminder(Options, section=Section.EXTRA_TIME, heading=Heading.WHEN, title=later("Reminder")):
    remind_before: int = option(
        0,
        allowed=ZeroOr(range(10 * MINUTE, 7 * DAY + 1)),
        asked=Pick(
            later("An extra reminder before the deadline"),
            [
                (0, later_as("reminder", "None")),
                *((hours * HOUR, length_later(hours * HOUR)) for hours in (1, 6, 12, 36, 48, 72)),
            ],
            0,
            required=False,
        ),
        fixed=Fixed.NEVER,
    )

    def sentence(self) -> str:
        if not self.remind_before:
            return ""
        before = length_in_words(self.remind_before)
        return _("Players who haven’t saved orders also get a reminder {before} before the deadline.").format(
            before=before
        )


class LastYear(
    Options,
    section=Section.ENDING,
    heading=Heading.ENDING,
    title=later("Last year"),
    last_in_section=True,
    last_under_heading=True,
):
    last_year: int | None = option(
        None,
        asked=forms.IntegerField(
            label=later("Last year"),
            required=False,
            error_messages={"invalid": later("Enter a year such as 1935, or leave it empty.")},
            widget=forms.NumberInput(attrs={"class": "input", "size": 6}),
        ),
        fixed=Fixed.NEVER,
    )

    def problems(self) -> Iterable[tuple[str, str]]:
        variant = self.whole.variant
        if variant is None or self.last_year is None:
            return
        first_year = variant.start.turn.year
        last_year = first_year + MOST_YEARS
        if not first_year <= self.last_year <= last_year:
            told = _("{variant} begins in {first}. Enter a year from {first} to {last}, or none.")
            yield "last_year", told.format(variant=variant.title, first=first_year, last=last_year)

    def sentence(self) -> str:
        if self.last_year is None:
            return ""
        return _("If no one has won by the end of {last_year}, the powers that still have units share a draw.").format(
            last_year=self.last_year
        )
