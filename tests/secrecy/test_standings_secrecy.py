"""Hidden points and standings: worlds that differ in them look alike to everyone but directors who don't play."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from games.kernel import clock
from games.kernel.models import Occupancy
from games.mastering.services.desk import close_game
from games.tournaments import desk
from games.tournaments.ceremony import finish
from games.tournaments.elsewhere import type_table
from games.tournaments.forms import TournamentForm
from games.tournaments.services import add_director
from tests.browsers import EVE, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.secrecy.observation import Browser, Observed, Request, answers, assert_alike, letters, observed_at
from tests.secrecy.worlds import world
from tests.tournaments.made import entered, seated, tournament

if TYPE_CHECKING:
    from games.kernel.models import Game
    from games.tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]
ALICE, BOB = PLAYERS[:2]
HAL = "hal"
NAMES = ("tournament", "hall", "tournament-feed", "standings", "standings-json", "results")
OF_DIRECTORS = ("tournament-desk", "edit-tournament", "manage-tournament")
TYPED = (
    "Austria, Ann Lee, {}",
    *(f"{power}, , 4" for power in ["England", "France", "Germany", "Italy", "Russia", "Turkey"]),
)
ENDS = (("BRITAIN", 60), ("FRANCE", 5))
"""The winner of a private table, and the points that a director then adds to Bob's total, and types in as centres."""


def made(**terms: bool) -> tuple[Tournament, Game]:
    """A tournament with a private table that is not over. Its directors are Carol and Hal, and Hal plays."""
    it = tournament(rounds=1, directors_play=True, team_best=0, **terms)
    game = running_game(name="Paris", by_invitation=True, gm_outcomes=True)
    seated(it, game, variants=["standard"])
    Occupancy.objects.update(since=clock.now() - timedelta(days=1))  # a player of its last hour has no points
    entered(it, (*PLAYERS, DAVE, HAL))
    it.entrants.update(team="Reds")
    add_director(tournament_id=it.pk, by=person(CAROL).pk, username=person(HAL).username)
    return it, game


def end(it: Tournament, game: Game, winner: str, points: int) -> None:
    close_game(game_id=game.pk, by=person(CAROL).pk, outcome="solo", powers=[winner])
    rule = partial(desk.rule, tournament_id=it.pk, by=person(CAROL).pk, user=person(BOB).pk)
    typed = "\n".join(TYPED).format(points // 6)
    type_table(tournament_id=it.pk, by=person(CAROL).pk, number=1, text=typed)
    rule(points=Decimal(points), reason="Agreed by all.")


def paths(it: Tournament) -> dict[str, str]:
    found = {f"games:{name}": reverse(f"games:{name}", args=[it.slug]) for name in (*NAMES, *OF_DIRECTORS)}
    page = found["games:tournament"]
    return {**found, "results": f"{page}?results", "api:tournament": reverse("api:tournament", args=[it.slug])}


@pytest.mark.parametrize("viewer", [EVE, DAVE, HAL])
def test_nothing_that_others_see_depends_on_hidden_standings(viewer: str) -> None:
    it, game = made(hides_standings=True)
    players = {person(name).email for name in (*PLAYERS, CAROL)}
    browser, seen, sent = Browser(viewer), list[dict[str, Observed]](), list[list[tuple[str, str, list[str]]]]()
    for winner, points in ENDS:
        with world():
            end(it, game, winner, points)
            seen.append(observed_at(paths(it), browser))
            sent.append([it for it in letters() if not players.issuperset(it[2])])
    assert_alike(seen)
    assert seen[0]["GET games:tournament"].status == 200
    assert sent[0] == sent[1]


def test_a_director_who_plays_learns_nothing_from_what_the_site_refuses_or_asks() -> None:
    it, game = made(hides_standings=True)
    browser, entrant, seen = Browser(HAL), Browser(DAVE), list[dict[str, Observed]]()
    desk_page, edit = (reverse(f"games:{name}", args=[it.slug]) for name in ("tournament-desk", "edit-tournament"))
    terms = {name: value for name, value in TournamentForm.like(it).items() if value not in (None, False)}
    terms |= {"scoring": "sum-of-squares", "closes": "2026-03-09T12:00"}
    ruling = {"do": "rule", "user": person(ALICE).pk, "points": "3", "reason": "Late", "instead_of": "None"}
    with world():
        end(it, game, *ENDS[0])
        undo = {"do": "undo", "number": it.rulings.get().pk}
    sent = {"terms": (edit, terms), "rule": (desk_page, ruling), "undo": (desk_page, undo)}
    asked = [Request("POST", name, path, tuple(data.items())) for name, (path, data) in sent.items()]
    for (winner, points), is_ruled in zip(ENDS, (True, False), strict=True):
        with world():
            end(it, game, winner, points)
            if not is_ruled:
                it.rulings.all().delete()
                it.changes.filter(kind="adjusted").delete()
            notices = observed_at({"games:notices": reverse("games:notices")}, entrant)
            seen.append(answers(asked, browser) | notices)
    assert_alike(seen)
    assert [seen[0][f"POST {name}"].status for name in sent] == [409, 303, 303]


def shown(it: Tournament, name: str, of: str = "tournament") -> str:
    return visitor(name).get(reverse(f"games:{of}", args=[it.slug])).content.decode()


def test_only_a_director_who_does_not_play_sees_them_until_the_tournament_is_finished() -> None:
    it, game = made(hides_standings=True)
    end(it, game, *ENDS[0])
    ruled = "changed the total of bob"
    assert [ruled in shown(it, name) for name in (CAROL, HAL, ALICE, EVE)] == [True, False, False, False]
    assert [ALICE in shown(it, name, "standings") for name in (CAROL, HAL, ALICE, EVE)] == [True, False, False, False]
    assert "Agreed by all." not in shown(it, HAL, "tournament-desk")
    desk.undo_ruling(tournament_id=it.pk, by=person(CAROL).pk, number=it.rulings.get().pk)
    assert ["took back the 60 points" in shown(it, name) for name in (CAROL, HAL, EVE)] == [True, False, False]
    finish(tournament_id=it.pk, by=person(CAROL).pk)
    assert all(ruled in shown(it, name) for name in (CAROL, HAL, ALICE, EVE))
    assert ALICE in shown(it, EVE, "standings")
