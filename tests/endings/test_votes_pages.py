"""Proposals, votes and statements through their pages."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.deadlines.options import LastYear
from games.endings.models import EndKind
from games.endings.options import Agreement
from games.endings.services import propose_end, vote_on_proposal
from games.kernel.models import Game, Status
from games.mastering.services.desk import close_game
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db

SEE_OTHER, UNPROCESSABLE = HTTPStatus.SEE_OTHER, HTTPStatus.UNPROCESSABLE_ENTITY
A, R, T = "AUSTRIA", "RUSSIA", "TURKEY"


def game_of_three(**options: Any) -> Game:
    """Alice plays Austria, Bob Russia, Fritz Turkey."""
    return running_game(variant="three-way-balkan-battle", players=PLAYERS[:3], **options)


def read(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def words(answer: Any) -> str:
    return str(answer.content.decode())


def proposed(**options: Any) -> Game:
    game = game_of_three(**options)
    propose_end(occupancy_id=occupancy_of(game, A).pk, kind=EndKind.DRAW, powers=(A, R, T))
    return game


def test_a_draw_is_proposed_and_agreed_on_the_pages() -> None:
    game = game_of_three()
    sent = visitor("alice").post(address("proposals", game), {"kind": "all"}, follow=True)
    assert "Proposed. You’ve also voted for it." in words(sent)
    bob, fritz = visitor("bob"), visitor("fritz")
    assert "You haven’t voted yet." in read(bob, address("game", game))
    assert "You haven’t voted yet." in read(bob, address("orders", game))
    answer = bob.post(address("vote", game, number=1), {"answer": "yes"}, follow=True)
    assert "You have agreed. You can change your vote while the proposal is open." in words(answer)
    assert "You haven’t voted yet." not in read(bob, address("game", game))
    ended = fritz.post(address("vote", game, number=1), {"answer": "yes"}, follow=True)
    assert ended.redirect_chain == [(address("game", game), SEE_OTHER)]
    assert "Everyone agrees: the game is over." in words(ended)
    assert '<h2 id="verdict">You share first place with Austria and Russia.</h2>' in words(ended)
    assert '<p class="lead">All players agreed on a draw between Austria, Russia and Turkey.</p>' in words(ended)
    assert read(fritz, address("phase", game, ordinal=0)).count("Proposals to end the game") == 0
    assert fritz.get(address("proposals", game)).headers["Location"] == address("game", game)
    late = fritz.post(address("proposals", game), {"kind": "all"}, follow=True)
    assert "Nothing was proposed because the game is not under way." in words(late)


def test_a_proposal_is_on_every_page_of_a_phase_with_buttons_for_those_who_have_a_vote() -> None:
    game = proposed()
    Story(game).deadline()
    for page in (address("game", game), address("phase", game, ordinal=0), address("proposals", game)):
        assert ">Agree</button>" in read(visitor("bob"), page)
        assert "Proposed by Austria in Spring 1899" in read(visitor("bob"), page)
        stranger = read(Client(), page)
        assert "A draw between Austria, Russia and Turkey" in stranger
        assert "Agree</button>" not in stranger
    assert "Withdraw</button>" in read(visitor("alice"), address("game", game))
    assert "Withdraw</button>" not in read(visitor("bob"), address("game", game))
    visitor("alice").post(address("withdraw", game, number=1))
    assert "There are no open proposals." in read(Client(), address("proposals", game))


def test_a_proposal_with_a_mistake_says_what_is_wrong_and_keeps_what_was_chosen() -> None:
    game = game_of_three()
    alice = visitor("alice")
    alone = alice.post(address("proposals", game), {"kind": "draw", "power": [A]})
    assert alone.status_code == UNPROCESSABLE
    assert "A draw needs at least two powers." in words(alone)
    assert f'value="{A}" checked' in words(alone)
    assert 'value="draw" checked' in words(alone)
    nobody = alice.post(address("proposals", game), {"kind": "concession", "power": ["FRANCE"]})
    assert "FRANCE has neither a unit nor a supply centre. Choose from those shown." in words(nobody)
    nothing = alice.post(address("proposals", game), {})
    assert "Choose what you propose." in words(nothing)
    assert not game.proposals.exists()


def test_a_vote_without_an_answer_changes_nothing_and_says_so() -> None:
    game = proposed()
    answer = visitor("bob").post(address("vote", game, number=1), {"answer": "perhaps"}, follow=True)
    assert "Nothing was changed: choose whether you agree or refuse." in words(answer)
    assert game.proposals.get().votes.count() == 1


def test_only_what_a_game_allows_is_offered() -> None:
    def offered(draws: str) -> list[str]:
        page = read(visitor("alice"), address("proposals", game_of_three(draws=draws, name=f"With {draws}")))
        return [kind for kind in ("all", "draw", "concession") if f'id="end-{kind}"' in page]

    assert offered("any") == ["all", "draw", "concession"]
    assert offered("all") == ["all", "concession"]
    assert offered("none") == ["concession"]


def test_a_page_that_stays_open_says_that_the_game_is_over_and_not_that_orders_were_counted() -> None:
    game = proposed()
    for power in (R, T):
        vote_on_proposal(occupancy_id=occupancy_of(game, power).pk, number=1, agrees=True)
    news = read(visitor("bob"), address("pulse", game) + "?ordinal=0&status=running&on=orders")
    assert "<strong>The game is over.</strong> All players agreed on a draw between Austria, Russia and Turkey." in news
    assert "counted" not in news


def ended(**options: Any) -> Game:
    game = proposed(**options)
    for power in (R, T):
        vote_on_proposal(occupancy_id=occupancy_of(game, power).pk, number=1, agrees=True)
    return game


def test_a_game_that_is_over_opens_with_verdict_chart_points_and_statements() -> None:
    game = game_of_three()
    for _ in range(3):
        Story(game).deadline()
    propose_end(occupancy_id=occupancy_of(game, A).pk, kind=EndKind.CONCESSION, powers=(R,))
    for power in (R, T):
        vote_on_proposal(occupancy_id=occupancy_of(game, power).pk, number=1, agrees=True)
    page = read(Client(), address("game", game))
    assert '<h2 id="verdict">All conceded the game to Russia.</h2>' in page
    assert '<svg class="chart"' in page
    assert address("phase", game, ordinal=0) + "#play" in page
    assert page.count('<td class="count numeric">100.0</td>') == 2
    assert "There are no statements yet." in page
    assert "Publish my statement" not in page


@pytest.mark.parametrize(("opened", "told"), [(True, "What everyone bid"), (False, "Bids are never published")])
def test_the_end_says_what_was_chosen_about_bids(opened: bool, told: str) -> None:
    game = running_game(open_bids_at_end=opened)
    Story(game).order("GERMANY", "A Mun-Cze", "3: A Aus S A Mun-Cze")
    Story(game).deadline()
    powers = [seat.power for seat in game.seats.order_by("power")]
    propose_end(occupancy_id=occupancy_of(game, powers[0]).pk, kind=EndKind.DRAW, powers=powers)
    for power in powers[1:]:
        vote_on_proposal(occupancy_id=occupancy_of(game, power).pk, number=1, agrees=True)
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    assert told in read(Client(), address("game", game))


def test_a_statement_is_written_on_the_page_of_the_game_and_escaped() -> None:
    game = ended()
    alice = visitor("alice")
    assert "Publish my statement" in read(alice, address("game", game))
    kept = alice.post(address("statement", game), {"text": "I <b>won</b>, nearly.\nThanks."}, follow=True)
    assert "Your statement has been published." in words(kept)
    assert "I &lt;b&gt;won&lt;/b&gt;, nearly.<br>Thanks." in read(Client(), address("game", game))
    assert "Update my statement" in words(kept)
    gone = alice.post(address("statement", game), {"text": ""}, follow=True)
    assert "Your statement has been deleted." in words(gone)
    assert visitor(DAVE).post(address("statement", game), {"text": "And I?"}).status_code == HTTPStatus.NOT_FOUND


def test_a_statement_that_is_too_long_is_refused_and_kept_in_the_form() -> None:
    game = ended()
    assert "maxlength" not in read(visitor("alice"), address("game", game)), "the browser would cut off what is pasted"
    answer = visitor("bob").post(address("statement", game), {"text": "y" * 2001})
    assert answer.status_code == UNPROCESSABLE
    assert "A statement can have at most 2000 characters; this one has 2001." in words(answer)
    assert "y" * 2001 in words(answer)


NEW_GAME = {
    "name": "To the end",
    "variant": "1926",
    "pace": "evening",
    "movement_seconds": "86400",
    "retreat_seconds": "43200",
    "adjustment_seconds": "43200",
    "part": "runs",
}


def test_how_a_game_may_end_is_chosen_when_it_is_created() -> None:
    chosen = {"draws": "all", "end_votes": "open", "last_year": "1935"}
    answer = visitor(DAVE).post(reverse("games:create"), {**NEW_GAME, **chosen})
    assert answer.status_code == SEE_OTHER, words(answer)
    options = Game.objects.get().options
    assert (options[Agreement].draws, options[Agreement].open_votes, options[LastYear].last_year) == ("all", True, 1935)


@pytest.mark.parametrize(
    ("year", "sentence"),
    [
        ("soon", "Enter a year such as 1935, or leave it empty."),
        ("1920", "begins in 1926. Enter a year from 1926 to 2026, or none."),
    ],
)
def test_a_last_year_that_cannot_be_is_refused_and_kept_in_the_form(year: str, sentence: str) -> None:
    answer = visitor(DAVE).post(reverse("games:create"), {**NEW_GAME, "last_year": year})
    assert answer.status_code == UNPROCESSABLE
    assert sentence in words(answer)
    assert not Game.objects.exists()


def test_a_page_that_changes_in_the_browser_needs_no_styles_that_came_with_its_head() -> None:
    """What a live page replaces is its content, so its head is the same in every state of the game."""
    game = running_game(variant="formal-diplomacy", players=PLAYERS[:7])
    waiting = waiting_game(variant="formal-diplomacy", name="Another")
    before = [styles(read(visitor("bob"), address("game", each))) for each in (waiting, game)]
    close_game(game_id=game.pk, by=person(CAROL).pk)
    page = read(visitor("bob"), address("game", game))
    assert before == [styles(page)] * 2
    assert "css/40-blocks/history.css" in page.partition("<body>")[2]


def styles(page: str) -> list[str]:
    return re.findall(r'<link rel="stylesheet" href="([^"]*)"', page.partition("<body>")[0])
