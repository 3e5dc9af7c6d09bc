"""The table of bids: for a game master whom the terms allow it, and for everyone once bids are published."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.kernel.refusals import WrongMoment
from games.mastering.services.desk import close_game
from games.orders.bids import look_at_all_bids
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, running_game
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

AUSTRIA = [
    ("GERMANY", 2, "A AUS S A MUN - CZE", "lost"),
    ("BRITAIN", 2, "A AUS H", "won"),
    ("ITALY", 1, "A AUS H", "won"),
]


def carol() -> int:
    return person(CAROL).pk


def played(*, open_bids_at_end: bool = False) -> Game:
    """Three bids for Austria, two that tie for Norway, and a phase without any."""
    game = running_game(open_bids_at_end=open_bids_at_end)
    story = Story(game)
    story.order("GERMANY", "2: A Aus S A Mun-Cze", "1: F Nwy H")
    story.order("BRITAIN", "2: A Aus H", "1: F Nwy S F Lon-NTH")
    story.order("ITALY", "1: A Aus H")
    story.deadline()
    story.deadline()
    return game


def look(game: Game, address: str, **sent: str) -> str:
    return visitor(CAROL).post(reverse(f"games:{address}", args=[game.slug]), sent).content.decode()


def test_the_game_master_sees_by_minor_power_which_power_bid_what_and_what_became_of_it() -> None:
    game = played()
    spring, fall = look_at_all_bids(game_id=game.pk, by=carol())
    assert (spring.turn_title, fall.turn_title, fall.minors) == ("Spring 1926", "Fall 1926", ())
    bids = {it.location: [(one.power, one.points, one.canonical, one.fate) for one in it.bids] for it in spring.minors}
    assert {place: sorted(them) for place, them in bids.items()} == {
        "AUS": sorted(AUSTRIA),
        "NWY": [("BRITAIN", 1, "F NWY S F LON - NTH", "tied"), ("GERMANY", 1, "F NWY H", "tied")],
    }
    assert [it.followed for it in spring.minors] == ["A Aus holds", "F Nwy holds"]
    newest = Story(game).seen_by(DAVE).events[0]
    assert newest.sentence == "carol looked at the bids of all phases so far."


def test_there_is_no_table_before_a_phase_has_ended() -> None:
    game = running_game()
    with pytest.raises(WrongMoment, match="only after it has ended"):
        look_at_all_bids(game_id=game.pk, by=carol())
    assert not game.events.filter(kind="all bids looked at").exists()


def test_the_table_is_a_page_and_a_file_and_both_are_in_the_log() -> None:
    game = played()
    page = look(game, "all-bids")
    assert "Bids of Spring 1926" in page
    assert "The unit was ordered: A Aus holds" in page
    lines = list(csv.DictReader(look(game, "all-bids", **{"as": "csv"}).splitlines()))
    assert next(line for line in lines if line["power"] == "GERMANY") == {
        "phase": "0",
        "turn": "Spring 1926",
        "minor power": "AUS",
        "unit": "Army in Austria",
        "power": "GERMANY",
        "points": "2",
        "order": "A AUS S A MUN - CZE",
        "result": "lost",
        "order followed": "A Aus holds",
    }
    assert len(lines) == 5
    assert game.events.filter(kind="all bids looked at").count() == 1


def test_everyone_sees_the_table_once_bids_are_published_and_no_one_where_they_are_not() -> None:
    for published in (True, False):
        game = played(open_bids_at_end=published)
        page = reverse("games:bid-table", args=[game.slug])
        assert Client().get(page).status_code == 404
        close_game(game_id=game.pk, by=carol())
        assert Client().get(page).status_code == (200 if published else 404)
        if published:
            assert "Bids of Spring 1926" in Client().get(page).content.decode()
            file = Client().get(page, {"as": "csv"})
            assert file["Content-Disposition"] == f'attachment; filename="bids-{game.slug}.csv"'
            assert "A AUS S A MUN - CZE,lost" in file.content.decode()


@pytest.mark.parametrize("revealed", [True, False])
def test_the_page_of_a_game_that_is_over_leads_to_the_table_only_if_any_phase_shows_its_bids(*, revealed: bool) -> None:
    game = played(open_bids_at_end=True)
    if not revealed:
        game.phases.update(reveals=[])
    close_game(game_id=game.pk, by=carol())
    page = Client().get(reverse("games:game", args=[game.slug])).content.decode()
    assert ("What everyone bid" in page) is revealed


def test_a_longer_game_takes_no_more_statements() -> None:
    game, counted = played(open_bids_at_end=True), []
    for _ in range(2):
        with CaptureQueriesContext(connection) as statements:
            assert look_at_all_bids(game_id=game.pk, by=carol())
        counted.append(len(statements))
        for _ in range(3):
            Story(game).deadline()
    assert counted[0] == counted[1]


def test_beside_their_result_players_alone_read_what_became_of_their_own_bids() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "2: A Aus S A Mun-Cze", "1: F Nwy H")
    story.order("BRITAIN", "3: A Aus H")
    story.deadline()
    answered = {power: answers(game, occupancy_of(game, power).user.username) for power in ("GERMANY", "BRITAIN")}
    assert answered == {
        "GERMANY": [(2, "A Aus S A Mun–Cze", "A Aus holds", False), (1, "F Nwy holds", "F Nwy holds", True)],
        "BRITAIN": [(3, "A Aus holds", "A Aus holds", True)],
    }
    page = reverse("games:game", kwargs={"slug": game.slug})
    assert (
        "It was given another order: A Aus holds."
        in visitor(occupancy_of(game, "GERMANY").user.username).get(page).content.decode()
    )
    for other in (occupancy_of(game, "ITALY").user.username, CAROL, DAVE):
        assert answers(game, other) == []
        assert "What you bid for" not in visitor(other).get(page).content.decode()


@pytest.mark.parametrize("published", [True, False])
def test_the_table_and_the_players_own_page_mark_a_bid_alike(*, published: bool) -> None:
    """A bid for a hold is followed by the unit after a tie too. No move matches the support that Britain buys."""
    game = running_game(open_bids_at_end=published)
    story = Story(game)
    story.order("GERMANY", "1: F Nwy H")
    story.order("BRITAIN", "1: F Nwy S F Lon-NTH", "2: A Aus S A Mun-Cze")
    story.deadline()
    (spring,) = look_at_all_bids(game_id=game.pk, by=carol())
    in_table = {(bid.power, bid.order, bid.fate, bid.done) for minor in spring.minors for bid in minor.bids}
    assert in_table == {
        ("GERMANY", "F Nwy holds", "tied", True),
        ("BRITAIN", "F Nwy S F Lon–NTH", "tied", False),
        ("BRITAIN", "A Aus S A Mun–Cze", "won", True),
    }
    for power in ("GERMANY", "BRITAIN"):
        seen = Story(game).seen_by(occupancy_of(game, power).user.username).bid_results
        assert {(it.order, it.done) for it in seen} == {
            (order, done) for own, order, _, done in in_table if own == power
        }
    page, client = reverse("games:game", args=[game.slug]), visitor(occupancy_of(game, "BRITAIN").user.username)
    assert _own_bids(client, page).count("✕") == 2
    assert "It was given this order, which failed." in _own_bids(client, page)
    assert "only you can see this" in _own_bids(client, page)
    close_game(game_id=game.pk, by=carol())
    assert ("only you can see this" in _own_bids(client, page)) is not published
    saved = client.get(reverse("games:phase", args=[game.slug, 0])).content.decode().partition("Your saved orders")[2]
    assert ("only you can see this" in saved) is not published
    if published:
        assert "tied, so the unit held" in client.get(reverse("games:bid-table", args=[game.slug])).content.decode()


def _own_bids(client: Client, page: str) -> str:
    """The player's bids beside their results."""
    return client.get(page).content.decode().partition("What you bid for")[2].partition("</section>")[0]


def answers(game: Game, name: str) -> list[tuple[int, str, str, bool]]:
    return [(it.points, it.order, it.followed, it.done) for it in Story(game).seen_by(name).bid_results]


def test_where_no_one_bids_nothing_is_read_about_bids() -> None:
    game = running_game(variant="standard")
    story = Story(game)
    story.deadline()
    page = story.seen_by(occupancy_of(game, "GERMANY").user.username)
    with CaptureQueriesContext(connection) as statements:
        assert page.bid_results == ()
    assert len(statements) == 0
