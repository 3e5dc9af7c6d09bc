"""The terms of a series: how its games are scored and combined, and which of them count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kernel.languages import later
from games.kernel.wording import day_words
from games.tournaments.rules.combining import Counting, Rule, Tie
from games.tournaments.rules.scoring import SYSTEMS

SUM, BEST, AVERAGE = "sum", "best", "average"
WAYS = {
    SUM: later("Add up the points of all games"),
    BEST: later("Add up the points of each player’s best games"),
    AVERAGE: later("Take the average of each player’s games"),
}
TIES = {
    Tie.BEST_GAME: later("the best game"),
    Tie.GAMES_WON: later("the most games won"),
    Tie.CENTRES: later("the most supply centres at the end of all games"),
    Tie.OPPONENTS: later("the highest totals of opponents"),
    Tie.YEARS: later("the most years survived"),
}
MOST_BEST = 50


@dataclass(frozen=True, slots=True)
class Terms:
    """`scoring`: the slug of a system. `combine`: a key of WAYS, with the number of `best` games where it is BEST.
    `ties`: keys of TIES, the first one first. `first` and `last`: the days, in UTC, on which a game that counts begins;
    None for no bound."""

    scoring: str
    combine: str = SUM
    best: int | None = None
    ties: tuple[Tie, ...] = ()
    first: date | None = None
    last: date | None = None

    @classmethod
    def stored(cls, row: Mapping[str, Any]) -> Terms:
        days = {name: date.fromisoformat(row[name]) if row[name] else None for name in ("first", "last")}
        return cls(**{**row, **days, "ties": tuple(map(Tie, row["ties"]))})

    def to_json(self) -> dict[str, Any]:
        days = {name: day.isoformat() if day else None for name, day in (("first", self.first), ("last", self.last))}
        return {**asdict(self), **days, "ties": [*self.ties]}

    @property
    def rule(self) -> Rule:
        return Rule(Counting.AVERAGE if self.combine == AVERAGE else Counting.GAMES, self.best or 0)

    def allow(self, began: datetime) -> bool:
        """Does a game count that began at this moment?"""
        day = began.astimezone(UTC).date()
        return (self.first or day) <= day <= (self.last or day)

    def sentences(self) -> tuple[str, ...]:
        """Each about another term, always in this sequence."""
        return tuple(self._sentences())

    def scoring_in_words(self) -> tuple[str, str]:
        """How the system works, and on boards of other sizes."""
        system = SYSTEMS[self.scoring]
        return _(system.sentence), _(system.generalised)

    def _sentences(self) -> Iterator[str]:
        system = SYSTEMS[self.scoring]
        yield _("Scoring of a game: {system}.").format(system=_(system.title))
        yield self._in_all()
        yield self._ties_in_words()
        yield self._days_in_words()

    def _in_all(self) -> str:
        if self.combine == AVERAGE:
            return _("A player’s total is the average of the points of all their games.")
        if self.combine == SUM:
            return _("A player’s total is the sum of the points of all their games.")
        return ngettext(
            "A player’s total is the points of their best game.",
            "A player’s total is the sum of the points of their {count} best games.",
            self.best or 1,
        ).format(count=self.best)

    def _ties_in_words(self) -> str:
        if not self.ties:
            return _("Players with the same total share a rank.")
        first, *more = [str(TIES[tie]) for tie in self.ties]
        if not more:
            return _("If totals are equal, {first} decides; otherwise players share a rank.").format(first=first)
        return _("If totals are equal, {first} decides, then {second}; otherwise players share a rank.").format(
            first=first, second=more[0]
        )

    def _days_in_words(self) -> str:
        first, last = (day_words(day) if day else "" for day in (self.first, self.last))
        if first and last:
            told = _("Only games that begin from {first} to {last} count, both days in UTC.")
        elif first:
            told = _("Only games that begin on {first} or later count, in UTC.")
        elif last:
            told = _("Only games that begin on {last} or earlier count, in UTC.")
        else:
            told = _("A game counts no matter when it began.")
        return told.format(first=first, last=last)


def differences(before: Terms, after: Terms) -> str:
    """What changed, in words; "" if nothing did."""
    return " ".join(
        _("“{now}” instead of “{before}”.").format(now=now.rstrip("."), before=was.rstrip("."))
        for was, now in zip(before.sentences(), after.sentences(), strict=True)
        if was != now
    )
