"""Powers that win homes by choice: they choose to build in a captured centre.

The position remembers in `memory["homes"]`: power -> the homes it has chosen, in that order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adjudication.adjustments import HomeCentres
from adjudication.board import province_of
from adjudication.orders import Build, Order
from adjudication.position import Position
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.resolution import Changed, Notice, NoticeKind
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind


@dataclass(frozen=True, slots=True, eq=False)
class ChosenHomes(HomeCentres):
    """`most`: power -> how many homes it may have; other powers have only the homes they begin with. `later`: power ->
    centres that are homes whenever it controls them.

    Until a power has as many homes as it may, it may build in any centre that it controls, but each year in only one
    that is not a home yet. That centre is then a home for good. Others may have the same home.
    """

    most: Mapping[str, int]
    later: Mapping[str, tuple[str, ...]]

    def homes(self, power: str, situation: Situation) -> tuple[str, ...]:
        known = self._homes_known(power, situation.position, situation.ruleset)
        if len(known) >= self.most.get(power, 0):
            return known
        return tuple(sorted({*known, *situation.position.centres_of(power)}))

    def most_homes(self, power: str, situation: Situation) -> int:
        chosen = self.most.get(power, 0) - len(self.later.get(power, ()))
        return max(chosen, len(situation.ruleset.homes[power]))

    def _homes_known(self, power: str, position: Position, ruleset: Ruleset) -> tuple[str, ...]:
        chosen = position.memory.get("homes", {}).get(power, ())
        return (*ruleset.homes[power], *chosen, *self.later.get(power, ()))

    def surplus_refusal(
        self, order: Order, accepted: Sequence[Order], power: str, situation: Situation
    ) -> OrderRefusal | None:
        known = self._homes_known(power, situation.position, situation.ruleset)
        new = [one for one in (*accepted, order) if isinstance(one, Build) and province_of(one.location) not in known]
        if not isinstance(order, Build) or province_of(order.location) in known or len(new) < 2:  # noqa: PLR2004
            return None
        return refuse(Reason.VARIANT_RULE, case="one home", place=new[0].location)

    # A custom of the rules as well.

    def apply_custom(self, before: Position, after: Position, ruleset: Ruleset) -> Changed:
        """The position that remembers the homes chosen in this phase."""
        if before.turn.kind is not PhaseKind.ADJUSTMENT:
            return after, ()
        chosen: dict[str, list[str]] = {p: list(homes) for p, homes in after.memory.get("homes", {}).items()}
        notices = []
        for unit in sorted({*after.units} - {*before.units, *ruleset.neutrals.rebuilt_units(before)}):
            if unit.province not in self._homes_known(unit.power, before, ruleset):
                chosen.setdefault(unit.power, []).append(unit.province)
                notices.append(home_won(unit.power, unit.province))
        if not notices:
            return after, ()
        return replace(after, memory={**after.memory, "homes": dict(sorted(chosen.items()))}), tuple(notices)


def home_won(power: str, centre: str) -> Notice:
    return Notice(NoticeKind.HOME_WON, power, centre, {"power": power, "place": centre})
