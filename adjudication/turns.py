"""Years, seasons, phases, and the calendar that orders them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum

_CODE = re.compile(r"([A-Z]+)([0-9]+)([A-Z])")


class Season(StrEnum):
    """A season or a month; YEAR is for a turn that lasts the whole year."""

    SPRING = "S"
    FALL = "F"
    WINTER = "W"
    YEAR = "Y"
    JANUARY = "JAN"
    FEBRUARY = "FEB"
    MARCH = "MAR"
    APRIL = "APR"
    MAY = "MAY"
    JUNE = "JUN"
    JULY = "JUL"
    AUGUST = "AUG"
    SEPTEMBER = "SEP"
    OCTOBER = "OCT"
    NOVEMBER = "NOV"
    DECEMBER = "DEC"

    @property
    def word(self) -> str:
        return "" if self is Season.YEAR else self.name.capitalize()


class PhaseKind(StrEnum):
    MOVEMENT = "M"
    RETREAT = "R"
    ADJUSTMENT = "A"
    DEPLOYMENT = "P"
    DECLARATION = "D"

    @property
    def word(self) -> str:
        return _KIND_WORDS[self]


_KIND_WORDS = {
    PhaseKind.MOVEMENT: "Movement",
    PhaseKind.RETREAT: "Retreats",
    PhaseKind.ADJUSTMENT: "Adjustments",
    PhaseKind.DEPLOYMENT: "Deployment",
    PhaseKind.DECLARATION: "Declarations",
}
_MARKS = {PhaseKind.RETREAT: "r", PhaseKind.DECLARATION: "d", PhaseKind.ADJUSTMENT: "b"}


@dataclass(frozen=True, slots=True)
class Turn:
    """`code`: as in "S1926M"."""

    year: int
    season: Season
    kind: PhaseKind
    code: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", f"{self.season.value}{self.year}{self.kind.value}")

    def __hash__(self) -> int:
        return hash(self.code)

    @property
    def title(self) -> str:
        """The name of the turn, as in "Spring 1926", "1901"."""
        return f"{self.season.word} {self.year}".strip()

    @property
    def short(self) -> str:
        """The turn within its year, as in "S", "Sr" for retreats, "Sd" for declarations, "Nov", "Dec b" for the builds
        after."""
        name, mark = self.season.value.capitalize(), _MARKS.get(self.kind, "")
        if self.kind is PhaseKind.ADJUSTMENT and self.season is Season.WINTER:
            return name
        return f"{name} {mark}".strip() if len(name) > 1 else f"{name}{mark}"

    @property
    def kind_title(self) -> str:
        return self.kind.word

    @classmethod
    def from_code(cls, code: str) -> Turn:
        """The turn written as "S1926M" or "NOV1918M"; raises ValueError for anything else."""
        match = _CODE.fullmatch(code)
        if match is None:
            raise ValueError(f"{code!r} is no turn.")
        season, year, kind = match.groups()
        return cls(int(year), Season(season), PhaseKind(kind))


@dataclass(frozen=True, slots=True)
class Step:
    """One phase of every year. Supply centres change hands after each one with `counts`."""

    season: Season
    kind: PhaseKind
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """A turn that happens once, before the first ordinary one."""

    turn: Turn
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Calendar:
    """The phases of a year in order. The `opening` comes before `begins`, the first ordinary turn."""

    steps: tuple[Step, ...]
    opening: tuple[Opening, ...] = ()
    begins: Turn | None = None

    def after(self, turn: Turn) -> Turn:
        """The turn that follows; raises ValueError if `turn` is not in this calendar."""
        for here, next_step in zip(self.opening, self.opening[1:], strict=False):
            if here.turn == turn:
                return next_step.turn
        if self.begins and self.opening[-1].turn == turn:
            return self.begins
        index = self._index(turn) + 1
        year = turn.year + index // len(self.steps)
        step = self.steps[index % len(self.steps)]
        return Turn(year, step.season, step.kind)

    def counts_centres(self, turn: Turn) -> bool:
        """Are supply centres counted at the end of this turn?"""
        for opening in self.opening:
            if opening.turn == turn:
                return opening.counts
        return self.steps[self._index(turn)].counts

    def _index(self, turn: Turn) -> int:
        for index, step in enumerate(self.steps):
            if (step.season, step.kind) == (turn.season, turn.kind):
                return index
        raise ValueError(f"The calendar has no phase {turn.code}.")


STANDARD_YEAR = Calendar(
    (
        Step(Season.SPRING, PhaseKind.MOVEMENT),
        Step(Season.SPRING, PhaseKind.RETREAT),
        Step(Season.FALL, PhaseKind.MOVEMENT),
        Step(Season.FALL, PhaseKind.RETREAT, counts=True),
        Step(Season.WINTER, PhaseKind.ADJUSTMENT),
    )
)
