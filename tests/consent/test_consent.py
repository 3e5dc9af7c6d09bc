"""Changing the terms of a game, and earlier deadlines, with the agreement of the players."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.consent.models import Asking, AskingOutcome
from games.consent.news import REFUSED, TERMS_AGREED, TERMS_ASKED
from games.consent.services import answer_request, ask_for_earlier_deadline, change_terms, withdraw_request
from games.deadlines.options import EarlyEnd, PhaseLengths
from games.endings.options import Agreement
from games.kernel import clock, codec
from games.kernel.models import Letter, OpenedBids, Status
from games.kernel.queries import phase_head
from games.kernel.refusals import BadGame, NotAllowed, WrongMoment
from games.kernel.standpoint import Standpoint
from games.mastering.judging import preview_open_phase
from games.mastering.rules import may_preview
from games.mastering.services.desk import close_game, pause_game, seat_player, start_game
from games.mastering.services.repair import roll_back
from games.orders.bids import look_at_all_bids, look_at_bids
from games.orders.services import set_ready
from games.sealed.options import Previews
from games.seating.options import Vacancies
from games.seating.services.bots import seat_bot
from games.seating.services.new_game import leave_before_start, take_seat
from games.seating.services.vacancies import resign
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import HOUR, occupancy_of, open_phase, running_game, waiting_game
from tests.moment import Moment
from tests.story import Story
from variants.bots import Level

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

BALKAN: dict[str, Any] = {"variant": "three-way-balkan-battle", "players": PLAYERS[:3]}
ALICE, BOB, FRITZ = PLAYERS[:3]
A = "AUSTRIA"
DAY = 24 * HOUR


@pytest.fixture(autouse=True)
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    return Moment(monkeypatch)


def carol() -> int:
    return person(CAROL).pk


def changes(game: Game, **choices: Any) -> bool:
    applied = change_terms(game_id=game.pk, by=carol(), choices=choices)
    fresh(game)
    return applied


def fresh(game: Game) -> None:
    """As it is in the database now."""
    game.refresh_from_db()
    vars(game).pop("options", None)


def says(game: Game, name: str, *, agrees: bool = True) -> bool:
    done = answer_request(
        game_id=game.pk, user_id=person(name).pk, number=Asking.objects.latest("pk").pk, agrees=agrees
    )
    fresh(game)
    return done


def agree(game: Game, *names: str) -> None:
    """The last of them makes it so."""
    assert [says(game, name) for name in names] == [False] * (len(names) - 1) + [True]


def log_of(game: Game) -> list[str]:
    return [event.sentence for event in Story(game).seen_by(DAVE).events]


def told(kind: str) -> set[str]:
    return set(Letter.objects.filter(kind=kind).values_list("user__username", flat=True))


# --- Terms ---


def test_before_anyone_has_joined_the_terms_change_at_once_and_the_log_says_how() -> None:
    game = waiting_game()
    assert changes(game, vacant_after=3, seats="random", gm_plays=True)
    assert game.options[Vacancies].vacant_after == 3
    assert "carol changed the terms: " in log_of(game)[0]
    assert "Playing: “The game master is also a player” instead of “The game master does not play”." in log_of(game)[0]


def test_later_they_change_once_all_players_have_agreed() -> None:
    game = running_game(**BALKAN, draws="any")
    assert not changes(game, draws="none")
    assert game.options[Agreement].draws == "any"
    assert told(TERMS_ASKED.letter) == {ALICE, BOB, FRITZ}
    says(game, ALICE)
    with pytest.raises(WrongMoment, match="already agreed"):
        says(game, ALICE)
    agree(game, BOB, FRITZ)
    assert game.options[Agreement].draws == "none"
    assert log_of(game)[0].startswith("Everyone agreed to new terms: ")
    assert told(TERMS_AGREED.letter) == {ALICE, BOB, FRITZ, CAROL}


def test_one_refusal_keeps_the_terms_and_tells_nobody_who_refused() -> None:
    game = running_game(**BALKAN, vacant_after=2)
    changes(game, vacant_after=5)
    says(game, ALICE)
    says(game, BOB, agrees=False)
    assert game.options[Vacancies].vacant_after == 2
    assert log_of(game)[0] == "Not everyone agreed, so the terms stay as they are."
    assert told(REFUSED.letter) == {CAROL}
    with pytest.raises(WrongMoment, match="no longer open"):
        says(game, FRITZ)


def test_a_request_is_withdrawn_and_one_without_an_answer_lapses(moment: Moment) -> None:
    game = running_game(**BALKAN, vacant_after=2)
    changes(game, vacant_after=5)
    with pytest.raises(WrongMoment, match="already asked"):
        changes(game, vacant_after=4)
    withdraw_request(game_id=game.pk, by=carol(), number=Asking.objects.get().pk)
    assert log_of(game)[0] == "carol withdrew the request, so the terms stay as they are."
    changes(game, vacant_after=4)
    moment.wait(days=7)
    with pytest.raises(WrongMoment, match="no longer open"):
        says(game, ALICE)
    changes(game, vacant_after=3)
    assert list(Asking.objects.order_by("pk").values_list("outcome", flat=True)) == ["withdrawn", "lapsed", "open"]


def test_only_players_are_asked_and_only_the_game_master_asks() -> None:
    game = running_game(**BALKAN)
    with pytest.raises(NotAllowed, match="Only the game master"):
        change_terms(game_id=game.pk, by=person(ALICE).pk, choices={"vacant_after": 5})
    changes(game, vacant_after=5)
    for name in (DAVE, CAROL):
        with pytest.raises(NotAllowed, match="aren’t asked"):
            says(game, name)
    with pytest.raises(NotAllowed, match="Only the game master"):
        withdraw_request(game_id=game.pk, by=person(ALICE).pk, number=Asking.objects.get().pk)


def test_bots_and_vacant_seats_have_no_say_and_a_new_player_is_asked_again() -> None:
    game = running_game(**BALKAN, vacant_after=2)
    changes(game, vacant_after=5)
    says(game, ALICE)
    seat_player(game_id=game.pk, by=carol(), power=A, username=person(DAVE).username, reason="Agreed.")
    says(game, BOB)
    assert game.options[Vacancies].vacant_after == 2
    resign(game_id=game.pk, user_id=person(FRITZ).pk)
    seat_bot(game_id=game.pk, by=carol(), power="TURKEY", level=Level.EASY)
    agree(game, DAVE)
    assert game.options[Vacancies].vacant_after == 5


def test_the_last_who_has_not_agreed_leaves_and_so_it_applies() -> None:
    game = running_game(**BALKAN, vacant_after=2)
    changes(game, vacant_after=5)
    for name in (ALICE, BOB):
        says(game, name)
    resign(game_id=game.pk, user_id=person(FRITZ).pk)
    fresh(game)
    assert game.options[Vacancies].vacant_after == 5


def test_before_the_start_those_who_have_joined_are_asked_and_what_concerns_the_start_lapses_with_it() -> None:
    game = waiting_game(variant=BALKAN["variant"])
    for name, power in ((ALICE, A), (BOB, "RUSSIA")):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    with pytest.raises(BadGame) as refused:
        changes(game, seats="random")
    assert refused.value.problems == {"seats": "It’s too late to change this in this game."}
    assert not changes(game, press="none")
    says(game, ALICE)
    start_game(game_id=game.pk, by=carol())
    assert not says(game, BOB)
    assert Asking.objects.get().outcome == AskingOutcome.LAPSED
    assert game.options.values["press"] != "none"
    other = waiting_game(variant=BALKAN["variant"], name="Other")
    take_seat(game_id=other.pk, user_id=person(ALICE).pk, power=A)
    assert not changes(other, press="none")
    leave_before_start(game_id=other.pk, user_id=person(ALICE).pk)
    fresh(other)
    assert other.options.values["press"] == "none"


def test_a_game_under_way_keeps_what_no_agreement_changes() -> None:
    game = running_game(**BALKAN)
    for choices in ({"hidden_names": True}, {"press": "none"}, {"open_votes": True}, {"bots": 1}):
        with pytest.raises(BadGame, match="too late"):
            changes(game, **choices)
    with pytest.raises(BadGame, match="after 1 to 5 phases"):
        changes(game, vacant_after=99)
    with pytest.raises(WrongMoment, match="Nothing was changed"):
        changes(game, vacant_after=game.options[Vacancies].vacant_after)


def test_the_timetable_that_was_agreed_on_counts_from_the_next_phase(moment: Moment) -> None:
    game = running_game(**BALKAN, movement_seconds=DAY)
    ends = open_phase(game).deadline
    changes(game, movement_seconds=2 * DAY)
    agree(game, ALICE, BOB, FRITZ)
    assert open_phase(game).deadline == ends
    Story(game).deadline()
    fresh(game)
    phase = open_phase(game)
    assert phase.deadline == phase.opened + timedelta(seconds=game.options[PhaseLengths].movement_seconds)


def test_where_all_were_ready_the_old_deadline_applies_once_readiness_ends_no_phase_any_more() -> None:
    game = running_game(**BALKAN, all_ready=True, panic_seconds=HOUR)
    ends = open_phase(game).deadline
    changes(game, all_ready=False, panic_seconds=0)
    for power in ("AUSTRIA", "RUSSIA", "TURKEY"):
        set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=0, ready=True)
    assert open_phase(game).in_window
    agree(game, ALICE, BOB, FRITZ)
    assert not game.options[EarlyEnd].all_ready
    assert open_phase(game).deadline == ends


# --- Terms that show more ---


def test_previews_begin_with_the_phase_after_the_one_in_which_all_agreed() -> None:
    game = running_game(**BALKAN)
    changes(game, gm_previews=True)
    agree(game, ALICE, BOB, FRITZ)
    assert game.options[Previews].allowed
    with pytest.raises(WrongMoment, match="from the next turn on"):
        preview_open_phase(game_id=game.pk, by=carol())
    Story(game).deadline()
    fresh(game)
    may_preview(Standpoint(game, carol()))
    roll_back(game_id=game.pk, by=carol(), ordinal=0, seen=phase_head(open_phase(game)).mark, reason="A mistake.")
    with pytest.raises(WrongMoment, match="from the next turn on"):
        preview_open_phase(game_id=game.pk, by=carol())


def test_bids_made_before_everyone_agreed_are_never_shown_to_the_game_master() -> None:
    game = running_game(gm_sees_bids=False)
    Story(game).deadline()
    fresh(game)
    changes(game, gm_sees_bids=True)
    agree(game, *PLAYERS)
    for _ in range(2):
        Story(game).deadline()
    fresh(game)
    for ordinal in (0, 1):
        with pytest.raises(NotAllowed, match="show them only to the player"):
            look_at_bids(game_id=game.pk, by=carol(), ordinal=ordinal)
    look_at_bids(game_id=game.pk, by=carol(), ordinal=2)
    assert [bids.ordinal for bids in look_at_all_bids(game_id=game.pk, by=carol())] == [2]


def test_terms_that_show_more_wait_for_a_phase_for_which_nothing_was_written_ahead() -> None:
    """Marseilles goes to Spain, and builds follow the autumn: they could be written ahead before all agreed."""
    game = running_game(variant="standard")
    story = Story(game)
    story.deadline()
    changes(game, gm_previews=True)
    agree(game, *PLAYERS)
    story.order("FRANCE", "A Mar-Spa", "F Bre-MAO")
    story.deadline()
    following = open_phase(game)
    with pytest.raises(WrongMoment, match="from the next turn on"):
        preview_open_phase(game_id=game.pk, by=carol())
    assert following.turn.endswith("A")
    story.deadline()
    preview_open_phase(game_id=game.pk, by=carol())


def test_a_power_that_is_eliminated_keeps_no_request_waiting() -> None:
    game = running_game(**BALKAN, vacant_after=2)
    changes(game, vacant_after=5)
    for name in (ALICE, BOB):
        says(game, name)
    phase = open_phase(game)
    position = codec.position_of(phase)
    units = tuple(unit for unit in position.units if unit.power != "TURKEY")
    centres = {centre: "RUSSIA" if power == "TURKEY" else power for centre, power in position.centres.items()}
    phase.position = codec.position_to_row(replace(position, units=units, centres=centres))
    phase.save(update_fields=["position"])
    Story(game).deadline()
    fresh(game)
    assert game.options[Vacancies].vacant_after == 5


def test_at_the_end_only_phases_that_opened_after_the_agreement_are_published() -> None:
    game = running_game(open_bids_at_end=False)
    changes(game, open_bids_at_end=True)
    agree(game, *PLAYERS)
    for _ in range(2):
        Story(game).deadline()
    close_game(game_id=game.pk, by=carol())
    assert list(OpenedBids.objects.values_list("phase__ordinal", flat=True)) == [1]


def test_terms_that_show_less_hold_at_once_for_everything() -> None:
    game = running_game(open_bids_at_end=True, gm_sees_bids=True)
    Story(game).deadline()
    fresh(game)
    changes(game, open_bids_at_end=False, gm_sees_bids=False)
    agree(game, *PLAYERS)
    with pytest.raises(NotAllowed):
        look_at_bids(game_id=game.pk, by=carol(), ordinal=0)
    close_game(game_id=game.pk, by=carol())
    assert not OpenedBids.objects.exists()


# --- An earlier deadline ---


def test_a_deadline_is_brought_forward_once_all_who_must_decide_have_agreed() -> None:
    game = running_game(**BALKAN, movement_seconds=3 * DAY)
    sooner = clock.now() + timedelta(hours=5)
    assert not ask_for_earlier_deadline(game_id=game.pk, by=carol(), until=sooner, reason="We are quick.")
    assert log_of(game)[0].endswith(
        "to an earlier deadline for Spring 1899: Mon 16 Nov 2026, 17:00 UTC. Reason: We are quick."
    )
    agree(game, ALICE, BOB, FRITZ)
    assert open_phase(game).deadline == sooner
    assert log_of(game)[0].startswith("All agreed: the deadline for ")


def test_a_deadline_stays_for_one_who_refuses_and_a_request_ends_with_its_phase() -> None:
    game = running_game(**BALKAN, movement_seconds=3 * DAY)
    ends, sooner = open_phase(game).deadline, clock.now() + timedelta(hours=5)
    ask_for_earlier_deadline(game_id=game.pk, by=carol(), until=sooner)
    says(game, ALICE, agrees=False)
    assert open_phase(game).deadline == ends
    ask_for_earlier_deadline(game_id=game.pk, by=carol(), until=sooner)
    Story(game).deadline()
    with pytest.raises(WrongMoment, match="no longer open"):
        says(game, ALICE)


@pytest.mark.parametrize("minutes", [-5, 4, 3 * 24 * 60])
def test_only_a_moment_ahead_and_before_the_deadline_can_be_asked_for(minutes: int) -> None:
    game = running_game(**BALKAN, movement_seconds=3 * DAY)
    with pytest.raises(WrongMoment, match="before the current deadline, at least 5 minutes"):
        ask_for_earlier_deadline(game_id=game.pk, by=carol(), until=clock.now() + timedelta(minutes=minutes))


def test_what_all_agreed_to_while_the_clock_stands_waits_for_it() -> None:
    game = running_game(**BALKAN, movement_seconds=3 * DAY)
    ask_for_earlier_deadline(game_id=game.pk, by=carol(), until=clock.now() + timedelta(hours=5))
    pause_game(game_id=game.pk, by=carol())
    for name in (ALICE, BOB, FRITZ):
        assert not says(game, name)
    assert game.status == Status.PAUSED
    assert open_phase(game).deadline is None


# --- Pages ---


def at(name: str, game: Game, **where: Any) -> str:
    return reverse(f"games:{name}", kwargs={"slug": game.slug, **where})


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_the_form_changes_only_what_was_changed_on_it() -> None:
    """The length of a phase is one that the form doesn't offer."""
    game = running_game(**BALKAN, movement_seconds=5_000, vacant_after=2)
    page = visitor(CAROL).get(at("change-terms", game))
    text = words(page)
    assert "Players have joined under the present terms" in text
    assert 'name="seats"' not in text
    assert 'name="talk"' not in text
    assert 'id="when-preview"' not in text
    fields = {it.html_name: it.value() for it in page.context["form"]}
    sent = {name: value for name, value in fields.items() if value not in (None, False)}
    same = visitor(CAROL).post(at("change-terms", game), sent, follow=True)
    assert "Nothing was changed: these are the terms as they are." in words(same)
    done = visitor(CAROL).post(at("change-terms", game), {**sent, "vacant_after": "3"}, follow=True)
    assert "We’ve asked all players." in words(done)
    assert Asking.objects.get().choices == {"vacant_after": 3}
    asked = words(visitor(ALICE).get(at("game", game)))
    assert "Do you agree to new terms?" in asked
    number = Asking.objects.get().pk
    assert "instead of" in words(visitor(ALICE).get(at("consent", game)))
    for name in (DAVE, ""):
        assert "Do you agree to new terms?" not in words(visitor(name).get(at("game", game)))
    path = at("answer-consent", game, number=number)
    for name in (ALICE, BOB):
        visitor(name).post(path, {"answer": "yes"})
    said = visitor(FRITZ).post(path, {"answer": "yes"}, follow=True)
    assert "Everyone has agreed, so it applies now." in words(said)
    fresh(game)
    assert game.options[Vacancies].vacant_after == 3
    assert game.options[PhaseLengths].movement_seconds == 5_000


def test_a_form_with_a_mistake_says_so_and_loses_nothing() -> None:
    game = waiting_game()
    page = visitor(CAROL).get(at("change-terms", game))
    fields = {it.html_name: it.value() for it in page.context["form"]}
    sent = {name: value for name, value in fields.items() if value not in (None, False)}
    answer = visitor(CAROL).post(at("change-terms", game), {**sent, "last_year": "1800", "vacant_after": "5"})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert 'value="1800"' in words(answer)
    done = visitor(CAROL).post(at("change-terms", game), {**sent, "talk": "public", "vacant_after": "1"}, follow=True)
    assert "The terms have changed." in words(done)


def test_forms_show_the_usual_value_of_an_option_that_is_newer_than_the_game() -> None:
    game = waiting_game()
    del game.stored_options["most_extended"]
    game.save(update_fields=["stored_options"])
    for path in (at("change-terms", game), f"{reverse('games:create')}?like={game.slug}"):
        page = visitor(CAROL).get(path)
        assert page.context["form"].when["most_extended"].value() == 2


def test_an_earlier_deadline_is_asked_for_on_the_desk() -> None:
    game = running_game(**BALKAN, movement_seconds=3 * DAY)
    sent = {"until": f"{clock.now() + timedelta(hours=5):%Y-%m-%dT%H:%M}", "seconds": DAY}
    done = visitor(CAROL).post(at("gm-ask_earlier", game), sent, follow=True)
    assert "We’ve asked all players with orders to enter." in words(done)
    assert "0 of 3 players have agreed." in words(done)
    wrong = visitor(CAROL).post(at("gm-ask_earlier", game), {**sent, "until": "2026-01-01T10:00"})
    assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "You’ve already asked the players for an earlier deadline." in words(wrong)
