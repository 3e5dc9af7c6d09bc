"""Handing a game over to another game master."""

from __future__ import annotations

from http import HTTPStatus
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.urls import reverse

from games.delivery.webhooks import add_webhook
from games.kernel.models import Handover, Letter
from games.kernel.refusals import NotAllowed, UnknownPlayer, WrongMoment
from games.mastering.news import MASTER_ACCEPTED, MASTER_ASKED, MASTER_DECLINED
from games.mastering.services.assistants import answer_handover, offer_handover, withdraw_handover
from games.news.models import Webhook
from games.orders.bids import look_at_bids
from games.people.export import stored_facts_of
from games.people.models import ModerationAct
from games.people.moderation import ask_for_new_master, end_suspension, suspend_person
from games.people.services import block_user, leave_all_games
from games.press.services import send_message
from games.seating.services.new_game import take_seat
from games.seating.services.vacancies import resign, take_over_seat
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game
    from games.kernel.news import News

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]
ERIN, MARK = "erin", "mark"


def asks(game: Game, name: str) -> None:
    offer_handover(game_id=game.pk, by=person(CAROL).pk, username=person(name).username)


def says(game: Game, name: str, *, yes: bool) -> None:
    answer_handover(game_id=game.pk, user_id=person(name).pk, accept=yes)


def master_of(game: Game) -> str:
    game.refresh_from_db()
    return game.gm.get_username()


def letters(news: News) -> list[str]:
    return [row.user.get_username() for row in Letter.objects.filter(kind=news.letter)]


def test_the_user_asked_says_yes_on_a_page_that_no_one_else_has() -> None:
    game = running_game(by_invitation=True)
    person(DAVE)
    desk, page = reverse("games:gm", args=[game.slug]), reverse("games:take-game", args=[game.slug])
    carol = visitor(CAROL)
    carol.post(reverse("games:gm-hand_over", args=[game.slug]), {"username": "Dave"})
    assert "You have asked <strong>dave</strong>" in carol.get(desk).content.decode()
    assert letters(MASTER_ASKED) == [DAVE]
    assert master_of(game) == CAROL
    assert [visitor(name).get(page).status_code for name in (ALICE, CAROL, ERIN)] == [404, 404, 404]
    dave = visitor(DAVE)
    assert page in dave.get(reverse("games:game", args=[game.slug])).content.decode()
    assert dave.get(page).status_code == HTTPStatus.OK
    assert dave.post(page, {"answer": "yes"})["Location"] == desk
    assert master_of(game) == DAVE
    assert dave.get(desk).status_code == HTTPStatus.OK
    assert carol.get(desk).status_code == HTTPStatus.NOT_FOUND
    assert letters(MASTER_ACCEPTED) == [CAROL]
    assert letters(MASTER_DECLINED) == []
    assert Story(game).seen_by(ALICE).events[0].sentence == (
        "dave is now the game master: the previous one handed over the game."
    )


def test_a_game_handed_over_has_a_new_invitation_so_that_the_one_before_watches_no_more() -> None:
    game = running_game(by_invitation=True)
    person(DAVE)
    way_in, carol, dave = reverse("games:invited", args=[game.invitation]), visitor(CAROL), visitor(DAVE)
    carol.get(way_in)
    asks(game, DAVE)
    done = dave.post(reverse("games:take-game", args=[game.slug]), {"answer": "yes"}, follow=True)
    assert "The invitation link is new" in done.content.decode()
    page = reverse("games:game", args=[game.slug])
    assert [carol.get(where).status_code for where in (page, way_in)] == [404, 404]
    game.refresh_from_db()
    assert reverse("games:invited", args=[game.invitation]) in dave.get(page).content.decode()
    assert visitor(ALICE).get(page).status_code == HTTPStatus.OK


def test_a_no_or_an_offer_taken_back_changes_nothing() -> None:
    game = running_game()
    asks(game, DAVE)
    with pytest.raises(WrongMoment, match="You’ve already asked a player"):
        asks(game, ERIN)
    says(game, DAVE, yes=False)
    assert (letters(MASTER_ACCEPTED), letters(MASTER_DECLINED)) == ([], [CAROL])
    asks(game, DAVE)
    withdraw_handover(game_id=game.pk, by=person(CAROL).pk)
    with pytest.raises(WrongMoment, match="no longer open"):
        says(game, DAVE, yes=True)
    assert master_of(game) == CAROL
    assert [row.accepted for row in Handover.objects.order_by("pk")] == [False, False]


def test_a_player_masters_a_game_only_where_the_game_master_may_play() -> None:
    game = running_game()
    with pytest.raises(NotAllowed, match="alice plays in this game, and its game master may not play"):
        asks(game, ALICE)
    with pytest.raises(UnknownPlayer):
        offer_handover(game_id=game.pk, by=person(CAROL).pk, username="nobody")
    waiting = waiting_game(name="Genoa")
    asks(waiting, ALICE)
    take_seat(game_id=waiting.pk, user_id=person(ALICE).pk)
    with pytest.raises(NotAllowed, match="You can’t take over this game: alice plays in this game"):
        says(waiting, ALICE, yes=True)
    playing = running_game(name="Spa", gm_plays=True, gm_sees_bids=False)
    asks(playing, ALICE)
    says(playing, ALICE, yes=True)
    assert master_of(playing) == ALICE


def test_after_handing_over_a_game_master_keeps_no_right_in_the_game_and_may_not_play() -> None:
    game = running_game()
    add_webhook(game_id=game.pk, user_id=person(CAROL).pk, address="https://news.example.org/hook", form="chat")
    Story(game).deadline()
    asks(game, DAVE)
    says(game, DAVE, yes=True)
    with pytest.raises(NotAllowed, match="Only the game master"):
        look_at_bids(game_id=game.pk, by=person(CAROL).pk, ordinal=0)
    look_at_bids(game_id=game.pk, by=person(DAVE).pk, ordinal=0)
    assert not Webhook.objects.exists()
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    with pytest.raises(NotAllowed, match="You have run this game, or helped to"):
        take_over_seat(game_id=game.pk, user_id=person(CAROL).pk, power="BRITAIN")
    leave_all_games(user_id=person(CAROL).pk)


def test_a_game_master_downloads_only_what_they_wrote_themselves() -> None:
    game = running_game()
    send_message(game_id=game.pk, user_id=person(CAROL).pk, text="Welcome.", as_gm=True)
    asks(game, DAVE)
    says(game, DAVE, yes=True)
    send_message(game_id=game.pk, user_id=person(DAVE).pk, text="I am new.", as_gm=True)
    texts = {name: [it["text"] for it in stored_facts_of(person(name).pk)["messages"]] for name in (CAROL, DAVE)}
    assert texts == {CAROL: ["Welcome."], DAVE: ["I am new."]}


def test_a_block_is_not_to_be_noticed_by_asking() -> None:
    game = running_game()
    person(CAROL)
    block_user(by=person(DAVE).pk, username=CAROL)
    asks(game, DAVE)
    assert letters(MASTER_ASKED) == []


def test_moderators_name_a_master_only_for_a_game_whose_own_is_gone() -> None:
    game, mark = running_game(hidden_names=True), person(MARK)
    call_command("moderator", MARK, stdout=StringIO())
    page, send = reverse("games:moderation"), reverse("games:name-master")
    browser, facts = visitor(MARK), {"game": game.slug, "name": person(DAVE).username, "reason": "Gone."}
    assert "This game has a game master." in browser.post(send, facts, follow=True).content.decode()
    suspend_person(by=mark.pk, username=CAROL, reason="Threats.", days=None)
    assert game.slug in browser.get(page).content.decode()
    ask_for_new_master(by=mark.pk, slug=game.slug, username=person(ALICE).username, reason="Gone.")
    with pytest.raises(NotAllowed, match="alice plays in this game"):
        says(game, ALICE, yes=True)
    browser.post(send, facts)
    end_suspension(by=mark.pk, username=CAROL, reason="Sorry.")
    with pytest.raises(WrongMoment, match="game master is back"):
        says(game, DAVE, yes=True)
    suspend_person(by=mark.pk, username=CAROL, reason="Threats.", days=None)
    says(game, DAVE, yes=True)
    assert master_of(game) == DAVE
    assert game.slug not in browser.get(page).content.decode().split("log")[0]
    assert Story(game).seen_by(BOB).events[0].sentence == (
        "dave is now the game master, at the request of the site’s moderators."
    )
    assert ModerationAct.objects.filter(kind="asked a new game master", game=game).count() == 2
