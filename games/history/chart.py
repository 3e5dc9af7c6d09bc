"""How many supply centres each power had after each count, as a table and as a chart. Uses only public facts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from adjudication.turns import Calendar, Turn
from variants.variant import PowerInfo, Variant

WIDE, NARROW = (720.0, 14), (340.0, 5)
"""Widths of the chart for large and small screens, and how many labels fit below it."""

HEIGHT = 320.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 56.0, 16.0, 30.0
MOST_RUNGS = 8
SEAL = 17.0
LONGEST_YEAR = 40
"""More turns than any year has."""


@dataclass(frozen=True, slots=True)
class CentresThen:
    """The owners of the centres when a phase began. A finished game has a last record, without a phase."""

    ordinal: int
    turn: Turn
    centres: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Count:
    """Centres after a count, in the order of the powers. `ordinal` is that of the phase that shows them."""

    label: str
    ordinal: int
    centres: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across the chart, or a label below it; `at` is in its units."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class PowerCurve:
    """One power in the chart: `shape` is a path, `end` the place of its letter, `now` its latest number of centres."""

    power: PowerInfo
    shape: str
    end: tuple[float, float]
    now: int


@dataclass(frozen=True, slots=True)
class Chart:
    width: float
    height: float
    rungs: tuple[Mark, ...]
    labels: tuple[Mark, ...]
    courses: tuple[PowerCurve, ...]

    @property
    def left(self) -> float:
        return LEFT

    @property
    def right(self) -> float:
        return self.width - RIGHT


@dataclass(frozen=True, slots=True)
class CentreHistory:
    """`charts`: a wide and a narrow one; none while there is only the start."""

    powers: tuple[PowerInfo, ...]
    counts: tuple[Count, ...]
    charts: tuple[Chart, ...]


def centre_history(records: Sequence[CentresThen], variant: Variant) -> CentreHistory:
    """The table and charts of these records, in order of time: one entry for the start and for each count."""
    powers, calendar, counts = variant.powers, variant.ruleset.calendar, list[Count]()
    for last_record, record in zip((None, *records), records, strict=False):
        label = _("Start") if last_record is None else _year_counted(last_record.turn, record.turn, calendar)
        if label:
            owned = Counter(record.centres.values())
            counts.append(Count(label, record.ordinal, tuple(owned[power.id] for power in powers)))
    sizes = (WIDE, NARROW) if len(counts) > 1 else ()
    return CentreHistory(powers, tuple(counts), tuple(_chart(counts, powers, *size) for size in sizes))


def _year_counted(turn: Turn, until: Turn, calendar: Calendar) -> str:
    """The year of the last count between these turns; "" if there was none."""
    year = ""
    for _step in range(LONGEST_YEAR):
        if turn == until:
            break
        year = str(turn.year) if calendar.counts_centres(turn) else year
        turn = calendar.after(turn)
    return year


def _chart(counts: Sequence[Count], powers: Sequence[PowerInfo], width: float, most_labels: int) -> Chart:
    highest = max(1, *(most for count in counts for most in count.centres))
    x_step = (width - LEFT - RIGHT) / (len(counts) - 1)
    y_step = (HEIGHT - TOP - BOTTOM) / highest
    step = -(-highest // MOST_RUNGS)
    label_every = -(-len(counts) // most_labels)
    heights = [[HEIGHT - BOTTOM - y_step * number for number in count.centres] for count in counts]
    ends = _spread(heights[-1])
    return Chart(
        width=width,
        height=HEIGHT,
        rungs=tuple(Mark(HEIGHT - BOTTOM - y_step * number, str(number)) for number in range(0, highest + 1, step)),
        labels=tuple(
            Mark(LEFT + x_step * index, count.label) for index, count in enumerate(counts) if index % label_every == 0
        ),
        courses=tuple(
            PowerCurve(
                power,
                "M" + "L".join(f"{LEFT + x_step * at:.1f} {row[index]:.1f}" for at, row in enumerate(heights)),
                (width - RIGHT + SEAL, ends[index]),
                counts[-1].centres[index],
            )
            for index, power in enumerate(powers)
        ),
    )


def _spread(heights: Sequence[float]) -> list[float]:
    """The heights, moved apart so that a letter fits at each, and all letters stay within the chart."""
    room = (HEIGHT - TOP) / max(1, len(heights))
    gap = min(SEAL, room)
    places = list(heights)
    lowest = HEIGHT - BOTTOM + SEAL / 2
    for index in sorted(range(len(heights)), key=lambda each: -heights[each]):
        places[index] = min(places[index], lowest)
        lowest = places[index] - gap
    lowest_allowed = SEAL / 2
    for index in sorted(range(len(heights)), key=lambda each: places[each]):
        places[index] = max(places[index], lowest_allowed)
        lowest_allowed = places[index] + gap
    return places
