"""The program that measures the code's shape, on a project of a few lines."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from diplomacy_site.embedded import places
from tests.house.shape import House, figures, in_circles, moves_in, ties_of

TREE = {
    "adjudication/__init__.py": "",
    "adjudication/orders.py": "class Sheet: ...\nclass Meta: ...\n",
    "games/__init__.py": "",
    "games/urls.py": "from games.talk.views import show\n",
    "games/old.py": "from games.talk.models import Message\n",
    "games/kernel/__init__.py": "",
    "games/kernel/models/__init__.py": "from games.kernel.models.game import Game\n",
    "games/kernel/models/game.py": "class Game: ...\n",
    "games/talk/__init__.py": "",
    "games/talk/models.py": "from games.kernel.models import Game\nclass Message: ...\nclass Sheet: ...\n",
    "games/talk/views.py": """
from typing import TYPE_CHECKING
from games.talk.models import Message
from games.news import letters
from games.kernel.models import Game
if TYPE_CHECKING:
    from games.news.letters import Letter
def show():
    from games.news.letters import send, Letter
""",
    "games/news/__init__.py": "",
    "games/news/letters.py": "from games.sealed.store import Body\nclass Letter: ...\n",
    "games/sealed/__init__.py": "",
    "games/sealed/store.py": "class Body: ...\nclass Command: ...\n",
    "games/talk/migrations/0001_initial.py": "from games.news.letters import Letter\nclass Game: ...\n",
    "variants/command.py": "class Command: ...\n",
    "variants/cartography/sheet.py": "class Sheet: ...\n",
    ".importlinter": """
[importlinter:contract:subjects]
layers =
    (urls)
    talk
    news | sealed
    kernel
""",
}


COUNTED = r"(?!.*(migrations|cartography)).*\.py"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path


def test_names_are_counted_where_they_are_written_and_not_for_types_or_in_migrations(folder: Path) -> None:
    taken = sorted(House(folder, {}).taken())
    assert taken == [
        ("games.news.letters", "games.sealed.store"),
        ("games.old", "games.talk.models"),
        ("games.talk.models", "games.kernel.models.game"),
        ("games.talk.views", "games.kernel.models.game"),
        *[("games.talk.views", "games.news.letters")] * 3,
        ("games.talk.views", "games.talk.models"),
        ("games.urls", "games.talk.views"),
    ]


def test_the_figures_of_a_small_house(folder: Path) -> None:
    told = figures(House(folder, {}))
    assert told == {
        "modules": "16",
        "lines": str(sum(len(text.splitlines()) for name, text in TREE.items() if re.fullmatch(COUNTED, name))),
        "statements": "20",
        "one caller": "0 of 1 functions",
        "doors": str(TREE["games/urls.py"].count("\n") + TREE["games/talk/views.py"].count("\n")),
        "scripts": "0",
        "templates": "0",
        "TOML": "0",
        "flat in games": "2",
        "names taken in games": "9",
        "cross a folder": "8",
        "leave a subject": "8",
        "tie subjects": "4",
        "both ways": "0 pairs",
        "in circles": "0",
        "point up": "0 (0 with types)",
        "press lies in": "0 folders, 0 modules",
        "doubles": "1 Sheet",
    }


def test_statements_doors_and_functions_with_one_caller_are_counted(folder: Path) -> None:
    files = {
        "games/api/talk.py": 'def _asked():\n    """Why."""\n    import json\n    return 1\n\n\nanswer = _asked()\n',
        "games/talk/views_desk.py": "def _twice(): ...\n_twice()\n_twice()\n",
        "static/js/own.js": "let a;\nlet b;\n",
        "static/js/vendor/its.js": "let a;\n",
        "templates/page.html": "<p>\n",
        "variants/board/variant.toml": "slug = 'a'\n",
    }
    before = House(folder, {})
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    found = House(folder, {})
    assert found.statements() - before.statements() == 3 + 4
    assert found.called_once() == (1, before.called_once()[1] + 2)
    assert found.doors() - before.doors() == 7 + 3
    assert [found.lines(kind) for kind in (".js", ".html", ".toml")] == [2, 1, 1]


def test_the_code_stays_under_its_ceiling() -> None:
    ceiling = tomllib.loads(Path(__file__).with_name("ceiling.toml").read_text("utf-8"))
    house = House(places.CHECKOUT, {})
    there = {"lines": house.python(), "statements": house.statements()}
    assert {what for what, most in ceiling.items() if there[what] > most} == set(), there


def test_ties_leave_out_doors_and_what_is_flat_and_know_the_kernel(folder: Path) -> None:
    ties = ties_of(House(folder, {}))
    assert ties == {("talk", "kernel"): 2, ("talk", "news"): 3, ("news", "sealed"): 1}


def test_with_a_list_of_moves_modules_belong_where_they_are_moved_to_and_others_are_doors(folder: Path) -> None:
    moves = folder / "moves.md"
    moves.write_text(
        "PART 1: games/press/\n  games/old.py moves to games/press/old.py\n"
        "  games/talk/models.py moves to games/news/models.py\n"
        "  games/news/letters.py moves to games/press/letters.py\n"
    )
    house = House(folder, moves_in(moves))
    assert house.subject("games.talk.views") == ""
    assert ties_of(house) == {("press", "news"): 1, ("press", "sealed"): 1}
    assert figures(house)["press lies in"] == "2 folders, 2 modules"


def test_circles_are_found_however_long_they_are() -> None:
    assert in_circles([("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("c", "e")]) == ["a", "b", "c"]


def test_what_points_up_is_counted_apart_for_types(folder: Path) -> None:
    (folder / "games/kernel/queries.py").write_text("from games.talk.models import Message\n")
    (folder / "games/news/feeds.py").write_text(
        "from typing import TYPE_CHECKING\nfrom games.sealed.store import Body\n"
        "if TYPE_CHECKING:\n    from games.talk.models import Message\n    from games.kernel.models import Game\n"
    )
    house, up = House(folder, {}), ("games.kernel.queries", "games.talk.models")
    assert house.upward() == {up}
    assert house.upward(types=True) == {up, ("games.news.feeds", "games.talk.models")}
    assert figures(house)["point up"] == "1 (2 with types)"
