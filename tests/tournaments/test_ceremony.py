"""Finishing a tournament: what people are told, when it is refused, and the file of all results."""

from __future__ import annotations

import csv
from decimal import Decimal
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.urls import reverse

from games.kernel.refusals import Refusal
from games.mastering.services.desk import close_game
from games.tasks import send_invitations
from games.tournaments import desk
from games.tournaments.ceremony import finish
from games.tournaments.terms import TournamentTerms
from games.tournaments.tournament_page import TournamentView
from tests.browsers import EVE, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.tournaments.made import entered, seated, tournament
from tests.tournaments.test_series import series

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game
    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ALICE, BOB = PLAYERS[:2]


def played(*, rounds: int = 1) -> tuple[Tournament, Game]:
    """A tournament whose only table is not over."""
    it, game = tournament(rounds=rounds), running_game(gm_outcomes=True)
    seated(it, game)
    entered(it, (*PLAYERS, DAVE))
    return it, game


def over(*, rounds: int = 1) -> Tournament:
    it, game = played(rounds=rounds)
    close_game(game_id=game.pk, by=person(CAROL).pk, outcome="draw", powers=["BRITAIN", "FRANCE"])
    return it


def by_carol(it: Tournament) -> None:
    finish(tournament_id=it.pk, by=person(CAROL).pk)


def test_the_winners_and_the_best_with_each_power_are_told_to_all_who_have_entered() -> None:
    it = over()
    desk.rule(
        tournament_id=it.pk, by=person(CAROL).pk, user=person(ALICE).pk, points=Decimal(50), reason="A better game."
    )
    page = reverse("games:tournament", args=[it.slug])
    assert "The winner" not in visitor(EVE).get(page).content.decode()
    assert TournamentView(it.slug, person(CAROL).pk).offers["finish"]
    assert not TournamentView(it.slug, person(DAVE).pk).offers["finish"]
    told = visitor(CAROL).post(reverse("games:do-finish", args=[it.slug]), follow=True).content.decode()
    assert "The winners are announced." in told
    told = visitor(EVE).get(page).content.decode()
    assert f"carol finished the tournament. First: {ALICE}" in told
    assert '<h2 id="winners">The winner</h2>' in told
    assert "The best with each power" in told
    send_invitations()
    (letter,) = [it for it in mail.outbox if it.to == [person(DAVE).email]]
    assert letter.subject == "Club cup: the winners"


@pytest.mark.parametrize("why", ["is going on", "not seated", "twice", "no points", "series", "draft"])
def test_what_is_not_over_is_not_finished(why: str) -> None:
    cases: dict[str, tuple[Callable[[], Tournament], str]] = {
        "is going on": (lambda: played()[0], "Games are still going on. Tables: 1.1."),
        "not seated": (lambda: over(rounds=2), "Not all rounds are seated"),
        "twice": (over, "finished already"),
        "no points": (tournament_without_points, "nobody has won"),
        "series": (series, "never finished"),
        "draft": (lambda: tournament(published=False), "Publish the tournament first"),
    }
    made, told = cases[why]
    it = made()
    if why == "twice":
        by_carol(it)
    with pytest.raises(Refusal, match=told):
        by_carol(it)
    it.refresh_from_db()
    assert bool(it.finished) == (why == "twice")


def tournament_without_points() -> Tournament:
    it, game = played()
    it.entrants.all().delete()
    close_game(game_id=game.pk, by=person(CAROL).pk, outcome="void")
    return it


def test_the_file_of_results_has_a_line_for_each_game_and_each_ruling() -> None:
    it = over()
    rule = {"tournament_id": it.pk, "by": person(CAROL).pk, "user": person(BOB).pk}
    desk.rule(**rule, points=Decimal(-2), reason="=Late")
    table = it.rounds.get().tables.get()
    desk.rule(**rule, points=Decimal(40), reason="Agreed by all.", table=table.pk)
    answer = visitor().get(reverse("games:results", args=[it.slug]))
    lines = list(csv.DictReader(StringIO(answer.content.decode())))
    assert len(lines) == len(PLAYERS) + 1
    first, second = [line for line in lines if line["player"] == BOB]
    about = {"round": "1", "table": "1", "game": table.game.name, "power": "France", "counts": "yes", "eliminated": ""}
    assert about.items() <= first.items()
    assert (first["points"], first["ruling"]) == ("40", "Agreed by all.")
    assert first["centres by year"].split()[-1] == first["centres"]
    assert (second["points"], second["ruling"], second["game"]) == ("-2", "'=Late", "")


def test_standings_are_either_hidden_or_shown_as_if_all_games_ended_now() -> None:
    assert TournamentTerms("draw-size", shows_running=True, hides_standings=True).problems().keys() == {"shows_running"}
