"""Retreats and builds written together with the moves: entered, sealed, brought forward, and still changed."""

from datetime import timedelta
from math import inf

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from games.deadlines.phases import close_due_phases
from games.deadlines.timetable import Slot, Week
from games.delivery.letters import deliver_letters
from games.kernel import clock, codec
from games.kernel.models import Game, Occupancy
from games.kernel.refusals import BadGame
from games.orders.services import BadSheet
from games.sealed import store
from tests.cast import person
from tests.factories import occupancy_of, open_phase, running_game
from tests.moment import MONDAY_NOON, Moment
from tests.story import Story

pytestmark = pytest.mark.django_db

WISH = "IF A VEN DISLODGED: ROM, APU, PIE"
BUILDS = "BUILDS: A VIE, F TRI"
ATTACK = ("A TYR S F TRI - VEN", "F TRI - VEN")


def saved(game: Game, power: str) -> store.Body:
    return store.read_own(occupancy_of(game, power), open_phase(game))


@pytest.fixture
def story() -> Story:
    """Fall 1901: Austria can take Venice from Italy."""
    told = Story(running_game(variant="standard"))
    told.order("AUSTRIA", "A VIE - TYR")
    told.deadline()
    return told


def attacked(story: Story) -> None:
    story.order("AUSTRIA", *ATTACK, BUILDS)
    story.order("ITALY", "A VEN H", WISH, "REMOVALS: APU, NAP")
    story.deadline()


def orders_page(game: Game, name: str) -> tuple[Client, str]:
    client = Client()
    client.force_login(person(name))
    return client, reverse("games:orders", args=[game.slug])


def test_what_was_written_ahead_is_saved_when_its_phase_opens(story: Story) -> None:
    attacked(story)
    assert saved(story.game, "ITALY").lines == "A VEN - APU\nREMOVALS: APU, NAP"
    assert saved(story.game, "AUSTRIA").lines == "BUILDS: A VIE, F TRI"
    story.deadline()
    assert saved(story.game, "AUSTRIA").lines == "BUILD A VIE"
    assert saved(story.game, "ITALY").lines == "DISBAND A APU"
    assert all(saved(story.game, power).saved for power in ("AUSTRIA", "ITALY"))
    story.deadline()
    assert open_phase(story.game).turn == "S1902M"


def test_no_one_has_missed_a_phase_for_which_they_wrote_ahead(story: Story) -> None:
    attacked(story)
    story.deadline()
    story.deadline()
    seat = occupancy_of(story.game, "ITALY")
    assert (seat.owed, seat.missed) == (4, 1), "nothing was saved for Spring"


def test_wishes_that_were_not_needed_are_no_orders_for_the_next_moves(story: Story) -> None:
    story.order("ITALY", "A VEN H", WISH, "BUILDS: WAIVE")
    story.deadline()
    assert open_phase(story.game).turn == "S1902M"
    assert not saved(story.game, "ITALY").saved


def test_it_can_be_changed_until_the_deadline_of_its_own_phase(story: Story) -> None:
    attacked(story)
    story.order("ITALY", "A VEN - PIE")
    story.deadline()
    assert codec.position_of(open_phase(story.game)).unit_at("PIE") is not None
    assert not saved(story.game, "ITALY").saved, "the removals were not written again"


def test_a_seat_that_left_what_it_has_to_decide_open_has_saved_nothing(story: Story) -> None:
    story.order("AUSTRIA", *ATTACK)
    story.order("ITALY", "A VEN H", "IF A ROM DISLODGED: APU", "REMOVALS: ROM")
    story.deadline()
    assert saved(story.game, "ITALY").lines == "REMOVALS: ROM"
    assert not saved(story.game, "ITALY").saved


def test_what_can_never_come_true_is_refused_and_nothing_is_stored(story: Story) -> None:
    with pytest.raises(BadSheet) as refused:
        story.order("ITALY", "A VEN H", "IF A VEN DISLODGED: PAR")
    assert "A Ven cannot retreat to Paris" in refused.value.sheet.problems[0].sentence
    assert not saved(story.game, "ITALY").saved


def test_the_receipt_and_the_page_say_what_will_happen(story: Story) -> None:
    receipt = story.order("ITALY", "A VEN H", WISH)
    sentence = "If A Ven is dislodged, it retreats to Rom, or else to Apu, or else to Pie."
    assert [line.startswith(sentence) for line in receipt.ahead] == [True]
    assert receipt.text.endswith("IF VEN DISLODGED: ROM, APU, PIE")
    client, page = orders_page(story.game, "hugo")
    assert sentence in client.get(page).content.decode()


def test_the_fields_of_the_form_are_saved_like_the_lines(story: Story) -> None:
    client, page = orders_page(story.game, "hugo")
    sheet = story.seen_by("hugo").order_sheet
    assert sheet is not None
    assert [row.about for row in sheet.wishes] == ["NAP", "ROM", "VEN", "BUILDS", "REMOVALS"]
    offered = {row.about: row.possible for row in sheet.wishes}
    assert offered["ROM"] == ("Apu", "Nap", "Tus", "Ven", "disband")
    assert offered["BUILDS"] == ("A Nap", "F Nap", "A Rom", "F Rom", "A Ven", "F Ven", "waive")
    assert offered["REMOVALS"] == ("Nap", "Rom", "Ven")
    form = {"ordinal": str(sheet.ordinal), "mark": sheet.mark, "use": "controls"}
    wishes = {"ahead-VEN": "rom, Apulia, disband", "ahead-NAP": "", "ahead-BUILDS": "F Nap"}
    assert client.post(page, {**form, **wishes}).status_code == 303
    assert saved(story.game, "ITALY").lines == "IF VEN DISLODGED: ROM, APU, DISBAND\nBUILDS: F NAP"
    shown = story.seen_by("hugo").order_sheet
    assert shown is not None
    assert {row.about: row.wishes for row in shown.wishes if row.wishes} == {
        "VEN": "Rom, Apu, disband",
        "BUILDS": "F Nap",
    }
    refused = client.post(page, {**form, "ahead-VEN": "Mos"})
    assert refused.status_code == 422
    assert 'href="#ahead-VEN"' in refused.content.decode()
    assert 'value="Mos"' in refused.content.decode()


def corrected(story: Story) -> None:
    """Italy's army leaves Rome after all."""
    before = open_phase(story.game)
    story.correct("ITALY", "A ROM H", "A ROM - TUS", ordinal=before.ordinal - 1)
    assert open_phase(story.game).pk != before.pk


def test_a_corrected_result_brings_forward_what_was_written_ahead_again(story: Story) -> None:
    attacked(story)
    corrected(story)
    assert saved(story.game, "ITALY").lines == "A VEN - ROM\nREMOVALS: APU, NAP"


def test_a_player_who_takes_the_seat_later_gets_nothing_of_it(story: Story) -> None:
    attacked(story)
    Occupancy.objects.filter(pk=occupancy_of(story.game, "ITALY").pk).update(since=clock.now())
    corrected(story)
    assert saved(story.game, "ITALY") == store.BLANK


# A game whose terms end a phase at once that was written ahead.


@pytest.fixture
def hasty() -> Story:
    told = Story(running_game(variant="standard", ends_if_written_ahead=True))
    told.order("AUSTRIA", "A VIE - TYR")
    told.deadline()
    return told


def next_phases(game: Game) -> list[str]:
    """Those that workers close by themselves, without any deadline passing."""
    close_due_phases(until=inf)
    return list(game.phases.order_by("ordinal").values_list("turn", flat=True))[1:]


def test_phases_that_all_concerned_have_written_end_at_once_and_the_log_says_so(hasty: Story) -> None:
    attacked(hasty)
    assert next_phases(hasty.game) == ["F1901M", "F1901R", "W1901A", "S1902M"]
    log = [event.sentence for event in hasty.seen_by("gina").events]
    assert "The retreats of Fall 1901 ended at once, because everyone concerned had written ahead." in log
    assert codec.position_of(open_phase(hasty.game)).unit_at("VIE") is not None
    assert occupancy_of(hasty.game, "ITALY").missed == 1, "nothing was saved for Spring"


def test_if_anyone_concerned_has_not_written_the_phase_runs_to_its_deadline(hasty: Story) -> None:
    hasty.order("AUSTRIA", *ATTACK)
    hasty.order("ITALY", "A VEN H", WISH, "REMOVALS: APU")
    hasty.deadline()
    assert next_phases(hasty.game) == ["F1901M", "F1901R", "W1901A"]
    left = open_phase(hasty.game).time_left(clock.now())
    assert left > timedelta(hours=1)


def test_fixed_times_of_the_week_are_not_lost_to_the_seconds_of_work(moment: Moment) -> None:
    daily = Week(movement=tuple(Slot(day, 12, 0) for day in range(7)))
    told = Story(running_game(variant="standard", ends_if_written_ahead=True, week=daily))
    told.order("AUSTRIA", "A VIE - TYR")
    moment.wait(hours=24, seconds=5)
    assert next_phases(told.game) == ["F1901M"]
    told.order("AUSTRIA", *ATTACK, BUILDS)
    told.order("ITALY", "A VEN H", WISH, "REMOVALS: APU")
    moment.wait(hours=24)
    assert next_phases(told.game)[-1] == "S1902M"
    assert open_phase(told.game).deadline == MONDAY_NOON + timedelta(days=3)


def test_without_the_term_nothing_ends_at_once(story: Story) -> None:
    attacked(story)
    assert next_phases(story.game) == ["F1901M", "F1901R"]


def test_the_letter_about_the_next_phase_tells_the_results_of_all(hasty: Story) -> None:
    attacked(hasty)
    next_phases(hasty.game)
    deliver_letters()
    texts = [str(letter.body) for letter in mail.outbox if letter.to == ["hugo@example.org"]]
    (text,) = [text for text in texts if "It’s time to enter orders for Italy" in text]
    results = [text.index(f"Result of {turn}") for turn in ("Fall 1901, movement", "Fall 1901, retreats")]
    assert results == sorted(results) < [text.index("Result of Winter 1901, adjustments")]


def test_the_term_says_that_it_shows_who_wrote_ahead_and_needs_a_clock() -> None:
    game = running_game(variant="standard", ends_if_written_ahead=True)
    (term,) = [term for term in game.options.terms() if term.title == "Written with the moves"]
    assert term.sentence.endswith("This shows everyone that they all had.")
    with pytest.raises(BadGame):
        running_game(variant="standard", ends_if_written_ahead=True, clock=False, all_ready=True)
