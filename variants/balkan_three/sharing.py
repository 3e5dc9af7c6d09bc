"""Bulgaria, where all three powers start: what units sharing it may do, and which power ends up with it."""

from dataclasses import dataclass, replace

from adjudication.control import taken
from adjudication.orders import Support
from adjudication.position import Position
from adjudication.reasons import OrderRefusal, Reason
from adjudication.resolution import Changed, Notice
from adjudication.ruleset import Legality, Ruleset
from adjudication.situation import Situation
from adjudication.units import Unit
from variants.families.homes_won import with_homes_won


def holds_unsupported(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """D6: no unit can be dislodged there, so none needs support to hold."""
    board, around = situation.board, situation.board.around(order.supported)
    if order.supported in (around, unit.province) or order.destination is not None:
        return None
    sentence = f"Units that share {board.name(around)} cannot be dislodged, so they need no support to hold."
    return OrderRefusal(Reason.SHARES_THE_PROVINCE, sentence)


def among_those_who_share(legality: Legality) -> Legality:
    """The same checks, with that of D6 before those of supports."""
    return replace(
        legality, supports=(holds_unsupported, *legality.supports), by_board=legality.by_board | {holds_unsupported}
    )


@dataclass(frozen=True, slots=True)
class LastOneTakesIt:
    """The first unit that is alone after a move in the province where all began takes it at once, whether or not
    centres are counted (rule 3). If it was in a camp, it is then a unit like any other."""

    def settle(self, before: Position, after: Position, ruleset: Ruleset) -> Changed:
        told: list[Notice] = []
        for province, camps in ruleset.board.camps.items():
            there = [unit for unit in after.units if unit.province in (province, *camps)]
            if len(there) == 1 and province not in after.centres:
                after, notices = _alone(there[0], province, after, ruleset)
                told.extend(notices)
        return after, tuple(told)


def _alone(unit: Unit, province: str, after: Position, ruleset: Ruleset) -> Changed:
    there = replace(unit, location=province + unit.location.removeprefix(unit.province))
    units = tuple(there if each is unit else each for each in after.units)
    settled = replace(after, units=units, centres={**after.centres, province: unit.power})
    settled, won = with_homes_won(after, settled, ruleset)
    return settled, (taken(there, None, ruleset), *won)
