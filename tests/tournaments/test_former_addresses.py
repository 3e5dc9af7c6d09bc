"""A page of a tournament that was open during an upgrade sends its acts to where they were."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.kernel import clock
from games.tournaments.models import Place, Table, Tournament
from games.tournaments.rounds import add_round
from games.tournaments.services import create, publish
from games.tournaments.terms import Terms
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.tournaments.made import entered, terms_of_round, tournament

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
ALICE = PLAYERS[0]


def sent(client: Client, it: Tournament, to: str, page: str, **fields: Any) -> None:
    """Send the form to this former address: it leads to the page, without a mistake."""
    answer = client.post(f"/tournaments/{it.slug}/{to}/", fields)
    assert answer["Location"] == reverse(f"games:{page}", args=[it.slug])


def cup() -> Tournament:
    it = tournament(directors_play=True)
    add_round(tournament_id=it.pk, by=person(CAROL).pk, terms=terms_of_round("Round 1"))
    return it


def test_entrants_are_checked_in_and_out_and_get_places() -> None:
    it, carol, alice = cup(), visitor(CAROL), visitor(ALICE)
    sent(alice, it, "enter", "tournament", substitute="yes")
    assert it.entrants.get().place == Place.SUBSTITUTE
    sent(carol, it, "place", "manage-tournament", username=ALICE, place="in")
    assert it.entrants.get().place == Place.IN
    until = (clock.now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    sent(carol, it, "rounds/1/call", "manage-tournament", until=until)
    sent(alice, it, "check-in", "tournament", round="1")
    assert it.rounds.get().present == [person(ALICE).pk]
    sent(alice, it, "check-in", "tournament", round="1", out="yes")
    assert it.rounds.get().present == []
    sent(carol, it, "rounds/1/call", "manage-tournament", username=ALICE)
    assert it.rounds.get().present == [person(ALICE).pk]
    sent(carol, it, "rounds/1/call", "manage-tournament", username=ALICE, out="yes")
    assert it.rounds.get().present == []


def test_directors_play_come_and_go() -> None:
    it, carol = cup(), visitor(CAROL)
    person(DAVE)
    for plays in ("yes", "no"):
        sent(carol, it, "directors", "edit-tournament", play=plays)
        assert it.directors.get().plays == (plays == "yes")
    sent(carol, it, "directors", "edit-tournament", username=DAVE)
    answer = carol.post(f"/tournaments/{it.slug}/directors/", {"leave": "yes"})
    assert answer["Location"] == reverse("games:tournaments")
    assert it.directors.get().user == person(DAVE)
    sent(visitor(DAVE), it, "rounds/1/delete", "tournament")
    assert not it.rounds.exists()


def test_a_look_leads_back_to_the_plan_from_which_it_was_asked() -> None:
    it = cup()
    entered(it, [ALICE])
    answer = visitor(CAROL).post(f"/tournaments/{it.slug}/look/", {"round": "1"})
    assert answer["Location"] == reverse("games:plan", args=[it.slug, 1])
    assert it.looks.exists()


def test_games_are_put_into_a_series_and_taken_out() -> None:
    carol, by = visitor(CAROL), person(CAROL).pk
    it = Tournament.objects.get(slug=create(by=by, name="League", text="", terms=Terms("draw-size")))
    publish(tournament_id=it.pk, by=by)
    sent(carol, it, "games", "tournament-games", add=running_game().slug)
    sent(carol, it, "games", "tournament-games", out=Table.objects.get().pk)
    assert not Table.objects.exists()
