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
from adjudication.units import NEUTRAL


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
        homes = self._homes_known(power, situation.position, situation.ruleset)
        if len(homes) >= self.most.get(power, 0):
            return homes
        return tuple(sorted({*homes, *situation.position.centres_of(power)}))

    def most_homes(self, power: str, situation: Situation) -> int:
        count = self.most.get(power, 0) - len(self.later.get(power, ()))
        return max(count, len(situation.ruleset.homes[power]))

    def _homes_known(self, power: str, position: Position, ruleset: Ruleset) -> tuple[str, ...]:
        chosen_homes = position.memory.get("homes", {}).get(power, ())
        return (*ruleset.homes[power], *chosen_homes, *self.later.get(power, ()))

    def surplus_refusal(
        self, order: Order, accepted: Sequence[Order], power: str, situation: Situation
    ) -> OrderRefusal | None:
        homes = self._homes_known(power, situation.position, situation.ruleset)
        new_homes = [it for it in (*accepted, order) if isinstance(it, Build) and province_of(it.location) not in homes]
        if not isinstance(order, Build) or province_of(order.location) in homes or len(new_homes) < 2:  # noqa: PLR2004
            return None
        return refuse(Reason.VARIANT_RULE, case="one home", place=new_homes[0].location)

    # A custom of the rules as well.

    def apply_custom(self, before: Position, after: Position, ruleset: Ruleset) -> Changed:
        """Remember the homes chosen in this phase, with a notice of each."""
        if before.turn.kind is not PhaseKind.ADJUSTMENT:
            return after, ()
        homes_by_power: dict[str, list[str]] = {p: list(homes) for p, homes in after.memory.get("homes", {}).items()}
        notices = []
        for unit in sorted({*after.units} - {*before.units}):
            if unit.power != NEUTRAL and unit.province not in self._homes_known(unit.power, before, ruleset):
                homes_by_power.setdefault(unit.power, []).append(unit.province)
                notices.append(home_won(unit.power, unit.province))
        if not notices:
            return after, ()
        return replace(after, memory={**after.memory, "homes": dict(sorted(homes_by_power.items()))}), tuple(notices)


def home_won(power: str, centre: str) -> Notice:
    return Notice(NoticeKind.HOME_WON, power, centre, {"power": power, "place": centre})
