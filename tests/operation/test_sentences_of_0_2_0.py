"""What version 0.2.0 stored as sentences is stored as kinds and facts after an upgrade, and goes back."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from games.kernel.models import Game, Result
from games.kernel.news import NEWS_BY_LINE
from games.mastering.services.desk import close_game, declare_civil_disorder
from tests.cast import PLAYERS
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db(transaction=True)
BEFORE, AFTER = ("kernel", "0015_seats_given_back"), ("kernel", "0016_facts")


@pytest.fixture
def back_in_place() -> Iterator[None]:
    """Whatever happens, leave the tables as the other tests need them."""
    yield
    call_command("migrate", verbosity=0, interactive=False)


def stored(slug: str) -> tuple[Any, ...]:
    game = Game.objects.get(slug=slug)
    phases = game.phases.order_by("pk")
    return game.verdict, list(phases.values_list("notices")), list(phases.values_list("result__public"))


def told(story: Story) -> list[Any]:
    """What pages say of every phase, and how the game ended."""
    ordinals = story.game.phases.filter(result__isnull=False).values_list("ordinal", flat=True)
    views = [story.seen_by(PLAYERS[0], ordinal=ordinal) for ordinal in ordinals]
    results = [[(each.text, each.results, each.sentence) for each in view.result.outcomes] for view in views]
    notices = [[each.sentence for each in (*view.notices, *view.result.notices)] for view in views]
    return [results, notices, [view.game.verdict for view in views]]


def sentences_in(value: Any) -> list[str]:
    if isinstance(value, dict | list | tuple):
        inner = value.values() if isinstance(value, dict) else value
        return [found for each in inner for found in sentences_in(each)]
    return [value] if isinstance(value, str) and value.endswith(".") else []


def test_sentences_of_results_notices_and_verdicts_become_facts_and_back(back_in_place: None) -> None:
    story = Story(running_game(variant="locarno"))
    story.order("GERMANY", "A Ber-Sil", "A Col-Sax", "A Mun S A Mil-Swi")
    story.order("POLAND", "A Kra-Sil")
    story.deadline()
    declare_civil_disorder(game_id=story.game.pk, by=story.game.gm_id, power="POLAND", reason="Gone.")
    close_game(game_id=story.game.pk, by=story.game.gm_id)
    slug = story.game.slug
    in_facts, said = stored(slug), told(story)
    assert any("Bounced with A Kra–Sil: 1 against 1." in str(each) for each in said)
    assert sentences_in(in_facts) == []
    call_command("migrate", *BEFORE, verbosity=0, interactive=False)
    assert "Bounced with A Kra–Sil: 1 against 1." in sentences_in(stored(slug))
    assert said == told(story), "processes of this version read the rows of the one before"
    call_command("migrate", *AFTER, verbosity=0, interactive=False)
    assert stored(slug) == in_facts


def test_a_process_of_0_2_0_can_read_what_is_stored_while_a_site_is_upgraded(back_in_place: None) -> None:
    """It knows no other keys of a notice, misses none of an outcome, and fills in the lines of the log from their
    facts."""
    story = Story(running_game(variant="locarno"))
    story.deadline()
    declare_civil_disorder(game_id=story.game.pk, by=story.game.gm_id, power="POLAND")
    close_game(game_id=story.game.pk, by=story.game.gm_id)
    verdict, notices, results = stored(story.game.slug)
    assert "sentence" in verdict
    told = [notice for (some,) in notices for notice in some]
    assert {frozenset(notice) for notice in told} == {frozenset({"kind", "power", "province", "sentence"})}
    outcomes = results[0][0]["outcomes"]
    assert all({"reason", "sentence", "attacker_from"} <= outcome.keys() for outcome in outcomes)
    for event in story.game.events.all():
        fields = {name for _, name, _, _ in Formatter().parse(str(NEWS_BY_LINE[event.kind].line)) if name}
        assert fields - {"who", "length"} <= event.facts.keys(), event.kind


def test_a_phase_that_no_longer_fits_its_variant_stays_as_it_was_written(back_in_place: None) -> None:
    story = Story(running_game(variant="locarno"))
    story.order("GERMANY", "A Ber-Sil")
    story.order("POLAND", "A Kra-Sil")
    story.deadline()
    call_command("migrate", *BEFORE, verbosity=0, interactive=False)
    result = Result.every.get(phase__game=story.game)
    moved = next(it for it in result.public["outcomes"] if it["order"]["order"] == "move")
    moved["order"]["destination"] = "ZZZ"
    result.save()
    before = result.public
    call_command("migrate", *AFTER, verbosity=0, interactive=False)
    result.refresh_from_db()
    assert result.public == before
