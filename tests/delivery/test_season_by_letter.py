"""The letters of a season begin with what matters to their reader, and there is one for each occasion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail

from games.delivery.choosing import choose_mail
from games.delivery.inbox import notice_page
from games.delivery.letters import deliver_letters
from games.kernel.news import Topic
from games.mastering.services.desk import close_game, empty_seat, end_phase_early, start_game
from games.news.models import Mail
from games.orders.services import set_ready
from games.seating.models import Standby
from games.seating.services.placing import place_player
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import HOUR, occupancy_of, open_phase, running_game, seat_at_once, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game
    from tests.moment import Moment

pytestmark = pytest.mark.django_db

SMALL: dict[str, Any] = {"variant": "balkan-battle", "players": PLAYERS[:2]}
ALICE, BOB = PLAYERS[:2]


def told(name: str) -> list[str]:
    """The paragraphs of the only new letter to this user, without what happened in the phase."""
    deliver_letters()
    (letter,) = [it for it in mail.outbox if it.to == [person(name).email]]
    return [" ".join(part.split()) for part in str(letter.body).partition("http")[0].strip().split("\n\n")]


def begun(**options: Any) -> Story:
    """A game of Austria and Turkey, of whose start everybody has read."""
    story = Story(running_game(**{**SMALL, **options}))
    deliver_letters()
    mail.outbox.clear()
    return story


def test_the_first_line_names_the_game() -> None:
    story = begun(name="Locarno")
    story.deadline()
    assert told(ALICE)[0] == "Locarno: It’s time to enter orders for Austria."


def test_a_phase_that_the_game_master_ended_says_so_with_the_reason(moment: Moment) -> None:
    story = begun(gm_processes_early=True)
    moment.wait(hours=1)
    end_phase_early(game_id=story.game.pk, by=person(CAROL).pk, reason="All agreed.")
    story.deadline()
    why = "The game master, carol, ended 1901 early. Reason: All agreed."
    assert told(ALICE)[2] == why
    mail.outbox.clear()
    moment.wait(hours=1)
    story.deadline()
    assert why not in told(ALICE)


@pytest.mark.parametrize(("early", "says"), [(True, True), (False, False)])
def test_a_phase_that_ended_because_all_were_ready_says_so_only_if_that_was_early(
    moment: Moment, *, early: bool, says: bool
) -> None:
    """Where nobody sees who is ready, a phase that ends at its deadline doesn't show that all were."""
    story = begun(all_ready=True, panic_seconds=HOUR, show_ready=False)
    moment.wait(hours=1 if early else 23)
    for power in ("AUSTRIA", "TURKEY"):
        story.order(power)
        set_ready(occupancy_id=occupancy_of(story.game, power).pk, ordinal=0, ready=True)
    moment.now = deadline_of(story.game)
    story.deadline()
    assert ("1901, movement, ended early because all players were ready." in told(ALICE)) is says


def deadline_of(game: Game) -> Any:
    return open_phase(game).deadline


def test_a_deadline_at_which_seats_fall_vacant_is_one_letter_for_each_reader(moment: Moment) -> None:
    Standby.objects.create(user=person(DAVE), variants=[], pace="", since=moment.now)
    story = Story(running_game(name="Locarno", vacant_after=1))
    deliver_letters()
    mail.outbox.clear()
    for power in ("GERMANY", "ITALY", "POLAND", "SOVIET_UNION", "TURKEY"):
        story.order(power)
    story.deadline()
    vacant = (
        "Britain is now vacant: no orders received for one phase. France is now vacant: no orders received for one "
    )
    assert told(CAROL)[0] == f"Locarno: {vacant}phase."
    assert told(PLAYERS[2])[2] == f"{vacant}phase."
    assert told(ALICE)[0] == "Locarno: Your seat is now vacant because you missed too many phases."
    assert told(DAVE)[0] == "Locarno: The seats of Britain and France are vacant in this game (variant: 1926)."
    assert told(DAVE)[1].startswith("You’re on the standby list.")


def test_the_game_master_reads_first_whose_orders_were_missing() -> None:
    story = begun(name="Locarno")
    story.order("TURKEY")
    story.deadline()
    assert told(CAROL)[0] == "Locarno: No orders received from Austria (alice)."


def test_a_game_master_who_wants_results_by_the_day_gets_a_letter_about_vacant_seats_at_once() -> None:
    story = begun(name="Locarno", vacant_after=1)
    choose_mail(user_id=person(CAROL).pk, game_id=None, mail={Topic.RESULT: Mail.DAILY})
    story.order("TURKEY")
    story.deadline()
    assert told(CAROL) == [
        "Locarno: Austria is now vacant: no orders received for one phase.",
        "Until someone takes the seat, the units hold. Find players on the GM desk.",
        "Suitable players on the standby list have been told.",
    ]


def test_a_removed_player_reads_the_reason_and_the_game_master_no_letter_of_their_own_act() -> None:
    story = begun(name="Locarno")
    empty_seat(game_id=story.game.pk, by=person(CAROL).pk, power="AUSTRIA", reason="You asked for it.")
    assert told(ALICE) == [
        "Locarno: The game master, carol, has removed you from your seat in this game.",
        "Reason: You asked for it.",
        "This doesn’t count as abandoning the game.",
    ]
    assert not [it for it in mail.outbox if it.to == [person(CAROL).email]]


def test_the_end_of_a_game_gives_the_reason() -> None:
    story = begun(name="Locarno")
    close_game(game_id=story.game.pk, by=person(CAROL).pk, reason="Thanks, all.")
    end = "Locarno: The game master closed the game: a draw between Austria and Turkey. Reason: Thanks, all."
    assert told(ALICE)[0] == end


def test_a_correction_says_what_it_changed_on_the_board_and_shows_the_new_result() -> None:
    story = begun(name="Locarno")
    story.order("TURKEY", "A Con - Bul")
    story.order("AUSTRIA")
    story.deadline()
    deliver_letters()
    mail.outbox.clear()
    story.correct("TURKEY", "A CON - BUL")
    first = told(ALICE)[0]
    assert first.startswith(
        "Locarno: The game master, carol, corrected an order of 1901: A Con–Bul of Turkey does not "
    )
    assert "On the board: Bulgaria: " in first
    assert first.endswith(" Reason: A slip.")
    (letter,) = [it for it in mail.outbox if it.to == [person(ALICE).email]]
    assert "Result of 1901, movement" in str(letter.body)


def test_whoever_is_given_a_seat_reads_of_it_only_until_the_game_starts() -> None:
    game = waiting_game(variant="balkan-battle", name="Locarno")
    seat_at_once(game, {ALICE: "AUSTRIA"})
    place_player(game_id=game.pk, by=person(CAROL).pk, power="TURKEY", username=person(BOB).get_username())
    start_game(game_id=game.pk, by=person(CAROL).pk)
    assert told(BOB)[0] == "Locarno: The game has started."
    assert [line.sentence for line in notice_page(person(BOB)).lines] == ["The game has started."]
