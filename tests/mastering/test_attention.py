"""What the GM desk draws attention to, and what it never tells."""

from datetime import timedelta

import pytest
from django.urls import reverse

from games.deadlines.news import PAUSED
from games.deadlines.phases import hold_game
from games.kernel import clock
from games.kernel.models import Game, Occupancy
from games.mastering.overview import games_to_see
from games.mastering.services import desk as game_master
from games.mastering.services.assistants import answer_assistance, name_assistant
from games.mastering.views.attention import DeskMatter, matters
from games.seating.services.joining import ask_to_join
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, person
from tests.factories import HOUR, occupancy_of, open_phase, running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db


def sentences(story: Story, *, later: timedelta = timedelta(0)) -> list[str]:
    return [matter.sentence for matter in matters(story.seen_by(CAROL), clock.now() + later)]


def test_a_game_that_goes_its_way_needs_nothing_whatever_is_saved() -> None:
    story = Story(running_game())
    assert sentences(story) == []
    story.order("GERMANY", "A Mun-Cze")
    assert sentences(story) == []


def test_vacant_seats_come_first_then_who_has_often_sent_nothing() -> None:
    game = running_game()
    Occupancy.objects.filter(game=game, seat__power="FRANCE").update(missed=3)
    Occupancy.objects.filter(game=game, seat__power="POLAND").update(missed=1)
    carol, france = person(CAROL).pk, occupancy_of(game, "FRANCE").user.username
    game_master.empty_seat(game_id=game.pk, by=carol, power="ITALY", reason="Asked to leave.")
    two_ask = matters(Story(game).seen_by(CAROL), clock.now(), asking=2)
    assert DeskMatter("2 players have asked for a vacant seat.", place="gm-market") in two_ask
    assert sentences(Story(waiting_game(name="Genoa"))) == ["The game needs 7 more players."]
    assert sentences(Story(game)) == [
        "Italy is vacant: its units hold until you find a player.",
        f"France ({france}) has missed 3 phases.",
    ]


def test_of_the_clock_it_says_when_it_stands_is_near_or_late() -> None:
    game = running_game(movement_seconds=4 * HOUR)
    story = Story(game)
    assert sentences(story) == []
    assert sentences(story, later=timedelta(hours=2)) == ["The deadline is approaching."]
    assert sentences(story, later=timedelta(hours=4, minutes=1))[0].endswith("is being adjudicated.")
    assert "Tell the people who run this site" in sentences(story, later=timedelta(hours=5))[0]
    game_master.pause_game(game_id=game.pk, by=person(CAROL).pk)
    (stopped,) = matters(story.seen_by(CAROL), clock.now())
    assert stopped.sentence.startswith("The game is paused.")
    assert stopped.since == game.events.get(kind=PAUSED.log).at


def test_a_held_game_is_urgent_and_says_its_incident() -> None:
    game = running_game()
    incident = hold_game(game_id=game.pk, phase_id=open_phase(game).pk)
    first = matters(Story(game).seen_by(CAROL), clock.now())[0]
    assert (first.urgent, incident in first.sentence) == (True, True)


# All games that somebody runs, on the home page.


def home(name: str) -> str:
    return visitor(name).get(reverse("games:home")).content.decode()


def test_the_home_page_says_what_waits_in_the_games_that_somebody_runs() -> None:
    quiet, vacant, paused = (running_game(name=name) for name in ("Quiet", "Genoa", "Rapallo"))
    carol = person(CAROL).pk
    game_master.empty_seat(game_id=vacant.pk, by=carol, power="ITALY", reason="Asked to leave.")
    game_master.pause_game(game_id=paused.pk, by=carol)
    wanted = waiting_game(name="Stresa", approval=True, variant="balkan-battle")
    ask_to_join(game_id=wanted.pk, user_id=person(DAVE).pk)
    told = {it.name: (it.sentences, it.place) for it in games_to_see(carol, clock.now())}
    assert told == {
        "Genoa": (("Italy is vacant.",), "gm-seats"),
        "Rapallo": (("The game is paused.",), "gm-clock"),
        "Stresa": (("A player waits for your answer.",), "gm-requests"),
    }
    assert f'href="{reverse("games:gm", args=[vacant.slug])}#gm-seats">Genoa</a>: Italy is vacant.' in home(CAROL)
    assert quiet.status == "running"


def test_nobody_else_reads_it_and_an_assistant_only_what_they_may_do() -> None:
    game, carol = running_game(), person(CAROL).pk
    game_master.empty_seat(game_id=game.pk, by=carol, power="ITALY", reason="Asked to leave.")
    for name, rights in (("kate", ["clock"]), ("liam", ["seats"])):
        name_assistant(game_id=game.pk, by=carol, username=person(name).username, rights=rights)
        answer_assistance(game_id=game.pk, user_id=person(name).pk, accept=True)
    assert games_to_see(person(DAVE).pk, clock.now()) == games_to_see(person("kate").pk, clock.now()) == ()
    assert [it.sentences for it in games_to_see(person("liam").pk, clock.now())] == [("Italy is vacant.",)]
    assert "games you run" not in home("alice")
    assert "games you run" in home("liam")


def test_a_game_of_a_variant_that_is_gone_still_says_what_it_needs() -> None:
    game = running_game(by_invitation=True)
    game_master.empty_seat(game_id=game.pk, by=person(CAROL).pk, power="ITALY", reason="Asked to leave.")
    Game.objects.filter(pk=game.pk).update(variant_slug="gone")
    page = visitor(CAROL).get(reverse("games:home"))
    assert page.status_code == 200
