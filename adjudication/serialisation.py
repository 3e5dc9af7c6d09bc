"""Values to JSON and back. Every document states its format; unknown formats raise FormatError.

A position lists units by power as ["A MUN"]. A public resolution can be read without its position, so its orders are
spelt out. Sheets are text (`notation`), which can only be read with the position that it was written for.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from adjudication.errors import FormatError
from adjudication.orders import Build, Convoy, Declare, Disband, Hold, Move, Order, Retreat, Support, Waive
from adjudication.position import Dislodged, Position
from adjudication.reasons import Reason
from adjudication.resolution import Attack, Contest, Notice, OrderOutcome, OrderResult, Public, Verdict
from adjudication.turns import Turn
from adjudication.units import Unit, UnitKind, unit_of

DOCUMENT_FORMAT = 1
T = TypeVar("T")
_ORDERS: dict[str, type[Order]] = {
    kind.__name__.lower(): kind for kind in (Hold, Move, Support, Convoy, Retreat, Disband, Build, Waive, Declare)
}
_NAMES = {kind: tuple(field.name for field in fields(kind)) for kind in (*_ORDERS.values(), Notice)}
_REASONS = {reason.value: reason for reason in Reason}


def _check(document: Mapping[str, Any]) -> None:
    if document.get("format") != DOCUMENT_FORMAT:
        raise FormatError(f"The format {document.get('format')!r} is not known.")


# Positions.


def position_to_json(position: Position) -> dict[str, Any]:
    return {
        "format": DOCUMENT_FORMAT,
        "turn": position.turn.code,
        "units": grouped((unit.power, str(unit)) for unit in position.units),
        "centres": dict(position.centres),
        "dislodged": [_dislodged_to_json(d) for d in position.dislodged],
        "contested": sorted(position.contested),
        "relations": dict(position.relations),
        "memory": dict(position.memory),
    }


def position_from_json(document: Mapping[str, Any]) -> Position:
    """Raises FormatError."""
    _check(document)
    return Position(
        turn=Turn.from_code(document["turn"]),
        units=tuple(unit_of(p, text) for p, texts in document["units"].items() for text in texts),
        centres=document["centres"],
        dislodged=tuple(_dislodged_from_json(d) for d in document["dislodged"]),
        contested=frozenset(document["contested"]),
        relations=document["relations"],
        memory=document["memory"],
    )


def grouped(pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """By the first of each pair, as in power and unit."""
    found: dict[str, list[T]] = {}
    for key, each in pairs:
        found.setdefault(key, []).append(each)
    return found


def _dislodged_to_json(dislodged: Dislodged) -> dict[str, Any]:
    return {
        "power": dislodged.unit.power,
        "unit": str(dislodged.unit),
        "attacker_from": dislodged.attacker_from,
        "retreats": list(dislodged.retreats),
    }


def _dislodged_from_json(document: Mapping[str, Any]) -> Dislodged:
    unit = unit_of(document["power"], document["unit"])
    return Dislodged(unit, document["attacker_from"], tuple(document["retreats"]))


# Public resolutions.


def public_to_json(public: Public) -> dict[str, Any]:
    verdict = public.verdict
    return {
        "format": DOCUMENT_FORMAT,
        "turn": public.turn.code,
        "outcomes": [_outcome_to_json(outcome) for outcome in public.outcomes],
        "notices": [flat(notice) for notice in public.notices],
        "next": position_to_json(public.next),
        "verdict": {"winners": list(verdict.winners), "sentence": verdict.sentence} if verdict else None,
        "contests": [_contest_to_json(contest) for contest in public.contests],
    }


def public_from_json(document: Mapping[str, Any]) -> Public:
    """Raises FormatError."""
    _check(document)
    verdict = document["verdict"]
    return Public(
        turn=Turn.from_code(document["turn"]),
        outcomes=tuple(_outcome_from_json(o) for o in document["outcomes"]),
        notices=tuple(Notice(**notice) for notice in document["notices"]),
        next=position_from_json(document["next"]),
        verdict=Verdict(tuple(verdict["winners"]), verdict["sentence"]) if verdict else None,
        contests=tuple(_contest_from_json(c) for c in document["contests"]),
    )


def _contest_to_json(contest: Contest) -> dict[str, Any]:
    return {
        "province": contest.province,
        "holder": _owned_to_json(contest.holder) if contest.holder else None,
        "holds": contest.holds,
        "attacks": [
            {"unit": _owned_to_json(a.unit), "strength": a.strength, "prevents": a.prevents} for a in contest.attacks
        ],
    }


def _contest_from_json(document: Mapping[str, Any]) -> Contest:
    holder = document["holder"]
    attacks = (Attack(unit_of(*a["unit"]), a["strength"], a["prevents"]) for a in document["attacks"])
    return Contest(document["province"], unit_of(*holder) if holder else None, document["holds"], tuple(attacks))


def _owned_to_json(unit: Unit) -> list[str]:
    """As in ["GERMANY", "A MUN"]."""
    return [unit.power, str(unit)]


def _outcome_to_json(outcome: OrderOutcome) -> dict[str, Any]:
    return {
        "power": outcome.power,
        "unit": str(outcome.unit) if outcome.unit else None,
        "order": _order_to_json(outcome.order),
        "results": [result.value for result in outcome.results],
        "reason": outcome.reason.value if outcome.reason else None,
        "sentence": outcome.sentence,
        "attacker_from": outcome.attacker_from,
    }


def _outcome_from_json(document: Mapping[str, Any]) -> OrderOutcome:
    power, unit, reason = document["power"], document["unit"], document["reason"]
    return OrderOutcome(
        unit=unit_of(power, unit) if unit else None,
        power=power,
        order=_order_from_json(document["order"]),
        results=tuple(OrderResult(word) for word in document["results"]),
        reason=_REASONS[reason] if reason else None,
        told=document["sentence"],
        attacker_from=document["attacker_from"],
    )


def _order_to_json(order: Order) -> dict[str, Any]:
    """As in {"order": "move", "location": "MUN", "destination": "CZE", "via": False}."""
    named = flat(order)
    if isinstance(order, Build):
        named["kind"] = order.kind.value
    return {"order": type(order).__name__.lower(), **named}


def flat(value: Order | Notice) -> dict[str, Any]:
    """Like `asdict`, for values that hold no others, and ten times as fast."""
    return {name: getattr(value, name) for name in _NAMES[type(value)]}


def _order_from_json(document: Mapping[str, Any]) -> Order:
    named = {name: value for name, value in document.items() if name != "order"}
    if "kind" in named:
        named["kind"] = UnitKind(named["kind"])
    return _ORDERS[document["order"]](**named)
