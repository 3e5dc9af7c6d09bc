"""Sentences that send their reader to another place lead there, and people who are asked for something are shown it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.delivery.webhooks import add_webhook
from games.kernel import clock
from games.kernel.models import Handover, Occupancy, Sitting
from games.mastering.services.assistants import name_assistant
from games.practice import services as practice
from games.practice.services import start_practice
from games.seating.services.new_game import let_bot_play
from games.seating.services.sitters import name_sitter
from games.seating.services.vacancies import answer_invitation, invite_to_seat
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game
from tests.seating.test_market import lapsed, vacated

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

A, ALICE = "AUSTRIA", PLAYERS[0]
FORMER, STRANGER = ALICE, DAVE


def read(name: str, page: str, **where: object) -> str:
    return visitor(name).get(reverse(f"games:{page}", kwargs=where)).content.decode()


def leads_to(page: str, **where: object) -> str:
    return f'href="{reverse(f"games:{page}", kwargs=where)}"'


def ask_to_sit(game: Game) -> None:
    today = clock.now().date()
    days: dict[str, Any] = {"first": today, "last": today + timedelta(days=2), "zone": "UTC"}
    name_sitter(game_id=game.pk, user_id=person(ALICE).pk, username=person(DAVE).username, **days)


def asked_to(what: str) -> tuple[Game, str]:
    """A game in which Dave is asked for this, and the link to the page with the answer."""
    game = running_game()
    by = {"game_id": game.pk, "by": person(CAROL).pk}
    if what == "play":
        invite_to_seat(**by, power="ITALY", username=person(DAVE).username)
    elif what == "sit":
        ask_to_sit(game)
        return game, leads_to("sitting")
    elif what == "assist":
        name_assistant(**by, username=person(DAVE).username, rights=["clock"])
    else:
        Handover.objects.create(game=game, giver=person(CAROL), taker=person(DAVE), made=clock.now())
    return game, leads_to({"play": "offer", "run": "take-game", "assist": "assist"}[what], slug=game.slug)


@pytest.mark.parametrize("what", ["play", "sit", "run", "assist"])
def test_what_someone_is_asked_for_is_on_their_home_page_and_on_no_one_elses(what: str) -> None:
    game, answer = asked_to(what)
    home = read(DAVE, "home")
    assert home.count(answer) == 1
    assert "My games" not in home
    assert "You have been asked" not in read("kate", "home")
    if what == "play":
        answer_invitation(game_id=game.pk, user_id=person(DAVE).pk, accept=False)
        assert "You have been asked" not in read(DAVE, "home")


@pytest.mark.parametrize("name", [FORMER, STRANGER])
def test_the_page_of_a_seat_leads_whoever_is_invited_to_the_answer(name: str) -> None:
    """Also in a game by invitation, and although a former player may take no seat unasked."""
    game = vacated(by_invitation=name == STRANGER)
    where = {"slug": game.slug, "power": A}
    invite_to_seat(game_id=game.pk, by=person(CAROL).pk, power=A, username=person(name).username)
    page = read(name, "vacant", **where)
    assert leads_to("offer", slug=game.slug) in page
    assert "You have abandoned" not in page
    refused = visitor(name).post(reverse("games:vacant", kwargs=where), follow=True).content.decode()
    assert "Answer that first." in refused
    assert leads_to("offer", slug=game.slug) in refused
    if name == FORMER:
        assert leads_to("offer", slug=game.slug) in read(name, "seats")
    answer_invitation(game_id=game.pk, user_id=person(name).pk, accept=True)
    assert Occupancy.objects.get(game=game, seat__power=A, until=None).user == person(name)


def test_the_page_of_a_seat_that_was_lost_by_silence_offers_the_way_back_and_others_read_why_not() -> None:
    game = lapsed()
    page = read(ALICE, "vacant", slug=game.slug, power=A)
    assert "Take my seat back" in page
    assert "You have abandoned" not in page
    left = vacated()
    assert "You have abandoned a seat in this game" in read(ALICE, "vacant", slug=left.slug, power=A)


def test_a_sitter_who_has_agreed_is_told_where_the_game_is_and_finds_it_there() -> None:
    game = running_game()
    ask_to_sit(game)
    answer = reverse("games:answer-sitting", kwargs={"number": Sitting.objects.get().pk})
    said = visitor(DAVE).post(answer, {"answer": "yes"}, follow=True).content.decode()
    assert "While you sit, the game is one of your games on the home page." in said
    home = read(DAVE, "home")
    assert "My games" in home
    assert leads_to("orders", slug=game.slug) in home
    assert leads_to("sitting") in read(DAVE, "profile")


def test_too_many_games_against_bots_are_said_before_another_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "MOST_OF_MEMBER", 2)
    slugs = [start_practice(user_id=person(DAVE).pk) for _ in range(2)]
    page = read(DAVE, "play")
    assert "You can have 2 games against bots at a time." in page
    assert page.index("at a time.") < page.index("another board")
    for slug in slugs:
        assert f"{reverse('games:game', args=[slug])}#practice" in page
    visitor(DAVE).post(reverse("games:delete-practice", args=[slugs[0]]))
    assert "at a time." not in read(DAVE, "play")


def test_who_has_no_vote_because_of_a_bot_can_stop_it_there() -> None:
    game = running_game()
    let_bot_play(occupancy_id=occupancy_of(game, "ITALY").pk)
    player = occupancy_of(game, "ITALY").user.username
    assert reverse("games:take-over", args=[game.slug]) in read(player, "proposals", slug=game.slug)


def test_too_many_webhooks_are_listed_by_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.delivery.webhooks.MOST_WEBHOOKS", 1)
    first, second = running_game(), running_game(name="Another")
    address = "https://example.org/1"
    add_webhook(game_id=first.pk, user_id=person(ALICE).pk, address=address, form="chat")
    page = reverse("games:webhooks", args=[second.slug])
    refused = visitor(ALICE).post(page, {"address": address, "form": "chat"}).content.decode()
    assert "Remove one first." in refused
    assert leads_to("webhooks", slug=first.slug) in refused
