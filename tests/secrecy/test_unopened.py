"""Pages that show no orders do not open what is sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.browsers import address, visitor
from tests.cast import PLAYERS
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db


def reads_of_sealed(page: str, game: Game) -> int:
    alice = visitor(PLAYERS[0])
    with CaptureQueriesContext(connection) as asked:
        alice.get(address(page, game))
    return sum('FROM "sealed_sheets"' in query["sql"] for query in asked)


@pytest.mark.parametrize(
    "page", ["sitter", "absences", "proposals", "resign", "terms", "consent", "log", "notify-game", "history", "talk"]
)
def test_a_page_without_orders_leaves_the_players_sheet_shut(page: str) -> None:
    game = running_game(absence_days=7)
    Story(game).order("FRANCE", "A Par-Bur")
    assert reads_of_sealed(page, game) == 0
    assert reads_of_sealed("orders", game) > 0
