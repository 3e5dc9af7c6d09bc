"""A phase after adjudication as one JSON object, in the format of `variants.phase_json`, which reads it again."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from adjudication.board import province_of
from adjudication.notation import write_order
from adjudication.orders import Disband, Move
from adjudication.position import Dislodged, Position
from adjudication.reasons import Reason
from adjudication.resolution import Notice, OrderOutcome, OrderResult, Public
from adjudication.ruleset import Ruleset
from adjudication.serialisation import facts_to_json, lists_by_key
from adjudication.units import Unit
from variants.words import say, told_notice

LEAVING = frozenset({"disbanded", "removed", "interned"})
"""The kinds of notices that tell of a unit that leaves the board."""


def write_phase(public: Public, before: Position, ruleset: Ruleset) -> dict[str, Any]:
    """The result of the phase that began with the position `before`."""
    origins = {outcome.unit: outcome.attacker_from for outcome in public.outcomes if outcome.attacker_from}
    return {
        **write_position(public.next, ruleset, origins),
        "orders": lists_by_key((outcome.power, _outcome(outcome, before, ruleset)) for outcome in public.outcomes),
        "notices": [told_notice(notice, ruleset) for notice in public.notices],
        "destroyed": lists_by_key((unit.power, str(unit)) for unit in destroyed_units(public, before)),
        "winners": list(public.verdict.winners) if public.verdict else [],
        "verdict": say(public.verdict, ruleset) if public.verdict else None,
    }


def write_position(
    position: Position, ruleset: Ruleset, origins: Mapping[Unit | None, str | None] = MappingProxyType({})
) -> dict[str, Any]:
    """A phase without orders. `origins`: dislodged unit -> where the attacker came from, if it came by convoy."""
    factions = ruleset.control.factions(position)
    return {
        "phase": position.turn.code,
        "units": lists_by_key((unit.power, str(unit)) for unit in position.units),
        "dislodged": lists_by_key((each.unit.power, _dislodged(each, origins)) for each in position.dislodged),
        "contested": sorted(position.contested),
        "centers": lists_by_key((power, centre) for centre, power in position.centres.items()),
        **({"factions": {centre: factions[centre] for centre in position.centres}} if factions else {}),
        "relations": dict(position.relations),
        "memory": dict(position.memory),
    }


def destroyed_units(public: Public, before: Position) -> list[Unit]:
    """The units that the phase removed from the board for good, as they were before it, sorted."""
    units_by_order = (outcome.unit for outcome in public.outcomes if _removes_its_unit(outcome))
    units_by_rule = (_unit_of_notice(notice, public, before) for notice in public.notices if notice.kind in LEAVING)
    return sorted(unit for unit in (*units_by_order, *units_by_rule) if unit)


def _removes_its_unit(outcome: OrderOutcome) -> bool:
    """Does the unit leave the board because of this order, or in spite of it?"""
    if isinstance(outcome.order, Disband):
        return OrderResult.SUCCEEDS in outcome.results
    return OrderResult.DESTROYED in outcome.results or outcome.reason is Reason.RETREATS_COLLIDE


def _unit_of_notice(notice: Notice, public: Public, before: Position) -> Unit | None:
    province = notice.province or ""
    if notice.kind == "disbanded":
        dislodged = before.dislodged_at(province)
        return dislodged.unit if dislodged else None
    moves = ((it.unit, it.order) for it in public.outcomes if OrderResult.SUCCEEDS in it.results)
    arrivals = (unit for unit, it in moves if isinstance(it, Move) and province_of(it.destination) == province)
    return next(arrivals, None) or before.unit_at(province)


def _outcome(outcome: OrderOutcome, position: Position, ruleset: Ruleset) -> dict[str, Any]:
    return {
        "order": write_order(outcome.order, position),
        "results": [result.value for result in outcome.results],
        "reason": outcome.reason.value if outcome.reason else None,
        "facts": facts_to_json(outcome.facts),
        "sentence": say(outcome, ruleset),
    }


def _dislodged(dislodged: Dislodged, origins: Mapping[Unit | None, str | None]) -> dict[str, Any]:
    unit, origin = dislodged.unit, dislodged.attacker_from
    convoy = {"by_convoy": True} if origin is None else {}
    return {"unit": str(unit), "by": origins.get(unit, origin), **convoy, "retreats": list(dislodged.retreats)}
