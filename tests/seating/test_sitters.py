"""A sitter plays for a player who is away, and has no access before or after."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.http import Http404
from django.test import Client
from django.urls import reverse

from games.deadlines.absences import book_absence
from games.deadlines.models import Reminder
from games.deadlines.reminders import remind_of_phase
from games.kernel.access import access_game, access_seat, access_sheet
from games.kernel.models import Occupancy, Sitting
from games.kernel.page import page_of
from games.kernel.refusals import NotAllowed, TooOften, UnknownPlayer, WrongMoment
from games.mastering.services.desk import seat_player
from games.orders.rules import TooLate
from games.orders.services import save_sheet, set_ready
from games.orders.sheets import SentSheet
from games.pages.queries import GameLists
from games.people.services import block_user
from games.press.queries import unread_count
from games.press.services import send_message
from games.sealed import store
from games.seating.news import SITTER_NAMED
from games.seating.services.sitters import answer_sitting, end_sitting, name_sitter
from games.seating.services.vacancies import resign, take_over_seat
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.moment import MONDAY_NOON, Moment
from tests.secrecy.observation import Browser, assert_alike, letters, observed_by
from tests.secrecy.worlds import world
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

A, R, T = "AUSTRIA", "RUSSIA", "TURKEY"
ALICE, BOB = PLAYERS[:2]
MONDAY = MONDAY_NOON.date()


@pytest.fixture(autouse=True)
def moment(db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Moment]:
    for name in (DAVE, "eva"):
        person(name)
    with time_machine.travel(MONDAY_NOON, tick=False):
        yield Moment(monkeypatch)


def small_game(**options: object) -> Game:
    """Alice plays Austria, Bob Russia, Fritz Turkey."""
    choices: dict[str, Any] = {"variant": "three-way-balkan-battle", "players": PLAYERS[:3], **options}
    return running_game(**choices)


def asks(game: Game, name: str = DAVE, *, last: date = MONDAY + timedelta(days=4), **how: Any) -> Sitting:
    """Alice asks Dave to sit until Friday."""
    choices: dict[str, Any] = {"first": MONDAY, "zone": "UTC", **how}
    name_sitter(game_id=game.pk, user_id=person(ALICE).pk, username=name, last=last, **choices)
    return Sitting.objects.latest("pk")


def sat(game: Game, **how: Any) -> Sitting:
    """Dave sits for Alice."""
    sitting = asks(game, **how)
    answer_sitting(user_id=person(DAVE).pk, number=sitting.pk, accept=True)
    return sitting


def saves(game: Game, sitting: Sitting, text: str = "# by the sitter") -> None:
    save_sheet(occupancy_id=sitting.occupancy_id, sheet=SentSheet(text, open_phase(game).ordinal), sitting=sitting.pk)


def may_write(name: str, game: Game) -> bool:
    return access_game(user=person(name), slug=game.slug, token=game.invitation).sheet is not None


def test_a_sitter_writes_only_after_saying_yes_and_only_on_the_days_agreed(moment: Moment) -> None:
    game = small_game()
    sitting = asks(game, first=MONDAY + timedelta(days=1))
    answer_sitting(user_id=person(DAVE).pk, number=sitting.pk, accept=True)
    assert not may_write(DAVE, game)
    moment.wait(hours=12)
    assert may_write(DAVE, game)
    moment.wait(days=4)
    assert not may_write(DAVE, game)


def test_who_has_not_answered_or_said_no_may_not_write() -> None:
    game = small_game()
    sitting = asks(game)
    assert not may_write(DAVE, game)
    answer_sitting(user_id=person(DAVE).pk, number=sitting.pk, accept=False)
    assert not may_write(DAVE, game)
    assert asks(game, "eva").sitter == person("eva")


def test_what_a_sitter_saves_counts_as_the_players() -> None:
    game = small_game(all_ready=True)
    sitting = sat(game)
    saves(game, sitting)
    set_ready(occupancy_id=sitting.occupancy_id, ordinal=0, ready=True, sitting=sitting.pk)
    assert store.read_own(occupancy_of(game, A), open_phase(game)).typed == "# by the sitter"
    Story(game).order(R, "# here")
    Story(game).deadline()
    held = occupancy_of(game, A)
    assert (held.user, held.owed, held.missed) == (person(ALICE), 1, 0)
    assert game.phases.get(ordinal=0).result.missed == [T]


def test_a_sitter_sees_the_open_sheet_of_the_seat_and_no_past_one() -> None:
    game = small_game()
    Story(game).order(A, "# before the sitter")
    Story(game).deadline()
    sitting = sat(game)
    Story(game).order(A, "# of the player")
    view = Story(game).seen_by(DAVE)
    assert view.order_sheet is not None
    assert (view.order_sheet.text, view.market.sits_for, view.my_power) == ("# of the player", "Austria", A)
    assert Story(game).seen_by(DAVE, 0).own_sheet is None
    with pytest.raises(TooLate) as late:
        save_sheet(occupancy_id=sitting.occupancy_id, sheet=SentSheet("", 0), sitting=sitting.pk)
    assert late.value.receipt is None


def test_a_sitter_neither_votes_nor_resigns_nor_books_days_nor_names_a_sitter() -> None:
    game = small_game(absence_days=5)
    sat(game)
    assert access_sheet(user=person(DAVE), slug=game.slug).power == A
    client = Client()
    client.force_login(person(DAVE))
    for name in ("resign", "sitter", "absences"):
        assert client.get(reverse(f"games:{name}", kwargs={"slug": game.slug})).status_code == 404, name
    assert client.post(reverse("games:proposals", kwargs={"slug": game.slug})).status_code == 404
    with pytest.raises(Http404):
        access_seat(user=person(DAVE), slug=game.slug)
    agreement = Story(game).seen_by(DAVE).agreement
    assert agreement == Story(game).seen_by("eva").agreement


def test_either_ends_it_at_once_and_the_sitter_is_a_stranger_again() -> None:
    for name in (ALICE, DAVE):
        game = small_game()
        sitting = sat(game)
        end_sitting(user_id=person(name).pk, number=sitting.pk)
        assert not may_write(DAVE, game)
        with pytest.raises(NotAllowed, match="no longer sitting for this player"):
            saves(game, sitting)


def test_nobody_else_ends_or_answers_it() -> None:
    game = small_game()
    sitting = asks(game)
    for name in (BOB, CAROL, "eva"):
        with pytest.raises(NotAllowed):
            answer_sitting(user_id=person(name).pk, number=sitting.pk, accept=True)
        with pytest.raises(NotAllowed, match="You have not been asked to sit here"):
            end_sitting(user_id=person(name).pk, number=sitting.pk)


def test_who_is_blocked_asks_without_an_email_and_nobody_asks_for_ever() -> None:
    game = small_game()
    block_user(by=person(DAVE).pk, username=ALICE)
    letters()
    for _ in range(8):
        sitting = asks(game)
        end_sitting(user_id=person(ALICE).pk, number=sitting.pk)
    assert letters() == []
    with pytest.raises(TooOften, match="You’ve asked 8 people about this game within an hour"):
        asks(game)


def test_when_the_player_loses_the_seat_the_sitter_goes_too() -> None:
    game = small_game()
    sat(game)
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    assert not may_write(DAVE, game)
    with pytest.raises(NotAllowed, match="You have sat for a player in this game"):
        take_over_seat(game_id=game.pk, user_id=person(DAVE).pk, power=A)
    with pytest.raises(NotAllowed, match="has sat for another power"):
        seat_player(game_id=game.pk, by=game.gm_id, power=R, username=DAVE, reason="Agreed.")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [(ALICE, "plays or has played"), (BOB, "plays or has played"), (CAROL, "is the game master of this game")],
)
def test_nobody_with_a_part_in_the_game_sits(name: str, sentence: str) -> None:
    person(name)
    with pytest.raises(NotAllowed, match=sentence):
        asks(small_game(), name)


def test_days_and_names_that_cannot_be_are_refused() -> None:
    game = small_game()
    with pytest.raises(UnknownPlayer, match="no account"):
        asks(game, "nobody")
    with pytest.raises(WrongMoment, match="last day is before the first"):
        asks(game, last=MONDAY - timedelta(days=1))
    with pytest.raises(WrongMoment, match="at most 60 days"):
        asks(game, last=MONDAY + timedelta(days=60))
    asks(game)
    with pytest.raises(WrongMoment, match="already named a sitter"):
        asks(game, "eva")


def test_messages_only_if_the_player_says_so_and_only_new_ones(moment: Moment) -> None:
    game = small_game()
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="before", to=[A])
    moment.wait(minutes=1)
    silent = sat(game)
    dave = access_game(user=person(DAVE), slug=game.slug)
    assert (dave.voice, dave.sheet is not None, unread_count(dave)) == (None, True, 0)
    with pytest.raises(NotAllowed):
        send_message(game_id=game.pk, user_id=person(DAVE).pk, text="as Austria", to=[R])
    end_sitting(user_id=person(ALICE).pk, number=silent.pk)
    sat(game, talks=True)
    moment.wait(minutes=1)
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="during", to=[A])
    send_message(game_id=game.pk, user_id=person(DAVE).pk, text="as Austria", to=[R])
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="to all")
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="not to Austria", to=[T])
    assert unread_count(access_game(user=person(DAVE), slug=game.slug)) == 2
    client = Client()
    client.force_login(person(DAVE))
    thread = reverse("games:thread", kwargs={"slug": game.slug, "address": f"{A}+{R}"})
    body = client.get(thread).content.decode()
    assert "during" in body
    assert "as Austria" in body
    assert "before" not in [line.strip() for line in body.splitlines()]
    assert unread_count(access_game(user=person(DAVE), slug=game.slug)) == 1
    end_sitting(user_id=person(DAVE).pk, number=Sitting.objects.latest("pk").pk)
    assert client.get(thread).status_code == 404


def test_the_log_says_that_there_is_a_sitter_and_neither_who_nor_for_whom() -> None:
    game = small_game()
    sat(game)
    for name in (BOB, CAROL, "eva"):
        view = Story(game).seen_by(name)
        assert view.events[0].sentence == "A player has a sitter for some days."
        assert DAVE not in str(view)
    event = game.events.get(kind=SITTER_NAMED.log)
    assert (event.by, event.facts) == (None, {})


def test_no_deadline_moves_for_a_player_who_has_a_sitter_on_that_day(moment: Moment) -> None:
    game = small_game(absence_days=10, movement_seconds=3 * 24 * 3600)
    before = open_phase(game).deadline
    sat(game)
    days = {"first": MONDAY + timedelta(days=2), "last": MONDAY + timedelta(days=4), "zone": "UTC"}
    book_absence(game_id=game.pk, user_id=person(ALICE).pk, **days)  # type: ignore[arg-type]
    assert open_phase(game).deadline == before
    book_absence(game_id=game.pk, user_id=person(BOB).pk, **days)  # type: ignore[arg-type]
    assert open_phase(game).deadline != before


def test_the_sitter_is_told_of_a_new_phase() -> None:
    game = small_game()
    sat(game)
    letters()
    Story(game).deadline()
    told = [to for subject, _body, to in letters() if "enter your orders" in subject]
    assert ["dave@example.org"] in told


def test_the_sitter_is_reminded_too_while_nothing_is_saved(moment: Moment) -> None:
    game = small_game()
    sitting = sat(game)
    moment.wait(hours=22)
    remind_of_phase(phase_id=open_phase(game).pk)
    assert set(Reminder.objects.values_list("user__username", flat=True)) >= {ALICE, DAVE}
    end_sitting(user_id=person(DAVE).pk, number=sitting.pk)
    told = [to for subject, _body, to in letters() if "no orders saved yet" in subject]
    assert sorted(told) == [["alice@example.org"], ["bob@example.org"], ["fritz@example.org"]]


def test_asking_and_answering_by_the_pages() -> None:
    game = small_game()
    alice, dave = Client(), Client()
    alice.force_login(person(ALICE))
    dave.force_login(person(DAVE))
    path = reverse("games:sitter", kwargs={"slug": game.slug})
    wrong = alice.post(path, {"username": "nobody", "first": MONDAY, "last": MONDAY})
    assert wrong.status_code == 422
    assert 'value="nobody"' in wrong.content.decode()
    asked = alice.post(path, {"username": DAVE, "first": MONDAY, "last": MONDAY}, follow=True)
    assert "haven’t answered yet" in asked.content.decode()
    assert (
        "has asked you to sit for them" in dave.get(reverse("games:game", kwargs={"slug": game.slug})).content.decode()
    )
    assert "alice has asked you to sit" in dave.get(reverse("games:sitting")).content.decode()
    number = Sitting.objects.get().pk
    answer = reverse("games:answer-sitting", kwargs={"number": number})
    assert ", and you’ve accepted." in dave.post(answer, {"answer": "yes"}, follow=True).content.decode()
    orders = reverse("games:orders", kwargs={"slug": game.slug})
    assert dave.get(orders).status_code == 200
    assert "The sitting is over" in alice.post(path, {"end": "yes"}, follow=True).content.decode()
    assert dave.get(orders).status_code == 404


def test_a_former_sitter_sees_the_same_whatever_the_seat_writes() -> None:
    game = small_game()
    sitting = sat(game, talks=True)
    saves(game, sitting)
    end_sitting(user_id=person(ALICE).pk, number=sitting.pk)
    browser, worlds = Browser(DAVE), []
    for text in ("", "# a plan, and a long one"):
        with world():
            if text:
                Story(game).order(A, text)
                send_message(game_id=game.pk, user_id=person(BOB).pk, text=text, to=[A])
            worlds.append(observed_by(browser, game))
    assert_alike(worlds)
    assert worlds[0]["GET games:orders"].status == 404


def test_hidden_names_stay_hidden_from_the_sitter() -> None:
    game = small_game(hidden_names=True)
    sat(game)
    client = Client()
    client.force_login(person(DAVE))
    page = client.get(reverse("games:sitting")).content.decode()
    assert "A player has asked you to sit" in page
    assert "and you’ve accepted" in page
    assert ALICE not in page
    view: Any = page_of(access_game(user=person(DAVE), slug=game.slug))
    assert ALICE not in str(view.powers)
    assert Occupancy.objects.get(seat__power=A, game=game).user == person(ALICE)


def test_a_sitter_finds_the_game_among_their_own_and_is_never_taken_for_its_player(client: Client) -> None:
    game = small_game()
    sitting = asks(game, talks=True)
    client.force_login(person(DAVE))
    assert GameLists(person(DAVE)).page("mine").games == ()
    answer_sitting(user_id=person(DAVE).pk, number=sitting.pk, accept=True)
    send_message(game_id=game.pk, user_id=person(BOB).pk, to=[A], text="Are you there?")
    (card,) = GameLists(person(DAVE)).page("mine").games
    assert (card.i_sit, card.my_power, card.unread) == (True, None, 1)
    listed = client.get(reverse("games:lobby")).content.decode()
    assert "you’re sitting for a player" in listed
    assert reverse("games:orders", kwargs={"slug": game.slug}) in listed
    for page in ("games:game", "games:talk", "games:orders"):
        shown = client.get(reverse(page, kwargs={"slug": game.slug})).content.decode()
        assert "you’re sitting for Austria" in shown
        assert "you are Austria" not in shown
    assert "(you)" not in client.get(reverse("games:game", kwargs={"slug": game.slug})).content.decode()
    end_sitting(user_id=person(ALICE).pk, number=sitting.pk)
    assert GameLists(person(DAVE)).page("mine").games == ()
