"""The rules of the Collapse of the Dual Empire (Richard Wein): powers with several factions, and turns of a month."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudication.adjustments import HomeCentres
from adjudication.board import Board
from adjudication.civil_disorder import playable_powers
from adjudication.control import Occupation, centre_taken_notice
from adjudication.legality import STANDARD_LEGALITY
from adjudication.position import Position
from adjudication.reasons import Facts, OrderRefusal, Reason, refuse
from adjudication.resolution import Changed, Verdict, VerdictKind
from adjudication.ruleset import Legality, Ruleset
from adjudication.situation import Situation
from adjudication.turns import Calendar, Opening, PhaseKind, Season, Step, Turn
from variants.dual_empire.deployment import Deployment
from variants.dual_empire.factions import (
    Imbalance,
    home_factions,
    homes_of,
    in_disorder,
    rivals_do_not_support_each_other,
)
from variants.standard.rules import rules as standard_rules


@dataclass(frozen=True, slots=True)
class FactionCentres(HomeCentres):
    """Control, supply and builds (rules 5 and 6). `home_factions`: home centre -> the faction it supplies.

    The position remembers in `memory["factions"]` the centres that supply another faction now.
    """

    home_factions: Mapping[str, str]

    # Control.

    def factions(self, position: Position) -> Mapping[str, str]:
        changed_factions: Mapping[str, str] = position.memory.get("factions", {})
        return {**self.home_factions, **changed_factions}

    def possible_factions(self, centre: str, power: str, ruleset: Ruleset) -> tuple[str, ...]:
        """The factions that a centre may supply: only its own at the power's home (rule 5, last sentence)."""
        return (self.home_factions[centre],) if centre in ruleset.homes[power] else ruleset.factions_of[power]

    def with_owner(self, centre: str, power: str | None, faction: str, position: Position) -> Position:
        factions = dict(self.factions(position))
        factions.pop(centre, None)
        after = Occupation().with_owner(centre, power, faction, position)
        return replace(after, memory=self._memory_with(factions | ({centre: faction} if power else {}), position))

    def count_centres(self, position: Position, ruleset: Ruleset) -> Changed:
        """A centre goes to the power of the army in it, and to that army's faction (D2)."""
        centres, factions, notices = dict(position.centres), dict(self.factions(position)), []
        for unit in sorted(position.units, key=lambda unit: unit.province):
            here = unit.province
            if not ruleset.board.provinces[here].centre:
                continue
            # The faction that the centre supplies now: the army's own; but a power's home centre keeps its faction,
            # whichever of its armies regain or hold it (rule 5, last sentence; D3).
            own_home = unit.province in ruleset.homes[unit.power]
            owner, faction = centres.get(here), (self.home_factions[unit.province] if own_home else unit.faction)
            if (owner, factions.get(here)) != (unit.power, faction):
                loser, case = (None, {"case": "changed sides"}) if owner == unit.power else (owner, {})
                notices.append(centre_taken_notice(unit, loser, **case, faction=faction))
                centres[here], factions[here] = unit.power, faction
        new_position = replace(position, centres=centres, memory=self._memory_with(factions, position))
        return new_position, tuple(notices)

    def _memory_with(self, factions: Mapping[str, str], position: Position) -> dict[str, object]:
        new_factions = {c: f for c, f in sorted(factions.items()) if f != self.home_factions.get(c)}
        other_entries = {key: value for key, value in position.memory.items() if key != "factions"}
        return {**other_entries, "factions": new_factions} if new_factions else other_entries

    # Supply and builds.

    def centres_minus_units(self, power: str, position: Position) -> Mapping[str, int]:
        factions = self.factions(position)
        counts = Counter(factions[centre] for centre in position.centres_of(power))
        counts.subtract(unit.faction for unit in position.units_of(power))
        return dict(sorted(counts.items()))

    def site_refusal(self, province: str, faction: str, power: str, situation: Situation) -> OrderRefusal | None:
        """Why the power cannot build there for the faction (rules 5 and 6); None if it can."""
        if faction and faction not in situation.ruleset.factions_of[power]:
            factions = tuple(situation.ruleset.factions_of[power])  # rule 2
            return refuse(Reason.WRONG_FACTION, case="never", power=power, faction=faction, factions=factions)
        if (power, faction) in in_disorder(situation.position):
            return refuse(Reason.IN_DISORDER, case="faction", faction=faction)
        refusal = HomeCentres.site_refusal(self, province, faction, power, situation)
        own_faction = self.factions(situation.position).get(province)
        if refusal or own_faction is None or own_faction == faction:
            return refusal
        return refuse(Reason.WRONG_FACTION, place=province, supplied=own_faction)


@dataclass(frozen=True, slots=True)
class CentresAndOwnLand:
    """Rule 9. `needed`: power -> how many centres win. `own`: power -> the centres that must be among them (D9).

    If several powers win together, the one with most centres wins; if they are tied, they share a draw.
    """

    needed: Mapping[str, int]
    own: Mapping[str, tuple[str, ...]]

    @property
    def aims(self) -> tuple[tuple[str, Facts], ...]:
        at_home = {self.needed[power] for power in self.needed if self.own[power]}
        ways: list[tuple[str, Facts]] = [("own land", {"count": count}) for count in sorted(at_home)]
        ways += [("anywhere", {"count": self.needed[p], "power": p}) for p in self.needed if not self.own[p]]
        return tuple(ways)

    def verdict(self, position: Position, ruleset: Ruleset) -> Verdict | None:
        counts = Counter(position.centres.values())
        powers = playable_powers(position, ruleset)
        winners = [power for power in powers if self._has_won(power, counts[power], position)]
        if not winners:
            return None
        best = max(counts[power] for power in winners)
        leaders = tuple(power for power in winners if counts[power] == best)
        case = "own land" if len(leaders) == 1 else "together"
        return Verdict(leaders, VerdictKind.MOST_CENTRES, {"case": case, "powers": leaders, "count": best})

    def _has_won(self, power: str, count: int, position: Position) -> bool:
        has_own_land = all(position.centres.get(centre) == power for centre in self.own[power])
        return has_own_land and count >= self.needed[power]


MONTHS = [Season(code) for code in ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]]
LEGALITY: Legality = replace(
    STANDARD_LEGALITY, supports=(*STANDARD_LEGALITY.supports, rivals_do_not_support_each_other)
)


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The ruleset; `facts` as in variant.toml: `factions`, their `armies`, `deployment`, `victory` with `centres_of`;
    and for each power its `zone` and its home centres by faction."""
    named, centres = facts["factions"], FactionCentres(home_factions(facts))
    zones = {entry["id"]: tuple(entry["zone"]) for entry in facts["powers"]}
    # Powers with a number of their own don't need any of their own centres for victory.
    count, centres_of = facts["victory"]["centres"], facts["victory"]["centres_of"]
    own_centres = {
        entry["id"]: () if entry["id"] in centres_of else tuple(p for p in entry["zone"] if board.provinces[p].centre)
        for entry in facts["powers"]
    }
    counts = {power: centres_of.get(power, count) for power in own_centres}
    return replace(
        standard_rules(board, facts),
        homes={entry["id"]: homes_of(entry, facts) for entry in facts["powers"]},
        calendar=months(Turn.from_code(facts["first_turn"])),
        legality=LEGALITY,
        builds=centres,
        control=centres,
        disorder=Imbalance(),
        victory=CentresAndOwnLand(counts, own_centres),
        special={PhaseKind.DEPLOYMENT: Deployment(facts["deployment"], zones)},
        factions=facts["armies"],
        factions_of={  # the factions whose armies a power deploys or builds at home (rule 2)
            entry["id"]: tuple(it for it, name in named.items() if it in facts["deployment"] or entry.get(name))
            for entry in facts["powers"]
        },
    )


def months(deployment: Turn) -> Calendar:
    """The calendar: moves and retreats every month; builds after every second month, from December (rule 3, D2)."""
    steps = list[Step]()
    for number, month in enumerate(MONTHS, start=1):
        builds = number % 2 == 0
        steps += Step(month, PhaseKind.MOVEMENT), Step(month, PhaseKind.RETREAT, counts=builds)
        steps += [Step(month, PhaseKind.ADJUSTMENT)] if builds else []
    first = Turn(deployment.year, Season.NOVEMBER, PhaseKind.MOVEMENT)
    return Calendar(tuple(steps), (Opening(deployment),), first)
