"""Wishes, check-ins and plans: worlds that differ in them look alike to everyone but directors who have looked."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from games.kernel import clock
from games.tournaments import entry
from games.tournaments.rounds import add_round
from games.tournaments.seating import ask_for_plan, make_plans
from games.tournaments.services import add_director
from tests.browsers import EVE
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.secrecy.observation import Browser, Observed, Request, answers, assert_alike, observed_at
from tests.secrecy.worlds import world
from tests.tournaments.made import entered, tournament
from tests.tournaments.test_hours import duels

if TYPE_CHECKING:
    from games.tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]
HAL = "hal"
"""A director who plays."""
PAGES = ("tournament", "hall", "tournament-feed", "standings", "results", "own-entry")
OF_DIRECTORS = ("tournament-desk", "edit-tournament", "manage-tournament")
OF_THE_ROUND = ("plan", "edit-round", "type-table")
PRESSED = {"swap": {"do": "swap", "one": "0:1", "other": "1:2"}, "seed": {"do": "plan", "seed": "3"}}


def evening() -> Tournament:
    """A round with two top tables, which begins and ends by itself, and whose check-in is over."""
    it, now = tournament(directors_play=True, team_best=0, hides_standings=True), clock.now()
    entered(it, (*PLAYERS, DAVE, HAL))
    by = {"tournament_id": it.pk, "by": person(CAROL).pk}
    add_director(**by, username=person(HAL).username)
    hours = {"starts": now + timedelta(hours=2), "ends": now + timedelta(hours=4)}
    add_round(**by, terms=replace(duels(**hours), top_tables=2))
    it.rounds.update(check_in_until=now - timedelta(minutes=1))
    return it


def paths(it: Tournament) -> dict[str, str]:
    found = {f"games:{name}": reverse(f"games:{name}", args=[it.slug]) for name in (*PAGES, *OF_DIRECTORS)}
    found |= {f"games:{name}": reverse(f"games:{name}", args=[it.slug, 1]) for name in OF_THE_ROUND}
    found |= {"api:tournament": reverse("api:tournament", args=[it.slug]), "games:notices": reverse("games:notices")}
    return {**found, "api:plan": reverse("api:plan", args=[it.slug, 1])}


@pytest.mark.parametrize("viewer", [EVE, DAVE, HAL])
def test_nothing_that_others_see_depends_on_wishes_check_ins_or_a_plan(viewer: str) -> None:
    it, browser, seen = evening(), Browser(viewer), list[dict[str, Observed]]()
    by, found = person(CAROL).pk, paths(it)
    pressed = [Request("POST", name, found["games:plan"], tuple(sent.items())) for name, sent in PRESSED.items()]
    for seed, present in enumerate((PLAYERS[:6], PLAYERS[1:3])):
        with world():
            wisher, refused = person(PLAYERS[seed]), person(PLAYERS[3 + seed]).username
            entry.change_entry(tournament_id=it.pk, by=wisher.pk, refused=[refused])
            it.rounds.update(present=[person(name).pk for name in present])
            entry.look(tournament_id=it.pk, by=by)
            ask_for_plan(tournament_id=it.pk, by=by, number=1, seed=seed)
            make_plans()
            assert it.rounds.get().plan
            seen.append(observed_at(found, browser) | answers(pressed, browser))
    assert_alike(seen)
    assert seen[0]["GET games:hall"].status == 200
