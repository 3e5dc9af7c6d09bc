"""What the GM desk draws attention to, and what it never tells."""

from datetime import timedelta

import pytest

from games.deadlines.news import PAUSED
from games.deadlines.phases import hold
from games.kernel import clock
from games.kernel.models import Occupancy
from games.mastering.services import desk as game_master
from games.mastering.views.attention import Matter, matters
from tests.cast import CAROL, person
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
    assert Matter("2 players have asked for a vacant seat.", place="gm-market") in two_ask
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
    incident = hold(game_id=game.pk, phase_id=open_phase(game).pk)
    first = matters(Story(game).seen_by(CAROL), clock.now())[0]
    assert (first.urgent, incident in first.sentence) == (True, True)
