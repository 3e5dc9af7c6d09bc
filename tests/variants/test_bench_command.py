"""`python -m variants bench`: what it measures, not how fast that is."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from adjudication.swift import standing_after
from variants.commands.bench import growth, movement_phases, table
from variants.commands.phases import read_phase
from variants.commands.rulebooks import RULEBOOKS
from variants.commands.synthetic import Crowd, tiled

ROOT = Path(__file__).parents[2]
STANDARD = RULEBOOKS["standard"]()
PHASE = {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}


def test_files_hold_phases_or_whole_games_gzipped_or_not(tmp_path: Path) -> None:
    game = {"phases": [dict(PHASE, year=1901, season="Fall", type=kind) for kind in ("Movement", "Retreat")]}
    plain, packed = tmp_path / "phases.jsonl", tmp_path / "games.jsonl.gz"
    plain.write_text(json.dumps({"phase": "S1901M", **PHASE}), encoding="utf-8")
    packed.write_bytes(gzip.compress(json.dumps(game).encode()))
    found = movement_phases([str(plain), str(packed)])
    assert found == [{"phase": "S1901M", **PHASE}, {"phase": "F1901M", **PHASE}]


def test_every_kind_of_work_is_timed() -> None:
    rows = table([{"phase": "S1901M", **PHASE}], STANDARD, rounds=2)
    assert [row.name for row in rows] == [
        "positions only",
        "orders to explained results",
        "text to explained results",
        "text to explained results, each sentence read",
    ]
    assert all(row.microseconds > 0 for row in rows)


def test_growth_is_measured_on_four_sizes() -> None:
    names = [row.name for row in growth(STANDARD, rounds=1)]
    assert names == [f"positions only, {units} units" for units in (22, 34, 68, 136)]


@pytest.mark.parametrize(("boards", "units"), [(1, 22), (2, 68), (4, 136)])
def test_a_crowd_attacks_supports_and_moves(boards: int, units: int) -> None:
    book = tiled(STANDARD, boards)
    document = Crowd(book, units).phase()
    assert sum(map(len, document["units"].values())) == units
    before = read_phase(document, book).position
    after = standing_after(before, document["orders"], book.ruleset)
    assert len(after.units) + len(after.dislodged) == units
    assert set(after.units) != set(before.units)


def test_the_command_prints_the_table_and_what_another_command_says(tmp_path: Path) -> None:
    file = tmp_path / "phases.jsonl"
    file.write_text(json.dumps({"phase": "S1901M", **PHASE}), encoding="utf-8")
    other = f"{sys.executable} -c 'print(42)'"
    run = subprocess.run(
        [sys.executable, "-m", "variants", "bench", str(file), "--rounds", "1", "--against", other],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    lines = run.stdout.splitlines()
    assert lines[0] == "1 movement phases, best of 1"
    assert lines[1].startswith("positions only ")
    assert lines[-2:] == [f"$ {other}", "42"]
