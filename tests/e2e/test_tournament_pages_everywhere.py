"""The pages of a tournament, with content on them: intact, accessible, and no wider than the window."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.kernel import clock
from games.mastering.services.desk import close_game
from games.tournaments import desk, elsewhere, entry, seating
from games.tournaments import services as acts
from games.tournaments.ceremony import finish
from games.tournaments.models import Place, Round
from games.tournaments.rounds import add_round
from tests.cast import CAROL, PLAYERS, person
from tests.e2e.test_pages_everywhere import NARROW, ONE_WORD, Visit, everything_wrong
from tests.factories import running_game
from tests.tournaments.made import entered, seated, terms_of_round, tournament
from tests.tournaments.test_elsewhere import type_in

if TYPE_CHECKING:
    from games.tournaments.models import Tournament
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def cup() -> Tournament:
    """Three tables of the first round, of which one is over and one was played elsewhere, and the plan of the second
    with top tables; teams, a substitute, wishes, a ruling, a claim."""
    made, by = tournament(rounds=3, team_best=2, shows_running=True), person(CAROL).pk
    about: dict[str, Any] = {"tournament_id": made.pk, "by": by}
    entered(made, PLAYERS)
    entered(made, ["Zoe"], Place.SUBSTITUTE)
    made.entrants.filter(user__username__in=PLAYERS[:4]).update(team="Northern Lights")
    over, _going = seated(made, running_game(name="Over"), running_game(name=ONE_WORD), variants=["1926", "standard"])
    close_game(game_id=over.game.pk, by=by)
    type_in(made, variant="standard", name=ONE_WORD)
    terms = terms_of_round("Round 2", variants=["balkan-battle"], top_tables=2)
    add_round(**about, terms=terms)
    alice, powers = person(PLAYERS[0]).pk, {"balkan-battle": ["TURKEY"]}
    entry.change_entry(tournament_id=made.pk, by=alice, powers=powers, refused=PLAYERS[1:2])
    desk.rule(**about, user=alice, points=Decimal(-5), reason="Came late.")
    elsewhere.claim(tournament_id=made.pk, by=person("Zed").pk, name="Ann Lee")
    entry.look(**about)
    acts.write_to_entrants(**about, message="See you soon")
    seating.ask_for_plan(**about, number=2, seed=7)
    seating.make_plans()
    add_round(**about, terms=terms_of_round("Round 3"))
    entry.call_check_in(**about, number=3, until=clock.now() + timedelta(days=2))
    assert Round.objects.get(tournament=made, number=2).plan
    return made


def finished() -> Tournament:
    """A tournament whose only round was played elsewhere."""
    made = tournament(rounds=1, hides_standings=True)
    entered(made, PLAYERS)
    add_round(tournament_id=made.pk, by=person(CAROL).pk, terms=terms_of_round(variants=["standard"]))
    type_in(made)
    finish(tournament_id=made.pk, by=person(CAROL).pk)
    return made


def pages_of_cup(made: Tournament) -> dict[str, list[str]]:
    """The addresses that are visited by each person ("" a stranger)."""
    own = {"slug": made.slug}

    def paths(*names: str) -> list[str]:
        return [reverse(f"games:{name}", kwargs=own) for name in names]

    page, listed = reverse("games:tournament", kwargs=own), reverse("games:tournaments")
    over, typed = reverse("games:tournament", args=[finished().slug]), made.rounds.get(number=1).tables.get(game=None)
    type_table = reverse("games:type-table", kwargs={**own, "number": 1})
    plan = reverse("games:plan", kwargs={**own, "number": 2})
    edit = reverse("games:edit-round", kwargs={**own, "number": 3})
    new = [reverse("games:new-tournament"), reverse("games:new-series")]
    return {
        "": [listed, f"{listed}?over", page, f"{page}?results", over, *paths("hall")],
        PLAYERS[0]: [reverse("games:notices"), page, *paths("own-entry", "report-tournament")],
        CAROL: [
            *(page, over, *paths("manage-tournament", "tournament-desk", "edit-tournament", "new-round"), plan, edit),
            *(type_table, f"{type_table}?table={typed.pk}", *new),
        ],
    }


@pytest.mark.parametrize("name", ["", PLAYERS[0], CAROL])
def test_every_page_of_a_tournament_is_whole(browsers: Browsers, name: str) -> None:
    assert everything_wrong(Visit(browsers.of(name)), pages_of_cup(cup())[name]) == ""


def test_forms_that_were_refused_are_whole(browsers: Browsers) -> None:
    own, visit = {"slug": cup().slug}, Visit(browsers.of(CAROL))
    visit.page.set_viewport_size(NARROW)
    for path, fields, button in (
        (
            reverse("games:type-table", kwargs={**own, "number": 1}),
            {"text": f"Atlantis, {ONE_WORD}, 3"},
            "Save the result",
        ),
        (reverse("games:tournament-desk", kwargs=own), {"reason": ONE_WORD}, "Pause"),
        (reverse("games:edit-round", kwargs={**own, "number": 3}), {"name": ""}, "Save the round"),
        (reverse("games:manage-tournament", kwargs=own), {"message": ""}, "Send the message"),
    ):
        visit.page.goto(path)
        for name, value in fields.items():
            visit.page.locator(f"main [name={name}]").first.fill(value)
        with visit.page.expect_navigation():
            visit.page.get_by_role("button", name=button, exact=True).click()
        visit.wrong.clear()  # browsers say of a refused form that it could not be loaded
        assert visit.wrong_here() == [], path
        assert visit.page.get_by_role("alert").count() == 1, path
