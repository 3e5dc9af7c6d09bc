"""How even a board is, as bots play it: counted the same on every run, and told as JSON, in words and as a page."""

import json
from pathlib import Path

import pytest

from variants.__main__ import main
from variants.commands.balance import MARKET, balance_of, evenness_lines, play_evenly


def test_what_becomes_of_a_board_is_counted_the_same_on_every_run() -> None:
    games = [play_evenly("corridor", "easy", 4, number) for number in range(3)]
    again = [play_evenly("corridor", "easy", 4, number) for number in range(3)]
    found = balance_of("corridor", "easy", 4, games)
    assert found == balance_of("corridor", "easy", 4, again)
    assert sum(what["share"][0] for what in found["powers"].values()) == pytest.approx(1, abs=0.01)
    assert sum(found["ends"].values()) == found["games"] == 3
    # Each bid that was won or tied cost a point; nothing that nobody bought can change a result.
    for minor in found["minor powers"].values():
        points, won, tied, changed = (minor[name] for name in MARKET)
        assert points >= won + tied
        assert changed <= won
    assert any(minor["results changed"] for minor in found["minor powers"].values())


def test_a_place_that_no_one_enters_and_a_centre_that_no_one_takes_are_told() -> None:
    """In a game of no year, nothing happens."""
    found = balance_of("standard", "easy", 0, [play_evenly("standard", "easy", 0, 1)])
    assert len(found["never taken"]) == 34
    assert {"MAO", "NAF", "BUR"} <= {*found["never entered"]}
    assert found["spaces for each centre"] == pytest.approx(75 / 34, abs=0.01)
    assert list(evenness_lines(found))[:2] == ["[standard]", "AUSTRIA = 13"]


def test_the_command_writes_a_file_for_programs_and_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["balance", "corridor", "--games", "2", "--years", "2", "--processes", "1"]) == 0
    assert "corridor: 2 games of 2 years among easy bots" in capsys.readouterr().out
    assert json.loads((tmp_path / "balance.json").read_text())["games"] == 2
    page = (tmp_path / "balance.html").read_text()
    assert page.count("<svg") == 1
    assert "Westland" in page or "WESTLAND" in page
    assert main(["balance", "corridor", "--bots", "grand", "--games", "1"]) == 2
