"""The guide’s examples run unchanged, and its explanations are complete."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.api.guide import SITE, TEXTS, worked_examples
from games.api.problems import PROBLEM_KINDS
from games.endings.services import propose_end
from games.kernel.models import Game, Status
from games.people.models import Scope
from games.people.tokens import make_token
from tests.browsers import visitor
from tests.cast import PLAYERS, person
from tests.factories import occupancy_of, running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

LISTING = re.compile(r'<code class="language-python">(.*?)</code>', re.DOTALL)
PATIENCE_SECONDS = 120


def shown() -> dict[str, str]:
    """The examples in Python as a reader copies them, by their names."""
    page = visitor().get(reverse("api:guide")).content.decode()
    return dict(zip(TEXTS["examples"], map(unescape, LISTING.findall(page)), strict=True))


def filled_in(text: str, game: Game, name: str = PLAYERS[0]) -> str:
    """With a token of this user, and the game."""
    token = make_token(user_id=person(name).pk, name="guide", scopes=Scope.values, days=1)
    return text.replace("dip_…", token).replace("/games/GAME", f"/games/{game.slug}")


def run(text: str, game: Game) -> str:
    """What this example prints for the first player of the game."""
    command = [sys.executable, "-I", "-c", filled_in(text, game)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def site(live_server: Any, settings: Any) -> Iterator[str]:
    """The address that the page shows is the one at which it runs."""
    settings.SITE_ADDRESS = live_server.url
    worked_examples.cache_clear()
    yield live_server.url
    worked_examples.cache_clear()


@pytest.mark.django_db(transaction=True)
def test_the_examples_in_python_do_what_the_guide_says(site: str) -> None:
    game = running_game(name="Geneva", open_votes=True)
    story = Story(game)
    story.order("FRANCE", "A Par-Bur")
    story.deadline()
    proposal = propose_end(occupancy_id=occupancy_of(game, "FRANCE").pk, kind="draw", powers=["BRITAIN", "FRANCE"])
    assert proposal is False
    examples = shown()
    assert all(site in text and SITE not in text for text in examples.values())
    read = run(examples["read_a_game"], game)
    assert "Geneva 1926" in read
    assert "A Par–Bur succeeds" in read
    assert "Geneva BRITAIN orders missing" in run(examples["my_games"], game)
    saved = run(examples["save_orders"], game)
    assert re.search(r"Saved: .*\nPoints bid: [1-9]\d* of \d\nIn place of: nothing", saved)
    assert "In place of: F EDI H\n" in run(examples["save_orders"], game)
    assert "Geneva BRITAIN saved" in run(examples["my_games"], game)
    taken = run(examples["take_part"], game)
    assert "I agree: A draw between Britain and France" in taken
    assert "Written: Good luck to you all." in taken


@pytest.mark.django_db(transaction=True)
def test_the_examples_in_python_say_ready_and_watch(site: str) -> None:
    game = running_game(name="Geneva", all_ready=True)
    assert "I am ready." in run(shown()["take_part"], game)
    assert "Geneva" in run(shown()["watch"], game)


@pytest.mark.django_db(transaction=True)
def test_the_example_of_a_game_master_creates_a_game_joins_it_and_moves_its_deadline(site: str) -> None:
    told = run(shown()["run_a_game"], running_game(name="Geneva"))
    assert re.fullmatch(r"I play FRANCE\nDeadline while the clock stands: None\nDeadline: 20\S+Z\n", told)
    assert Game.objects.get(name="Rapallo").status == Status.RUNNING


@pytest.mark.django_db(transaction=True)
def test_the_examples_for_the_command_line_are_answered(site: str) -> None:
    game, germany = running_game(name="Geneva", all_ready=True), PLAYERS[2]
    Game.objects.filter(pk=game.pk).update(gm=person(germany))
    propose_end(occupancy_id=occupancy_of(game, "FRANCE").pk, kind="draw", powers=["BRITAIN", "FRANCE"])
    page = visitor().get(reverse("api:guide")).content.decode()
    how = ("--silent", "--output", os.devnull, "--write-out", "%{http_code}")
    for listing in map(unescape, re.findall(r'<code class="language-sh">(.*?)</code>', page, re.DOTALL)):
        for command in listing.replace("\\\n", " ").strip().splitlines():
            if "/events/" not in command:
                words = [*shlex.split(filled_in(command, game, germany)), *how]
                done = subprocess.run(words, capture_output=True, text=True, check=True)
                assert done.stdout in {"200", "201"}, command


@pytest.mark.django_db
def test_the_guide_explains_every_error_where_its_type_leads() -> None:
    footer = visitor().get("/").content.decode().partition("<footer")[2]
    assert f'href="{reverse("api:guide")}"' in footer
    page = visitor().get(reverse("api:guide")).content.decode()
    for code, kind in PROBLEM_KINDS.items():
        assert f'id="{code}"' in page
        assert unescape(page).count(kind.example) > 0
    for scope in Scope:
        assert f"<code>{scope.value}</code>" in page


@pytest.mark.django_db
def test_the_reference_has_every_operation_and_every_field() -> None:
    page = visitor().get(reverse("api:reference")).content.decode()
    schema = visitor().get(reverse("api:schema")).json()
    for path, ways in schema["paths"].items():
        for way in ways.values():
            assert f'id="{way["operationId"]}"' in page, path
    for name, shape in schema["components"]["schemas"].items():
        assert ("properties" not in shape) or f'id="{name}"' in page
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert links <= set(re.findall(r'id="([^"]+)"', page))
