"""Downloading your data, and deleting your account."""

from __future__ import annotations

import json
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from games.delivery.choosing import choose_mail
from games.delivery.webhooks import add_webhook
from games.kernel import clock
from games.kernel.models import Event, Letter, Sitting
from games.kernel.news import Topic
from games.mastering.services.desk import close_game
from games.news.models import Mail
from games.people.models import ApiToken, Session
from games.people.tokens import make_token
from games.press.models import Mute
from games.press.services import send_message
from games.sealed import store
from games.seating.models import Standby
from games.seating.services.new_game import take_seat
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PASSWORD, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game
from tests.sealed.slots import slots_of
from tests.story import Story

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]
DELETE, EXPORT = reverse("account-delete"), reverse("account-export")


def taken_along(name: str) -> dict[str, Any]:
    answer = visitor(name).post(EXPORT)
    assert answer["Content-Disposition"] == f'attachment; filename="diplomacy-{person(name).pk}.json"'
    assert "no-store" in answer["Cache-Control"]
    file: dict[str, Any] = json.loads(answer.content)
    return file


def test_the_file_holds_what_one_has_saved_and_written_and_nothing_of_others() -> None:
    game = running_game()
    story = Story(game)
    story.order("BRITAIN", "F Lon-NTH", "1: F Nwy H")
    story.order("FRANCE", "A Par-Bur")
    send_message(game_id=game.pk, user_id=person(ALICE).pk, text="Peace?", to=["FRANCE"])
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="Never.", to=["BRITAIN"])
    file = taken_along(ALICE)
    assert file["account"]["email"] == "alice@example.org"
    assert [(seat["game"], seat["power"], seat["until"]) for seat in file["seats"]] == [(game.slug, "BRITAIN", None)]
    assert [sheet["text"] for sheet in file["sheets"]] == ["F Lon-NTH\n1: F Nwy H"]
    assert [(it["text"], it["to"]) for it in file["messages"]] == [("Peace?", ["BRITAIN", "FRANCE"])]
    assert file["game_master_of"] == []
    assert [it["game"] for it in taken_along(CAROL)["game_master_of"]] == [game.slug]


def test_the_file_holds_what_one_has_chosen_and_asked_for() -> None:
    game, alice, now = running_game(), person(ALICE), clock.now()
    Sitting.objects.create(
        occupancy=occupancy_of(game, "BRITAIN"), sitter=person(DAVE), begins=now, ends=now + timedelta(days=2)
    )
    Standby.objects.create(user=alice, variants=["locarno"], pace="slow", since=now)
    choose_mail(user_id=alice.pk, game_id=game.pk, mail={Topic.PHASE: Mail.OFF}, hour=7)
    Mute.objects.create(game=game, user=alice, power="FRANCE")
    add_webhook(game_id=game.pk, user_id=alice.pk, address="https://news.example.org/hook", form="json")
    file = taken_along(ALICE)
    assert [(it["sitter"], it["ends"]) for it in file["sittings"]] == [(DAVE, (now + timedelta(days=2)).isoformat())]
    assert [(it["variants"], it["pace"]) for it in file["standby_wishes"]] == [(["locarno"], "slow")]
    assert file["notification_choices"] == [
        {"game": game.slug, "topic": "phase", "mail": "off", "devices": "as in all"}
    ]
    assert file["hour_of_the_daily_letter"] == [7]
    assert [(it["game"], it["power"]) for it in file["muted_powers"]] == [(game.slug, "FRANCE")]
    (posted,) = file["posted_news"]
    assert (posted["game"], posted["address"], posted["form"]) == (game.slug, "https://news.example.org/hook", "json")
    assert [it["sitter"] for it in taken_along(DAVE)["sittings"]] == ["you"]
    assert taken_along(CAROL)["posted_news"] == []


def test_a_deleted_account_says_no_more_whose_it_was() -> None:
    game = running_game()
    story = Story(game)
    story.order("BRITAIN", "F Lon-NTH")
    send_message(game_id=game.pk, user_id=person(ALICE).pk, text="Peace?")
    waiting = waiting_game(name="Genoa")
    take_seat(game_id=waiting.pk, user_id=person(ALICE).pk)
    user, browser, _another = person(ALICE), visitor(ALICE), visitor(ALICE)
    make_token(user_id=user.pk, name="bot", scopes=[], days=30)
    seat, phase = occupancy_of(game, "BRITAIN").seat, open_phase(game)
    before = set(slots_of(phase))

    assert browser.post(DELETE, {"password": PASSWORD}).status_code == HTTPStatus.SEE_OTHER

    user.refresh_from_db()
    assert (user.username, user.email) == (f"former player {user.pk}", f"{user.pk}@former-player.invalid")
    assert not user.is_active
    assert not user.has_usable_password()
    assert not ApiToken.objects.filter(user=user).exists()
    assert not Session.objects.filter(user_id=user.pk).exists()
    assert not Letter.objects.filter(user=user).exists()
    assert not user.occupancies.filter(until__isnull=True).exists()
    assert before.isdisjoint(slots_of(phase))
    taken = take_over(game, seat.pk)
    assert store.read_own(taken, phase) == store.BLANK
    pages = [reverse(f"games:{name}", args=[game.slug]) for name in ("game", "talk", "terms")]
    for path in pages:
        assert ALICE not in visitor(BOB).get(path).content.decode()
    log = [it.sentence for it in story.seen_by(BOB).events]
    assert f"former player {user.pk} gave up Britain; the seat is now vacant." in log
    assert "Peace?" in visitor(BOB).get(reverse("games:thread", args=[game.slug, "everybody"])).content.decode()
    assert Client().get("/people/alice/").status_code == HTTPStatus.NOT_FOUND
    assert browser.get(reverse("games:profile")).status_code == HTTPStatus.FOUND


def take_over(game: Any, seat_id: int) -> Any:
    return game.occupancies.create(seat_id=seat_id, user=person(DAVE), since=clock.now())


def test_nobody_else_gets_the_name() -> None:
    visitor(DAVE).post(DELETE, {"password": PASSWORD})
    wanted = {"username": "Dave", "email": "new@example.org", "password1": PASSWORD}
    answer = Client().post(reverse("account_signup"), wanted)
    assert "This name, or one that looks like it, belonged to a former player" in answer.content.decode()
    Client().post(reverse("account_signup"), {**wanted, "username": "david"})
    assert get_user_model().objects.filter(username="david").exists()


def test_without_the_password_nothing_is_deleted() -> None:
    answer = visitor(DAVE).post(DELETE, {"password": "guessed"})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "This isn’t your password. Nothing was deleted." in answer.content.decode()
    assert person(DAVE).is_active


def test_a_game_master_ends_their_games_first() -> None:
    game = running_game()
    answer = visitor(CAROL).post(DELETE, {"password": PASSWORD})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "You’re the game master of games that aren’t over: Locarno." in answer.content.decode()
    assert person(CAROL).is_active
    close_game(game_id=game.pk, by=person(CAROL).pk)
    visitor(CAROL).post(DELETE, {"password": PASSWORD})
    assert get_user_model().objects.filter(username__startswith="former player").count() == 1


def test_what_counts_already_is_not_taken_back() -> None:
    game = running_game()
    Story(game).order("BRITAIN", "F Lon-NTH")
    Story(game).deadline_comes()
    events = Event.objects.count()
    answer = visitor(ALICE).post(DELETE, {"password": PASSWORD})
    assert "The deadline has passed, and the phase is about to end." in answer.content.decode()
    assert person(ALICE).is_active
    assert Event.objects.count() == events
