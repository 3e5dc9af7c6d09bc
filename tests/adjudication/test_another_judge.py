"""An independent adjudicator, if present, on positions full of convoys and paradoxes."""

import json
import subprocess
import sys
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from adjudication.judge import resolve
from adjudication.notation import parse_order
from adjudication.orders import OrderSheet
from adjudication.position import Position
from adjudication.quick_judge import standing_after
from adjudication.ruleset import Ruleset
from tests.adjudication.boards import STANDARD, position
from tests.adjudication.material import FUZZ, OTHER_JUDGE
from tests.long_round import how_many

COUNT = how_many("positions")
RULESETS = {False: STANDARD, True: replace(STANDARD, via_fallback=True)}

EXPLAINED = {(20261121, 12368): "a paradox: it lets A Nap land on F Alb, yet counts F Alb's support that this cuts"}
"""Seed and line -> why the other one is wrong."""

pytestmark = [
    pytest.mark.skipif(not OTHER_JUDGE.exists(), reason="there is no other judge to compare with"),
    # It leaves a file open.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def other() -> Any:
    spec = spec_from_file_location("another_judge", OTHER_JUDGE)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("via_fallback", [False, True])
@pytest.mark.parametrize("seed", [7, 11, 20261121])
def test_another_judge_finds_the_same(seed: int, via_fallback: bool, other: Any, tmp_path: Path) -> None:
    file = tmp_path / "fuzz.jsonl"
    subprocess.run([sys.executable, str(FUZZ), str(COUNT), str(file), str(seed)], check=True)
    other.FALLBACK = via_fallback
    different = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
        drawn, ruleset = json.loads(line), RULESETS[via_fallback]
        before = position("S1901M", drawn["units"])
        ours = in_full(before, drawn["orders"], ruleset)
        assert quickly(before, drawn["orders"], ruleset) == ours
        if ours != theirs(drawn, other):
            different.append((seed, number))
    assert [each for each in different if each not in EXPLAINED] == []


def theirs(drawn: dict[str, Any], other: Any) -> set[str]:
    units = [(other.POW[p], t[0] == "F", other.LI[t[2:]]) for p, texts in drawn["units"].items() for t in texts]
    orders = [(other.POW[power], text) for power, texts in drawn["orders"].items() for text in texts]
    standing, _ = other.adjudicate(units, orders)
    names = {number: power for power, number in other.POW.items()}
    return {f"{names[p]} {'F' if fleet else 'A'} {other.LOCS[place]}" for p, fleet, place in standing}


def quickly(before: Position, orders: dict[str, list[str]], ruleset: Ruleset) -> set[str]:
    return {f"{unit.power} {unit}" for unit in standing_after(before, orders, ruleset).units}


def in_full(before: Position, orders: dict[str, list[str]], ruleset: Ruleset) -> set[str]:
    sheets = {p: OrderSheet(tuple(parse_order(t, before, ruleset) for t in texts)) for p, texts in orders.items()}
    return {f"{unit.power} {unit}" for unit in resolve(before, sheets, ruleset).public.next.units}
