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


def each_stands_alone(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """D6: units there can't support each other. None can be dislodged either, so none needs support to hold."""
    board, around = situation.board, situation.board.around(order.supported)
    if order.supported == around:
        return None
    name = board.name(around)
    if board.around(unit.province) == around:
        sentence = f"Units that share {name} cannot support each other."
        return OrderRefusal(Reason.SHARES_THE_PROVINCE, sentence)
    if order.destination is None:
        sentence = f"Units that share {name} cannot be dislodged, so they need no support to hold."
        return OrderRefusal(Reason.SHARES_THE_PROVINCE, sentence)
    return None


def among_those_who_share(legality: Legality) -> Legality:
    """The same checks, with that of D6 before those of supports."""
    return replace(
        legality, supports=(each_stands_alone, *legality.supports), by_board=legality.by_board | {each_stands_alone}
    )


@dataclass(frozen=True, slots=True)
class LastOneTakesIt:
    """A unit left alone after any move in the province it shared takes it at once, whether or not centres are
    counted, and is then a unit like any other (rule 3)."""

    def settle(self, before: Position, after: Position, ruleset: Ruleset) -> Changed:
        told: list[Notice] = []
        for province, camps in ruleset.board.camps.items():
            there = [unit for unit in after.units if unit.province in camps]
            if len(there) == 1:
                after, notices = _alone(there[0], province, after, ruleset)
                told.extend(notices)
        return after, tuple(told)


def _alone(unit: Unit, province: str, after: Position, ruleset: Ruleset) -> Changed:
    there = replace(unit, location=province + unit.location.removeprefix(unit.province))
    units = tuple(there if each is unit else each for each in after.units)
    settled = replace(after, units=units, centres={**after.centres, province: unit.power})
    settled, won = with_homes_won(after, settled, ruleset)
    return settled, (taken(there, after.centres.get(province), ruleset), *won)
