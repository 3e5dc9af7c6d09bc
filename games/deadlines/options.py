"""When phases end, what moves their deadlines, and the last year."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from adjudication.english import amount
from games.deadlines.timetable import Timetable, Week, place, times_in_words, timetable_in_words
from games.kernel.days import DAY, HOUR, MINUTE
from games.kernel.forms import LENGTHS, OneOf, Pick, Radio, Tick, nearest
from games.kernel.game_options import Heading, Options, Section, ZeroOr, option
from games.kernel.wording import in_words, length_in_words
from variants.variant import Variant

SHORTEST_SECONDS, LONGEST_SECONDS = 30, 14 * DAY
A_LENGTH = range(SHORTEST_SECONDS, LONGEST_SECONDS + 1)
NOT_A_LENGTH = f"The time for %s phases must be between {SHORTEST_SECONDS} seconds and 14 days."
MOST_GRACE_TIMES = 5
MOST_ABSENCE_DAYS = 30
MOST_YEARS = 100
OWN = "own"
"""The pace that comes with nothing."""

AS_USUAL = ""


class Paced(forms.TypedChoiceField):
    """One of these numbers, 0 called `none`; left out: what the pace has, where `only_with` is chosen as well."""

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
            choices=[(AS_USUAL, "As usual at this pace"), *zero, *choices],
            coerce=int,
            empty_value=None,
            required=False,
        )
        self.numbers = dict(choices)
        self.paces, self.only_with = paces, only_with

    def usual(self, pace: str, chosen: Mapping[str, Any]) -> int:
        """What a pace comes with."""
        return self.paces.get(pace, 0) if not self.only_with or chosen[self.only_with] else 0

    def like(self, pace: str, value: int, chosen: Mapping[str, Any]) -> int | str:
        """What is sent where this value was chosen, or the nearest."""
        if value == self.usual(pace, chosen):
            return AS_USUAL
        return nearest(value, self.numbers) if value else 0


def _follows_movement(values: Mapping[str, Any], _variant: Variant | None) -> int:
    movement: int = values["movement_seconds"]
    return min(movement, max(MINUTE, movement // 2))


class Rhythm(Options):
    """Lengths are in seconds; for a kind of phase that has fixed times in the week, the length is the least it gets."""

    section = Section.TIME
    heading = Heading.WHEN
    title = "Time"
    facts = ("pace", "zone")

    movement_seconds: int = option(
        DAY,
        help_text="How long players have for orders, and for placing units where a game begins with that.",
        allowed=A_LENGTH,
        wrong=NOT_A_LENGTH % "movement",
        asked=Pick("Orders", LENGTHS, DAY),
        asked_help="",
        by_hand=True,
    )
    retreat_seconds: int = option(
        help_text="The time for retreats. Left empty: half of the movement time, at least a minute.",
        allowed=A_LENGTH,
        wrong=NOT_A_LENGTH % "retreat",
        left_empty=_follows_movement,
        asked=Pick("Retreats", LENGTHS, 12 * HOUR),
        asked_help="",
        by_hand=True,
    )
    adjustment_seconds: int = option(
        help_text=(
            "The time for builds and removals, and for declarations where there are any. Left empty: half of the "
            "movement time, at least a minute."
        ),
        allowed=A_LENGTH,
        wrong=NOT_A_LENGTH % "adjustment",
        left_empty=_follows_movement,
        asked=Pick("Builds, removals, declarations", LENGTHS, 12 * HOUR),
        asked_help="",
        by_hand=True,
    )
    week: Week = option(
        Week(),
        help_text="Fixed times and free days of the week, holidays, and the zone on whose clocks they are read.",
        parse=Week.from_json,
        write=Week.to_json,
        unasked="It is put together from the hour, the zone, the fixed times and the free days that are asked for.",
    )

    @property
    def timetable(self) -> Timetable:
        return Timetable(self.week, self.movement_seconds, self.retreat_seconds, self.adjustment_seconds)

    @property
    def pace(self) -> str:
        """The time for orders in a few words, as in "24 hours for orders", "orders Mondays 19:00 (Berlin)"."""
        times = self.week.movement
        if times:
            return f"orders {times_in_words(times)} ({place(self.week.zone)})"
        return f"{length_in_words(self.movement_seconds)} for orders"

    @property
    def zone(self) -> str:
        """In which fixed times and free days are read; "" without any."""
        return self.week.place

    def sentence(self) -> str:
        variant = self.whole.variant
        return timetable_in_words(self.timetable, frozenset(variant.ruleset.special) if variant else frozenset())


class EarlyEnd(Options):
    section = Section.EARLY_END
    heading = Heading.WHEN
    title = "Early end"
    facts = ("may_end_early",)

    all_ready: bool = option(
        False,
        help_text=(
            'A phase ends as soon as everybody who has something to decide says "ready". '
            "An early end tells everybody that nobody is still thinking."
        ),
        asked=Tick("When all players say that they are ready"),
        by_hand=True,
    )
    panic_seconds: int = option(
        0,
        help_text=(
            'How long "ready" can still be taken back once everybody has said it. Then the phase ends; if somebody '
            "takes it back, the old deadline holds again."
        ),
        allowed=range(DAY + 1),
        wrong='The time to take "ready" back may be up to 24 hours.',
        asked=Paced(
            'Time to take "ready" back',
            [(time, in_words(time)) for time in (30, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR)],
            none="None",
            paces={"week": 30 * MINUTE, "twice": 30 * MINUTE, "evening": 30},
            only_with="all_ready",
        ),
        by_hand=True,
    )
    gm_processes_early: bool = option(
        False,
        help_text=(
            "The game master may end a phase before its deadline. What is saved by then counts, "
            "and nobody is asked first. Who has saved nothing by then has not missed a phase."
        ),
        asked=Tick("When the game master says so"),
        by_hand=True,
    )
    show_ready: bool = option(
        True,
        help_text="Everybody sees who is ready. Without this nobody does; everybody sees that the phase has ended.",
        section=Section.TALK,
        asked_as="readiness",
        asked=OneOf(
            "Who is ready, where a phase ends early when all are",
            (
                Radio("shown", "Everybody sees it", "The list of powers shows who has said so.", True),
                Radio("hidden", "Nobody sees it", "Everybody only sees that the phase has ended.", False),
            ),
        ),
    )

    @property
    def may_end_early(self) -> bool:
        """Can a phase end before its deadline?"""
        return self.all_ready or self.gm_processes_early

    def problems(self) -> Iterable[tuple[str, str]]:
        if self.panic_seconds and not self.all_ready:
            yield ("panic_seconds", 'Without an early end when all are ready there is no "ready" to take back.')

    def sentence(self) -> str:
        shown = "who is ready is public" if self.show_ready else "nobody sees who is ready"
        sentence = "A phase ends at its deadline, also when all are done."
        if self.panic_seconds:
            after = length_in_words(self.panic_seconds)
            sentence = f"A phase ends {after} after all are ready, unless somebody takes that back; {shown}."
        elif self.all_ready:
            sentence = f"A phase ends as soon as all are ready; {shown}."
        return f"{sentence} The game master may end a phase early." if self.gm_processes_early else sentence


class Grace(Options):
    section = Section.EXTRA_TIME
    heading = Heading.WHEN
    title = "Nothing saved"

    grace_seconds: int = option(
        0,
        help_text=(
            "If the deadline comes and somebody has saved nothing, it moves once by this time. Everybody learns that "
            "somebody had not saved, not who, and everybody may change saved orders until the new deadline."
        ),
        allowed=ZeroOr(range(SHORTEST_SECONDS, 7 * DAY + 1)),
        wrong=f"The deadline may move by {SHORTEST_SECONDS} seconds to 7 days.",
        asked=Paced(
            "Extra time for who has saved nothing",
            [(time, length_in_words(time)) for time in (3 * MINUTE, HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY)],
            none="None",
            paces={"week": DAY, "twice": 12 * HOUR, "evening": 3 * MINUTE},
        ),
    )
    grace_times: int = option(
        0,
        help_text="How often that may happen for one player in the whole game.",
        allowed=range(MOST_GRACE_TIMES + 1),
        wrong=f"The deadline may move up to {MOST_GRACE_TIMES} times for one player.",
        asked=Paced(
            "How often for one player",
            [(times, f"{times} times") for times in (1, 2, 3, 5)],
            paces={"week": 2, "twice": 2, "evening": 2, OWN: 1},
            only_with="grace_seconds",
        ),
    )

    def problems(self) -> Iterable[tuple[str, str]]:
        if bool(self.grace_seconds) != bool(self.grace_times):
            yield "grace_seconds", "Choose both: how long the deadline moves, and how often for one player."

    def sentence(self) -> str:
        if not self.grace_times:
            return ""
        times = {1: "once", 2: "twice"}.get(self.grace_times, f"{self.grace_times} times")
        return (
            "If the deadline comes and somebody has saved nothing, it moves by "
            f"{length_in_words(self.grace_seconds)}, once in a phase and for each player at most {times} in the game. "
            "Everybody then learns that somebody had not saved, not who, and may change saved orders until the new "
            "deadline."
        )


class Absences(Options):
    section = Section.EXTRA_TIME
    heading = Heading.WHEN
    title = "Days away"

    absence_days: int = option(
        0,
        help_text=(
            "Days that each player may book ahead. No deadline on which that player must decide falls on a booked day: "
            "it moves to the next allowed time after it. The others learn that a player is away, not who."
        ),
        allowed=range(MOST_ABSENCE_DAYS + 1),
        wrong=f"Each player may book up to {MOST_ABSENCE_DAYS} days.",
        asked=Paced(
            "Days away",
            [(days, f"{days} days") for days in (7, 14, 21, 30)],
            none="None",
            paces={"week": 14, "twice": 14},
        ),
    )

    def sentence(self) -> str:
        if not self.absence_days:
            return ""
        return (
            f"Each player may book {amount(self.absence_days, 'day')} ahead. No deadline on which that player must "
            "decide falls on a booked day; the others learn that a player is away, not who."
        )


class LastYear(Options):
    section = Section.ENDING
    heading = Heading.ENDING
    title = "Last year"
    last_in_section = last_under_heading = True

    last_year: int | None = option(
        None,
        help_text=(
            "When this year has been played to its end, the powers that are left share a draw. "
            "Left empty: the game has no last year."
        ),
        asked=forms.IntegerField(
            label="Last year",
            required=False,
            error_messages={"invalid": "Write a year as a number, as in 1935, or leave it empty."},
            widget=forms.NumberInput(attrs={"class": "input", "size": 6}),
        ),
    )

    def problems(self) -> Iterable[tuple[str, str]]:
        variant = self.whole.variant
        if variant is None or self.last_year is None:
            return
        first = variant.start.turn.year
        last = first + MOST_YEARS
        if not first <= self.last_year <= last:
            yield ("last_year", f"{variant.title} begins in {first}. Give a year from {first} to {last}, or none.")

    def sentence(self) -> str:
        if self.last_year is None:
            return ""
        return f"When {self.last_year} has been played to its end, the powers that are left share a draw."
