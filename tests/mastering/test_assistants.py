"""Assistants of the game master: asked, chosen rights, and nothing kept when it ends."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.delivery.webhooks import add_webhook
from games.kernel.access import access_game
from games.kernel.members import masters_of
from games.kernel.models import Assistant, Letter, Right, Sitting
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.news import ASSISTANT_ASKED, ASSISTANT_DECLINED, ASSISTANT_NAMED
from games.mastering.services.assistants import (
    answer_assistance,
    answer_handover,
    dismiss_assistant,
    name_assistant,
    offer_handover,
    stop_assisting,
)
from games.mastering.services.desk import empty_seat, pause_game, resume_game, seat_player
from games.news.models import Webhook
from games.pages.queries import GameLists
from games.people.export import stored_facts_of
from games.people.services import leave_all_games
from games.press.models import Message
from games.press.queries import unread_count
from games.press.services import send_message
from games.seating.news import REQUEST_MADE
from games.seating.services.joining import ask_to_join
from games.seating.services.new_game import take_seat
from games.seating.services.sitters import answer_sitting, name_sitter
from games.seating.services.vacancies import answer_invitation, invite_to_seat, resign, take_over_seat
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.pages.buttons import day
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Collection

    from games.kernel.models import Game
    from games.kernel.news import News

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]
ADA = "ada"


def asks(game: Game, name: str = ADA, rights: Collection[str] = tuple(Right)) -> None:
    name_assistant(game_id=game.pk, by=person(CAROL).pk, username=person(name).username, rights=rights)


def helps(game: Game, name: str = ADA, rights: Collection[str] = tuple(Right)) -> dict[str, Any]:
    """This user is asked and accepts; how they act."""
    asks(game, name, rights)
    answer_assistance(game_id=game.pk, user_id=person(name).pk, accept=True)
    game.refresh_from_db()
    return {"game_id": game.pk, "by": person(name).pk}


def letters(news: News) -> list[str]:
    return [row.user.get_username() for row in Letter.objects.filter(kind=news.letter).order_by("user__username")]


def test_an_assistant_is_asked_accepts_on_a_page_and_is_named_for_everyone() -> None:
    game = running_game(by_invitation=True)
    desk, page = reverse("games:gm", args=[game.slug]), reverse("games:assist", args=[game.slug])
    person(ADA)
    carol, ada = visitor(CAROL), visitor(ADA)
    form = {"username": "Ada", "rights": ["clock", "talk"]}
    carol.post(reverse("games:gm-name_assistant", args=[game.slug]), form)
    assert "(asked)" in carol.get(desk).content.decode()
    assert letters(ASSISTANT_ASKED) == [ADA]
    assert [ada.get(desk).status_code, visitor(ALICE).get(page).status_code, carol.get(page).status_code] == [404] * 3
    assert "messages and clock" in ada.get(page).content.decode()
    assert ada.post(page, {"answer": "yes"})["Location"] == desk
    assert ada.get(desk).status_code == HTTPStatus.OK
    assert letters(ASSISTANT_NAMED) == [CAROL]
    said = "ada is now an assistant of the game master, with these rights: messages and clock."
    assert Story(game).seen_by(ALICE).events[0].sentence == said
    alice = visitor(ALICE)
    assert "ada (messages and clock)." in alice.get(reverse("games:terms", args=[game.slug])).content.decode()
    assert "with the help of" in alice.get(reverse("games:game", args=[game.slug])).content.decode()
    assert [card.slug for card in GameLists(person(ADA)).page("mine").games] == [game.slug]


def test_an_assistant_does_what_the_rights_allow_and_no_more() -> None:
    game = running_game()
    me = helps(game, rights=[Right.CLOCK])
    pause_game(**me)
    resume_game(**me)
    assert Story(game).seen_by(ALICE).events[0].sentence == "ada resumed the game."
    with pytest.raises(NotAllowed, match="Only the game master"):
        empty_seat(**me, power="BRITAIN", reason="Gone.")
    with pytest.raises(NotAllowed, match="Only the game master"):
        offer_handover(**me, username=DAVE)
    with pytest.raises(NotAllowed, match="Only the game master"):
        name_assistant(**me, username=person(DAVE).username, rights=["talk"])
    with pytest.raises(NotAllowed, match="Only the game master"):
        send_message(game_id=game.pk, user_id=me["by"], text="Hear", as_gm=True)
    ada = visitor(ADA)
    for page in ("close", "gm-hand_over", "gm-name_assistant"):
        assert ada.post(reverse(f"games:{page}", args=[game.slug])).status_code == HTTPStatus.NOT_FOUND
    disorder = reverse("games:disorder", args=[game.slug, "BRITAIN"])
    assert (ada.get(disorder).status_code, visitor(CAROL).get(disorder).status_code) == (
        HTTPStatus.NOT_FOUND,
        HTTPStatus.OK,
    )


def test_the_log_names_the_assistant_who_invited_the_new_player() -> None:
    game = running_game()
    invite_to_seat(**helps(game), power="BRITAIN", username=person(DAVE).username)
    answer_invitation(game_id=game.pk, user_id=person(DAVE).pk, accept=True)
    assert "ada gave Britain to dave." in {event.sentence for event in Story(game).seen_by(ALICE).events}


def test_a_no_or_a_request_withdrawn_gives_no_right() -> None:
    game = running_game()
    asks(game)
    with pytest.raises(NotAllowed, match="ada is already an assistant or has been asked"):
        asks(game)
    answer_assistance(game_id=game.pk, user_id=person(ADA).pk, accept=False)
    assert letters(ASSISTANT_DECLINED) == [CAROL]
    asks(game)
    dismiss_assistant(game_id=game.pk, by=person(CAROL).pk, username=ADA)
    with pytest.raises(WrongMoment, match="no longer open"):
        answer_assistance(game_id=game.pk, user_id=person(ADA).pk, accept=True)
    game.refresh_from_db()
    assert masters_of(game) == [person(CAROL).pk]


def test_an_assistant_neither_plays_nor_sits() -> None:
    game = running_game(gm_plays=True, gm_sees_bids=False)
    with pytest.raises(NotAllowed, match="alice plays in this game, and assistants may not play"):
        asks(game, ALICE)
    helps(game)
    with pytest.raises(NotAllowed, match="ada is an assistant of this game’s game master"):
        seat_player(game_id=game.pk, by=person(CAROL).pk, power="BRITAIN", username=ADA, reason="Agreed.")
    with pytest.raises(NotAllowed, match="ada is an assistant"):
        invite_to_seat(game_id=game.pk, by=person(CAROL).pk, power="BRITAIN", username=ADA)
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    with pytest.raises(NotAllowed, match="You’re an assistant of this game’s game master"):
        take_over_seat(game_id=game.pk, user_id=person(ADA).pk, power="BRITAIN")
    name_sitter(game_id=game.pk, user_id=person(BOB).pk, username=person(DAVE).username, **day())
    asks(game, DAVE)
    answer_assistance(game_id=game.pk, user_id=person(DAVE).pk, accept=True)
    with pytest.raises(NotAllowed, match="dave is an assistant"):
        answer_sitting(user_id=person(DAVE).pk, number=Sitting.objects.get().pk, accept=True)


def test_who_takes_a_seat_after_being_asked_cannot_accept() -> None:
    game = waiting_game()
    asks(game)
    take_seat(game_id=game.pk, user_id=person(ADA).pk, power="BRITAIN")
    with pytest.raises(NotAllowed, match="You can’t help with this game: ada plays in this game"):
        answer_assistance(game_id=game.pk, user_id=person(ADA).pk, accept=True)


@pytest.mark.parametrize("how", ["removed", "stops"])
def test_a_former_assistant_keeps_no_right_no_link_and_may_not_play(how: str) -> None:
    game = running_game(by_invitation=True)
    me = helps(game)
    ada, pages = visitor(ADA), [reverse(f"games:{page}", args=[game.slug]) for page in ("gm", "game")]
    ada.get(reverse("games:invited", args=[game.invitation]))
    add_webhook(game_id=game.pk, user_id=me["by"], address="https://news.example.org/hook", form="chat")
    assert [ada.get(page).status_code for page in pages] == [200, 200]
    if how == "removed":
        dismiss_assistant(game_id=game.pk, by=person(CAROL).pk, username=ADA)
        said = "carol removed ada as an assistant."
    else:
        ada.post(reverse("games:step-down", args=[game.slug]))
        said = "ada is no longer an assistant of the game master."
    assert Story(game).seen_by(CAROL).events[0].sentence == said
    assert [visitor(ADA).get(page).status_code for page in pages] == [404, 404]
    assert "gm/" not in ada.get(pages[0], follow=True).request["PATH_INFO"] or how == "removed"
    with pytest.raises(NotAllowed, match="Only the game master"):
        pause_game(**me)
    assert not Webhook.objects.exists()
    game.refresh_from_db()
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    with pytest.raises(NotAllowed, match="You have run this game, or helped to"):
        take_over_seat(game_id=game.pk, user_id=me["by"], power="BRITAIN", token=game.invitation)


def test_requests_are_told_to_assistants_who_may_answer_them() -> None:
    game = waiting_game(approval=True)
    helps(game, rights=[Right.SEATS])
    helps(game, DAVE, [Right.CLOCK])
    ask_to_join(game_id=game.pk, user_id=person(ALICE).pk)
    assert letters(REQUEST_MADE) == [ADA, CAROL]
    wants = {name: GameLists(person(name)).page("mine").games[0].wants for name in (ADA, CAROL, DAVE)}
    assert wants == {ADA: "requests to answer", CAROL: "requests to answer", DAVE: None}


def test_assistants_see_the_names_that_the_game_master_sees() -> None:
    game = running_game(hidden_names=True)
    helps(game, rights=[Right.CLOCK])
    assert Story(game).seen_by(ADA).powers[0].player == ALICE
    assert Story(game).seen_by(DAVE).powers[0].player == ""


def test_what_an_assistant_announces_is_theirs_and_new_for_the_game_master() -> None:
    game = running_game()
    me = helps(game, rights=[Right.TALK])
    send_message(game_id=game.pk, user_id=me["by"], text="Welcome.", as_gm=True)
    assert Message.objects.get().power == ""
    texts = {name: [it["text"] for it in stored_facts_of(person(name).pk)["messages"]] for name in (CAROL, ADA)}
    assert texts == {CAROL: [], ADA: ["Welcome."]}
    unread = {name: unread_count(access_game(user=person(name), slug=game.slug)) for name in (CAROL, ADA, ALICE)}
    assert unread == {CAROL: 1, ADA: 0, ALICE: 1}


def test_an_assistant_who_becomes_the_game_master_is_an_assistant_no_more() -> None:
    game = running_game()
    helps(game)
    offer_handover(game_id=game.pk, by=person(CAROL).pk, username=ADA)
    answer_handover(game_id=game.pk, user_id=person(ADA).pk, accept=True)
    game.refresh_from_db()
    assert masters_of(game) == [person(ADA).pk]
    assert game.assistants == {}


def test_leaving_the_site_ends_assistance() -> None:
    game, other = running_game(), waiting_game(name="Genoa")
    helps(game)
    asks(other)
    leave_all_games(user_id=person(ADA).pk)
    game.refresh_from_db()
    assert game.assistants == {}
    assert not Assistant.objects.filter(ended__isnull=True).exclude(accepted=False).exists()
    assert stored_facts_of(person(ADA).pk)["assistant_of"][0]["rights"] == list(Right)


def test_a_game_has_at_most_five_assistants() -> None:
    game = running_game()
    for number in range(5):
        asks(game, f"helper{number}")
    with pytest.raises(NotAllowed, match="at most 5 assistants"):
        asks(game)


def test_an_assistant_by_the_api_answers_acts_and_stops() -> None:
    game = running_game()
    asks(game, rights=["clock"])
    ada = visitor(ADA)
    assist, pause = reverse("api:assist", args=[game.slug]), reverse("api:gm-pause", args=[game.slug])
    assert ada.put(assist, {"accept": True}, content_type="application/json").status_code == HTTPStatus.OK
    assert ada.post(pause, {}, content_type="application/json").status_code == HTTPStatus.OK
    close = reverse("api:gm-close", args=[game.slug])
    assert ada.post(close, {}, content_type="application/json").status_code == HTTPStatus.FORBIDDEN
    desk = ada.get(reverse("api:desk", args=[game.slug])).json()
    assert desk["assistants"] == [{"name": ADA, "rights": "clock", "accepted": True}]
    assert ada.delete(assist).status_code == HTTPStatus.OK
    assert ada.get(reverse("api:desk", args=[game.slug])).status_code == HTTPStatus.FORBIDDEN


def test_only_an_assistant_can_step_down() -> None:
    game = running_game()
    with pytest.raises(WrongMoment, match="You’re not an assistant in this game"):
        stop_assisting(game_id=game.pk, user_id=person(CAROL).pk)
