"""Saving orders: what is stored, what is refused, and what comes too late."""

from random import Random
from string import ascii_lowercase

import pytest

from games.kernel.models import Readiness, Status
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.services.desk import pause_game, seat_player
from games.orders.parts import BidView
from games.orders.rules import TooLate
from games.orders.services import BadSheet, has_saved, save_if_blank, save_sheet, set_ready
from games.orders.sheets import SentSheet, sheet_text
from games.sealed import store
from games.sealed.crypto import SLOT_BYTES
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import due_phases, occupancy_of, open_phase, running_game
from tests.sealed.slots import slots_of
from tests.secrecy.observation import public_rows
from tests.story import Story

pytestmark = pytest.mark.django_db

GERMAN_SHEET = ("A Mun-Cze", "A Ber H", "F Ham H", "2: A Aus S A Mun-Cze")


def test_a_saved_sheet_is_answered_with_what_counts() -> None:
    story = Story(running_game())
    receipt = story.order("GERMANY", *GERMAN_SHEET)
    assert receipt.saved
    assert receipt.complete
    assert receipt.missing == ()
    assert len(receipt.orders) == 3
    assert receipt.bids == (BidView("AUS", 2, "A Aus S A Mun–Cze", "A AUS S A MUN - CZE"),)
    assert (receipt.budget, receipt.spent) == (3, 2)


def test_a_partial_sheet_is_saved_but_not_complete() -> None:
    receipt = Story(running_game()).order("GERMANY", "A Mun-Cze")
    assert receipt.saved
    assert not receipt.complete
    assert receipt.missing == ("A Ber", "F Ham")


def test_an_empty_sheet_can_be_saved_and_counts_as_saved() -> None:
    game = running_game()
    occupancy = occupancy_of(game, "GERMANY")
    assert not has_saved(occupancy_id=occupancy.pk, ordinal=0)
    assert Story(game).order("GERMANY", "").saved
    assert has_saved(occupancy_id=occupancy.pk, ordinal=0)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("A Mun-Atlantis", "There is no province “Atlantis”."),
        ("A Par-Bur", "Paris"),
        ("F Ham-Mun", "A fleet cannot enter Munich"),
        ("1: A Mun S A Ber", "does not belong to a minor power"),
        ("4: A Aus S A Mun-Cze", "You have 3 points and bid 4."),
        ("0: A Aus H", "point"),
    ],
    ids=["unknown province", "another's unit", "fleet inland", "bid on no minor", "four points", "no points"],
)
def test_a_sheet_with_a_mistake_is_refused_by_name_and_nothing_of_it_is_stored(line: str, named: str) -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Ber H")
    with pytest.raises(BadSheet) as refused:
        story.order("GERMANY", "A Mun-Cze", line)
    (problem,) = refused.value.sheet.problems
    assert (problem.line, problem.text) == (2, line)
    assert named in problem.sentence
    assert refused.value.sheet.text == f"A Mun-Cze\n{line}"
    assert line not in str(refused.value)
    order_sheet = story.seen_by("fritz").order_sheet
    assert order_sheet is None or order_sheet.text == "A Ber H"
    holder = occupancy_of(game, "GERMANY").user.username
    kept = story.seen_by(holder).order_sheet
    assert kept is not None
    assert kept.text == "A Ber H"


def test_a_sheet_that_is_too_long_is_refused() -> None:
    with pytest.raises(BadSheet) as refused:
        Story(running_game()).order("GERMANY", "# " + "x" * 2000)
    assert "at most 2000 are allowed" in refused.value.sheet.problems[0].sentence


def test_remarks_are_kept_and_those_that_take_too_much_room_are_refused_in_words() -> None:
    game = running_game()
    chance = Random(1)
    remarks = ["# " + "".join(chance.choice(ascii_lowercase) for _ in range(length)) for length in (700, 1900)]
    assert Story(game).order("GERMANY", "A Mun-Cze", remarks[0]).saved
    with pytest.raises(BadSheet) as refused:
        Story(game).order("GERMANY", "A Mun-Cze", remarks[1])
    assert [problem.sentence for problem in refused.value.sheet.problems] == [
        "The orders themselves can be saved, but with them there is not enough room for all your remarks. Shorten the "
        "text after “#”, or write the orders in short, as in “A Edi-Liv”."
    ]
    kept = store.read_own(occupancy_of(game, "GERMANY"), open_phase(game))
    assert kept.typed == f"A Mun-Cze\n{remarks[0]}", "what was saved before stays"


def test_a_save_after_the_deadline_is_too_late_and_says_what_did_count() -> None:
    story = Story(running_game())
    story.order("GERMANY", "A Mun-Cze")
    story.deadline_comes()
    with pytest.raises(TooLate) as late:
        story.order("GERMANY", *GERMAN_SHEET)
    receipt = late.value.receipt
    assert receipt is not None
    assert (receipt.saved, receipt.orders, receipt.bids) == (True, ("A Mun–Cze",), ())


def test_a_save_for_a_phase_that_is_judged_is_too_late_as_well() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", *GERMAN_SHEET)
    story.deadline()
    with pytest.raises(TooLate) as late:
        save_sheet(occupancy_id=occupancy_of(game, "GERMANY").pk, sheet=SentSheet("A Mun H", 0))
    assert late.value.receipt is not None
    assert late.value.receipt.spent == 2


def test_a_new_player_is_not_shown_what_the_previous_player_saved() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", *GERMAN_SHEET)
    story.deadline()
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=person(DAVE).username, reason="Agreed.")
    with pytest.raises(TooLate) as late:
        save_sheet(occupancy_id=occupancy_of(game, "GERMANY").pk, sheet=SentSheet("A Mun H", 0))
    assert late.value.receipt is None


def test_a_player_who_has_lost_their_seat_can_save_no_orders() -> None:
    game = running_game()
    before = occupancy_of(game, "GERMANY")
    person(DAVE)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=DAVE, reason="Agreed.")
    with pytest.raises(NotAllowed, match="no longer"):
        save_sheet(occupancy_id=before.pk, sheet=SentSheet("A Mun H", 0))


def test_a_phase_that_is_not_there_cannot_be_written_for() -> None:
    game = running_game()
    with pytest.raises(WrongMoment, match="no such phase"):
        save_sheet(occupancy_id=occupancy_of(game, "GERMANY").pk, sheet=SentSheet("A Mun H", 1))


def test_players_write_also_while_the_game_is_paused() -> None:
    game = running_game()
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    assert Story(game).order("GERMANY", "A Mun-Cze").saved


def test_saving_touches_nothing_but_the_row_of_the_phase_and_all_its_slots() -> None:
    game, another = running_game(), running_game(name="Another")
    before, elsewhere = slots_of(open_phase(game)), slots_of(open_phase(another))
    rows = public_rows()
    Story(game).order("GERMANY", *GERMAN_SHEET)
    after = slots_of(open_phase(game))
    assert len(set(before) | set(after)) == 2 * len(PLAYERS), "every slot looks new, not only one"
    assert {len(slot) for slot in (*before, *after)} == {SLOT_BYTES}
    assert slots_of(open_phase(another)) == elsewhere
    assert public_rows() == rows


def test_saves_of_several_players_leave_those_of_the_others_as_they_were() -> None:
    game = running_game()
    written = {"GERMANY": "A Mun-Cze", "ITALY": "A Mil-Pie # or not?", "BRITAIN": "F Lon-NTH"}
    for power, line in (*written.items(), ("FRANCE", "A Par-Bur"), ("FRANCE", "A Par H")):
        Story(game).order(power, line)
    for power, line in {**written, "FRANCE": "A Par H", "TURKEY": ""}.items():
        body = store.read_own(occupancy_of(game, power), open_phase(game))
        assert (body.typed, body.saved) == (line, bool(line))


def test_a_bot_does_not_overwrite_what_its_person_saved() -> None:
    game = running_game()
    occupancy = occupancy_of(game, "GERMANY")
    assert not save_if_blank(occupancy_id=occupancy.pk, sheet=SentSheet("A Ber H", 0)), "no bot plays this seat"
    occupancy.bot = "easy"
    occupancy.save()
    Story(game).order("GERMANY", "A Mun-Cze")
    assert not save_if_blank(occupancy_id=occupancy.pk, sheet=SentSheet("A Ber H", 0))
    order_sheet = Story(game).seen_by(occupancy.user.username).order_sheet
    assert order_sheet is not None
    assert order_sheet.text == "A Mun-Cze"


def test_readiness_exists_only_where_the_game_was_created_with_it() -> None:
    game = running_game()
    with pytest.raises(WrongMoment, match="no need to say"):
        set_ready(occupancy_id=occupancy_of(game, "GERMANY").pk, ordinal=0, ready=True)


def test_the_phase_is_due_when_all_who_must_decide_are_ready_and_saving_changes_nothing_about_it() -> None:
    game = running_game(all_ready=True)
    seats = [seat.power for seat in game.seats.order_by("power")]
    for power in seats[:-1]:
        set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=0, ready=True)
    Story(game).order(seats[0], "")
    assert Readiness.objects.count() == len(seats) - 1
    assert due_phases() == []
    set_ready(occupancy_id=occupancy_of(game, seats[0]).pk, ordinal=0, ready=False)
    set_ready(occupancy_id=occupancy_of(game, seats[-1]).pk, ordinal=0, ready=True)
    assert due_phases() == []
    set_ready(occupancy_id=occupancy_of(game, seats[0]).pk, ordinal=0, ready=True)
    assert due_phases() == [game.phases.get().pk]
    assert game.status == Status.RUNNING
    assert open_phase(game).closed is None


def test_the_text_of_a_form_leaves_out_what_was_not_chosen() -> None:
    text = sheet_text(["A MUN - CZE", " ", ""], [("2", "A AUS H"), ("", ""), ("", "A SWI H"), ("1", "")])
    assert text == "A MUN - CZE\n2: A AUS H\n0: A SWI H\n1: "
