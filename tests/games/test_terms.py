"""What everybody is told of a game, on its page and where it is created or closed."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.cast import CAROL, DAVE, person
from tests.factories import running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db


def page(name: str, path: str) -> str:
    """The text of a page with every run of white space as one space."""
    client = Client()
    client.force_login(person(name))
    return " ".join(client.get(path).content.decode().split())


def test_the_page_of_a_game_says_its_terms_by_group_each_with_its_title() -> None:
    game = waiting_game(approval=True, vacant_after=2)
    text = page(DAVE, f"/games/{game.slug}/")
    for title in ("When", "Joining", "The game master", "Talk and names", "Bids", "The end"):
        assert f"<summary>{title}</summary>" in text
    assert "<dt><strong>Vacant seats</strong></dt><dd>Who has something to decide" in text


@pytest.mark.parametrize(("variant", "group"), [("1926", "Bids"), ("standard", "The end")])
def test_whole_sheets_are_promised_where_whole_sheets_are_opened(variant: str, group: str) -> None:
    sentence = "All sheets of the phases played are published whole when the game ends, with all that stands on them."
    for opened in (True, False):
        game = waiting_game(variant=variant, open_bids_at_end=opened)
        terms = Story(game).seen_by(DAVE).game.options.terms
        assert [term.group for term in terms if term.sentence == sentence] == [group] * opened
        closing = page(CAROL, f"/games/{game.slug}/gm/close/")
        assert "The game ends before it has begun." in closing
    assert "All sheets are published whole at the end" in page(CAROL, "/new-game/")


def test_who_closes_a_game_under_way_reads_what_becomes_of_its_sheets() -> None:
    closing = page(CAROL, f"/games/{running_game(open_bids_at_end=True).slug}/gm/close/")
    assert "what was saved for it is never read" in closing
    assert "The sheets of all phases that were played are published whole, with every bid on them" in closing
