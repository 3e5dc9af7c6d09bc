"""The adjustment phase: builds, removals and the rebuilt units of minor powers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from adjudication.board import province_of
from adjudication.civil_disorder import disordered_powers
from adjudication.orders import Build, Disband, Order, Waive, location_of
from adjudication.position import Position
from adjudication.reasons import NO_FACTS, Facts, OrderRefusal, Reason, refuse
from adjudication.resolution import Notice, NoticeKind, OrderOutcome, OrderResult, Settled
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit, UnitKind, may_stand


@dataclass(frozen=True, slots=True)
class HomeCentres:
    """One unit for each centre, built in the power's own empty home centres."""

    def centres_minus_units(self, power: str, position: Position) -> Mapping[str, int]:
        return {"": len(position.centres_of(power)) - len(position.units_of(power))}

    def homes(self, power: str, situation: Situation) -> tuple[str, ...]:
        """The centres where the power may build while it controls them."""
        return situation.ruleset.homes[power]

    def most_homes(self, power: str, situation: Situation) -> int:
        """How many homes the power may ever have: those it begins with."""
        return len(situation.ruleset.homes[power])

    def site_refusal(self, province: str, faction: str, power: str, situation: Situation) -> OrderRefusal | None:
        """Why the power cannot build there now (DATC 6.I.3 to 6.I.6); None if it can."""
        if province not in self.homes(power, situation):
            return refuse(Reason.NOT_A_BUILD_SITE, place=province)
        if situation.position.centres.get(province) != power:
            return refuse(Reason.CENTRE_NOT_CONTROLLED, place=province)
        if situation.unit_at(province):
            return refuse(Reason.SITE_OCCUPIED, place=province)
        return None

    def surplus_refusal(
        self, order: Order, accepted: Sequence[Order], power: str, situation: Situation
    ) -> OrderRefusal | None:
        return None


def adjustment_counts(power: str, situation: Situation) -> dict[str, int]:
    """Faction (`Unit.faction`) -> how many units a power may build (> 0) or must remove (< 0) in this phase, if any."""
    if situation.position.turn.kind is not PhaseKind.ADJUSTMENT:
        return {}
    counts = {}
    for faction, difference in situation.ruleset.builds.centres_minus_units(power, situation.position).items():
        sites = build_sites(power, situation, faction) if difference > 0 else ()
        count = min(difference, len(sites)) if difference > 0 else difference
        if count:
            counts[faction] = count
    return counts


def build_sites(power: str, situation: Situation, faction: str = "") -> tuple[str, ...]:
    """The provinces where a power may build a unit of that faction, sorted."""
    if power in disordered_powers(situation.position):
        return ()
    builds = situation.ruleset.builds
    centres = situation.position.centres_of(power)
    return tuple(c for c in centres if builds.site_refusal(c, faction, power, situation) is None)


def adjustment_refusal(order: Order, power: str, situation: Situation) -> OrderRefusal | None:
    """Why this build or removal is refused; None if it is legal."""
    match order:
        case Build():
            refusal = _build_refusal(order, power, situation)
            if refusal or adjustment_counts(power, situation).get(order.faction, 0) > 0:
                return refusal
            return refuse(Reason.NO_BUILD_LEFT, **_faction_fact(order.faction))
        case Disband():
            return _removal_refusal(order, power, situation)
        case _:
            may_build = any(count > 0 for count in adjustment_counts(power, situation).values())
            return None if may_build else refuse(Reason.NO_BUILD_LEFT)


def _faction_fact(faction: str) -> Facts:
    return {"faction": faction} if faction else NO_FACTS


def _build_refusal(order: Build, power: str, situation: Situation) -> OrderRefusal | None:
    board = situation.board
    refusal = situation.ruleset.builds.site_refusal(province_of(order.location), order.faction, power, situation)
    if refusal or may_stand(order.kind, order.location, board):
        return refusal
    if order.kind is UnitKind.FLEET and board.province(order.location).coasts:
        return refuse(Reason.BUILD_NEEDS_COAST, places=tuple(board.province(order.location).coasts))
    return refuse(Reason.WRONG_TERRAIN, case="build", kind=order.kind.value, place=order.location)


def _removal_refusal(order: Disband, power: str, situation: Situation) -> OrderRefusal | None:
    unit = situation.unit_at(order.location)
    if unit is None or unit.location != order.location:
        return refuse(Reason.NO_SUCH_UNIT, place=order.location)
    if unit.power != power:
        return refuse(Reason.NOT_YOUR_UNIT, place=order.location)
    if adjustment_counts(power, situation).get(unit.faction, 0) >= 0:
        return refuse(Reason.NO_REMOVAL_DUE, **_faction_fact(unit.faction))
    return None


def surplus_refusal(order: Order, accepted: Sequence[Order], power: str, situation: Situation) -> OrderRefusal | None:
    """Why a legal order cannot be added to the accepted ones (DATC 6.I.1, 6.I.7, 6.J.2)."""
    province = province_of(location_of(order))
    if province and province in [province_of(location_of(earlier)) for earlier in accepted]:
        return refuse(Reason.ORDERED_TWICE, place=province)
    if situation.position.turn.kind is not PhaseKind.ADJUSTMENT:
        return None
    counts = adjustment_counts(power, situation)
    if isinstance(order, Disband):
        removals = [it for it in (*accepted, order) if isinstance(it, Disband)]
        factions = [situation.units[province_of(it.location)].faction for it in removals]
        removals_due = -counts.get(factions[-1], 0)
        if factions.count(factions[-1]) <= removals_due:
            return None
        return refuse(Reason.NO_REMOVAL_DUE, count=removals_due, **_faction_fact(factions[-1]))
    surplus = _surplus_build_refusal(order, accepted, counts)
    return surplus or situation.ruleset.builds.surplus_refusal(order, accepted, power, situation)


def _surplus_build_refusal(order: Order, accepted: Sequence[Order], counts: Mapping[str, int]) -> OrderRefusal | None:
    """Why one more build or waiver cannot be added. A waived build may be of any faction."""
    builds_allowed = sum(count for count in counts.values() if count > 0)
    if sum(isinstance(o, Build | Waive) for o in accepted) >= builds_allowed:
        return refuse(Reason.NO_BUILD_LEFT, count=builds_allowed)
    if not isinstance(order, Build):
        return None
    builds_due = counts.get(order.faction, 0)
    if sum(isinstance(o, Build) and o.faction == order.faction for o in accepted) < builds_due:
        return None
    return refuse(Reason.NO_BUILD_LEFT, count=builds_due, **_faction_fact(order.faction))


def resolve_adjustments(orders: Mapping[str, Sequence[Order]], situation: Situation) -> Settled:
    """The position after Winter; `orders`: power -> its lawful orders. Builds that are not ordered are waived; removals
    that are not ordered follow the rules of civil disorder."""
    units = set(situation.position.units)
    outcomes: list[OrderOutcome] = []
    notices: list[Notice] = []
    for power in situation.ruleset.powers:
        own_orders = orders.get(power, ())
        for order in own_orders:
            unit = situation.unit_at(order.location) if isinstance(order, Disband) else None
            outcomes.append(OrderOutcome(unit, power, order, (OrderResult.SUCCEEDS,)))
        removed_units = _forced_removals(power, own_orders, situation)
        notices.extend(Notice(NoticeKind.REMOVED, unit.power, unit.province, {"unit": unit}) for unit in removed_units)
        units -= {situation.units[province_of(o.location)] for o in own_orders if isinstance(o, Disband)}
        units.difference_update(removed_units)
        units |= {Unit(power, o.kind, o.location, o.faction) for o in own_orders if isinstance(o, Build)}
    position = replace(situation.position, units=tuple(units))
    rebuilt_units = situation.ruleset.neutrals.rebuilt_units(position)
    for rebuilt in rebuilt_units:
        facts: Facts = {"place": rebuilt.province, "kind": rebuilt.kind.value}
        notices.append(Notice(NoticeKind.MINOR_REBUILT, rebuilt.power, rebuilt.province, facts))
    after = replace(position, units=(*position.units, *rebuilt_units))
    return Settled(after, tuple(outcomes), tuple(notices))


def _forced_removals(power: str, orders: Sequence[Order], situation: Situation) -> tuple[Unit, ...]:
    chosen_units = {situation.units[province_of(o.location)] for o in orders if isinstance(o, Disband)}
    position, forced_removals = situation.position, list[Unit]()
    for faction, count in adjustment_counts(power, situation).items():
        missing_count = -count - sum(unit.faction == faction for unit in chosen_units)
        if missing_count > 0:
            # Neither the power's units of other factions nor those that it has chosen can be removed.
            units = [u for u in position.units if u not in chosen_units and (u.power != power or u.faction == faction)]
            remaining = replace(position, units=tuple(units))
            forced_removals += situation.ruleset.disorder.removals(power, missing_count, remaining, situation.ruleset)
    return tuple(forced_removals)
