"""Seats in games under way: given up, lost and taken over."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.core import mail

from diplomacy_site.accounts.leaving import delete_account
from games.delivery.letters import deliver_letters
from games.endings.services import propose_end, vote_on_proposal
from games.kernel.access import access_game
from games.kernel.models import Departure, Letter, Occupancy, Status
from games.kernel.queries import phase_head
from games.kernel.refusals import NotAllowed, SeatTaken, TooOften, WrongMoment
from games.kernel.standpoint import Standpoint
from games.mastering.news import ROLLED_BACK
from games.mastering.services.assistants import answer_assistance, name_assistant, stop_assisting
from games.mastering.services.desk import declare_civil_disorder, empty_seat, pause_game, seat_player, start_game
from games.mastering.services.repair import roll_back
from games.news.log import newest_lines_of
from games.orders.services import set_ready
from games.press.queries import talk_view
from games.press.services import send_message
from games.sealed import store
from games.seating.models import Approach, Standby
from games.seating.news import RESIGNED, SEAT_LAPSED, SEAT_TO_FILL, SEAT_VACANT
from games.seating.queries import candidates_for_seats, public_vacant_seats
from games.seating.reliability import reliability_of
from games.seating.services.new_game import take_seat
from games.seating.services.vacancies import (
    answer_invitation,
    answer_seat_request,
    ask_for_seat,
    come_back,
    invite_to_seat,
    resign,
    take_over_seat,
)
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game
from tests.moment import Moment
from tests.story import Story
from variants.registry import find

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

BALKAN = {"variant": "three-way-balkan-battle", "players": PLAYERS[:3]}
A, R, T = "AUSTRIA", "RUSSIA", "TURKEY"
ALICE, BOB = PLAYERS[:2]


@pytest.fixture(autouse=True)
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    return Moment(monkeypatch)


def small_game(**options: object) -> Game:
    """Alice plays Austria, Bob Russia, Fritz Turkey."""
    return running_game(**{**BALKAN, **options})  # type: ignore[arg-type]


def vacated(**options: object) -> Game:
    """Alice has given Austria up."""
    game = small_game(**options)
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    return game


def takes(game: Game, name: str, power: str = A, **how: str) -> None:
    take_over_seat(game_id=game.pk, user_id=person(name).pk, power=power, **how)


def log(game: Game) -> list[str]:
    return [event.sentence for event in newest_lines_of(game, find(game.variant_slug))]


def saves_all(game: Game, *powers: str) -> None:
    for power in powers:
        Story(game).order(power, "# present")


def letters_to(name: str) -> list[str]:
    return list(Letter.objects.filter(user=person(name)).order_by("pk").values_list("kind", flat=True))


def test_a_player_gives_up_a_seat_and_bears_the_abandonment() -> None:
    game = vacated()
    left = Occupancy.objects.get(game=game, user=person(ALICE))
    assert (left.departure, left.until is not None) == (Departure.RESIGNED, True)
    assert log(game)[0] == "alice gave up Austria; the seat is now vacant."
    assert reliability_of(person(ALICE).pk).abandoned == 1
    assert letters_to(CAROL)[-1] == SEAT_TO_FILL.letter
    with pytest.raises(NotAllowed, match="no seat"):
        resign(game_id=game.pk, user_id=person(ALICE).pk)


def vacated_by_approval() -> Game:
    game = vacated()
    game.stored_options = {**game.stored_options, "approval": True}
    game.save()
    return game


def test_a_seat_that_was_closed_after_someone_asked_for_it_is_given_to_nobody() -> None:
    game = vacated_by_approval()
    ask_for_seat(game_id=game.pk, user_id=person(DAVE).pk, power=A)
    declare_civil_disorder(game_id=game.pk, by=person(CAROL).pk, power=A)
    with pytest.raises(WrongMoment, match="its seat is closed for good"):
        answer_seat_request(game_id=game.pk, by=person(CAROL).pk, number=Approach.objects.get().pk, accept=True)


def test_nobody_asks_for_one_seat_and_another_for_ever() -> None:
    game = vacated_by_approval()
    resign(game_id=game.pk, user_id=occupancy_of(game, R).user_id)
    for _ in range(4):
        for power in (A, R):
            ask_for_seat(game_id=game.pk, user_id=person(DAVE).pk, power=power)
    with pytest.raises(TooOften):
        ask_for_seat(game_id=game.pk, user_id=person(DAVE).pk, power=A)


def test_before_the_start_nobody_resigns() -> None:
    with pytest.raises(WrongMoment, match="on its page"):
        resign(game_id=waiting_game().pk, user_id=person(ALICE).pk)


def test_what_the_leaver_saved_is_destroyed_and_never_executed() -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Cze")
    resign(game_id=game.pk, user_id=occupancy_of(game, "GERMANY").user_id)
    takes(game, DAVE, "GERMANY")
    assert store.read_own(occupancy_of(game, "GERMANY"), open_phase(game)) == store.BLANK
    Story(game).deadline()
    outcomes = Story(game).seen_by(CAROL).result
    assert outcomes is not None
    assert "Mun–Cze" not in str(outcomes)
    assert game.phases.get(ordinal=0).result.missed.count("GERMANY") == 1


def test_the_newcomer_has_a_full_phase_and_the_log_says_so(moment: Moment) -> None:
    game = vacated()
    moment.wait(hours=20)
    takes(game, DAVE)
    assert open_phase(game).deadline == moment.now + timedelta(hours=24)
    assert log(game)[:2] == [
        "The deadline for Spring 1899 moved by 20 hours to give the new player a full phase.",
        "dave took over as Austria.",
    ]
    assert reliability_of(person(DAVE).pk).words == "new here"


def test_a_deadline_further_away_stays_and_a_stopped_clock_gets_the_time(moment: Moment) -> None:
    game = vacated()
    phase = open_phase(game)
    phase.deadline = moment.now + timedelta(days=3)
    phase.save()
    takes(game, DAVE)
    assert open_phase(game).deadline == moment.now + timedelta(days=3)
    resign(game_id=game.pk, user_id=person(BOB).pk)
    moment.wait(hours=70)
    pause_game(game_id=game.pk, by=game.gm_id)
    takes(game, "eva", R)
    assert open_phase(game).remaining == timedelta(hours=24)


def test_whom_the_game_master_puts_into_a_seat_has_a_full_phase_too(moment: Moment) -> None:
    game = small_game()
    moment.wait(hours=20)
    seat_player(game_id=game.pk, by=game.gm_id, power=A, username=person(DAVE).get_username(), reason="Agreed.")
    assert open_phase(game).deadline == moment.now + timedelta(hours=24)


def test_a_seat_is_taken_once() -> None:
    game = vacated()
    takes(game, DAVE)
    with pytest.raises(SeatTaken, match="Another player has just taken this seat"):
        takes(game, "eva")


def test_who_plays_takes_no_second_seat() -> None:
    with pytest.raises(NotAllowed, match="already have a seat"):
        takes(vacated(), BOB)


def test_who_abandoned_a_game_takes_no_seat_of_it_again() -> None:
    game = vacated()
    for power in (A, R):
        if power == R:
            resign(game_id=game.pk, user_id=person(BOB).pk)
        with pytest.raises(NotAllowed, match="You have abandoned a seat in this game"):
            takes(game, ALICE, power)


def test_who_was_replaced_does_not_play_another_power(moment: Moment) -> None:
    game = small_game()
    moment.wait(hours=1)
    empty_seat(game_id=game.pk, by=game.gm_id, power=A, reason="Away.")
    resign(game_id=game.pk, user_id=person(BOB).pk)
    with pytest.raises(NotAllowed, match="You have already played in this game"):
        takes(game, ALICE, R)


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        ({"approval": True}, "need the game master’s approval first"),
        ({"least_reliability": 90, "newcomers_welcome": False}, "You are still new here"),
    ],
)
def test_the_conditions_are_those_of_joining(stored: dict[str, object], sentence: str) -> None:
    game = vacated()
    game.stored_options = {**game.stored_options, **stored}
    game.save()
    with pytest.raises(NotAllowed, match=sentence):
        takes(game, DAVE)


def test_neither_a_game_master_who_does_not_play_nor_an_uninvited_person_takes_a_seat() -> None:
    game = vacated(by_invitation=True)
    with pytest.raises(NotAllowed, match="game master, who doesn’t play"):
        takes(game, CAROL)
    with pytest.raises(NotAllowed, match="by invitation"):
        takes(game, DAVE)


def test_with_the_invitation_link_a_seat_is_taken() -> None:
    game = vacated(by_invitation=True)
    takes(game, DAVE, token=game.invitation)
    assert occupancy_of(game, A).user == person(DAVE)


def test_two_silent_phases_make_a_seat_vacant_by_itself() -> None:
    game = small_game(vacant_after=2)
    for _ in range(2):
        saves_all(game, R, T)
        Story(game).deadline()
    lost = Occupancy.objects.get(game=game, user=person(ALICE))
    assert (lost.departure, lost.missed, lost.owed) == (Departure.LAPSED, 2, 2)
    assert "Austria is now vacant: no orders received for 2 phases in a row." in log(game)
    assert letters_to(ALICE)[-1] == SEAT_LAPSED.letter
    assert reliability_of(person(ALICE).pk).abandoned == 1


def test_one_sheet_between_two_misses_keeps_the_seat() -> None:
    game = small_game(vacant_after=2)
    for present in ((R, T), (A, R, T), (R, T)):
        saves_all(game, *present)
        Story(game).deadline()
    assert occupancy_of(game, A).silent == 1


def test_without_the_option_nobody_loses_a_seat() -> None:
    game = small_game()
    for _ in range(4):
        saves_all(game, R, T)
        Story(game).deadline()
    assert occupancy_of(game, A).silent == 4


def test_who_said_ready_was_there_and_misses_nothing() -> None:
    game = small_game(all_ready=True)
    set_ready(occupancy_id=occupancy_of(game, A).pk, ordinal=0, ready=True)
    saves_all(game, R)
    Story(game).deadline()
    counted = {name: occupancy_of(game, name).missed for name in (A, R, T)}
    assert counted == {A: 0, R: 0, T: 1}
    assert game.phases.get(ordinal=0).result.missed == [T]


def test_a_power_with_nothing_to_decide_is_not_counted() -> None:
    game = small_game(vacant_after=1)
    phase = open_phase(game)
    phase.position = {
        **phase.position,
        "units": {power: units for power, units in phase.position["units"].items() if power != A},
        "centres": {place: power for place, power in phase.position["centres"].items() if power != A},
    }
    phase.save()
    saves_all(game, R, T)
    Story(game).deadline()
    gone = occupancy_of(game, A)
    assert (gone.owed, gone.missed, gone.silent) == (0, 0, 0)


def lapsed() -> Game:
    game = small_game(vacant_after=1)
    saves_all(game, R, T)
    Story(game).deadline()
    return game


def test_who_lost_a_seat_by_silence_may_come_back_once_and_moves_no_deadline(moment: Moment) -> None:
    game = lapsed()
    before = open_phase(game).deadline
    moment.wait(hours=5)
    assert come_back(game_id=game.pk, user_id=person(ALICE).pk) == A
    assert open_phase(game).deadline == before
    assert reliability_of(person(ALICE).pk).abandoned == 0
    assert log(game)[0] == "alice came back as Austria."
    saves_all(game, R, T)
    Story(game).deadline()
    with pytest.raises(WrongMoment, match="can’t come back"):
        come_back(game_id=game.pk, user_id=person(ALICE).pk)


def test_nobody_comes_back_to_a_seat_that_is_taken_or_after_the_phase(moment: Moment) -> None:
    game = lapsed()
    takes(game, DAVE)
    with pytest.raises(WrongMoment, match="another player has taken the seat"):
        come_back(game_id=game.pk, user_id=person(ALICE).pk)
    other = lapsed()
    saves_all(other, R, T)
    moment.wait(hours=1)
    Story(other).deadline()
    with pytest.raises(WrongMoment, match="the phase has ended"):
        come_back(game_id=other.pk, user_id=person(ALICE).pk)


def test_who_has_helped_to_run_the_game_meanwhile_does_not_come_back() -> None:
    game = lapsed()
    name_assistant(game_id=game.pk, by=person(CAROL).pk, username=ALICE, rights=["results"])
    answer_assistance(game_id=game.pk, user_id=person(ALICE).pk, accept=True)
    stop_assisting(game_id=game.pk, user_id=person(ALICE).pk)
    with pytest.raises(WrongMoment, match="can’t come back"):
        come_back(game_id=game.pk, user_id=person(ALICE).pk)


def test_an_account_that_has_just_been_deleted_does_not_come_back() -> None:
    game = lapsed()
    delete_account(person(ALICE))
    with pytest.raises(NotAllowed, match="has been deleted"):
        come_back(game_id=game.pk, user_id=Occupancy.objects.get(game=game, seat__power=A).user_id)


def undo(game: Game, ordinal: int) -> None:
    mark = phase_head(open_phase(game)).mark
    reason = "The deadline fell on a holiday."
    roll_back(game_id=game.pk, by=person(CAROL).pk, ordinal=ordinal, seen=mark, reason=reason)


def test_who_lost_a_seat_in_a_phase_that_is_undone_may_come_back_and_is_told_so(moment: Moment) -> None:
    game = lapsed()
    moment.wait(hours=1)
    saves_all(game, R, T)
    Story(game).deadline()
    moment.wait(hours=1)
    with pytest.raises(WrongMoment, match="can’t come back"):
        come_back(game_id=game.pk, user_id=person(ALICE).pk)
    undo(game, 0)
    letter = Letter.objects.get(user=person(ALICE), kind=ROLLED_BACK.letter)
    deliver_letters()
    (sent,) = [it for it in mail.outbox if it.to == [person(ALICE).email] and "made a correction" in it.subject]
    assert letter.game == game
    assert (
        "You had lost your seat as Austria because you missed too many phases. Open the game to take it back."
        in " ".join(sent.body.split())
    )
    assert Story(game).seen_by(ALICE).market.way_back == "Austria"
    assert come_back(game_id=game.pk, user_id=person(ALICE).pk) == A
    assert reliability_of(person(ALICE).pk).abandoned == 0
    saves_all(game, A)


def test_nobody_comes_back_because_a_later_phase_is_undone(moment: Moment) -> None:
    game = lapsed()
    for _ in range(2):
        moment.wait(hours=1)
        saves_all(game, R, T)
        Story(game).deadline()
    undo(game, 2)
    with pytest.raises(WrongMoment, match="can’t come back"):
        come_back(game_id=game.pk, user_id=person(ALICE).pk)


def test_nobody_comes_back_to_a_seat_where_somebody_else_has_sat_since(moment: Moment) -> None:
    game = lapsed()
    moment.wait(hours=1)
    takes(game, DAVE)
    send_message(game_id=game.pk, user_id=person(DAVE).pk, text="Between the two of us.", to=[R])
    resign(game_id=game.pk, user_id=person(DAVE).pk)
    with pytest.raises(WrongMoment, match="can’t come back"):
        come_back(game_id=game.pk, user_id=person(ALICE).pk)


def test_a_newcomer_sees_nothing_of_the_player_before_although_the_clock_was_put_back(moment: Moment) -> None:
    game = small_game()
    saves_all(game, A, R, T)
    Story(game).deadline()
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="To Alice alone.", to=[A])
    moment.wait(hours=-1)
    seat_player(game_id=game.pk, by=game.gm_id, power=A, username=person(DAVE).username, reason="Agreed.")
    assert Story(game).seen_by(ALICE, 0).own_sheet is None
    assert Story(game).seen_by(DAVE, 0).own_sheet is None, "what Alice had written"
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="To Dave.", to=[A])
    shown = talk_view(access_game(user=person(DAVE), slug=game.slug), f"{A}+{R}").shown
    assert shown is not None
    assert [message.text for message in shown.messages] == ["To Dave."]


def test_vacant_seats_are_listed_with_what_everybody_may_know() -> None:
    game = vacated()
    vacated(by_invitation=True)
    (seat,) = public_vacant_seats(person(DAVE)).seats
    assert (seat.game.slug, seat.power.name, seat.may_take) == (game.slug, "Austria", True)
    assert (seat.standing, seat.messages) == ("joint 1st of 3", 0)
    assert seat.units == len(open_phase(game).position["units"][A])
    assert public_vacant_seats(person(DAVE), pace="live").seats == ()
    assert public_vacant_seats(person(DAVE), variant="1926").seats == ()
    (mine,) = public_vacant_seats(person(ALICE)).seats
    assert (mine.may_take, mine.why_not) == (
        False,
        "You have abandoned a seat in this game, so you can’t take another one.",
    )
    takes(game, DAVE)
    assert public_vacant_seats(person(ALICE)).seats == ()


def test_where_names_are_hidden_nothing_tells_who_left_or_came() -> None:
    game = vacated(hidden_names=True)
    takes(game, DAVE)
    sentences = [event.sentence for event in Story(game).seen_by("eva").events]
    assert sentences[:2] == ["A player took over as Austria.", "A player gave up Austria; the seat is now vacant."]
    assert reliability_of(person(ALICE).pk).abandoned == 0


def test_those_on_the_standby_list_are_told_of_seats_that_suit_them(moment: Moment) -> None:
    for name, wants in (
        ("any", {}),
        ("this", {"variants": ["three-way-balkan-battle"], "pace": "slow"}),
        ("other", {"variants": ["1926"]}),
        ("live", {"pace": "live"}),
        (BOB, {}),
    ):
        Standby.objects.create(user=person(name), since=moment.now, **wants)
    vacated(by_invitation=True)
    assert letters_to("any") == []
    vacated()
    told = {name: letters_to(name).count(SEAT_VACANT.letter) for name in ("any", "this", "other", "live", BOB)}
    assert told == {"any": 1, "this": 1, "other": 0, "live": 0, BOB: 0}


def test_those_on_the_standby_list_are_told_when_a_game_starts_with_vacant_seats(moment: Moment) -> None:
    for name in ("any", ALICE):
        Standby.objects.create(user=person(name), since=moment.now)
    for by_invitation, times in ((True, 0), (False, 1)):
        game = waiting_game(variant="three-way-balkan-battle", by_invitation=by_invitation)
        take_seat(game_id=game.pk, user_id=person(ALICE).pk, power=A, token=game.invitation)
        start_game(game_id=game.pk, by=person(CAROL).pk)
        assert letters_to("any").count(SEAT_VACANT.letter) == times
    assert SEAT_VACANT.letter not in letters_to(ALICE)
    small_game(name="Full")
    assert letters_to("any").count(SEAT_VACANT.letter) == 1


def test_a_game_master_of_a_game_by_invitation_sees_the_standby_list_and_can_invite_from_it(moment: Moment) -> None:
    Standby.objects.create(user=person("any"), since=moment.now)
    game = vacated(by_invitation=True)
    market = candidates_for_seats(Standpoint(game, person(CAROL).pk))
    assert [one.player for one in market.waiting] == ["any"]
    invite_to_seat(game_id=game.pk, by=person(CAROL).pk, power=A, username="any")
    answer_invitation(game_id=game.pk, user_id=person("any").pk, accept=True)
    assert occupancy_of(game, A).user == person("any")


def test_the_last_who_agree_end_the_game_when_the_one_who_did_not_resigns() -> None:
    game = small_game()
    propose_end(occupancy_id=occupancy_of(game, R).pk, kind="draw", powers=(A, R, T))
    vote_on_proposal(occupancy_id=occupancy_of(game, T).pk, number=1, agrees=True)
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    assert game.events.filter(kind=RESIGNED.log).count() == 1
    assert SEAT_VACANT.letter not in letters_to(CAROL)
