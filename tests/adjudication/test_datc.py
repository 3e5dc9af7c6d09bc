"""The Diplomacy Adjudicator Test Cases by Lucas Kruijswijk, version 3.2, each checked in full."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adjudication.judge import resolve
from adjudication.notation import parse_order
from adjudication.orders import Order, OrderSheet, Retreat
from adjudication.position import Position
from adjudication.resolution import OrderOutcome, OrderResult, Public
from adjudication.units import Unit
from tests.adjudication.boards import STANDARD, by_power, position

DATC = Path(__file__).parent / "datc"
CASES: list[dict[str, Any]] = json.loads((DATC / "cases.json").read_text(encoding="utf-8"))["cases"]
EXPECTED_FAILURES = (DATC / "expected_failures.txt").read_text(encoding="utf-8").split()
GONE = {OrderResult.DISLODGED, OrderResult.DESTROYED}

Line = Sequence[Any]
"""[power, order text, expected results]"""


def parametrised(phase: str) -> list[Any]:
    xfail = pytest.mark.xfail(strict=True)
    return [
        pytest.param(case, id=case["id"], marks=xfail if case["id"] in EXPECTED_FAILURES else ())
        for case in CASES
        if case["phase"] == phase
    ]


def test_all_176_cases_are_here_and_expected_failures_name_some_of_them() -> None:
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids)) == 176
    assert set(EXPECTED_FAILURES) <= set(ids)


@pytest.mark.parametrize("case", parametrised("movement"))
def test_movement(case: dict[str, Any]) -> None:
    before = position("S1901M", case["units"])
    public = judged(before, case["orders"])
    assert by_power(public.next.units) == case["next"]
    assert dislodged(public.outcomes) == sorted(map(tuple, case.get("dislodged", [])))
    if "retreats" in case:
        destroyed = [o.unit for o in public.outcomes if o.unit and OrderResult.DESTROYED in o.results]
        check_retreats(public.next, destroyed, case)


def check_retreats(before: Position, destroyed: list[Unit], case: dict[str, Any]) -> None:
    public = judged(before, case["retreats"])
    assert by_power(public.next.units) == case["after_retreats"]
    retreated = {o.unit for o in public.outcomes if succeeded_in_retreat(o)}
    disbanded = [d.unit for d in before.dislodged if d.unit not in retreated]
    assert by_power([*destroyed, *disbanded]) == case["disbanded"]


def succeeded_in_retreat(outcome: OrderOutcome) -> bool:
    return isinstance(outcome.order, Retreat) and outcome.results == (OrderResult.SUCCEEDS,)


@pytest.mark.parametrize("case", parametrised("adjustment"))
def test_adjustment(case: dict[str, Any]) -> None:
    before = position("W1901A", case["units"], case["centres"])
    public = judged(before, case["orders"])
    assert by_power(public.next.units) == case["next"]
    removed = [unit for unit in before.units for n in public.notices if removes(n, unit)]
    assert by_power(removed) == case["removed"]


def removes(notice: Any, unit: Unit) -> bool:
    return (notice.kind, notice.power, notice.province) == ("removed", unit.power, unit.province)


def judged(before: Position, lines: Sequence[Line]) -> Public:
    """Resolve the orders and compare each result word."""
    orders = [parse_order(text, before, STANDARD) for _, text, _ in lines]
    sheets: dict[str, list[Order]] = {}
    for (power, _, _), order in zip(lines, orders, strict=True):
        sheets.setdefault(power, []).append(order)
    written = {power: OrderSheet(tuple(some)) for power, some in sheets.items()}
    public = resolve(before, written, STANDARD).public
    assert results(lines, orders, public.outcomes) == [tuple(line) for line in map(stated, lines)]
    return public


def stated(line: Line) -> tuple[str, str, tuple[str, ...]]:
    return line[0], line[1], tuple(line[2])


def results(
    lines: Sequence[Line], orders: Sequence[Order], outcomes: Sequence[OrderOutcome]
) -> list[tuple[str, str, tuple[str, ...]]]:
    """For each line, in order, the words of the first outcome not yet used."""
    left = list(outcomes)
    found = []
    for (power, text, _), order in zip(lines, orders, strict=True):
        outcome = next(o for o in left if (o.power, o.order) == (power, order))
        left.remove(outcome)
        found.append((power, text, tuple(word.value for word in outcome.results)))
    return found


def dislodged(outcomes: Sequence[OrderOutcome]) -> list[tuple[str, str, str | None]]:
    return sorted((o.power, str(o.unit), o.attacker_from) for o in outcomes if GONE & set(o.results))
