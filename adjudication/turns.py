"""Years, seasons, phases, and the calendar that orders them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Season(StrEnum):
    SPRING = "S"
    FALL = "F"
    WINTER = "W"

    @property
    def word(self) -> str:
        return self.name.capitalize()


class PhaseKind(StrEnum):
    MOVEMENT = "M"
    RETREAT = "R"
    ADJUSTMENT = "A"

    @property
    def word(self) -> str:
        return {"M": "Movement", "R": "Retreats", "A": "Adjustments"}[self.value]


@dataclass(frozen=True, slots=True)
class Turn:
    year: int
    season: Season
    kind: PhaseKind

    @property
    def code(self) -> str:
        """As in "S1926M"."""
        return f"{self.season.value}{self.year}{self.kind.value}"

    @property
    def title(self) -> str:
        """As in "Spring 1926"."""
        return f"{self.season.word} {self.year}"

    @property
    def kind_title(self) -> str:
        return self.kind.word

    @classmethod
    def from_code(cls, code: str) -> Turn:
        """The turn written as "S1926M"; ValueError for anything else."""
        return cls(int(code[1:-1]), Season(code[0]), PhaseKind(code[-1]))


@dataclass(frozen=True, slots=True)
class Step:
    """One phase of every year; after one with `counts`, supply centres change hands."""

    season: Season
    kind: PhaseKind
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Calendar:
    """The phases of a year in their order."""

    steps: tuple[Step, ...]

    def after(self, turn: Turn) -> Turn:
        """The turn that follows; ValueError if `turn` is not in this calendar."""
        index = self._index(turn) + 1
        year = turn.year + index // len(self.steps)
        step = self.steps[index % len(self.steps)]
        return Turn(year, step.season, step.kind)

    def counts(self, turn: Turn) -> bool:
        """Are supply centres counted at the end of this turn?"""
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
