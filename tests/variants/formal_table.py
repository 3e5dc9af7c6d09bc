"""Helpers to set up Formal Diplomacy for the tests that play it."""

from collections.abc import Mapping, Sequence

from adjudication.judge import resolve
from adjudication.legality import order_refusal
from adjudication.notation import parse_order
from adjudication.options import order_options
from adjudication.orders import Order, OrderSheet
from adjudication.position import Position
from adjudication.reasons import OrderRefusal
from adjudication.relations import relation_key
from adjudication.resolution import OrderOutcome, OrderResult, Public
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import unit_from_text
from variants.registry import find
from variants.words import say

FORMAL = find("formal-diplomacy")
RULES, START, BOARD = FORMAL.ruleset, FORMAL.start, FORMAL.ruleset.board
NEUTRALITY, ALLIANCE, WAR = "neutrality", "alliance", "war"

Texts = Mapping[str, Sequence[str]]
"""Power -> units or orders, as in {"GERMANY": ["A MUN"]}."""


def related(**stances: str) -> dict[str, str]:
    """As in related(FRANCE_GERMANY="war")."""
    return {relation_key(*two.split("_")): stance for two, stance in stances.items()}


def table(
    units: Texts,
    relations: Mapping[str, str] | None = None,
    turn: str = "S1901M",
    centres: Mapping[str, str] | None = None,
    memory: Mapping[str, object] | None = None,
) -> Position:
    """With the starting centres, except for those in `centres` ("" for unowned)."""
    held = {centre: power for centre, power in {**START.centres, **(centres or {})}.items() if power}
    standing = tuple(unit_from_text(power, text) for power, texts in units.items() for text in texts)
    return Position(Turn.from_code(turn), standing, held, relations=relations or {}, memory=memory or {})


def sheets(position: Position, orders: Texts) -> dict[str, OrderSheet]:
    """Void orders included."""
    return {p: OrderSheet(tuple(parse_order(text, position, RULES) for text in t)) for p, t in orders.items()}


def played(position: Position, orders: Texts) -> Public:
    """Exactly one phase."""
    return resolve(position, sheets(position, orders), RULES).public


def outcome(public: Public, unit: str) -> OrderOutcome:
    """The outcome of this unit, as in "A BUR"."""
    (found,) = [o for o in public.outcomes if str(o.unit) == unit]
    return found


def told(public: Public, unit: str) -> str:
    """The unit's results and the reason, as in "fails: bounced"."""
    found = outcome(public, unit)
    words = " and ".join(result.value for result in found.results)
    return f"{words}: {found.reason.value}" if found.reason else words


def standing(public: Public, power: str) -> list[str]:
    return [str(unit) for unit in public.next.units_of(power)]


def sentences(public: Public) -> list[str]:
    return [say(notice, RULES) for notice in public.notices]


def refusal(position: Position, power: str, text: str) -> OrderRefusal | None:
    return order_refusal(parse_order(text, position, RULES), power, Situation(position, RULES))


def offered(position: Position, power: str) -> set[Order]:
    return {order for option in order_options(power, position, RULES) for order in option.orders}


def is_void(position: Position, power: str, text: str) -> bool:
    """Is the order refused with a sentence, not offered, and a hold if given all the same? A lawful order is offered
    and not refused."""
    order, refused = parse_order(text, position, RULES), refusal(position, power, text)
    assert (order in offered(position, power)) == (refused is None)
    public = played(position, {power: [text]})
    (mine,) = [each for each in public.outcomes if (each.order, each.power) == (order, power)]
    if refused is None:
        assert OrderResult.ILLEGAL not in mine.results
        return False
    assert say(refused, RULES).endswith(".")
    assert (mine.results[0].value, mine.reason, say(mine, RULES)) == ("illegal", refused.reason, say(refused, RULES))
    interned = [notice.province for notice in public.notices]
    assert mine.unit is None or mine.unit in public.next.units or mine.unit.province in interned
    return True
