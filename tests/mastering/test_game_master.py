"""What a game master may and may not do."""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.core import mail
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.deadlines.news import GAME_STARTED
from games.deadlines.phases import close_due_phase
from games.delivery.letters import deliver_letters
from games.kernel import clock, codec
from games.kernel.models import Letter, Occupancy, Status
from games.kernel.queries import phase_head
from games.kernel.refusals import BadReason, NotAllowed, SeatTaken, UnknownPlayer, WrongMoment
from games.mastering.services import desk as game_master
from games.mastering.services import repair
from games.orders.bids import look_at_all_bids, look_at_bids
from games.orders.news import BIDS_LOOKED_AT
from games.orders.services import has_saved
from games.seating.news import GAME_CREATED, PLAYER_SEATED, SEAT_LOST, SEAT_TAKEN
from games.seating.services.bots import seat_bot
from games.seating.services.new_game import let_bot_play
from games.seating.services.vacancies import resign
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import HOUR, occupancy_of, open_phase, running_game, waiting_game
from tests.story import Story
from variants.bots import Level

pytestmark = pytest.mark.django_db


def carol() -> int:
    return person(CAROL).pk


@pytest.mark.parametrize(
    ("verb", "facts"),
    [
        ("pause_game", {}),
        ("rename_game", {"name": "Summer"}),
        ("resume_game", {}),
        ("end_phase_early", {}),
        ("close_game", {}),
        ("extend_deadline", {"seconds": 60}),
        ("declare_civil_disorder", {"power": "ITALY"}),
        ("seat_player", {"power": "ITALY", "username": DAVE}),
        ("empty_seat", {"power": "ITALY", "reason": "Asked to leave."}),
        ("set_deadline", {"until": datetime(2100, 1, 1, tzinfo=UTC)}),
    ],
)
def test_only_the_game_master_may(verb: str, facts: dict[str, str]) -> None:
    game = running_game(gm_processes_early=True)
    for name in (PLAYERS[0], DAVE):
        with pytest.raises(NotAllowed, match="Only the game master"):
            getattr(game_master, verb)(game_id=game.pk, by=person(name).pk, **facts)
    assert game.events.exclude(kind__in=(GAME_CREATED.log, SEAT_TAKEN.log, GAME_STARTED.log)).count() == 0


def test_a_deadline_is_extended_by_seconds_and_the_log_says_so() -> None:
    game = running_game()
    before = open_phase(game).deadline
    assert before is not None
    game_master.extend_deadline(game_id=game.pk, by=carol(), seconds=HOUR)
    assert open_phase(game).deadline == before + timedelta(hours=1)
    sentences = [event.sentence for event in Story(game).seen_by(DAVE).events]
    assert sentences[0] == "carol moved the deadline for Spring 1926 by 1 hour."


@pytest.mark.parametrize(
    ("movement_seconds", "offered"), [(15 * 60, 15 * 60), (2 * HOUR, HOUR), (96 * HOUR, 24 * HOUR)]
)
def test_the_desk_offers_an_extension_that_suits_the_pace(movement_seconds: int, offered: int) -> None:
    game = running_game(movement_seconds=movement_seconds)
    shown = visitor(CAROL).get(reverse("games:gm", args=[game.slug])).content.decode()
    assert f'<option value="{offered}" selected>' in shown


@pytest.mark.parametrize("seconds", [0, -60, 15 * 24 * HOUR])
def test_a_deadline_is_never_shortened_by_extending(seconds: int) -> None:
    game = running_game()
    with pytest.raises(WrongMoment, match="between one second and 14 days"):
        game_master.extend_deadline(game_id=game.pk, by=carol(), seconds=seconds)


def test_a_deadline_that_has_passed_cannot_be_undone() -> None:
    game = running_game(gm_processes_early=True)
    phase = Story(game).deadline_comes()
    for verb, facts in (
        (game_master.extend_deadline, {"seconds": 60}),
        (game_master.pause_game, {}),
        (game_master.end_phase_early, {}),
        (game_master.declare_civil_disorder, {"power": "ITALY"}),
    ):
        with pytest.raises(WrongMoment, match="deadline has passed"):
            verb(game_id=game.pk, by=carol(), **facts)
    assert close_due_phase(phase_id=phase.pk)


def test_a_pause_stops_the_clock_and_resuming_gives_back_what_was_left() -> None:
    game = running_game(movement_seconds=2 * HOUR)
    game_master.pause_game(game_id=game.pk, by=carol())
    phase = open_phase(game)
    assert phase.deadline is None
    assert phase.remaining is not None
    assert not close_due_phase(phase_id=phase.pk)
    game_master.extend_deadline(game_id=game.pk, by=carol(), seconds=HOUR)
    game_master.resume_game(game_id=game.pk, by=carol())
    deadline = open_phase(game).deadline
    assert deadline is not None
    left = deadline - clock.now()
    assert timedelta(hours=2, minutes=59) < left <= timedelta(hours=3)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    with pytest.raises(WrongMoment, match="Only a paused game"):
        game_master.resume_game(game_id=game.pk, by=carol())


def test_a_phase_ends_early_only_where_the_game_was_created_so(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """And then at once: a sweep is asked for."""
    game = running_game()
    with pytest.raises(NotAllowed, match="can’t end phases early"):
        game_master.end_phase_early(game_id=game.pk, by=carol())
    quick = running_game(gm_processes_early=True)
    with django_capture_on_commit_callbacks() as rung:
        game_master.end_phase_early(game_id=quick.pk, by=carol())
    assert "games.tasks.sweep" in [call.args[0] for call in rung if isinstance(call, partial)]
    assert close_due_phase(phase_id=open_phase(quick).pk)


def test_a_new_player_in_a_seat_finds_a_blank_sheet_and_a_letter() -> None:
    game = running_game(all_ready=True)
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "1: A Aus S A Mun-Cze")
    before = occupancy_of(game, "GERMANY")
    person(DAVE)
    game_master.seat_player(game_id=game.pk, by=carol(), power="GERMANY", username=" DAVE ", reason="Agreed.")
    after = occupancy_of(game, "GERMANY")
    before.refresh_from_db()
    assert before.until == after.since
    assert after.user == person(DAVE)
    assert not has_saved(occupancy_id=after.pk, ordinal=0)
    order_sheet = story.seen_by(DAVE).order_sheet
    assert order_sheet is not None
    assert (order_sheet.text, order_sheet.saved, order_sheet.spent) == ("", False, 0)
    assert story.seen_by(before.user.username).order_sheet is None
    assert Letter.objects.get(kind=PLAYER_SEATED.letter).user == person(DAVE)
    assert Letter.objects.get(kind=SEAT_LOST.letter).user == before.user


def test_the_letter_to_a_new_player_says_what_to_enter_and_until_when() -> None:
    game = running_game()
    dave = person(DAVE)
    game_master.seat_player(game_id=game.pk, by=carol(), power="SOVIET_UNION", username=dave.username, reason="Agreed.")
    deliver_letters()
    letter = next(each for each in mail.outbox if each.to == [dave.email])
    asked = "you’re playing the Soviet Union: enter your orders for Spring 1926, movement"
    assert letter.subject == f"{game.name}: {asked}"
    seated = "You’re now playing the Soviet Union: the game master, carol, has given you the seat.\n\nDeadline: "
    assert str(letter.body).startswith(f"Locarno: {seated}")


def test_a_new_player_with_nothing_to_decide_is_told_of_the_seat_alone() -> None:
    game, dave = running_game(), person(DAVE)
    phase = open_phase(game)
    phase.turn = "S1926R"
    phase.position = {**phase.position, "turn": phase.turn}
    phase.save()
    game_master.seat_player(game_id=game.pk, by=carol(), power="GERMANY", username=dave.username, reason="Agreed.")
    deliver_letters()
    assert [it.subject for it in mail.outbox if it.to == [dave.email]] == ["Locarno: you’re playing Germany"]


def test_a_letter_about_a_seat_that_is_lost_again_is_not_sent() -> None:
    game = running_game()
    dave = person(DAVE)
    game_master.seat_player(game_id=game.pk, by=carol(), power="GERMANY", username=dave.username, reason="Agreed.")
    resign(game_id=game.pk, user_id=dave.pk)
    deliver_letters()
    subjects = [str(each.subject) for each in mail.outbox if each.to == [dave.email]]
    assert [subject for subject in subjects if "Germany" in subject] == []


def test_a_power_with_an_article_has_it_within_a_sentence() -> None:
    game = running_game()
    game_master.seat_player(
        game_id=game.pk, by=carol(), power="SOVIET_UNION", username=person(DAVE).username, reason="Agreed."
    )
    view = Story(game).seen_by(DAVE)
    assert view.events[0].sentence == "carol gave the Soviet Union to dave. Reason: Agreed."
    assert next((power.name, power.called) for power in view.powers if power.mine) == (
        "Soviet Union",
        "the Soviet Union",
    )


def test_a_seat_is_taken_from_a_person_only_for_a_reason() -> None:
    game = running_game()
    seat: dict[str, Any] = {"game_id": game.pk, "by": carol(), "username": person(DAVE).username}
    for reason in ("", "  "):
        with pytest.raises(BadReason, match="Give a reason"):
            game_master.seat_player(**seat, power="ITALY", reason=reason)
    let_bot_play(occupancy_id=occupancy_of(game, "FRANCE").pk, level=Level.EASY)
    with pytest.raises(BadReason, match="Give a reason"):
        game_master.seat_player(**seat, power="FRANCE")
    assert not Occupancy.objects.filter(game=game, user=person(DAVE)).exists()
    game_master.seat_player(**seat, power="ITALY", reason="Agreed.")
    log = [event.sentence for event in Story(game).seen_by(CAROL).events]
    assert "carol gave Italy to dave. Reason: Agreed." in log


def test_a_vacant_seat_and_that_of_a_bot_are_given_without_a_reason() -> None:
    game = running_game()
    for power, name in (("ITALY", DAVE), ("FRANCE", "erin")):
        game_master.empty_seat(game_id=game.pk, by=carol(), power=power, reason="Asked to leave.")
        if power == "FRANCE":
            seat_bot(game_id=game.pk, by=carol(), power=power, level=Level.EASY)
        game_master.seat_player(game_id=game.pk, by=carol(), power=power, username=person(name).username)
        assert occupancy_of(game, power).user == person(name)


def test_an_unknown_a_seated_or_the_mastering_person_is_not_put_into_a_seat() -> None:
    game = running_game()
    with pytest.raises(UnknownPlayer, match="“nobody”"):
        game_master.seat_player(game_id=game.pk, by=carol(), power="ITALY", username="nobody", reason="Agreed.")
    with pytest.raises(SeatTaken, match="alice already has a seat"):
        game_master.seat_player(game_id=game.pk, by=carol(), power="ITALY", username="alice", reason="Agreed.")
    with pytest.raises(NotAllowed, match="game master doesn’t play"):
        game_master.seat_player(game_id=game.pk, by=carol(), power="ITALY", username=CAROL, reason="Agreed.")
    person(DAVE)
    with pytest.raises(WrongMoment, match="Before the start"):
        game_master.seat_player(game_id=waiting_game().pk, by=carol(), power="ITALY", username=DAVE, reason="Agreed.")


def test_permanent_civil_disorder_closes_the_seat_and_makes_its_centres_minor_powers() -> None:
    """1926, D12: between two phases; the seat's saved orders are destroyed."""
    game = running_game()
    story = Story(game)
    story.order("ITALY", "A Mil-Swi", "1: A Aus S A Mil-Swi")
    story.order("GERMANY", "A Mun-Cze", "1: A Aus S A Mun-Cze")
    game_master.declare_civil_disorder(game_id=game.pk, by=carol(), power="ITALY")
    view = story.seen_by(DAVE)
    italy = next(power for power in view.powers if power.id == "ITALY")
    assert (italy.disordered, italy.player, italy.units, italy.centres) == (True, "", 0, 0)
    assert view.notices
    position = codec.position_of(open_phase(game))
    for centre in ("MIL", "ROM", "NAP", "TRI"):
        unit = position.unit_at(centre)
        assert unit is not None
        assert str(unit) == f"A {centre}"
        assert unit.power == "NEUTRAL"
    with pytest.raises(WrongMoment, match="closed for good"):
        game_master.seat_player(game_id=game.pk, by=carol(), power="ITALY", username=DAVE, reason="Agreed.")
    holder = occupancy_of(game, "GERMANY").user.username
    kept = story.seen_by(holder).order_sheet
    assert kept is not None
    assert kept.text == "A Mun-Cze\n1: A Aus S A Mun-Cze"
    story.deadline()
    result = story.seen_by(DAVE).result
    assert result is not None
    assert "ITALY" not in result.missed
    outcomes = {outcome.text: outcome.succeeded for outcome in result.outcomes}
    assert outcomes["A Mun–Cze"], "Italy's bid was destroyed, so nothing ties with Germany's"


def test_closing_a_game_is_a_draw_among_all_who_have_a_unit() -> None:
    game = running_game()
    game_master.declare_civil_disorder(game_id=game.pk, by=carol(), power="ITALY")
    game_master.close_game(game_id=game.pk, by=carol())
    game.refresh_from_db()
    assert game.status == Status.CLOSED
    assert game.verdict is not None
    assert set(game.verdict["winners"]) == {seat.power for seat in game.seats.all()} - {"ITALY"}
    view = Story(game).seen_by(DAVE)
    assert view.final
    assert view.result is None
    assert view.head is not None
    assert not view.head.is_open
    with pytest.raises(WrongMoment, match="over"):
        game_master.pause_game(game_id=game.pk, by=carol())


def test_a_game_closed_before_it_started_has_no_winner() -> None:
    game = waiting_game()
    game_master.close_game(game_id=game.pk, by=carol())
    game.refresh_from_db()
    assert (game.status, game.verdict and game.verdict["winners"]) == (Status.CLOSED, [])
    assert Story(game).seen_by(DAVE).final


def test_every_look_at_bids_of_a_closed_phase_is_in_the_public_log() -> None:
    """1926, D9."""
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "2: A Aus S A Mun-Cze")
    with pytest.raises(WrongMoment, match="only after it has ended"):
        look_at_bids(game_id=game.pk, by=carol(), ordinal=0)
    story.deadline()
    (bids,) = look_at_bids(game_id=game.pk, by=carol(), ordinal=0)
    assert (bids.power, [(line.points, line.canonical) for line in bids.bids]) == (
        "GERMANY",
        [(2, "A AUS S A MUN - CZE")],
    )
    assert story.seen_by("alice").events[0].sentence == "carol looked at the bids of Spring 1926."
    powers = story.seen_by(CAROL).gm
    assert powers is not None
    assert [head.ordinal for head in powers.phases["look_at_bids"]] == [0]


@pytest.mark.parametrize(("sees", "plays"), [(False, False), (True, True)])
def test_a_blind_or_playing_game_master_sees_no_bids(sees: bool, plays: bool) -> None:
    """1926, D9."""
    game = running_game(gm_sees_bids=sees, gm_plays=plays)
    story = Story(game)
    story.order("GERMANY", "2: A Aus S A Mun-Cze")
    story.deadline()
    with pytest.raises(NotAllowed, match="only the player who made a bid"):
        look_at_bids(game_id=game.pk, by=carol(), ordinal=0)
    with pytest.raises(NotAllowed, match="only the player who made a bid"):
        look_at_all_bids(game_id=game.pk, by=carol())
    powers = story.seen_by(CAROL).gm
    assert powers is not None
    assert powers.phases["look_at_bids"] == ()
    assert not game.events.filter(kind=BIDS_LOOKED_AT.log).exists()
    assert not Occupancy.objects.filter(user=carol()).exists()


def test_a_deadline_is_put_off_to_a_named_moment_and_never_brought_forward() -> None:
    game = running_game(most_extended=10)
    before = open_phase(game).deadline
    assert before is not None
    for until in (before - timedelta(hours=1), before, before + timedelta(days=15)):
        with pytest.raises(WrongMoment, match="after the current deadline, at most 14 days"):
            game_master.set_deadline(game_id=game.pk, by=carol(), until=until)
    later = before.replace(minute=30, second=0, microsecond=0) + timedelta(days=2)
    game_master.set_deadline(game_id=game.pk, by=carol(), until=later, reason="A holiday.")
    assert open_phase(game).deadline == later
    newest = Story(game).seen_by(DAVE).events[0].sentence
    moment = f"{later:%a} {later.day} {later:%b %Y, %H:%M} UTC"
    assert newest == f"carol moved the deadline for Spring 1926 to {moment}. Reason: A holiday."
    game_master.pause_game(game_id=game.pk, by=carol())
    with pytest.raises(WrongMoment, match="so there is no deadline to set"):
        game_master.set_deadline(game_id=game.pk, by=carol(), until=later + timedelta(days=1))


def test_a_player_is_taken_out_for_a_reason_and_the_units_hold_until_somebody_comes() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    with pytest.raises(BadReason):
        game_master.empty_seat(game_id=game.pk, by=carol(), power="GERMANY", reason="")
    player = occupancy_of(game, "GERMANY").user.username
    game_master.empty_seat(game_id=game.pk, by=carol(), power="GERMANY", reason="Asked to leave.")
    newest = story.seen_by(DAVE).events[0].sentence
    assert newest == f"carol removed {player} from Germany; the seat is now vacant. Reason: Asked to leave."
    with pytest.raises(WrongMoment, match="already vacant"):
        game_master.empty_seat(game_id=game.pk, by=carol(), power="GERMANY", reason="Again.")
    story.deadline()
    result = story.seen_by(DAVE, 0).result
    assert result is not None
    assert [it.order for it in result.outcomes if it.order.startswith("A MUN")] == ["A MUN H"]
    game_master.seat_player(
        game_id=game.pk, by=carol(), power="GERMANY", username=person(DAVE).username, reason="Agreed."
    )
    assert occupancy_of(game, "GERMANY").user == person(DAVE)


@pytest.mark.parametrize("verb", ["pause_game", "end_phase_early", "close_game"])
def test_a_reason_may_be_given_for_every_act_and_stands_in_the_log(verb: str) -> None:
    game = running_game(gm_processes_early=True)
    with pytest.raises(BadReason, match="301 characters"):
        getattr(game_master, verb)(game_id=game.pk, by=carol(), reason="x" * 301)
    getattr(game_master, verb)(game_id=game.pk, by=carol(), reason="  We all agreed. ")
    assert Story(game).seen_by(DAVE).events[0].sentence.endswith(" Reason: We all agreed.")


def test_nobody_has_missed_a_phase_that_the_game_master_ended_before_its_time() -> None:
    game = running_game(gm_processes_early=True, vacant_after=2)
    story = Story(game)
    story.deadline()
    for _ in range(2):
        game_master.end_phase_early(game_id=game.pk, by=carol(), reason="All said yes.")
        assert close_due_phase(phase_id=open_phase(game).pk)
    seat = occupancy_of(game, "ITALY")
    assert (seat.owed, seat.missed, seat.silent) == (1, 1, 1)
    assert story.seen_by(CAROL).events[0].sentence == ("carol ended Spring 1927 early. Reason: All said yes.")
    head = phase_head(open_phase(game))
    repair.roll_back(game_id=game.pk, by=carol(), ordinal=2, seen=head.mark, reason="A mistake.")
    seat.refresh_from_db()
    assert (seat.owed, seat.missed, seat.silent) == (1, 1, 1)
    head = phase_head(open_phase(game))
    repair.roll_back(game_id=game.pk, by=carol(), ordinal=0, seen=head.mark, reason="A mistake.")
    seat.refresh_from_db()
    assert (seat.owed, seat.missed, seat.silent) == (0, 0, 0)


def test_a_game_gets_another_name_at_the_desk_and_the_log_tells_the_old_one() -> None:
    game = running_game(name="Winter")
    desk_page, stranger = reverse("games:gm", args=[game.slug]), visitor(DAVE)
    refused = visitor(CAROL).post(f"{desk_page}rename/", {"name": " x "})
    assert refused.status_code == 422
    assert "The name must have 3 to 80 characters." in refused.text
    told = visitor(CAROL).post(f"{desk_page}rename/", {"name": "The long winter"}, follow=True)
    assert "The game has its new name." in told.text
    shown = stranger.get(reverse("games:log", args=[game.slug])).text
    assert "The long winter" in shown
    assert "It was called “Winter”." in shown
