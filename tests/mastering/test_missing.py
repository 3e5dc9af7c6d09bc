"""Which players have saved orders: yes or no, for a game master who may see it, and reminders to the others."""

from __future__ import annotations

from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.urls import reverse

from games.deadlines.models import Reminder
from games.deadlines.reminders import phases_to_remind_of, reminder_times
from games.deadlines.reminders import remind_of_phase as write_what_is_due
from games.delivery.letters import deliver_letters
from games.kernel.access import access_gm, standpoint_of
from games.kernel.game_options import BadOptions, GameOptions
from games.kernel.models import Event, Letter, Right, Sitting
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.missing import missing_view, remind_missing
from games.mastering.services.assistants import answer_assistance, name_assistant
from games.mastering.services.desk import pause_game
from games.press.services import send_message
from games.sealed import store
from games.seating.services.bots import seat_bot
from games.seating.services.sitters import answer_sitting, name_sitter
from games.seating.services.vacancies import resign
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import HOUR, open_phase, powers_of, running_game
from tests.moment import MONDAY_NOON
from tests.pages.buttons import day
from tests.press.test_press import read
from tests.story import Story
from variants.bots import Level

if TYPE_CHECKING:
    from games.kernel.models import Game
    from tests.moment import Moment

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]


@pytest.fixture
def game(moment: Moment) -> Game:
    """All but Germany and Italy have saved orders."""
    game = running_game(gm_sees_saved=True, movement_seconds=72 * HOUR)
    for power in powers_of(game):
        if power not in {"GERMANY", "ITALY"}:
            Story(game).order(power, "")
    deliver_letters()
    mail.outbox.clear()
    return game


def carol(game: Game) -> dict[str, Any]:
    return {"game_id": game.pk, "by": person(CAROL).pk}


def saved(game: Game, name: str = CAROL) -> dict[str, bool | None]:
    seen = missing_view(standpoint_of(access_gm(user=person(name), slug=game.slug)))
    return {seat.power.id: seat.saved for seat in seen.seats}


def page(game: Game, name: str = CAROL) -> str:
    return visitor(name).get(reverse("games:missing", args=[game.slug])).content.decode()


def test_the_game_master_sees_who_has_saved_and_never_what(game: Game) -> None:
    Story(game).order("BRITAIN", "F Lon-NTH", "1: F Nwy H")
    assert [power for power, done in saved(game).items() if not done] == ["GERMANY", "ITALY"]
    text = page(game)
    assert "2 of 7 players haven’t saved orders" in text
    assert "NTH" not in text
    assert reverse("games:missing", args=[game.slug]) in visitor(CAROL).get(f"/games/{game.slug}/gm/").content.decode()
    answer = visitor(CAROL).get(reverse("api:saved", args=[game.slug])).json()
    assert (answer["owing"], answer["missing"], answer["why_not"]) == (7, 2, "")
    assert not Event.objects.filter(game=game, by=person(CAROL)).exclude(kind__in=["created"]).exists()
    Story(game).order("ITALY", "")
    assert "1 of 7 players hasn’t saved orders" in page(game)


def test_no_one_else_has_the_page_and_no_cache_keeps_it(game: Game) -> None:
    where = reverse("games:missing", args=[game.slug])
    assert {visitor(name).get(where).status_code for name in (ALICE, DAVE)} == {HTTPStatus.NOT_FOUND}
    assert "no-store" in visitor(CAROL).get(where)["Cache-Control"]


def test_an_assistant_sees_it_with_any_right(game: Game) -> None:
    name_assistant(**carol(game), username=person(DAVE).username, rights=[Right.TALK])
    answer_assistance(game_id=game.pk, user_id=person(DAVE).pk, accept=True)
    assert saved(game, DAVE) == saved(game)


def test_without_the_term_the_door_is_shut() -> None:
    game = running_game()
    with pytest.raises(NotAllowed, match="only the players themselves know"):
        saved(game)
    with pytest.raises(NotAllowed, match="only the players themselves know"):
        remind_missing(**carol(game))
    with pytest.raises(store.NoAccessToSheet):
        store.saved_seats(open_phase(game))
    assert "games:missing" not in page(game)


def test_a_game_master_who_plays_or_has_played_never_sees_it() -> None:
    with pytest.raises(BadOptions, match="isn’t playing can see who has saved"):
        GameOptions.create(movement_seconds=HOUR, gm_plays=True, gm_sees_saved=True)
    game = running_game(gm_sees_saved=True)
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    game.gm = person(ALICE)
    game.save(update_fields=["gm"])
    with pytest.raises(NotAllowed, match="You have had a seat in this game"):
        saved(game, ALICE)


def test_bots_and_vacant_seats_miss_nothing(game: Game) -> None:
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    assert saved(game)["BRITAIN"] is None
    seat_bot(**carol(game), power="BRITAIN", level=Level.EASY)
    assert saved(game)["BRITAIN"] is None
    shown = page(game)
    assert ("2 of 6 players" in shown, "easy bot" in shown, ">bot " in shown) == (True, True, False)


def test_it_shows_who_has_read_the_last_announcement_or_their_sitter(game: Game) -> None:
    assert "announce&shy;ment" not in page(game)
    name_sitter(game_id=game.pk, user_id=person(BOB).pk, username=person(DAVE).username, **(day(0) | {"talks": True}))
    answer_sitting(user_id=person(DAVE).pk, number=Sitting.objects.get().pk, accept=True)
    send_message(game_id=game.pk, user_id=person(CAROL).pk, text="Please save.", as_gm=True)
    for name in (ALICE, DAVE):
        read(game, name)
    seen = missing_view(standpoint_of(access_gm(user=person(CAROL), slug=game.slug)))
    assert [seat.power.id for seat in seen.seats if seat.read] == powers_of(game)[:2]
    send_message(game_id=game.pk, user_id=person(CAROL).pk, text="Again.", as_gm=True)
    seen = missing_view(standpoint_of(access_gm(user=person(CAROL), slug=game.slug)))
    assert not any(seat.read for seat in seen.seats)


def test_a_reminder_reaches_those_who_miss_and_shows_no_one_who_they_are(game: Game) -> None:
    client, lines = visitor(CAROL), Event.objects.count()
    done = client.post(reverse("games:gm-remind", args=[game.slug]), follow=True)
    assert "Players who haven’t saved orders are reminded." in done.content.decode()
    assert Reminder.objects.filter(by_gm=True).count() == 7, "a row for everyone who owes orders"
    deliver_letters()
    assert sorted(message.to[0] for message in mail.outbox) == sorted(
        person(name).email
        for name, power in zip(PLAYERS, powers_of(game), strict=True)
        if power in {"GERMANY", "ITALY"}
    )
    assert "The game master reminds you." in mail.outbox[0].body
    assert (Event.objects.count(), Letter.objects.filter(sent__isnull=True).count()) == (lines, 0)


def test_the_answer_is_the_same_if_no_one_misses(game: Game) -> None:
    for power in ("GERMANY", "ITALY"):
        Story(game).order(power, "")
    done = visitor(CAROL).post(reverse("games:gm-remind", args=[game.slug]), follow=True)
    assert "Players who haven’t saved orders are reminded." in done.content.decode()
    deliver_letters()
    assert mail.outbox == []


def test_players_are_reminded_by_hand_at_most_every_twelve_hours_of_a_phase(game: Game, moment: Moment) -> None:
    remind_missing(**carol(game))
    moment.wait(hours=11)
    with pytest.raises(WrongMoment, match="Players were reminded 11 hours ago"):
        remind_missing(**carol(game))
    assert "Players were reminded" in page(game)
    moment.wait(hours=1)
    remind_missing(**carol(game))
    Story(game).deadline()
    remind_missing(**carol(game))
    pause_game(**carol(game))
    with pytest.raises(WrongMoment, match="only while the clock runs"):
        remind_missing(**carol(game))


def test_an_extra_reminder_comes_at_the_time_that_the_terms_say(moment: Moment) -> None:
    game = running_game(movement_seconds=72 * HOUR, remind_before=36 * HOUR)
    moment.wait(hours=35)
    assert phases_to_remind_of() == []
    moment.wait(hours=1)
    assert phases_to_remind_of() == [open_phase(game).pk]
    write_what_is_due(phase_id=open_phase(game).pk)
    assert phases_to_remind_of() == []
    said = [term.sentence for term in Story(game).seen_by(DAVE).game.options.terms]
    assert "Players who haven’t saved orders also get a reminder 36 hours before the deadline." in said
    deadline = MONDAY_NOON + timedelta(hours=8)
    assert reminder_times(MONDAY_NOON, deadline, timedelta(hours=9)) == reminder_times(MONDAY_NOON, deadline)


def test_everyone_is_told_before_joining() -> None:
    said = [term.sentence for term in Story(running_game(gm_sees_saved=True)).seen_by(DAVE).game.options.terms]
    assert any("sees which players have saved orders, yes or no" in sentence for sentence in said)
