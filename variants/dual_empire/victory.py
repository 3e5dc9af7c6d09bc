"""When the war is won: many centres for some, fewer and their own land for others."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from adjudication.civil_disorder import players
from adjudication.english import listed
from adjudication.position import Position
from adjudication.resolution import Verdict
from adjudication.ruleset import Ruleset
from adjudication.words import power_words


@dataclass(frozen=True, slots=True)
class CentresAndOwnLand:
    """Rule 9. `needed`: power -> how many centres win. `own`: power -> the centres that must be among them (D9).

    If several powers get there together, the one with most centres wins; those that tie share a draw.
    """

    needed: Mapping[str, int]
    own: Mapping[str, tuple[str, ...]]

    @property
    def aim(self) -> str:
        at_home = {self.needed[power] for power in self.needed if self.own[power]}
        ways = [f"{needed} supply centres, including all those in its own land" for needed in sorted(at_home)]
        ways += [f"{self.needed[p]} anywhere for the {power_words(p)}" for p in self.needed if not self.own[p]]
        return ", or ".join(ways)

    def verdict(self, position: Position, ruleset: Ruleset) -> Verdict | None:
        held = Counter(position.centres.values())
        there = [power for power in players(position, ruleset) if self._is_there(power, held[power], position)]
        best = max((held[power] for power in there), default=0)
        leaders = tuple(power for power in there if held[power] == best)
        if not leaders:
            return None
        names = listed([f"the {power_words(power)}" for power in leaders])
        if len(leaders) == 1:
            return Verdict(leaders, f"T{names[1:]} win with {best} supply centres.")
        sentence = f"T{names[1:]} have won together, with {best} supply centres each: the game is drawn between them."
        return Verdict(leaders, sentence)

    def _is_there(self, power: str, held: int, position: Position) -> bool:
        own = all(position.centres.get(centre) == power for centre in self.own[power])
        return own and held >= self.needed[power]
