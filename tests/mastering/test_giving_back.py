"""A seat that was assigned by mistake goes back to its player, until the new one opens the game."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.deadlines.queries import seats_shown_as_ready
from games.endings.services import propose_end, vote_on_proposal
from games.kernel import clock
from games.kernel.access import access_game, access_seat
from games.kernel.models import Letter, Occupancy, Phase, Right, Sitting
from games.kernel.phase_rows import PhaseRows
from games.kernel.queries import phase_head
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.judging import preview_open_phase
from games.mastering.services import assistants, desk
from games.mastering.services.repair import change_position, roll_back
from games.orders.queries import own_sheets
from games.orders.services import save_sheet, set_ready
from games.orders.sheets import SentSheet
from games.people.profiles import finished_games_of
from games.sealed import store
from games.sealed.packing import unpack_body
from games.seating.news import PLAYER_SEATED, SEAT_GIVEN_BACK, SEAT_LOST
from games.seating.reliability import reliability_of
from games.seating.services.bots import seat_bot
from games.seating.services.sitters import answer_sitting, name_sitter
from games.seating.services.vacancies import resign
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story
from variants.bots import Level

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

POWER = "GERMANY"
ORDERS = ("A Mun-Cze", "2: A Aus S A Mun-Cze")


def carol() -> int:
    return person(CAROL).pk


def assign(game: Game, to: str = DAVE, power: str = POWER) -> Occupancy:
    """The game master's slip."""
    desk.seat_player(game_id=game.pk, by=carol(), power=power, username=person(to).username, reason="Asked to leave.")
    return occupancy_of(game, power)


def give_back(game: Game, power: str = POWER) -> None:
    desk.give_back_seat(game_id=game.pk, by=carol(), power=power)


def sheet_of(game: Game) -> tuple[str, int]:
    """What the player of the seat finds: the text and the points bid."""
    sheet = Story(game).seen_by(occupancy_of(game, POWER).user.username).order_sheet
    assert sheet is not None
    return sheet.text, sheet.spent


def slot_of(game: Game) -> store.Body:
    """What is in the slot of the seat, no matter who may read it."""
    phase, seat = open_phase(game), occupancy_of(game, POWER).seat_id
    row = store._sheets_with_seats().get(pk=phase.pk)
    return store.Body(**unpack_body(store._unseal_row(row, [seat])[seat]))


def test_the_former_player_plays_on_with_orders_bids_and_receipt_as_though_nothing_had_happened() -> None:
    game = running_game()
    receipt = Story(game).order(POWER, *ORDERS)
    before = occupancy_of(game, POWER)
    assign(game)
    give_back(game)
    assert occupancy_of(game, POWER) == before
    assert sheet_of(game) == ("\n".join(ORDERS), 2)
    assert store.read_own(before, open_phase(game)).salt in receipt.file
    newest = Story(game).seen_by(CAROL).events[0].sentence
    assert newest == f"carol gave Germany back to {before.user.username}, who plays on as before."
    before.refresh_from_db()
    assert (before.until, before.departure) == (None, "")
    Story(game).deadline()
    result = Story(game).seen_by(CAROL, 0).result
    assert result is not None
    assert "A MUN - CZE" in [it.order for it in result.outcomes]


def test_the_wrong_person_never_played() -> None:
    game = running_game()
    assign(game)
    give_back(game)
    dave = person(DAVE)
    assert not Occupancy.objects.filter(user=dave).exists()
    assert reliability_of(dave.pk).is_new
    desk.close_game(game_id=game.pk, by=carol())
    assert finished_games_of(dave.pk).ended == 0
    assert finished_games_of(occupancy_of(game, POWER).user_id).finished == 1
    told = set(Letter.objects.filter(game=game, user=dave).values_list("kind", flat=True))
    assert (SEAT_LOST.letter in told, PLAYER_SEATED.letter in told) == (True, False)
    former = Letter.objects.filter(game=game, user=occupancy_of(game, POWER).user)
    assert SEAT_GIVEN_BACK.letter in set(former.values_list("kind", flat=True))


def test_nobody_reads_what_is_set_aside() -> None:
    game = running_game(gm_previews=True, gm_sees_saved=True)
    story = Story(game)
    story.order(POWER, *ORDERS)
    newcomer = assign(game)
    phase = open_phase(game)
    assert slot_of(game).saved, "it is still there"
    assert store.read_own(newcomer, phase) == store.BLANK
    assert own_sheets(newcomer.user_id) == ()
    assert newcomer.seat_id not in store.saved_seats(phase)
    seen = preview_open_phase(game_id=game.pk, by=carol())
    assert "A MUN - CZE" not in str(seen)
    with pytest.raises(store.NoAccessToSheet):
        store.write_own(newcomer, phase, store.BLANK)
    former = Occupancy.objects.get(pk=newcomer.instead_of_id or 0)
    with pytest.raises(store.NoAccessToSheet):
        store.read_own(former, phase)


@pytest.mark.parametrize("page", ["games:game", "games:orders", "games:talk", "api:game"])
def test_once_the_new_player_has_opened_the_game_the_orders_are_gone_and_the_seat_is_theirs(page: str) -> None:
    game = running_game()
    Story(game).order(POWER, *ORDERS)
    newcomer = assign(game)
    dave = visitor(DAVE)
    dave.get("/")
    assert slot_of(game).saved, "a list of games is no page of this game"
    assert dave.get(reverse(page, kwargs={"slug": game.slug})).status_code in {200, 302}
    assert not slot_of(game).saved
    newcomer.refresh_from_db()
    assert newcomer.instead_of is None
    with pytest.raises(WrongMoment, match="until its new player opens the game"):
        give_back(game)
    assert sheet_of(game) == ("", 0)


def test_the_pages_of_a_seat_that_is_settled_cost_no_more(django_assert_num_queries: Any) -> None:
    game = running_game()
    assign(game)
    dave = person(DAVE)
    access_seat(user=dave, slug=game.slug)
    with django_assert_num_queries(1):
        access_game(user=dave, slug=game.slug)


def test_other_people_s_visits_change_nothing() -> None:
    game = running_game()
    Story(game).order(POWER, *ORDERS)
    former = occupancy_of(game, POWER).user.username
    assign(game)
    for name in (former, CAROL, "alice", "eve2"):
        visitor(name).get(f"/games/{game.slug}/")
    give_back(game)
    assert sheet_of(game) == ("\n".join(ORDERS), 2)


def test_when_somebody_writes_for_the_new_player_the_old_orders_are_gone() -> None:
    game = running_game()
    Story(game).order(POWER, *ORDERS)
    newcomer = assign(game)
    save_sheet(occupancy_id=newcomer.pk, sheet=SentSheet("A Ber-Sil", 0))
    assert sheet_of(game) == ("A Ber-Sil", 0)
    with pytest.raises(WrongMoment):
        give_back(game)


def test_after_the_phase_the_seat_stays_with_its_new_player_who_has_saved_nothing() -> None:
    game = running_game(grace_times=0)
    Story(game).order(POWER, *ORDERS)
    newcomer = assign(game)
    Story(game).deadline_comes()
    with pytest.raises(WrongMoment, match="deadline has passed"):
        give_back(game)
    Story(game).deadline()
    with pytest.raises(WrongMoment, match="in the same phase"):
        give_back(game)
    newcomer.refresh_from_db()
    assert (newcomer.owed, newcomer.missed, newcomer.instead_of) == (1, 1, None)
    phase = game.phases.get(ordinal=0)
    assert not store.read_closed(phase)[POWER].saved
    assert store.read_closed(phase)[POWER].salt, "the record covers a blank sheet like any other"
    assert POWER in phase.result.missed


@pytest.mark.parametrize("shown", [False, True])
def test_a_player_who_was_ready_is_ready_again(shown: bool) -> None:
    game = running_game(all_ready=True, show_ready=shown)
    former = occupancy_of(game, POWER)
    set_ready(occupancy_id=former.pk, ordinal=0, ready=True)
    assign(game)
    assert not _is_ready(game, former)
    give_back(game)
    assert _is_ready(game, former)
    set_ready(occupancy_id=former.pk, ordinal=0, ready=False)
    assert not _is_ready(game, former)
    assert not store.read_own(former, open_phase(game)).ready


@pytest.mark.parametrize("shown", [False, True])
def test_after_a_change_of_the_position_nobody_is_ready(shown: bool) -> None:
    game = running_game(all_ready=True, show_ready=shown)
    former = occupancy_of(game, POWER)
    set_ready(occupancy_id=former.pk, ordinal=0, ready=True)
    assign(game)
    seen = phase_head(open_phase(game)).mark
    change_position(game_id=game.pk, by=carol(), changes=["BER unit -"], seen=seen, reason="Wrong start.")
    give_back(game)
    assert not _is_ready(game, former)


def _is_ready(game: Game, former: Occupancy) -> bool:
    shown = seats_shown_as_ready(PhaseRows(access_game(user=person(CAROL), slug=game.slug), None))
    if shown is not None:
        return former.seat_id in shown
    row = store._sheets_with_seats().get(pk=open_phase(game).pk)
    return bool(store._open_bodies(row, [former.seat_id])[former.seat_id].ready)


def test_a_sitter_and_a_vote_come_back_with_the_player() -> None:
    game = running_game()
    former, today = occupancy_of(game, POWER), clock.now().date()
    name_sitter(
        game_id=game.pk, user_id=former.user_id, username=person("sid").username, first=today, last=today, zone="UTC"
    )
    answer_sitting(user_id=person("sid").pk, number=Sitting.objects.get().pk, accept=True)
    propose_end(occupancy_id=occupancy_of(game, "ITALY").pk, kind="draw", powers=(POWER, "ITALY"))
    vote_on_proposal(occupancy_id=former.pk, number=1, agrees=True)
    assign(game)
    assert access_game(user=person("sid"), slug=game.slug).lent is None
    give_back(game)
    assert access_game(user=person("sid"), slug=game.slug).lent is not None
    assert former.votes.get().agrees


def test_a_deadline_that_moved_for_the_new_player_stays() -> None:
    game = running_game()
    phase = open_phase(game)
    Phase.objects.filter(pk=phase.pk).update(deadline=clock.now() + timedelta(hours=2))
    assign(game)
    moved = open_phase(game).deadline
    assert moved is not None
    assert moved > clock.now() + timedelta(hours=20)
    give_back(game)
    assert open_phase(game).deadline == moved


def test_the_right_name_after_a_wrong_one_leaves_no_trace_of_the_wrong_one() -> None:
    game = running_game()
    Story(game).order(POWER, *ORDERS)
    former = occupancy_of(game, POWER)
    assign(game)
    with pytest.raises(WrongMoment, match=f"Give it back to {former.user.username} instead"):
        assign(game, former.user.username)
    second = assign(game, "erin")
    assert not Occupancy.objects.filter(user=person(DAVE)).exists()
    assert second.instead_of == former
    give_back(game)
    assert sheet_of(game) == ("\n".join(ORDERS), 2)


def test_a_button_pressed_twice_gives_back_once() -> None:
    game = running_game()
    assign(game)
    give_back(game)
    with pytest.raises(WrongMoment, match="only after you have assigned it"):
        give_back(game)
    kinds = [event.kind for event in Story(game).seen_by(CAROL).events]
    assert kinds.count(SEAT_GIVEN_BACK.log) == 1


def test_only_the_game_master_and_assistants_with_the_right_give_a_seat_back() -> None:
    game = running_game()
    former = assign(game).instead_of
    for name, right in (("ada", Right.CLOCK), ("bea", Right.SEATS)):
        assistants.name_assistant(game_id=game.pk, by=carol(), username=person(name).username, rights=[right.value])
        assistants.answer_assistance(game_id=game.pk, user_id=person(name).pk, accept=True)
    for name in ("ada", "alice", former.user.username if former else ""):
        with pytest.raises(NotAllowed):
            desk.give_back_seat(game_id=game.pk, by=person(name).pk, power=POWER)
    desk.give_back_seat(game_id=game.pk, by=person("bea").pk, power=POWER)
    assert occupancy_of(game, POWER) == former


def test_a_former_player_who_assists_the_game_master_by_now_gets_no_seat_back() -> None:
    game = running_game()
    newcomer = assign(game)
    former = newcomer.instead_of
    assert former is not None
    assistants.name_assistant(game_id=game.pk, by=carol(), username=former.user.username, rights=["talk"])
    assistants.answer_assistance(game_id=game.pk, user_id=former.user_id, accept=True)
    with pytest.raises(NotAllowed, match="is an assistant"):
        give_back(game)
    assert occupancy_of(game, POWER) == newcomer


def test_a_seat_that_a_person_did_not_have_before_is_not_given_back() -> None:
    game = running_game()
    for power, name in (("ITALY", DAVE), ("FRANCE", "erin")):
        desk.empty_seat(game_id=game.pk, by=carol(), power=power, reason="Asked to leave.")
        if power == "FRANCE":
            seat_bot(game_id=game.pk, by=carol(), power=power, level=Level.EASY)
        assert assign(game, name, power).instead_of is None
        with pytest.raises(WrongMoment):
            give_back(game, power)


@pytest.mark.parametrize("leaves", ["resigns", "is removed"])
def test_a_new_player_who_has_left_gives_no_seat_back(leaves: str) -> None:
    game = running_game()
    Story(game).order(POWER, *ORDERS)
    newcomer = assign(game)
    if leaves == "resigns":
        resign(game_id=game.pk, user_id=newcomer.user_id)
    else:
        desk.empty_seat(game_id=game.pk, by=carol(), power=POWER, reason="Asked to leave.")
    with pytest.raises(WrongMoment):
        give_back(game)
    assert assign(game, "erin").instead_of is None
    assert not slot_of(game).saved


def test_when_phases_are_undone_meanwhile_the_seat_is_not_given_back() -> None:
    game = running_game()
    Story(game).deadline()
    Story(game).order(POWER, "# Zygmunt")
    assign(game)
    roll_back(game_id=game.pk, by=carol(), ordinal=0, seen=phase_head(open_phase(game)).mark, reason="Wrong start.")
    with pytest.raises(WrongMoment):
        give_back(game)
    assert not slot_of(game).saved


def test_a_paused_game_does_not_keep_the_game_master_from_mending_the_slip() -> None:
    game = running_game()
    Story(game).order(POWER, *ORDERS)
    assign(game)
    desk.pause_game(game_id=game.pk, by=carol())
    give_back(game)
    assert sheet_of(game) == ("\n".join(ORDERS), 2)


def test_the_desk_offers_it_by_name_until_the_new_player_comes() -> None:
    game = running_game()
    former = occupancy_of(game, POWER).user.username
    assign(game)
    gm, button = visitor(CAROL), f">Give the seat back to {former}</button>"
    page = gm.get(f"/games/{game.slug}/gm/").content.decode()
    assert page.count(button) == 1
    answer = gm.post(f"/games/{game.slug}/gm/give_back/", {"power": POWER}, follow=True)
    assert "The former player has the seat again." in answer.content.decode()
    assert button not in answer.content.decode()
    assign(game)
    visitor(DAVE).get(f"/games/{game.slug}/")
    assert button not in gm.get(f"/games/{game.slug}/gm/").content.decode()
    answer = gm.post(f"/games/{game.slug}/gm/give_back/", {"power": POWER})
    assert answer.status_code == 422
    assert "until its new player opens the game" in answer.content.decode()
