"""Supply centres by faction: how they are taken, what they supply, and what is built in them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from adjudication.adjustments import HomeCentres
from adjudication.control import Occupation, taken
from adjudication.position import Position
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.resolution import Changed, Notice
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.units import Unit
from variants.dual_empire.factions import in_disorder


@dataclass(frozen=True, slots=True)
class FactionCentres(HomeCentres):
    """Control, supply and builds (rules 5 and 6). `home_factions`: home centre -> the faction it supplies.

    The position remembers in `memory["factions"]` the centres that supply another faction now.
    """

    home_factions: Mapping[str, str]

    # Control.

    def factions(self, position: Position) -> Mapping[str, str]:
        remembered: Mapping[str, str] = position.memory.get("factions", {})
        return {**self.home_factions, **remembered}

    def open_to(self, centre: str, power: str, ruleset: Ruleset) -> tuple[str, ...]:
        """A power's own home centre keeps its faction (rule 5, last sentence)."""
        return (self.home_factions[centre],) if centre in ruleset.homes[power] else ruleset.factions_of[power]

    def given(self, centre: str, power: str | None, faction: str, position: Position) -> Position:
        factions = dict(self.factions(position))
        factions.pop(centre, None)
        given = Occupation().given(centre, power, faction, position)
        return replace(given, memory=self._remembering(factions | ({centre: faction} if power else {}), position))

    def counted(self, position: Position, ruleset: Ruleset) -> Changed:
        """A centre goes to the power of the army in it, and to that army's faction (D2)."""
        centres, factions, notices = dict(position.centres), dict(self.factions(position)), []
        for unit in sorted(position.units, key=lambda unit: unit.province):
            here = unit.province
            if not ruleset.board.provinces[here].centre:
                continue
            owner, faction = centres.get(here), self._supplied_for(unit, ruleset)
            if (owner, factions.get(here)) != (unit.power, faction):
                notices.append(_taken(unit, owner, faction))
                centres[here], factions[here] = unit.power, faction
        changed = replace(position, centres=centres, memory=self._remembering(factions, position))
        return changed, tuple(notices)

    def _supplied_for(self, unit: Unit, ruleset: Ruleset) -> str:
        """The army's own faction; but a power's home centre keeps its faction, whichever of its armies regain
        or hold it (rule 5, last sentence; D3)."""
        own_home = unit.province in ruleset.homes[unit.power]
        return self.home_factions[unit.province] if own_home else unit.faction

    def _remembering(self, factions: Mapping[str, str], position: Position) -> dict[str, object]:
        changed = {c: f for c, f in sorted(factions.items()) if f != self.home_factions.get(c)}
        others = {key: value for key, value in position.memory.items() if key != "factions"}
        return {**others, "factions": changed} if changed else others

    # Supply and builds.

    def differences(self, power: str, position: Position) -> Mapping[str, int]:
        factions = self.factions(position)
        counts = Counter(factions[centre] for centre in position.centres_of(power))
        counts.subtract(unit.faction for unit in position.units_of(power))
        return dict(sorted(counts.items()))

    def site_refusal(self, province: str, faction: str, power: str, situation: Situation) -> OrderRefusal | None:
        """Rules 5 and 6."""
        if faction and faction not in situation.ruleset.factions_of[power]:
            return _never_built(faction, power, situation.ruleset)
        if (power, faction) in in_disorder(situation.position):
            return refuse(Reason.IN_DISORDER, case="faction", faction=faction)
        refusal = HomeCentres.site_refusal(self, province, faction, power, situation)
        supplied = self.factions(situation.position).get(province)
        if refusal or supplied is None or supplied == faction:
            return refusal
        return refuse(Reason.WRONG_FACTION, place=province, supplied=supplied)


def _never_built(faction: str, power: str, ruleset: Ruleset) -> OrderRefusal:
    """Rule 2."""
    factions = tuple(ruleset.factions_of[power])
    return refuse(Reason.WRONG_FACTION, case="never", power=power, faction=faction, factions=factions)


def _taken(unit: Unit, loser: str | None, faction: str) -> Notice:
    if loser == unit.power:
        return taken(unit, None, case="changed sides", faction=faction)
    return taken(unit, loser, faction=faction)
