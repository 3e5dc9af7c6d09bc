"""A page shows a button if and only if the service behind it does what it says.

There is one exception: users blocked by the game master see buttons that refuse, because no page may tell them
(`tests/people/test_blocking.py`).
"""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, transaction
from django.urls import reverse

import games.urls  # noqa: F401 - every page, before any of their names is exchanged
from games.kernel import view_helpers
from games.kernel.access import access_game
from games.kernel.page import page_of
from games.kernel.refusals import Refusal
from tests.browsers import EVE, address, visitor
from tests.cast import CAROL, person
from tests.pages.buttons import ACTS, ADA, FREE, TED, UNINVITED, A, Act, Nobody, Player, R, T, is_shown
from tests.pages.stages import STAGES

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

PLACES: dict[str, dict[str, object]] = {
    "gm": {},
    "take-game": {},
    "assist": {},
    "missing": {},
    "enter-orders": {"power": R},
    "correct": {"ordinal": 0, "power": "GERMANY"},
    "terms": {},
    "game": {},
    "resign": {},
    "vacant": {"power": T},
    "offer": {},
    "sitter": {},
    "absences": {},
    "orders": {},
    "gallery": {},
    "proposals": {},
    "consent": {},
    "webhooks": {},
}
WRITES = ("INSERT", "UPDATE", "DELETE")


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's access to a game and its view are looked up once, as nothing happens between two pages."""
    monkeypatch.setattr(view_helpers, "access_game", cache(access_game))
    seen_by = cache(page_of)
    for module in list(sys.modules.values()):
        if getattr(module, "page_of", None) is page_of:
            monkeypatch.setattr(module, "page_of", seen_by)


@pytest.mark.parametrize("stage", STAGES)
def test_a_button_is_shown_exactly_if_the_service_does_it(stage: str) -> None:
    person(FREE)
    build, viewers = STAGES[stage]
    game = build()
    wrong = []
    for name in viewers:
        pages, player = seen(game, name), Player(game, name, person(name).pk)
        for what, act in ACTS.items():
            at_this_door = name != EVE and (not act.by_gm or name in {CAROL, ADA, TED} or stage == "running")
            done = at_this_door and is_done(act, player)
            shown = is_shown(act, pages)
            if shown != {done}:
                wrong.append(f"{name}: {what}: shown {shown}, done {done}")
    assert not wrong, "\n".join(["", *wrong])


def seen(game: Game, name: str) -> dict[str, str]:
    """The pages of this game as this user sees them; "" where there is none."""
    client = visitor(name)
    if game.by_invitation and name != UNINVITED:
        client.get(reverse("games:invited", args=[game.invitation]))
    paths = {page: address(page, game, **more) for page, more in PLACES.items()}
    paths["everybody"] = address("thread", game, address="everybody")
    paths["private"] = address("thread", game, address=f"{A}+{R}+{T}")
    paths["with the gm"] = address("thread", game, address=f"gm+{T}")
    paths["sitting"] = reverse("games:sitting")
    answers = {page: client.get(path) for page, path in paths.items()}
    return {
        page: " ".join(answer.text.split()) if answer.status_code == 200 else "" for page, answer in answers.items()
    }


def is_done(act: Act, player: Player) -> bool:
    """Whether the service does something rather than refuse; it is undone again."""
    writes = []

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        if sql.startswith(WRITES):
            writes.append(sql)
        return execute(sql, *rest)

    try:
        with transaction.atomic(), connection.execute_wrapper(watch):
            act.does(player)
            raise Undone
    except Undone:
        return bool(writes)
    except (Refusal, Nobody):
        return False


class Undone(Exception):
    pass
