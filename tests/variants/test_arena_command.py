"""`python -m variants arena`: matches that can be resumed and repeated."""

from pathlib import Path

import pytest

from adjudication.resolution import Verdict
from tests.variants import strength
from variants.__main__ import main
from variants.commands.arena import Match, NotAPlayer, Player, play_match, share_of
from variants.rulebooks import RULEBOOKS

SOUND = Match("the-sound", "easy", "random", years=2)


def test_a_match_is_repeated_game_by_game_and_every_power_plays_equally_often() -> None:
    games = play_match(SOUND, 4)
    assert [(one.number, one.power) for one in games] == [
        (0, "DENMARK"), (1, "SWEDEN"), (2, "DENMARK"), (3, "SWEDEN"),
    ]  # fmt: skip
    again = play_match(SOUND, 4, processes=2)
    assert [(one.share, one.last) for one in again] == [(one.share, one.last) for one in games]


def test_a_broken_match_is_resumed_where_it_stopped(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    first = play_match(SOUND, 2, path=kept)
    play_match(Match("the-sound", "random", "easy", years=2), 1, path=kept)
    assert len(kept.read_text().splitlines()) == 3
    assert play_match(SOUND, 3, path=kept)[:2] == first
    assert len(kept.read_text().splitlines()) == 4


def test_a_share_is_the_square_of_the_centres_in_the_sum_of_squares_and_1_for_a_victory() -> None:
    start = RULEBOOKS["standard"]().start
    assert share_of("RUSSIA", start, None) == pytest.approx(16 / (16 + 6 * 9))
    assert share_of("RUSSIA", start, Verdict(("RUSSIA",), "")) == 1
    assert share_of("RUSSIA", start, Verdict(("FRANCE",), "")) == 0
    assert share_of("RUSSIA", start, Verdict(("FRANCE", "RUSSIA"), "")) == 0.5


def test_players_are_named_by_level_and_percentage() -> None:
    assert Player.named("strong:10").percent == 10
    assert Player.named("random").level is None
    for wrong in ("stronger", "strong:", "strong:x", "random:5"):
        if wrong != "strong:":
            with pytest.raises(NotAPlayer, match="write easy, medium, strong, random"):
                Player.named(wrong)


def test_the_command_prints_share_error_and_processor_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "--variant", "the-sound", "--one", "easy", "--others", "random", "--games", "2"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("the-sound: easy among random, 2 games of 10 years: share ")
    assert "DENMARK: " in told
    assert main(["arena", "--one", "clever"]) == 2
    assert (
        capsys.readouterr().err
        == "'clever' is no player: write easy, medium, strong, random, or strong:10 for a tenth.\n"
    )


def test_the_table_of_strength_shows_all_that_is_kept_and_plays_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strength, "COLUMNS", (("easy", "random"), ("random", "easy"), ("medium", "easy")))
    monkeypatch.setattr(strength, "OFFERED", ["sound"])
    kept = tmp_path / "kept.jsonl"
    play_match(Match("the-sound", "easy", "random"), 3, path=kept)
    play_match(Match("the-sound", "random", "easy"), 2, path=kept)
    strength.main(["--kept", str(kept)])
    assert len(kept.read_text().splitlines()) == 5
    *_, titles, _line, row = capsys.readouterr().out.splitlines()
    assert (
        titles
        == "| variant | parity | easy among random | random among easy | medium among easy | easy, ms | random, ms |"
    )
    assert row.startswith("| The Sound | 0.500 | ")
    assert row.count("(3 games)") == row.count("(2 games)") == row.count("| – |") == 1
    strength.main(["--kept", str(kept), "--games", "3"])
    assert len(kept.read_text().splitlines()) == 5 + 1 + 3
