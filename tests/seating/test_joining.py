"""Joining a game: powers at random or by preference, approval by the game master, reliability, the roll call."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from celery import current_app
from django.core import mail
from django.urls import reverse

from games.deadlines.news import GAME_OVER, GAME_STARTED
from games.delivery.letters import deliver_letters
from games.kernel import clock
from games.kernel.models import Joiner, Letter, Occupancy, Phase, Status
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.mastering.services.desk import cancel_roll_call, close_game, start_anyway, start_game
from games.seating.models import RollCall
from games.seating.news import (
    ASKED_AGAIN,
    PLACE_LOST,
    REQUEST_ACCEPTED,
    REQUEST_DECLINED,
    REQUEST_MADE,
    ROLL_CALL_CANCELLED,
    ROLL_CALLED,
)
from games.seating.options import Start
from games.seating.reliability import Reliability, reliability_of
from games.seating.services.joining import (
    answer_join_request,
    ask_to_join,
    change_wishes,
    confirm_place,
    end_roll_call,
    games_with_due_roll_calls,
    join_game,
    withdraw_join_request,
)
from games.seating.services.new_game import leave_before_start, take_seat
from games.seating.services.vacancies import resign, take_over_seat
from games.tasks import sweep_roll_calls
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import HOUR, powers_of, running_game, seat_at_once, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

DAY = 24 * HOUR


def sit_down(game: Game, *names: str) -> None:
    for name, power in zip(names, powers_of(game), strict=False):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    game.refresh_from_db()


def join_all(game: Game, *names: str) -> None:
    for name in names:
        join_game(game_id=game.pk, user_id=person(name).pk)
    game.refresh_from_db()


def holders(game: Game) -> dict[str, str]:
    rows = Occupancy.objects.filter(game=game, until__isnull=True).select_related("seat", "user")
    return {row.user.username: row.seat.power for row in rows}


def log_of(game: Game, viewer: str = DAVE) -> list[str]:
    return [event.sentence for event in Story(game).seen_by(viewer).events]


def time_to_confirm_is_over(game: Game) -> None:
    RollCall.objects.filter(game=game).update(deadline=clock.now() - timedelta(seconds=1))


# --- Powers that are assigned ---


def test_seats_are_drawn_when_the_game_is_full() -> None:
    game = waiting_game(seats="random")
    join_all(game, *PLAYERS[:-1])
    assert holders(game) == {}
    assert Story(game).seen_by(DAVE).game.taken == len(PLAYERS) - 1
    join_all(game, PLAYERS[-1])
    assert game.status == Status.RUNNING
    assert set(holders(game)) == set(PLAYERS)
    assert set(holders(game).values()) == set(powers_of(game))
    assert not Joiner.objects.exists()
    assert log_of(game)[0] == "The game started because all seats were taken."
    started = Letter.objects.filter(kind=GAME_STARTED.letter)
    assert {letter.user.username for letter in started.select_related("user")} == {*PLAYERS, CAROL}


def test_seats_are_dealt_by_wishes_and_the_wishes_are_gone() -> None:
    game = waiting_game(seats="preferences")
    wanted = dict(zip(PLAYERS, reversed(powers_of(game)), strict=True))
    for name, power in wanted.items():
        join_game(game_id=game.pk, user_id=person(name).pk, wishes=[power])
    assert holders(game) == wanted
    assert not Joiner.objects.exists()


def test_a_wish_list_can_be_changed_until_the_seats_are_dealt() -> None:
    game = waiting_game(seats="preferences")
    join_game(game_id=game.pk, user_id=person("alice").pk, wishes=["ITALY"])
    change_wishes(game_id=game.pk, user_id=person("alice").pk, wishes=["FRANCE", "ITALY"])
    joining = Story(game).seen_by("alice").joining
    assert joining is not None
    assert (joining.joined, joining.wishes) == (True, ("FRANCE", "ITALY"))
    with pytest.raises(WrongMoment, match="haven’t joined"):
        change_wishes(game_id=game.pk, user_id=person("bob").pk, wishes=["ITALY"])


@pytest.mark.parametrize(
    ("wishes", "sentence"), [(["ITALY", "ITALY"], "each power only once"), (["ATLANTIS"], "no such power")]
)
def test_a_list_that_cannot_be_is_refused(wishes: list[str], sentence: str) -> None:
    game = waiting_game(seats="preferences")
    with pytest.raises(NotAllowed, match=sentence):
        join_game(game_id=game.pk, user_id=person("alice").pk, wishes=wishes)
    assert not Joiner.objects.exists()


def test_where_seats_are_dealt_nobody_chooses_one_and_where_they_are_chosen_nobody_only_joins() -> None:
    with pytest.raises(WrongMoment, match="can’t choose a power"):
        take_seat(game_id=waiting_game(seats="random").pk, user_id=person("alice").pk, power="ITALY")
    with pytest.raises(WrongMoment, match="players choose their powers"):
        join_all(waiting_game(), "alice")


def test_who_joins_twice_or_too_late_gets_a_sentence() -> None:
    game = waiting_game(seats="random", roll_call_seconds=DAY)
    join_all(game, *PLAYERS)
    with pytest.raises(SeatTaken, match="already joined this game"):
        join_all(game, "alice")
    with pytest.raises(SeatTaken, match="last place"):
        join_all(game, DAVE)


def test_who_waits_for_a_seat_may_leave_and_come_back() -> None:
    game = waiting_game(seats="random")
    join_all(game, "alice")
    leave_before_start(game_id=game.pk, user_id=person("alice").pk)
    assert log_of(game)[0] == "alice left the game before it started."
    join_all(game, "alice")
    assert Joiner.objects.count() == 1


def test_a_game_that_starts_with_free_seats_deals_to_those_who_are_there() -> None:
    game = waiting_game(seats="preferences")
    join_game(game_id=game.pk, user_id=person("alice").pk, wishes=["TURKEY"])
    start_game(game_id=game.pk, by=person(CAROL).pk)
    assert holders(game) == {"alice": "TURKEY"}
    assert log_of(game)[0] == "carol started the game."


def test_who_waits_is_told_when_the_game_is_closed() -> None:
    game = waiting_game(seats="random")
    join_all(game, "alice")
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert Letter.objects.filter(kind=GAME_OVER.letter, user=person("alice")).exists()


def test_who_waits_sees_a_game_by_invitation_among_the_own_games() -> None:
    game = waiting_game(seats="random", by_invitation=True)
    join_game(game_id=game.pk, user_id=person("alice").pk, token=game.invitation)
    assert Story(game).seen_by("alice").game.i_joined


def test_names_of_those_who_wait_are_hidden_where_names_are() -> None:
    for hidden, others in ((False, ("alice",)), (True, ())):
        game = waiting_game(seats="random", hidden_names=hidden)
        join_all(game, "alice")
        joining = Story(game).seen_by(DAVE).joining
        assert joining is not None
        assert joining.others == others
        assert ("alice joined the game." in log_of(game)) is not hidden


# --- Approval by the game master ---


def test_who_asks_is_let_in_or_not_and_gets_a_letter() -> None:
    game = waiting_game(approval=True)
    alice, bob = person("alice").pk, person("bob").pk
    with pytest.raises(NotAllowed, match="need the game master’s approval first"):
        take_seat(game_id=game.pk, user_id=alice, power="ITALY")
    for user_id in (alice, alice, bob):
        ask_to_join(game_id=game.pk, user_id=user_id)
    desk = Story(game).seen_by(CAROL).gm
    assert desk is not None
    assert [(request.name, request.reliability) for request in desk.requests] == [
        ("alice", "new here"),
        ("bob", "new here"),
    ]
    assert Letter.objects.filter(kind=REQUEST_MADE.letter, user=person(CAROL)).count() == 2
    with pytest.raises(NotAllowed):
        answer_join_request(game_id=game.pk, by=bob, username="alice", accept=True)
    answer_join_request(game_id=game.pk, by=person(CAROL).pk, username="alice", accept=True)
    answer_join_request(game_id=game.pk, by=person(CAROL).pk, username="bob", accept=False)
    with pytest.raises(WrongMoment, match="No player of that name"):
        answer_join_request(game_id=game.pk, by=person(CAROL).pk, username="bob", accept=True)
    assert take_seat(game_id=game.pk, user_id=alice, power="ITALY") == "ITALY"
    with pytest.raises(NotAllowed, match="declined"):
        take_seat(game_id=game.pk, user_id=bob, power="FRANCE")
    answers = Letter.objects.filter(kind__startswith="request").exclude(kind=REQUEST_MADE.letter)
    assert {(letter.user.username, letter.kind) for letter in answers.select_related("user")} == {
        ("alice", REQUEST_ACCEPTED.letter),
        ("bob", REQUEST_DECLINED.letter),
    }
    assert "carol accepted alice’s request to join." in log_of(game)
    assert not any("bob" in sentence for sentence in log_of(game))


def test_who_has_asked_may_take_it_back_until_there_is_an_answer() -> None:
    game = waiting_game(approval=True)
    alice, bob = person("alice").pk, person("bob").pk
    for user_id in (alice, bob):
        ask_to_join(game_id=game.pk, user_id=user_id)
    withdraw_join_request(game_id=game.pk, user_id=alice)
    desk = Story(game).seen_by(CAROL).gm
    assert desk is not None
    assert [request.name for request in desk.requests] == ["bob"], "only their own one is withdrawn"
    assert Letter.objects.filter(kind=REQUEST_MADE.letter).count() == 1, "the other email is not to be sent"
    assert deliver_letters() == 1
    with pytest.raises(WrongMoment, match="no open request"):
        withdraw_join_request(game_id=game.pk, user_id=alice)
    with pytest.raises(WrongMoment, match="No player of that name"):
        answer_join_request(game_id=game.pk, by=person(CAROL).pk, username="alice", accept=True)
    for _ in range(2):
        ask_to_join(game_id=game.pk, user_id=alice)
        deliver_letters()
        withdraw_join_request(game_id=game.pk, user_id=alice)
    assert len(mail.outbox) == len(["bob", "alice"]), "asking again and again sends one email"
    answer_join_request(game_id=game.pk, by=person(CAROL).pk, username="bob", accept=True)
    with pytest.raises(WrongMoment, match="no open request"):
        withdraw_join_request(game_id=game.pk, user_id=bob)


def test_nobody_need_ask_in_an_open_game_and_a_playing_game_master_never() -> None:
    with pytest.raises(WrongMoment, match="don’t need to ask"):
        ask_to_join(game_id=waiting_game().pk, user_id=person("alice").pk)
    game = waiting_game(approval=True, gm_plays=True)
    assert take_seat(game_id=game.pk, user_id=person(CAROL).pk, power="ITALY") == "ITALY"


def test_letters_about_joining_say_what_to_do() -> None:
    game = waiting_game(approval=True, roll_call_seconds=DAY, gm_plays=True)
    ask_to_join(game_id=game.pk, user_id=person("alice").pk)
    deliver_letters()
    answer_join_request(game_id=game.pk, by=person(CAROL).pk, username="alice", accept=True)
    deliver_letters()
    sit_down(game, "alice")
    start_game(game_id=game.pk, by=person(CAROL).pk)
    deliver_letters()
    time_to_confirm_is_over(game)
    assert end_roll_call(game_id=game.pk)
    deliver_letters()
    assert [(message.to[0].split("@")[0], message.subject) for message in mail.outbox] == [
        ("carol", "Locarno: alice has asked to join"),
        ("alice", "Locarno: you can now join"),
        ("alice", "Locarno: please confirm your place"),
        ("alice", "Locarno: you have lost your place"),
    ]
    assert "or you’ll lose your place" in str(mail.outbox[2].body)


def test_who_loses_a_place_in_a_game_by_invitation_is_told_with_the_link() -> None:
    game = waiting_game(by_invitation=True, seats="random", roll_call_seconds=DAY)
    for name in PLAYERS:
        join_game(game_id=game.pk, user_id=person(name).pk, token=game.invitation)
    Letter.objects.all().delete()
    time_to_confirm_is_over(game)
    assert end_roll_call(game_id=game.pk)
    assert deliver_letters() == len(PLAYERS) - 1
    assert game.invitation in str(mail.outbox[0].body)


# --- Reliability ---


def test_reliability_counts_the_phases_in_which_there_was_something_to_decide() -> None:
    game = running_game()
    Story(game).order("BRITAIN", "F Lon-NTH")
    Story(game).deadline()
    assert reliability_of(person("alice").pk) == Reliability(owed=1, missed=0)
    assert reliability_of(person("bob").pk) == Reliability(owed=1, missed=1)
    assert reliability_of(person(DAVE).pk) == Reliability(owed=0, missed=0)


def test_the_figure_does_not_tell_who_plays_where_names_are_hidden() -> None:
    game = running_game(hidden_names=True)
    Story(game).deadline()
    assert reliability_of(person("alice").pk) == Reliability(0, 0)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert reliability_of(person("alice").pk) == Reliability(1, 1)


@pytest.mark.parametrize(
    ("owed", "missed", "least", "newcomers", "reaches"),
    [
        (0, 0, 90, True, True),
        (0, 0, 90, False, False),
        (9, 9, 90, True, True),
        (10, 1, 90, False, True),
        (10, 2, 90, True, False),
        (100, 11, 90, True, False),
        (10, 10, 0, False, True),
    ],
)
def test_a_new_player_is_new_and_not_unreliable(
    owed: int, missed: int, least: int, newcomers: bool, reaches: bool
) -> None:
    assert Reliability(owed, missed).reaches(least, newcomers_welcome=newcomers) is reaches


def test_who_is_not_reliable_enough_is_told_the_figures() -> None:
    game = waiting_game(least_reliability=90)
    other = running_game()
    Occupancy.objects.filter(game=other, user=person("alice")).update(owed=20, missed=5)
    with pytest.raises(NotAllowed, match=r"at least 90% of your phases\. Your figure is 75%"):
        take_seat(game_id=game.pk, user_id=person("alice").pk, power="ITALY")
    assert take_seat(game_id=game.pk, user_id=person("bob").pk, power="ITALY") == "ITALY"
    strict = waiting_game(least_reliability=90, newcomers_welcome=False)
    with pytest.raises(NotAllowed, match="You are still new here"):
        take_seat(game_id=strict.pk, user_id=person("bob").pk, power="ITALY")


# --- The roll call ---


def test_everybody_confirms_before_the_first_turn() -> None:
    game = waiting_game(roll_call_seconds=3 * DAY)
    sit_down(game, *PLAYERS)
    assert game.status == Status.OPEN
    called = Letter.objects.filter(kind=ROLL_CALLED.letter).select_related("user")
    assert {letter.user.username for letter in called} == set(PLAYERS)
    for name in PLAYERS[:-1]:
        joining = Story(game).seen_by(name).joining
        assert joining is not None
        assert joining.roll_call is not None
        assert joining.roll_call.must_confirm
        confirm_place(game_id=game.pk, user_id=person(name).pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert not RollCall.objects.exists()
    assert Phase.objects.filter(game=game).count() == 1
    log = log_of(game)
    assert "The site started the roll call: everyone has 3 days to confirm their place." in log
    assert "alice confirmed their place." in log
    assert log[0] == "The game started because everyone had confirmed."


def test_a_game_master_who_plays_confirms_by_starting() -> None:
    game = waiting_game(roll_call_seconds=DAY, gm_plays=True)
    sit_down(game, CAROL, "alice")
    start_game(game_id=game.pk, by=person(CAROL).pk)
    confirm_place(game_id=game.pk, user_id=person("alice").pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING


@pytest.fixture
def tasks_run_here() -> Iterator[None]:
    """Run tasks at once, in this process."""
    current_app.conf.task_always_eager = True
    yield
    current_app.conf.task_always_eager = False


@pytest.mark.usefixtures("tasks_run_here")
def test_who_does_not_confirm_loses_the_seat_and_it_is_open_again() -> None:
    game = waiting_game(roll_call_seconds=DAY)
    sit_down(game, *PLAYERS)
    confirm_place(game_id=game.pk, user_id=person("alice").pk)
    assert games_with_due_roll_calls() == []
    assert not end_roll_call(game_id=game.pk)
    time_to_confirm_is_over(game)
    with pytest.raises(WrongMoment, match="too late"):
        confirm_place(game_id=game.pk, user_id=person("bob").pk)
    assert games_with_due_roll_calls() == [game.pk]
    sweep_roll_calls()
    assert set(holders(game)) == {"alice", PLAYERS[-1]}
    assert "bob did not confirm in time and lost their place." in log_of(game)
    assert Letter.objects.filter(kind=PLACE_LOST.letter).count() == len(PLAYERS) - 2
    assert not end_roll_call(game_id=game.pk)
    assert take_seat(game_id=game.pk, user_id=person(DAVE).pk, power=powers_of(game)[1])


def test_a_sweep_killed_at_any_time_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = waiting_game(roll_call_seconds=DAY, seats="random")
    join_all(game, *PLAYERS)
    time_to_confirm_is_over(game)

    def killed(*_args: object, **_facts: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr("games.seating.services.joining.write_letters", killed)
        with pytest.raises(SystemExit):
            end_roll_call(game_id=game.pk)
    assert Joiner.objects.count() == len(PLAYERS)
    assert games_with_due_roll_calls() == [game.pk]
    assert end_roll_call(game_id=game.pk)
    assert [joiner.user.username for joiner in Joiner.objects.all()] == [PLAYERS[-1]]


def abandon_another(name: str, **options: bool) -> None:
    others = [other for other in PLAYERS if other != name]
    game = running_game(players=[name, *others][: len(PLAYERS)], **options)
    resign(game_id=game.pk, user_id=person(name).pk)


@pytest.mark.parametrize("seats", ["random", "choice"])
def test_who_has_abandoned_another_game_since_is_asked_again_alone(seats: str) -> None:
    game = waiting_game(seats=seats)
    come = join_all if seats == "random" else sit_down
    come(game, PLAYERS[0])
    abandon_another(PLAYERS[0])
    abandon_another(PLAYERS[1])
    if seats == "random":
        come(game, *PLAYERS[1:])
    else:
        seat_at_once(game, dict(zip(PLAYERS[1:-1], powers_of(game)[1:], strict=False)))
        take_seat(game_id=game.pk, user_id=person(PLAYERS[-1]).pk, power=powers_of(game)[-1])
    asked = Letter.objects.filter(kind=ASKED_AGAIN.letter, game=game)
    assert [letter.user.username for letter in asked] == [PLAYERS[0]]
    roll_call = Story(game).seen_by(PLAYERS[0]).joining.roll_call
    assert roll_call.must_confirm
    assert roll_call.missing == (PLAYERS[0],)
    confirm_place(game_id=game.pk, user_id=person(PLAYERS[0]).pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING


def test_who_is_asked_again_and_is_silent_loses_the_place_also_if_the_game_master_starts() -> None:
    game = waiting_game(seats="random")
    join_all(game, *PLAYERS[:2])
    abandon_another(PLAYERS[0])
    client = visitor(CAROL)
    page = client.post(reverse("games:gm-start", args=[game.slug]), follow=True).content.decode()
    assert "We’ve asked those who have abandoned another game" in page
    time_to_confirm_is_over(game)
    sweep_roll_calls()
    assert list(Joiner.objects.filter(game=game).values_list("user__username", flat=True)) == [PLAYERS[1]]
    assert (
        "The game has started."
        in client.post(reverse("games:gm-start", args=[game.slug]), follow=True).content.decode()
    )


def test_who_gave_up_a_seat_without_a_name_is_not_betrayed_by_being_asked() -> None:
    game = waiting_game(seats="random")
    join_all(game, PLAYERS[0])
    abandon_another(PLAYERS[0], hidden_names=True)
    join_all(game, *PLAYERS[1:])
    assert game.status == Status.RUNNING


def test_who_leaves_in_the_roll_call_makes_room_and_who_comes_instead_is_there() -> None:
    game = waiting_game(roll_call_seconds=DAY, seats="random")
    join_all(game, *PLAYERS)
    leave_before_start(game_id=game.pk, user_id=person("alice").pk)
    for name in PLAYERS[1:-1]:
        confirm_place(game_id=game.pk, user_id=person(name).pk)
    game.refresh_from_db()
    assert game.status == Status.OPEN
    join_all(game, DAVE)
    assert game.status == Status.RUNNING
    assert set(holders(game)) == {*PLAYERS[1:], DAVE}


def test_a_game_master_who_starts_early_calls_the_roll_first() -> None:
    game = waiting_game(roll_call_seconds=DAY)
    with pytest.raises(WrongMoment, match="No player has joined"):
        start_game(game_id=game.pk, by=person(CAROL).pk)
    sit_down(game, "alice", "bob")
    start_game(game_id=game.pk, by=person(CAROL).pk)
    game.refresh_from_db()
    assert game.status == Status.OPEN
    assert log_of(game)[0] == "carol started the roll call: everyone has 24 hours to confirm their place."
    with pytest.raises(WrongMoment, match="The roll call is under way"):
        start_game(game_id=game.pk, by=person(CAROL).pk)
    for name in ("alice", "bob"):
        confirm_place(game_id=game.pk, user_id=person(name).pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert set(holders(game)) == {"alice", "bob"}


def test_a_game_starts_anyway_with_those_who_have_confirmed_and_the_others_may_take_over_what_is_left() -> None:
    game = waiting_game(roll_call_seconds=DAY)
    sit_down(game, *PLAYERS)
    confirm_place(game_id=game.pk, user_id=person("alice").pk)
    with pytest.raises(NotAllowed):
        start_anyway(game_id=game.pk, by=person("alice").pk)
    start_anyway(game_id=game.pk, by=person(CAROL).pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert set(holders(game)) == {"alice", PLAYERS[-1]}  # the last to sit down confirms by that
    log = log_of(game)
    assert log[0] == "carol started the game."
    assert "bob did not confirm in time and lost their place." in log
    assert Letter.objects.filter(kind=PLACE_LOST.letter).count() == len(PLAYERS) - 2
    take_over_seat(game_id=game.pk, user_id=person("bob").pk, power=powers_of(game)[1])


def test_no_game_starts_anyway_without_a_player_or_without_a_roll_call() -> None:
    game = waiting_game(roll_call_seconds=DAY)
    sit_down(game, "alice", "bob")
    with pytest.raises(WrongMoment, match="no roll call"):
        start_anyway(game_id=game.pk, by=person(CAROL).pk)
    start_game(game_id=game.pk, by=person(CAROL).pk)
    with pytest.raises(WrongMoment, match="No player has confirmed"):
        start_anyway(game_id=game.pk, by=person(CAROL).pk)
    confirm_place(game_id=game.pk, user_id=person("alice").pk)
    time_to_confirm_is_over(game)
    with pytest.raises(WrongMoment, match="about to end"):
        start_anyway(game_id=game.pk, by=person(CAROL).pk)


def test_a_cancelled_roll_call_leaves_everyone_in_place_and_can_be_called_again() -> None:
    game = waiting_game(roll_call_seconds=DAY)
    sit_down(game, *PLAYERS)
    cancel_roll_call(game_id=game.pk, by=person(CAROL).pk)
    assert not RollCall.objects.exists()
    assert set(holders(game)) == set(PLAYERS)
    assert log_of(game)[0] == "carol cancelled the roll call."
    assert not Letter.objects.filter(kind=ROLL_CALLED.letter).exists()  # they had not been sent
    told = Letter.objects.filter(kind=ROLL_CALL_CANCELLED.letter).values_list("user__username", flat=True)
    assert set(told) == set(PLAYERS)
    start_game(game_id=game.pk, by=person(CAROL).pk)
    assert RollCall.objects.filter(game=game).exists()


def test_there_is_nothing_to_confirm_without_a_roll_call_or_a_place() -> None:
    game = waiting_game(roll_call_seconds=DAY)
    with pytest.raises(WrongMoment, match="nothing to confirm"):
        confirm_place(game_id=game.pk, user_id=person("alice").pk)
    sit_down(game, *PLAYERS)
    with pytest.raises(NotAllowed, match="no place"):
        confirm_place(game_id=game.pk, user_id=person(DAVE).pk)
    with pytest.raises(SeatTaken, match="last seat"):
        take_seat(game_id=game.pk, user_id=person(DAVE).pk)


@pytest.mark.parametrize(
    ("movement_seconds", "roll_call_seconds"), [(3 * DAY, 3 * DAY), (12 * HOUR, 3 * DAY), (15 * 60, 0)]
)
def test_a_slow_game_calls_the_roll_and_a_live_one_does_not_unless_chosen(
    movement_seconds: int, roll_call_seconds: int
) -> None:
    game = waiting_game(movement_seconds=movement_seconds, roll_call_seconds=None)
    assert game.options[Start].roll_call_seconds == roll_call_seconds
