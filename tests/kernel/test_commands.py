"""The commands: a demonstration, whole games with bots, and what monitoring asks."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command
from django.test import Client

from games.deadlines.options import PhaseLengths
from games.deadlines.phases import hold_game
from games.kernel.days import DAY
from games.kernel.models import OVER, Game, Occupancy, Result, Status
from games.management.commands import seed_demonstration as seeding
from games.mastering.services.desk import close_game
from games.press.models import Message
from games.seating.queries import public_vacant_seats
from games.tournaments.entry import is_open
from games.tournaments.models import Tournament
from games.tournaments.queries import SeriesView, published_series
from tests.factories import running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


def said(command: str, *arguments: str) -> str:
    out = StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue()


def test_the_demonstration_has_games_in_every_state_and_seeding_again_changes_nothing_until_one_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One seeding, which takes seconds, for both."""
    monkeypatch.setattr(seeding, "YEARS", 1)
    printed = said("seed_demonstration")
    assert all(name in printed for name in (*seeding.PLAYERS, seeding.GM, seeding.OBSERVER, seeding.PASSWORD))
    games = {game.name: game for game in Game.objects.filter(table=None)}
    assert {name: game.status in OVER for name, game in games.items()} == {
        "A finished game": True,
        "A game that plays itself": False,
        "A game for you": False,
        "A seat for you": False,
    }
    assert [seat.game.name for seat in public_vacant_seats(AnonymousUser()).seats] == ["A seat for you"]
    assert Result.objects.filter(phase__game=games["A finished game"]).count() >= 3
    running = games["A game that plays itself"]
    assert running.status == Status.RUNNING
    assert Occupancy.objects.filter(game=running, bot="easy", until__isnull=True).count() == 7
    assert Message.objects.filter(thread__game=running, thread__powers=[]).count() == 4
    assert games["A game for you"].status == Status.OPEN
    for name in (*seeding.PLAYERS, seeding.GM, seeding.OBSERVER):
        assert Client().login(username=name, password=seeding.PASSWORD)
    listed = {series.name: SeriesView(series.slug, None) for series in published_series("")}
    assert listed.keys() == {"A league", "A tournament under way", "A tournament for you"}
    league, cup, open_cup = (listed[name] for name in ("A league", "A tournament under way", "A tournament for you"))
    assert [len(row.played) for row in league.sheet.standings] == [2, 2, 2]
    assert [len(cup.sheet.standings), len(cup.running)] == [2, 6], "one table is over, and all have points for now"
    assert is_open(open_cup.row)
    before = [list(rows.objects.order_by("pk").values()) for rows in (Game, Tournament)]
    said("seed_demonstration")
    assert [list(rows.objects.order_by("pk").values()) for rows in (Game, Tournament)] == before
    own = Game.objects.filter(name="A game that plays itself")
    hold_game(game_id=own.get().pk)
    said("seed_demonstration")
    assert own.count() == 1, "a game on hold is kept for inspection"
    close_game(game_id=own.get().pk, by=own.get().gm_id)
    said("seed_demonstration")
    assert sorted(game.status for game in own) == [Status.CLOSED, Status.RUNNING]


def test_the_accounts_alone_are_printed_without_making_anything() -> None:
    assert seeding.PASSWORD in said("seed_demonstration", "--accounts")
    assert not Game.objects.exists()


def test_bots_play_a_game_through_the_services() -> None:
    printed = said("play_bot_games", "1", "--years", "1")
    (game,) = Game.objects.all()
    assert game.status in OVER
    assert "1 game in" in printed
    assert game.options[PhaseLengths].movement_seconds == DAY, "a busy machine has time enough for every bot"
    results = Result.objects.filter(phase__game=game)
    assert results.count() >= 3
    assert not results.exclude(missed=[]).exists(), "no bot missed a deadline"
    assert not Occupancy.objects.filter(missed__gt=0).exists()


def test_an_unknown_variant_is_named() -> None:
    with pytest.raises(CommandError, match="atlantis"):
        said("play_bot_games", "1", "--variant", "atlantis")


def test_a_game_is_held_and_released_by_hand() -> None:
    game = running_game()
    printed = said("game", "hold", game.slug)
    game.refresh_from_db()
    assert game.status == Status.HELD
    assert game.incident in printed
    said("game", "release", game.slug)
    game.refresh_from_db()
    assert game.status == Status.RUNNING


@pytest.mark.parametrize(
    ("act", "make", "sentence"),
    [("hold", waiting_game, "Only a running or paused game"), ("release", running_game, "running, not on hold")],
)
def test_holding_and_releasing_refuse_with_a_sentence(act: str, make: Callable[[], Game], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        said("game", act, make().slug)
    with pytest.raises(CommandError, match="no game 'nowhere'"):
        said("game", act, "nowhere")


def test_the_watchman_hears_of_overdue_phases_and_held_games() -> None:
    game = running_game()
    assert "No phase is overdue" in said("game", "check_deadlines")
    Story(game).deadline_comes()
    assert "No phase is overdue" in said("game", "check_deadlines", "--grace", "60")
    with pytest.raises(
        CommandError, match=rf"Overdue phases: 1\. Games on hold: 0\.\n{game.slug}: .+ has been overdue since "
    ):
        said("game", "check_deadlines", "--grace", "0")
    hold_game(game_id=game.pk)
    with pytest.raises(CommandError, match=r"Overdue phases: 0\. Games on hold: 1\."):
        said("game", "check_deadlines")


def test_a_replay_finds_every_phase_as_it_was() -> None:
    said("play_bot_games", "1", "--years", "1")
    assert "1 game replayed: no differences" in said("game", "replay")


def test_a_replay_notices_a_changed_result_and_changed_inputs() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "1: A Aus S A Mun-Cze")
    story.deadline()
    story.deadline()
    first, second = Result.objects.order_by("phase__ordinal")
    first.public = {**first.public, "outcomes": []}
    first.save()
    second.inputs_hmac = "0" * 64
    second.save()
    with pytest.raises(CommandError) as noticed:
        said("game", "replay", game.slug)
    assert str(noticed.value) == f"{game.slug} S1926M: another result\n{game.slug} F1926M: other inputs"
    with pytest.raises(CommandError, match="not exist: nowhere"):
        said("game", "replay", "nowhere")
