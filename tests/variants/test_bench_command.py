"""`python -m variants bench`: what it measures, not the speed."""

import gzip
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from adjudication.judge import resolve_in
from adjudication.quick_judge import standing_after
from adjudication.resolution import OrderResult
from adjudication.units import NEUTRAL
from variants.commands.bench import (
    Row,
    crowded_phase,
    measured_rows,
    played_phases,
    ratios,
    recorded_phases,
    rows_by_board_size,
    with_boards_side_by_side,
    with_order_for_every_unit,
)
from variants.phase_json import read_phase
from variants.rulebooks import RULEBOOKS

ROOT = Path(__file__).parents[2]
STANDARD = RULEBOOKS["standard"]()
PHASE = {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}


def test_files_hold_phases_or_whole_games_gzipped_or_not(tmp_path: Path) -> None:
    game = {"phases": [dict(PHASE, year=1901, season="Fall", type=kind) for kind in ("Movement", "Retreat")]}
    plain, packed = tmp_path / "phases.jsonl", tmp_path / "games.jsonl.gz"
    plain.write_text(json.dumps({"phase": "S1901M", **PHASE}), encoding="utf-8")
    packed.write_bytes(gzip.compress(json.dumps(game).encode()))
    found = recorded_phases([str(plain), str(packed)], STANDARD)
    assert found == [{"phase": "S1901M", **PHASE}, {"phase": "F1901M", **PHASE}]
    assert recorded_phases([str(plain), str(packed)], STANDARD, 1) == found[:1]


def test_units_without_an_order_hold_or_support_in_turn() -> None:
    units = {"FRANCE": ["A PAR", "A GAS", "A BEL", "F NTH"], "GERMANY": ["A RUH", "A MUN"]}
    phase = {"units": units, "orders": {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A RUH - BUR"]}}
    assert with_order_for_every_unit(phase, STANDARD)["orders"] == {
        "FRANCE": ["A PAR - BUR", "A BEL S A RUH - BUR", "A GAS H", "F NTH H"],
        "GERMANY": ["A RUH - BUR", "A MUN S A RUH - BUR"],
    }


@pytest.mark.parametrize("slug", ["standard", "1926"])
def test_bots_play_phases_in_which_every_unit_has_a_lawful_order(slug: str) -> None:
    book = RULEBOOKS[slug]()
    documents = played_phases(book, 5)
    assert documents == played_phases(book, 5)
    assert any(document["bids"] for document in documents) == (slug == "1926")
    for document in documents:
        phase = read_phase(document, book)
        own = [unit for unit in phase.position.units if unit.power != NEUTRAL]
        assert sum(map(len, document["orders"].values())) == len(own)
        outcomes = resolve_in(phase.situation, phase.sheets).public.outcomes
        assert OrderResult.ILLEGAL not in {result for outcome in outcomes for result in outcome.results}


def test_every_kind_of_work_is_timed() -> None:
    rows = measured_rows([{"phase": "S1901M", **PHASE}], STANDARD, rounds=1)
    assert [row.name for row in rows] == [
        "positions only, of a position laid out before",
        "positions only",
        "orders to explained results",
        "order text to explained results",
        "text to explained results",
        "text to explained results, each fact read",
        "lawful orders of all powers, as values",
        "lawful orders of all powers, as text",
        "a phase of any lawful orders",
    ]
    assert all(row.microseconds > 0 for row in rows)


def test_growth_is_measured_on_four_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("variants.commands.bench.REPEATS", 1)
    names = [row.name for row in rows_by_board_size(STANDARD, rounds=1)]
    assert names == [f"positions only, {units} units" for units in (22, 34, 68, 136)]


@pytest.mark.parametrize(("boards", "units"), [(1, 22), (2, 68), (4, 136)])
def test_a_crowd_attacks_supports_and_moves(boards: int, units: int) -> None:
    book = with_boards_side_by_side(STANDARD, boards)
    document = crowded_phase(book, units)
    assert sum(map(len, document["units"].values())) == units
    before = read_phase(document, book).position
    after = standing_after(before, document["orders"], book.ruleset)
    assert len(after.units) + len(after.dislodged) == units
    assert set(after.units) != set(before.units)


def bench(tmp_path: Path, *against: str) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "phases.jsonl"
    file.write_text(json.dumps({"phase": "S1901M", **PHASE}), encoding="utf-8")
    options = ["--growth", *(word for command in against for word in ("--against", command))]
    command = [sys.executable, "-m", "variants", "bench", str(file), "--rounds", "2", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_the_command_hands_its_phases_to_other_programs_and_prints_how_they_compare(tmp_path: Path) -> None:
    slow, slower = (f"{sys.executable} -c 'print(\"{name}   {us} µs\")'" for name, us in (("A", 1e9), ("B", 2e9)))
    counting = shlex.join([sys.executable, "-c", "import sys; print(f'C   {len(sys.stdin.readlines())} µs')"])
    silent = f"{sys.executable} -c 'print(42)'"
    run = bench(tmp_path, slow, slower, counting, silent)
    assert run.returncode == 0
    assert "Skipped: No row “name  microseconds µs” was printed by" in run.stderr
    assert "42" in run.stderr
    lines = run.stdout.splitlines()
    assert lines[0] == "1 movement phases, best of 2"
    assert lines[1].startswith("positions only, of a position laid out before ")
    assert [line.split()[0] for line in lines[10:13]] == ["A", "B", "C"]
    assert str(Row("C", 1.0)) in lines, "one phase, in one line"
    compared = {name: lines.index(f"{name} = 1") for name in "ABC"}
    assert all(lines[at + 1].startswith("  positions only, of a position laid out before ") for at in compared.values())
    times_a, times_b = (float(lines[compared[name] + 1].split()[-1]) for name in "AB")
    assert times_b == pytest.approx(2 * times_a, rel=0.01)


def test_each_own_row_is_compared_with_each_other_one() -> None:
    rows = [Row("positions only", 50.0), Row("text to explained results", 200.0), Row("other", 100.0)]
    assert [line.split() for line in ratios(rows).splitlines()] == [
        ["other", "=", "1"],
        ["positions", "only", "2.00"],
        ["text", "to", "explained", "results", "0.50"],
    ]
