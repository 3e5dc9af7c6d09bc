"""How supply centres change hands when they are counted, and which power wins then."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from adjudication.civil_disorder import playable_powers
from adjudication.position import Position
from adjudication.reasons import Facts
from adjudication.resolution import Changed, Notice, NoticeKind, Verdict, VerdictKind
from adjudication.ruleset import Ruleset
from adjudication.units import NEUTRAL, Unit


@dataclass(frozen=True, slots=True)
class Occupation:
    """A power takes each supply centre that one of its units occupies, unless its relations with the owner forbid
    it. Minor powers take none."""

    def factions(self, position: Position) -> Mapping[str, str]:
        return {}

    def possible_factions(self, centre: str, power: str, ruleset: Ruleset) -> tuple[str, ...]:
        return ("",)

    def with_owner(self, centre: str, power: str | None, faction: str, position: Position) -> Position:
        other_owners = {each: owner for each, owner in position.centres.items() if each != centre}
        return replace(position, centres={**other_owners, centre: power} if power else other_owners)

    def count_centres(self, position: Position, ruleset: Ruleset) -> Changed:
        centres = dict(position.centres)
        notices = []
        for unit in sorted(position.units, key=lambda unit: unit.province):
            owner = centres.get(unit.province)
            if not ruleset.board.provinces[unit.province].centre or unit.power in (NEUTRAL, owner):
                continue
            if owner is None or ruleset.relations.may_take(unit.power, owner, position):
                notices.append(centre_taken_notice(unit, owner))
                centres[unit.province] = unit.power
        return replace(position, centres=centres), tuple(notices)


def centre_taken_notice(unit: Unit, loser: str | None, **other_facts: str) -> Notice:
    facts_of_loser = {"loser": loser} if loser else {}
    facts: Facts = {"power": unit.power, "place": unit.province, **facts_of_loser, **other_facts}
    return Notice(NoticeKind.CENTRE_TAKEN, unit.power, unit.province, facts)


@dataclass(frozen=True, slots=True)
class MostCentres:
    """The power with the most centres wins once it has `needed` of them after a count. While two powers are tied for
    most, the game continues."""

    needed: int

    @property
    def aims(self) -> tuple[tuple[str, Facts], ...]:
        return (("centres", {"count": self.needed}),)

    def verdict(self, position: Position, ruleset: Ruleset) -> Verdict | None:
        counts = Counter(position.centres.values())
        there = [power for power in playable_powers(position, ruleset) if counts[power] >= self.needed]
        best = max((counts[power] for power in there), default=0)
        leaders = tuple(power for power in there if counts[power] == best)
        if len(leaders) != 1:
            return None
        return Verdict(leaders, VerdictKind.MOST_CENTRES, {"power": leaders[0], "count": best})
