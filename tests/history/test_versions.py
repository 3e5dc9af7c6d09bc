"""A game is judged, shown and read back by the version of its variant that it began with, to its end and after."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse

from games.deadlines.news import VERSION_CHANGED
from games.kernel.models import Game, Letter, Status
from games.mastering.services.desk import close_game
from games.seating.services.new_game import take_seat
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import VARIANT, open_phase, running_game, waiting_game
from tests.story import Story
from tests.variants.versions import forget_versions, sound_with_two_versions
from variants.registry import find
from variants.travel import read_games, replayed
from variants.variant import Variant

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db
SOUND = "the-sound"
ALICE, BOB = PLAYERS[:2]


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Game]]:
    """A running, a forming and a finished game of version 1.0, while version 1.1 is what the site offers."""
    made = {name: running_game(name=name, variant=SOUND, players=(ALICE, BOB)) for name in ("running", "finished")}
    Story(made["finished"]).deadline()
    close_game(game_id=made["finished"].pk, by=person(CAROL).pk)
    made["forming"] = waiting_game(name="forming", variant=SOUND)
    join(made["forming"], ALICE, "DENMARK")
    sound_with_two_versions(tmp_path, monkeypatch)
    yield made
    monkeypatch.undo()
    forget_versions()


def join(game: Game, player: str, power: str) -> None:
    take_seat(game_id=game.pk, user_id=person(player).pk, power=power, token=game.invitation)


def page(game: Game, name: str = "game") -> str:
    return visitor(DAVE).get(reverse(f"games:{name}", args=[game.slug])).text


def record_of(game: Game) -> str:
    return visitor(DAVE).get(reverse("api:record", args=[game.slug])).content.decode()


def test_a_running_game_goes_on_and_is_corrected_by_its_own_version(games: dict[str, Game]) -> None:
    game = games["running"]
    story = Story(game)
    assert "The Sound, version 1.0" in page(game)
    assert reverse("games:variant", args=[f"{SOUND}@1.0"]) in page(game)
    story.order("SWEDEN", "A STO - VAS")
    story.deadline()
    story.correct("SWEDEN", "A STO - VAS", "A STO H")
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert "A STO" in str(open_phase(game).position)
    assert json.loads(record_of(game))["variant"]["version"] == "1.0"
    close_game(game_id=game.pk, by=person(CAROL).pk)
    (played,) = read_games(record_of(game), "")
    assert replayed(played, ()).differences == ()


def test_a_game_that_is_over_is_read_back_by_its_own_version(
    games: dict[str, Game], capsys: pytest.CaptureFixture[str]
) -> None:
    game = games["finished"]
    assert "The Sound, version 1.0" in page(game)
    assert "A STO" in record_of(game)
    call_command("game", "replay", game.slug)
    assert "1 game replayed: no differences." in capsys.readouterr().out


def test_a_forming_game_begins_with_the_newest_version_and_its_players_are_told(games: dict[str, Game]) -> None:
    game = games["forming"]
    assert "version 1.0" not in page(game, "terms")
    join(game, BOB, "SWEDEN")
    game.refresh_from_db()
    assert (game.variant_version, game.variant_digest) == ("1.1", find(SOUND).digest)
    assert "F STO" in str(open_phase(game).position)
    assert "The game begins with version 1.1 of its variant." in page(game, "log")
    told = Letter.objects.filter(game=game, kind=VERSION_CHANGED.letter)
    assert {letter.user.username for letter in told} == {ALICE, BOB}


def test_the_page_of_an_earlier_version_leads_to_the_newest_and_says_what_differs(games: dict[str, Game]) -> None:
    earlier = visitor(DAVE).get(reverse("games:variant", args=[f"{SOUND}@1.0"])).text
    assert "This is version 1.0, for games that have begun on it." in earlier
    assert "New at the start: F Sto (Sweden)." in earlier
    assert visitor(DAVE).get(reverse("games:variant", args=[f"{SOUND}@0.9"])).status_code == 404
    program = visitor(DAVE).get(reverse("api:variant", args=[f"{SOUND}@1.0"])).json()
    assert program["version"] == "1.0"
    assert (
        visitor(DAVE).get(reverse("api:game", args=[games["running"].slug])).json()["game"]["variant_version"] == "1.0"
    )


def test_a_game_begins_without_a_word_if_nothing_changed() -> None:
    game = running_game(variant=VARIANT)
    assert not game.events.filter(kind=VERSION_CHANGED.log).exists()


def _kept(value: object, depth: int = 3) -> bool:
    """Whether a variant is in it, in a list of it, or in the values of a table of it."""
    if isinstance(value, Variant):
        return True
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple | set) else ()
    return depth > 0 and any(_kept(each, depth - 1) for each in [*inner])


def test_no_module_keeps_a_variant_from_its_import_on() -> None:
    for found in pkgutil.walk_packages([str(Path(settings.BASE_DIR, "games"))], "games."):
        if "migrations" not in found.name:
            importlib.import_module(found.name)
    modules = [module for name, module in sys.modules.items() if name.split(".")[0] in {"games", "variants"}]
    assert len(modules) > 300
    kept = [f"{module.__name__}.{name}" for module in modules for name, value in vars(module).items() if _kept(value)]
    assert kept == []
