"""Values to JSON and back. Every document states its format; unknown formats raise FormatError.

Results are stored as reasons and kinds with their facts, without sentences. Older documents have a finished sentence
instead, which is read as the fact AS_WRITTEN.

A position lists units by power as ["A MUN"]. A public resolution can be read without its position, so its orders are
written out. Sheets are text (`notation`), which can only be read with the position that it was written for.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any, TypeVar

from adjudication import reasons
from adjudication.errors import FormatError
from adjudication.orders import Build, Convoy, Declare, Disband, Hold, Move, Order, Retreat, Support, Waive
from adjudication.position import Dislodged, Position
from adjudication.resolution import Attack, Contest, Notice, OrderOutcome, OrderResult, Public, Verdict
from adjudication.turns import Turn
from adjudication.units import Unit, UnitKind, mark_of, unit_from_text

DOCUMENT_FORMAT = 1
T = TypeVar("T")
_ORDERS: dict[str, type[Order]] = {
    kind.__name__.lower(): kind for kind in (Hold, Move, Support, Convoy, Retreat, Disband, Build, Waive, Declare)
}
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in _ORDERS.values()}
_REASONS = {reason.value: reason for reason in reasons.Reason}


def _check_format(document: Mapping[str, Any]) -> None:
    if document.get("format") != DOCUMENT_FORMAT:
        raise FormatError(f"The format {document.get('format')!r} is not known.")


# Positions.


def position_to_json(position: Position) -> dict[str, Any]:
    return {
        "format": DOCUMENT_FORMAT,
        "turn": position.turn.code,
        "units": lists_by_key((unit.power, str(unit)) for unit in position.units),
        "centres": dict(position.centres),
        "dislodged": [
            {"power": unit.power, "unit": str(unit), "attacker_from": attacker_from, "retreats": list(retreats)}
            for unit, attacker_from, retreats in position.dislodged
        ],
        "contested": sorted(position.contested),
        "relations": dict(position.relations),
        "memory": dict(position.memory),
    }


def position_from_json(document: Mapping[str, Any]) -> Position:
    """The position in this document. Raises FormatError."""
    _check_format(document)
    return Position(
        turn=Turn.from_code(document["turn"]),
        units=tuple(unit_from_text(p, text) for p, texts in document["units"].items() for text in texts),
        centres=document["centres"],
        dislodged=tuple(
            Dislodged(unit_from_text(it["power"], it["unit"]), it["attacker_from"], tuple(it["retreats"]))
            for it in document["dislodged"]
        ),
        contested=frozenset(document["contested"]),
        relations=document["relations"],
        memory=document["memory"],
    )


def lists_by_key(pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """The second items of the pairs by their first items, as in power and unit."""
    lists: dict[str, list[T]] = {}
    for key, each in pairs:
        lists.setdefault(key, []).append(each)
    return lists


# Public resolutions.


def public_to_json(public: Public) -> dict[str, Any]:
    verdict = public.verdict
    return {
        "format": DOCUMENT_FORMAT,
        "turn": public.turn.code,
        "outcomes": [_outcome_to_json(outcome) for outcome in public.outcomes],
        "notices": [notice_to_json(notice) for notice in public.notices],
        "next": position_to_json(public.next),
        "verdict": verdict_to_json(verdict) if verdict else None,
        "contests": [_contest_to_json(contest) for contest in public.contests],
    }


def public_from_json(document: Mapping[str, Any]) -> Public:
    """The result in this document. Raises FormatError."""
    _check_format(document)
    verdict = document["verdict"]
    return Public(
        turn=Turn.from_code(document["turn"]),
        outcomes=tuple(_outcome_from_json(o) for o in document["outcomes"]),
        notices=tuple(map(notice_from_json, document["notices"])),
        next=position_from_json(document["next"]),
        verdict=verdict_from_json(verdict) if verdict else None,
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
    attacks = (Attack(unit_from_text(*a["unit"]), a["strength"], a["prevents"]) for a in document["attacks"])
    return Contest(document["province"], unit_from_text(*holder) if holder else None, document["holds"], tuple(attacks))


def _owned_to_json(unit: Unit) -> list[str]:
    """A unit with its power, as in ["GERMANY", "A MUN"]."""
    return [unit.power, str(unit)]


def _outcome_to_json(outcome: OrderOutcome) -> dict[str, Any]:
    return {
        "power": outcome.power,
        "unit": str(outcome.unit) if outcome.unit else None,
        "order": _order_to_json(outcome.order),
        "results": [result.value for result in outcome.results],
        **({"reason": outcome.reason.value} if outcome.reason else {}),
        **_facts_entry(outcome.facts),
        **({"attacker_from": outcome.attacker_from} if outcome.attacker_from else {}),
    }


def _outcome_from_json(document: Mapping[str, Any]) -> OrderOutcome:
    power, unit, reason = document["power"], document["unit"], document.get("reason")
    return OrderOutcome(
        unit=unit_from_text(power, unit) if unit else None,
        power=power,
        order=_order_from_json(document["order"]),
        results=tuple(OrderResult(word) for word in document["results"]),
        reason=_REASONS[reason] if reason else None,
        found=partial(facts_from_json, document),
        attacker_from=document.get("attacker_from"),
    )


def _order_to_json(order: Order) -> dict[str, Any]:
    """An order as a JSON value, as in {"order": "move", "location": "MUN", "destination": "CZE", "via": False}."""
    entries = {name: getattr(order, name) for name in _FIELDS[type(order)]}  # like asdict, and ten times as fast
    if isinstance(order, Build):
        entries["kind"] = order.kind.value
    return {"order": type(order).__name__.lower(), **entries}


def _order_from_json(document: Mapping[str, Any]) -> Order:
    entries = {name: value for name, value in document.items() if name != "order"}
    if "kind" in entries:
        entries["kind"] = UnitKind(entries["kind"])
    return _ORDERS[document["order"]](**entries)


# What happened, and why.


def notice_to_json(notice: Notice) -> dict[str, Any]:
    return {"kind": str(notice.kind), "power": notice.power, "province": notice.province, **_facts_entry(notice.facts)}


def notice_from_json(document: Mapping[str, Any]) -> Notice:
    return Notice(document["kind"], document["power"], document["province"], facts_from_json(document))


def verdict_to_json(verdict: Verdict) -> dict[str, Any]:
    return {"winners": list(verdict.winners), "kind": str(verdict.kind), **_facts_entry(verdict.facts)}


def verdict_from_json(document: Mapping[str, Any]) -> Verdict:
    return Verdict(tuple(document["winners"]), document.get("kind", reasons.AS_WRITTEN), facts_from_json(document))


def _facts_entry(facts: reasons.Facts) -> dict[str, Any]:
    return {"facts": facts_to_json(facts)} if facts else {}


def facts_to_json(facts: reasons.Facts) -> dict[str, Any]:
    """Facts as JSON values. Units and orders become text, as in {"by": "AUSTRIA A BOH - SIL", "attack": 1}."""
    return {name: _fact_to_json(fact) for name, fact in facts.items()}


def _fact_to_json(fact: reasons.Fact | reasons.Fallen | reasons.Edit) -> Any:
    if isinstance(fact, Unit):
        return f"{fact.power} {fact}"
    if isinstance(fact, reasons.GivenOrder):
        return f"{_fact_to_json(fact.unit)} {_unit_order_to_text(fact.order, fact.helped)}"
    if isinstance(fact, tuple):
        facts: tuple[Any, ...] = fact
        return [_fact_to_json(each) for each in facts]
    return fact


def _unit_order_to_text(order: reasons.UnitOrder, helped_unit: Unit | None) -> str:
    """An order as text. A unit that is helped is named with its power."""
    match order:
        case Hold() | Disband():
            return type(order).__name__[0]
        case Support():
            there = _fact_to_json(helped_unit) if helped_unit else order.supported
            return f"S {there} - {order.destination}" if order.destination else f"S {there}"
        case Convoy():
            return f"C {_fact_to_json(helped_unit) if helped_unit else order.army} - {order.destination}"
        case Retreat():
            return f"R {order.destination}"
        case Build():
            return f"B {mark_of(order.kind, order.faction)}"
        case Move():
            return f"- {order.destination}{' VIA' if order.via else ''}"


def facts_from_json(document: Mapping[str, Any]) -> reasons.Facts:
    """The facts of an outcome, notice or verdict."""
    facts = document.get("facts") or document.get("sentence")
    if not isinstance(facts, dict):
        return {reasons.AS_WRITTEN: facts} if facts else reasons.NO_FACTS
    return {name: _fact_from_json(name, fact) for name, fact in facts.items()}


def _fact_from_json(name: str, fact: Any) -> reasons.Fact:
    if name in reasons.FALLEN:
        return tuple([reasons.Fallen(_unit_from_text(unit), _given_order_from_text(by)) for unit, by in fact])
    if name in reasons.EDITS:
        return tuple([reasons.Edit(*each) for each in fact])
    if name not in reasons.UNITS | reasons.ORDERS:
        return tuple(fact) if isinstance(fact, list) else fact
    read: Callable[[str], Any] = _unit_from_text if name in reasons.UNITS else _given_order_from_text
    return tuple([read(each) for each in fact]) if isinstance(fact, list) else read(fact)


def _unit_from_text(text: str) -> Unit:
    power, _, unit = text.partition(" ")
    return unit_from_text(power, unit)


def _given_order_from_text(text: str) -> reasons.GivenOrder:
    power, mark, location, verb, *rest = text.split()
    unit = unit_from_text(power, f"{mark} {location}")
    there, _, goal = " ".join(rest).partition(" - ")
    helped_unit = _unit_from_text(there) if verb in "SC" and " " in there else None
    province = helped_unit.province if helped_unit else there
    makers: Mapping[str, Callable[[], reasons.UnitOrder]] = {
        "H": lambda: Hold(location),
        "D": lambda: Disband(location),
        "B": lambda: Build(UnitKind(there[-1]), location, there[:-1]),
        "R": lambda: Retreat(location, there),
        "-": lambda: Move(location, rest[0], rest[1:] == ["VIA"]),
        "C": lambda: Convoy(location, province, goal),
        "S": lambda: Support(location, province, goal or None),
    }
    return reasons.GivenOrder(unit, makers[verb](), helped_unit)
