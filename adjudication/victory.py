"""When a game is won, and by which power."""

from collections import Counter
from dataclasses import dataclass

from adjudication.civil_disorder import players
from adjudication.english import amount
from adjudication.position import Position
from adjudication.resolution import Verdict
from adjudication.ruleset import Ruleset
from adjudication.words import power_words


@dataclass(frozen=True, slots=True)
class MostCentres:
    """The power with the most centres wins once it has `needed` of them after a count. While two are tied for most,
    play goes on."""

    needed: int

    @property
    def aim(self) -> str:
        return amount(self.needed, "supply centre")

    def verdict(self, position: Position, ruleset: Ruleset) -> Verdict | None:
        held = Counter(position.centres.values())
        there = [power for power in players(position, ruleset) if held[power] >= self.needed]
        best = max((held[power] for power in there), default=0)
        leaders = tuple(power for power in there if held[power] == best)
        if len(leaders) != 1:
            return None
        return Verdict(leaders, f"{power_words(leaders[0])} wins with {best} supply centres.")
