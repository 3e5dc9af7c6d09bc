"""The pages of a tournament, with content on them: intact, accessible, and no wider than the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.mastering.services.desk import close_game
from games.tournaments import entry, seating
from games.tournaments import services as acts
from games.tournaments.models import Place, Round
from games.tournaments.rounds import add_round
from tests.cast import CAROL, PLAYERS, person
from tests.e2e.test_pages_everywhere import ONE_WORD, Visit, everything_wrong
from tests.factories import running_game
from tests.tournaments.made import entered, seated, terms_of_round, tournament

if TYPE_CHECKING:
    from games.tournaments.models import Tournament
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def cup() -> Tournament:
    """Two tables of the first round, of which one is over, and the plan of the second; teams, a substitute, wishes."""
    made, by = tournament(rounds=3, team_best=2, shows_running=True), person(CAROL).pk
    about: dict[str, Any] = {"tournament_id": made.pk, "by": by}
    entered(made, PLAYERS)
    entered(made, ["Zoe"], Place.SUBSTITUTE)
    made.entrants.filter(user__username__in=PLAYERS[:4]).update(team="Northern Lights")
    over, _going = seated(made, running_game(name="Over"), running_game(name=ONE_WORD))
    close_game(game_id=over.game.pk, by=by)
    add_round(**about, terms=terms_of_round("Round 2", variants=["balkan-battle"]))
    alice, powers = person(PLAYERS[0]).pk, {"balkan-battle": ["TURKEY"]}
    entry.change_entry(tournament_id=made.pk, by=alice, powers=powers, refused=PLAYERS[1:2])
    acts.write_to_entrants(**about, message="See you soon")
    seating.ask_for_plan(**about, number=2, seed=7)
    seating.make_plans()
    add_round(**about, terms=terms_of_round("Round 3"))
    assert Round.objects.get(tournament=made, number=2).plan
    return made


def pages_of_cup(made: Tournament) -> dict[str, list[str]]:
    """The addresses that are visited by each person ("" a stranger)."""
    own = {"slug": made.slug}

    def paths(*names: str) -> list[str]:
        return [reverse(f"games:{name}", kwargs=own) for name in names]

    page, listed = reverse("games:tournament", kwargs=own), reverse("games:tournaments")
    plan = reverse("games:plan", kwargs={**own, "number": 2})
    edit = reverse("games:edit-round", kwargs={**own, "number": 3})
    new = [reverse("games:new-tournament"), reverse("games:new-series")]
    return {
        "": [listed, f"{listed}?over", page, f"{page}?results"],
        PLAYERS[0]: [page, *paths("own-entry")],
        CAROL: [page, *paths("manage-tournament", "tournament-desk", "edit-tournament", "new-round"), plan, edit, *new],
    }


@pytest.mark.parametrize("name", ["", PLAYERS[0], CAROL])
def test_every_page_of_a_tournament_is_whole(browsers: Browsers, name: str) -> None:
    assert everything_wrong(Visit(browsers.of(name)), pages_of_cup(cup())[name]) == ""
