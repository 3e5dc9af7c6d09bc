"""The long round: which counts a run takes."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.long_round import COMMANDS, ROUND, counts, how_many, table

ROOT = Path(__file__).parents[2]
LONG = {row.name: row.long for row in ROUND}


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        ("", {}),
        ("0", {ROUND[0].name: ROUND[0].long}),
        (str(2 * len(ROUND) + 1), {ROUND[1].name: ROUND[1].long}),
        ("chance", {"chance": LONG["chance"]}),
        ("chance,lines=7", {"chance": LONG["chance"], "lines": 7}),
        ("all", LONG),
    ],
)
def test_the_counts_that_are_asked_for_are_long(asked: str, taken: dict[str, int]) -> None:
    assert counts(asked) == taken


@pytest.mark.parametrize("asked", ["nothing", "chance,nothing", "-1"])
def test_a_row_that_is_not_there_is_an_error(asked: str) -> None:
    with pytest.raises(KeyError):
        counts(asked)


def test_as_many_builds_in_a_row_as_there_are_rows_take_every_row() -> None:
    taken: dict[str, int] = {}
    for commits in range(5_000, 5_000 + len(ROUND)):
        taken |= counts(str(commits))
    assert taken == LONG


def test_a_run_takes_the_short_counts_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LONG_ROUND", raising=False)
    assert {row.name: how_many(row.name) for row in ROUND} == {row.name: row.short for row in ROUND}
    monkeypatch.setenv("LONG_ROUND", "lines")
    assert (how_many("lines"), how_many("chance")) == (LONG["lines"], 1)


def test_every_row_has_its_tests_which_exist_and_ask_for_it() -> None:
    for row in ROUND:
        places = [ROOT / part for part in row.tests.split() if part.startswith("tests")]
        files = [file for place in places for file in ([place] if place.is_file() else place.rglob("*.py"))]
        assert files, row.name
        assert any(f'how_many("{row.name}")' in file.read_text(encoding="utf-8") for file in files), row.name
    asked = {
        name
        for file in (ROOT / "tests").rglob("*.py")
        if file.name != Path(__file__).name
        for name in re.findall(r'how_many\("(\w+)"\)', file.read_text(encoding="utf-8"))
    }
    assert asked == set(LONG)


def test_the_table_names_every_row_and_every_command() -> None:
    lines = table().splitlines()
    assert len(lines) == 1 + len(ROUND) + len(COMMANDS)
    for command, _what, _seconds in COMMANDS:
        file = re.search(r"tests/\S+\.py", command)
        assert not file or (ROOT / file[0]).exists()


@pytest.mark.parametrize("with_git", [True, False])
def test_builds_take_the_row_whose_turn_it_is(with_git: bool, tmp_path: Path) -> None:
    """Only the lines of the build that say so are run."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    turn = script[script.index('if [ "$(git rev-parse --is-shallow') : script.index("# The checks run beside")]
    repository = tmp_path
    if with_git:
        git = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run([*git, "init", "-q"], check=True)
        for _ in range(3):
            subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    told = subprocess.run(
        ["bash", "-c", f"set -euo pipefail\nunset LONG_ROUND\n{turn}\necho $LONG_ROUND"],
        cwd=repository, capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    assert told == "3" if with_git else 1 <= int(told) <= 366
