"""The centres of each power at the end of every year, which some scorings need."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps

from games.mastering.services.desk import close_game
from games.tournaments.models import Table
from games.tournaments.results import outcome_of
from tests.cast import CAROL, person
from tests.factories import open_phase, running_game
from tests.story import Story
from tests.tournaments.made import seated, tournament

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db
FIRST_YEAR, AT_FIRST = 1926, 3


def played() -> Game:
    """A table of a tournament that was closed in its second year. At the end of the first, Germany took Denmark."""
    game = running_game(gm_outcomes=True)
    seated(tournament(), game)
    story = Story(game)
    while str(FIRST_YEAR) in game.phases.latest("ordinal").turn:
        story.deadline()
    phase = open_phase(game)
    phase.position["centres"]["Den"] = "GERMANY"
    phase.save(update_fields=["position"])
    close_game(game_id=game.pk, by=person(CAROL).pk, outcome="solo", powers=["GERMANY"])
    game.refresh_from_db()
    return game


def by_year(outcome: Any) -> dict[str, list[int]]:
    return {power: counts for power, _centres, _fell, counts in outcome["powers"]}


def test_the_centres_of_every_year_are_kept_with_the_end_and_tables_stored_before_get_them() -> None:
    outcome = outcome_of(played())
    assert outcome is not None
    assert (outcome["first"], outcome["last"]) == (FIRST_YEAR, FIRST_YEAR + 1)
    assert by_year(outcome)["GERMANY"] == [AT_FIRST + 1] * 2
    assert {len(counts) for counts in by_year(outcome).values()} == {2}
    stored, migration = Table.objects.get(), import_module("games.tournaments.migrations.0006_centres_by_year")
    assert stored.outcome == outcome
    migration.drop_years(apps, None)
    assert {len(row) for row in Table.objects.values_list("outcome__powers", flat=True).get()} == {3}
    migration.add_years(apps, None)
    assert Table.objects.get().outcome == outcome
