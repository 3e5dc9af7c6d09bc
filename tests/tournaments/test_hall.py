"""The hall: all tables on one page for a projector."""

from __future__ import annotations

import re
from datetime import timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.kernel import clock
from games.mastering.services.desk import close_game, empty_seat, extend_deadline, pause_game
from games.tournaments.rounds import add_round
from tests.browsers import EVE, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.tournaments.made import in_roll_call, seated, terms_of_round, tournament

if TYPE_CHECKING:
    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def hall(made: Tournament, name: str = EVE) -> str:
    answer = visitor(name).get(reverse("games:hall", args=[made.slug]))
    assert answer.status_code == HTTPStatus.OK
    return answer.content.decode()


def tables(page: str) -> list[str]:
    """What the page says of each table, in its order."""
    found = [re.sub(r"<[^>]+>", " ", it) for it in page.split('class="card hall__table')[1:]]
    return [" ".join(it.partition(">")[2].split()) for it in found]


def test_everybody_sees_phase_deadline_and_empty_seats_of_each_table_and_what_is_over_last() -> None:
    made = tournament()
    by: dict[str, Any] = {"by": person(CAROL).pk}
    games = [running_game(name=name) for name in ("Genoa", "Paris", "Vienna")]
    seated(made, *games)
    close_game(game_id=games[0].pk, **by)
    empty_seat(game_id=games[1].pk, power="BRITAIN", reason="Gone", **by)
    pause_game(game_id=games[2].pk, **by)
    second, third, first = tables(hall(made))
    assert second.startswith("Table 2 1926 Spring 1926 · Movement 23 hours 59 minutes left Without a player: Britain.")
    assert third.startswith("Table 3 1926 Spring 1926 · Movement Paused")
    assert first.startswith("Table 1 1926 The game master closed the game")


def test_a_roll_call_names_whom_it_waits_for_where_names_are_public() -> None:
    made = tournament()
    confirmed = PLAYERS[2:]
    seated(made, in_roll_call(*confirmed), in_roll_call(*confirmed, name="Paris", hidden_names=True))
    for name in (EVE, CAROL):
        one, other = tables(hall(made, name))
        assert f"Not confirmed yet: {PLAYERS[0]}, {PLAYERS[1]}." in one
        assert "5 of 7 have confirmed." in other
        assert PLAYERS[0] not in other


def test_a_private_game_is_there_for_its_people_only() -> None:
    made = tournament()
    seated(made, running_game(name="Genoa", by_invitation=True))
    for name in (EVE, DAVE):
        page = hall(made, name)
        assert tables(page)[0].startswith("Table 1 A private game")
        assert "data-ticket" not in page
    assert "Spring 1926" in hall(made, CAROL)


def test_an_older_round_shows_while_a_game_of_it_goes_on() -> None:
    made = tournament()
    over, going = running_game(name="Genoa"), running_game(name="Paris")
    seated(made, over, number=1)
    seated(made, going, number=2)
    assert re.findall(r'<h2 id="round-(\d)"', hall(made)) == ["2", "1"]
    close_game(game_id=over.pk, by=person(CAROL).pk)
    assert re.findall(r'<h2 id="round-(\d)"', hall(made)) == ["2"]


def test_before_a_round_begins_the_page_counts_down_to_it_and_the_tournament_leads_there() -> None:
    made = tournament()
    starts = clock.now() + timedelta(hours=2)
    add_round(tournament_id=made.pk, by=person(CAROL).pk, terms=terms_of_round(starts=starts))
    page = visitor(EVE).get(reverse("games:tournament", args=[made.slug])).content.decode()
    assert reverse("games:hall", args=[made.slug]) in page
    told = re.sub(r"<[^>]+>", "", hall(made))
    assert "Begins" in told
    assert "1 hour 59 minutes left" in told


def test_the_page_hears_of_each_change_and_is_made_again_for_it() -> None:
    made, game = tournament(), running_game(name="Genoa")
    seated(made, game)
    version = re.compile(r'data-game="([^"]+)" data-version="([^"]+)"')
    before = version.findall(hall(made))
    assert version.findall(hall(made)) == before
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=86_400)
    assert [name for name, _version in before] == [game.slug]
    assert version.findall(hall(made)) != before


def test_the_page_takes_as_many_statements_however_many_tables_there_are() -> None:
    made = tournament()
    seated(made, running_game(name="Genoa"))
    before = statements(made)
    assert before <= 8
    more = [running_game(name=name) for name in ("Paris", "Thoiry", "Vienna")]
    seated(made, *more, in_roll_call(name="Berlin"), waiting_game(), number=2)
    empty_seat(game_id=more[0].pk, by=person(CAROL).pk, power="BRITAIN", reason="Gone")
    close_game(game_id=more[1].pk, by=person(CAROL).pk)
    assert statements(made) == before


def statements(made: Tournament) -> int:
    client, path = visitor(EVE), reverse("games:hall", args=[made.slug])
    cache.clear()
    with CaptureQueriesContext(connection) as found:
        assert client.get(path).status_code == HTTPStatus.OK
    return len(found)
