"""What everyone is told about a game, on its page and where it is created or closed."""

from __future__ import annotations

import re
from http import HTTPStatus

import pytest
from django.test import Client

from games.mastering.services.desk import close_game, empty_seat
from games.seating.services.vacancies import invite_to_seat
from tests.cast import CAROL, DAVE, person
from tests.factories import running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db


def page(name: str, path: str) -> str:
    """The text of a page, with every run of white space as one space."""
    client = Client()
    client.force_login(person(name))
    return " ".join(client.get(path).content.decode().split())


def test_the_page_of_a_game_says_its_terms_by_group_each_with_its_title() -> None:
    game = waiting_game(approval=True, vacant_after=2)
    text = page(DAVE, f"/games/{game.slug}/")
    for title in ("Timing", "Joining", "The game master", "Messages and names", "Bids", "How it ends"):
        assert f"<summary>{title}</summary>" in text
    assert "<dt><strong>Vacant seats</strong></dt><dd>A player who has orders to enter" in text


@pytest.mark.parametrize(("variant", "group"), [("1926", "Bids"), ("standard", "How it ends")])
def test_publication_is_promised_where_everything_saved_is_published(variant: str, group: str) -> None:
    promise = re.compile("Everything saved for the phases played.* is published at the end of the game")
    for opened in (True, False):
        game = waiting_game(variant=variant, open_bids_at_end=opened)
        terms = Story(game).seen_by(DAVE).game.options.terms
        assert [term.group for term in terms if promise.match(str(term.sentence))] == [group] * opened
        closing = page(CAROL, f"/games/{game.slug}/gm/close/")
        assert "The game ends before it has begun." in closing
    assert "Everything saved for the phases played is published, including every bid" in page(CAROL, "/new-game/")


def test_closing_a_game_under_way_says_what_becomes_of_saved_orders() -> None:
    closing = page(CAROL, f"/games/{running_game(open_bids_at_end=True).slug}/gm/close/")
    assert "the orders saved for it are never read" in closing
    assert (
        "Everything saved for the phases played, including every bid, is published at the end of the game." in closing
    )


def test_the_controls_of_a_seat_are_folded_away_unless_the_desk_points_at_it() -> None:
    game = running_game()
    desk = f"/games/{game.slug}/gm/"
    empty_seat(game_id=game.pk, by=person(CAROL).pk, power="ITALY", reason="Asked to leave.")
    text = page(CAROL, desk)
    assert 'href="?seat=ITALY#gm-seats">Italy is vacant' in text
    assert '<details class="fold" open>' not in text
    opened = page(CAROL, f"{desk}?seat=ITALY").split('<details class="fold" open>')
    assert len(opened) == len(("before", "after"))
    assert opened[1].index('value="ITALY"') < opened[1].index("</form>")


def test_an_invitation_that_is_refused_keeps_what_was_typed() -> None:
    game = running_game()
    client = Client()
    client.force_login(person(CAROL))
    answer = client.post(f"/games/{game.slug}/gm/invite/", {"power": "ITALY", "username": "davy"})
    text = answer.content.decode()
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "There is no account named “davy”." in text
    assert 'value="davy"' in text
    assert 'value="ITALY"' in text.partition('<details class="fold" open>')[2].partition("</form>")[0]
    answer = client.post(f"/games/{game.slug}/gm/empty/", {"power": "ITALY", "username": "davy", "reason": ""})
    text = answer.content.decode().partition('<details class="fold" open>')[2].partition("</form>")[0]
    assert "Give a reason." in text
    assert 'value="davy"' in text
    answer = client.post(f"/games/{game.slug}/gm/seat/", {"power": "", "username": "davy"})
    assert "Choose a seat from the list." in answer.content.decode()


def test_what_was_refused_in_a_repair_stands_at_the_top_of_its_page() -> None:
    game = running_game()
    Story(game).deadline()
    client = Client()
    client.force_login(person(CAROL))
    for path in ("back/0/", "orders/0/GERMANY/", "position/"):
        text = client.post(f"/games/{game.slug}/gm/{path}", {"seen": "x"}).content.decode()
        assert text.index('class="mistakes"') < text.index("<h2>", text.index("<h2>") + 1), path


def test_on_the_desk_of_a_game_that_is_over_nothing_waits_and_nobody_is_asked_in() -> None:
    game = running_game()
    gm = person(CAROL).pk
    Story(game).deadline()
    invite_to_seat(game_id=game.pk, by=gm, power="ITALY", username=person(DAVE).username)
    assert "Find players for seats" in page(CAROL, f"/games/{game.slug}/gm/")
    close_game(game_id=game.pk, by=gm, reason="Too few players.")
    desk = page(CAROL, f"/games/{game.slug}/gm/")
    assert "Find players for seats" not in desk
    assert "Thank you for running this game." in desk
    assert "orders or bids for the open phase" not in desk


def test_a_look_at_the_bids_of_a_phase_without_any_says_so() -> None:
    game = running_game()
    Story(game).deadline()
    client = Client()
    client.force_login(person(CAROL))
    assert "There were no bids in this phase." in client.post(f"/games/{game.slug}/gm/bids/0/").content.decode()
