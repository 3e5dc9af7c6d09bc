"""The adjustment phase: builds, removals and the rebuilt units of minor powers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from adjudication.board import province_of
from adjudication.civil_disorder import seceded
from adjudication.english import amount
from adjudication.orders import Build, Disband, Order, Waive, where
from adjudication.position import Position
from adjudication.reasons import OrderRefusal, Reason
from adjudication.resolution import Notice, OrderOutcome, OrderResult, Settled
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit, UnitKind, may_stand
from adjudication.words import unit_words


@dataclass(frozen=True, slots=True)
class HomeCentres:
    """One unit for each centre, built in the power's own empty home centres."""

    def differences(self, power: str, position: Position) -> Mapping[str, int]:
        return {"": len(position.centres_of(power)) - len(position.units_of(power))}

    def homes(self, power: str, situation: Situation) -> tuple[str, ...]:
        """The centres where the power may build while it controls them."""
        return situation.ruleset.homes[power]

    def most_homes(self, power: str, situation: Situation) -> int:
        """Those it begins with."""
        return len(situation.ruleset.homes[power])

    def site_refusal(self, province: str, faction: str, power: str, situation: Situation) -> OrderRefusal | None:
        """DATC 6.I.3 to 6.I.6."""
        name = situation.board.name(province)
        if province not in self.homes(power, situation):
            return OrderRefusal(Reason.NOT_A_BUILD_SITE, f"{name} is not one of your home centres.")
        if situation.position.centres.get(province) != power:
            return OrderRefusal(Reason.CENTRE_NOT_CONTROLLED, f"You do not control {name}.")
        if situation.unit_at(province):
            return OrderRefusal(Reason.SITE_OCCUPIED, f"There is already a unit in {name}.")
        return None

    def tally_refusal(
        self, order: Order, accepted: Sequence[Order], power: str, situation: Situation
    ) -> OrderRefusal | None:
        return None


def adjustment_counts(power: str, situation: Situation) -> dict[str, int]:
    """Faction (`Unit.faction`) -> how many units a power may build (> 0) or must remove (< 0) in this phase. Factions
    with neither are omitted."""
    if situation.position.turn.kind is not PhaseKind.ADJUSTMENT:
        return {}
    counts = {}
    for faction, difference in situation.ruleset.builds.differences(power, situation.position).items():
        sites = build_sites(power, situation, faction) if difference > 0 else ()
        count = min(difference, len(sites)) if difference > 0 else difference
        if count:
            counts[faction] = count
    return counts


def build_sites(power: str, situation: Situation, faction: str = "") -> tuple[str, ...]:
    """The provinces where a power may build a unit of that faction, sorted."""
    if power in seceded(situation.position):
        return ()
    builds = situation.ruleset.builds
    centres = situation.position.centres_of(power)
    return tuple(c for c in centres if builds.site_refusal(c, faction, power, situation) is None)


def adjustment_refusal(order: Order, power: str, situation: Situation) -> OrderRefusal | None:
    """Why this build or removal is refused; None if it is legal."""
    match order:
        case Build():
            return _build_refusal(order, power, situation) or _no_build(order.faction, power, situation)
        case Disband():
            return _removal_refusal(order, power, situation)
        case _:
            return _no_waiver(power, situation)


def _no_build(faction: str, power: str, situation: Situation) -> OrderRefusal | None:
    if adjustment_counts(power, situation).get(faction, 0) > 0:
        return None
    return OrderRefusal(Reason.NO_BUILD_LEFT, f"You have no {_unit_noun(faction, situation)} to build.")


def _no_waiver(power: str, situation: Situation) -> OrderRefusal | None:
    if any(count > 0 for count in adjustment_counts(power, situation).values()):
        return None
    return OrderRefusal(Reason.NO_BUILD_LEFT, "You have no unit to build.")


def _unit_noun(faction: str, situation: Situation) -> str:
    """As in "unit", "communist unit"."""
    return f"{situation.ruleset.factions[faction]} unit" if faction else "unit"


def _build_refusal(order: Build, power: str, situation: Situation) -> OrderRefusal | None:
    board = situation.board
    refusal = situation.ruleset.builds.site_refusal(province_of(order.location), order.faction, power, situation)
    if refusal or may_stand(order.kind, order.location, board):
        return refusal
    name = board.name(order.location)
    if order.kind is UnitKind.FLEET and board.province(order.location).coasts:
        coasts = " or ".join(board.name(c) for c in board.province(order.location).coasts)
        return OrderRefusal(Reason.BUILD_NEEDS_COAST, f"Name the coast: {coasts}.")
    sentence = f"{order.kind.article} cannot be built in {name}."
    return OrderRefusal(Reason.WRONG_TERRAIN, sentence)


def _removal_refusal(order: Disband, power: str, situation: Situation) -> OrderRefusal | None:
    unit = situation.unit_at(order.location)
    name = situation.board.name(order.location)
    if unit is None or unit.location != order.location:
        return OrderRefusal(Reason.NO_SUCH_UNIT, f"There is no unit in {name}.")
    if unit.power != power:
        return OrderRefusal(Reason.NOT_YOUR_UNIT, f"The unit in {name} is not yours to order.")
    if adjustment_counts(power, situation).get(unit.faction, 0) >= 0:
        return OrderRefusal(Reason.NO_REMOVAL_DUE, f"You have no {_unit_noun(unit.faction, situation)} to remove.")
    return None


def tally_refusal(order: Order, accepted: Sequence[Order], power: str, situation: Situation) -> OrderRefusal | None:
    """Why a legal order cannot be added to the accepted ones (DATC 6.I.1, 6.I.7, 6.J.2)."""
    province = province_of(where(order))
    if province and province in [province_of(where(earlier)) for earlier in accepted]:
        sentence = f"There is already an order for {situation.board.name(province)}."
        return OrderRefusal(Reason.ORDERED_TWICE, sentence)
    if situation.position.turn.kind is not PhaseKind.ADJUSTMENT:
        return None
    counts = adjustment_counts(power, situation)
    if isinstance(order, Disband):
        return _surplus_removal(order, accepted, counts, situation)
    surplus = _surplus_build(order, accepted, counts, situation)
    return surplus or situation.ruleset.builds.tally_refusal(order, accepted, power, situation)


def _surplus_removal(
    order: Disband, accepted: Sequence[Order], counts: Mapping[str, int], situation: Situation
) -> OrderRefusal | None:
    faction = _faction_of(order, situation)
    named = [o for o in accepted if isinstance(o, Disband) and _faction_of(o, situation) == faction]
    due = -counts.get(faction, 0)
    if len(named) < due:
        return None
    sentence = f"You have only {amount(due, _unit_noun(faction, situation))} to remove."
    return OrderRefusal(Reason.NO_REMOVAL_DUE, sentence)


def _surplus_build(
    order: Order, accepted: Sequence[Order], counts: Mapping[str, int], situation: Situation
) -> OrderRefusal | None:
    """A waived build may be of any faction."""
    allowed = sum(count for count in counts.values() if count > 0)
    if sum(isinstance(o, Build | Waive) for o in accepted) >= allowed:
        return OrderRefusal(Reason.NO_BUILD_LEFT, f"You have only {amount(allowed, 'unit')} to build.")
    if not isinstance(order, Build):
        return None
    due = counts.get(order.faction, 0)
    if sum(isinstance(o, Build) and o.faction == order.faction for o in accepted) < due:
        return None
    sentence = f"You have only {amount(due, _unit_noun(order.faction, situation))} to build."
    return OrderRefusal(Reason.NO_BUILD_LEFT, sentence)


def _faction_of(order: Disband, situation: Situation) -> str:
    return situation.units[province_of(order.location)].faction


def resolve_adjustments(orders: Mapping[str, Sequence[Order]], situation: Situation) -> Settled:
    """The position after Winter; `orders`: power -> its lawful orders. Builds that are not ordered are waived; removals
    that are not ordered follow the rules of civil disorder."""
    units = set(situation.position.units)
    outcomes: list[OrderOutcome] = []
    notices: list[Notice] = []
    for power in situation.ruleset.powers:
        given = orders.get(power, ())
        outcomes.extend(_outcome(order, power, situation) for order in given)
        forced = _forced_removals(power, given, situation)
        notices.extend(_removed(unit, situation) for unit in forced)
        units -= {*forced, *(situation.units[province_of(o.location)] for o in given if isinstance(o, Disband))}
        units |= {Unit(power, o.kind, o.location, o.faction) for o in given if isinstance(o, Build)}
    settled = replace(situation.position, units=tuple(units))
    returning = situation.ruleset.neutrals.rebuilt(settled)
    notices.extend(_rebuilt(unit, situation) for unit in returning)
    after = replace(settled, units=(*settled.units, *returning))
    return Settled(after, tuple(outcomes), tuple(notices))


def _outcome(order: Order, power: str, situation: Situation) -> OrderOutcome:
    unit = situation.unit_at(order.location) if isinstance(order, Disband) else None
    return OrderOutcome(unit, power, order, (OrderResult.SUCCEEDS,))


def _forced_removals(power: str, given: Sequence[Order], situation: Situation) -> tuple[Unit, ...]:
    named = {situation.units[province_of(o.location)] for o in given if isinstance(o, Disband)}
    forced: list[Unit] = []
    for faction, count in adjustment_counts(power, situation).items():
        missing = -count - sum(unit.faction == faction for unit in named)
        if missing > 0:
            remaining = _without(named, power, faction, situation.position)
            forced += situation.ruleset.disorder.removals(power, missing, remaining, situation.ruleset)
    return tuple(forced)


def _without(named: Collection[Unit], power: str, faction: str, position: Position) -> Position:
    """The power's units of one faction, without those it named for removal."""
    left = [u for u in position.units if u not in named and (u.power != power or u.faction == faction)]
    return replace(position, units=tuple(left))


def _removed(unit: Unit, situation: Situation) -> Notice:
    sentence = f"{unit_words(unit, situation.board)} was removed, because no order said which unit to remove."
    return Notice("removed", unit.power, unit.province, sentence)


def _rebuilt(unit: Unit, situation: Situation) -> Notice:
    sentence = f"{situation.board.name(unit.province)} has its {unit.kind.word} back."
    return Notice("minor rebuilt", unit.power, unit.province, sentence)
