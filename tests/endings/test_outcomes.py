"""A game master who closes a game says how it ends, if its terms say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from games.kernel.models import Occupancy
from games.kernel.refusals import BadGame, BadProposal, NotAllowed
from games.mastering.services.desk import close_game
from games.people.profiles import finished_games_of
from games.seating.reliability import reliability_of
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.django_db


def chosen(outcome: str, *powers: str) -> Any:
    """The game, closed like that."""
    game = running_game(gm_outcomes=True)
    close_game(game_id=game.pk, by=person(CAROL).pk, outcome=outcome, powers=powers)
    game.refresh_from_db()
    return game


def test_a_game_may_end_as_a_win_a_concession_or_a_draw_among_some() -> None:
    solo = chosen("solo", "GERMANY")
    assert solo.verdict["winners"] == ["GERMANY"]
    assert solo.verdict_sentence == "The game master closed the game: a win for Germany."
    conceded = chosen("concession", "GERMANY")
    assert conceded.verdict_sentence == "The game master closed the game: a concession to Germany."
    draw = chosen("draw", "GERMANY", "FRANCE")
    assert sorted(draw.verdict["winners"]) == ["FRANCE", "GERMANY"]
    assert "a draw between" in draw.verdict_sentence


def test_a_void_game_counts_for_no_one() -> None:
    game = running_game(gm_outcomes=True)
    alice = person(PLAYERS[0]).pk
    Story(game).deadline()
    assert reliability_of(alice).missed == 1
    close_game(game_id=game.pk, by=person(CAROL).pk, outcome="void", reason="Two players were one.")
    assert (reliability_of(alice).owed, finished_games_of(alice).ended) == (0, 0)
    assert Occupancy.objects.get(game=game, user=alice).missed == 1
    published = Client().get(f"/games/{game.slug}/record.json").json()["verdict"]
    said = "The game master declared the game void: it counts for no one."
    assert published == {"winners": [], "kind": "void", "sentence": said, "void": True}
    other = running_game(gm_outcomes=True)
    Story(other).deadline()
    assert reliability_of(alice).missed == 1, "a game under way counts"


@pytest.mark.parametrize(
    ("outcome", "powers"),
    [
        ("draw", ["GERMANY"]),
        ("solo", ["GERMANY", "FRANCE"]),
        ("concession", []),
        ("void", ["GERMANY"]),
        ("draw", ["GERMANY", "ATLANTIS"]),
        ("", []),
        ("victory", ["GERMANY"]),
    ],
)
def test_an_outcome_that_is_none_is_refused_and_the_game_goes_on(outcome: str, powers: Sequence[str]) -> None:
    game = running_game(gm_outcomes=True)
    with pytest.raises(BadProposal):
        close_game(game_id=game.pk, by=person(CAROL).pk, outcome=outcome, powers=powers)
    game.refresh_from_db()
    assert game.status == "running"


def test_without_the_term_the_game_master_chooses_nothing() -> None:
    game = running_game()
    with pytest.raises(NotAllowed, match="can’t choose the outcome"):
        close_game(game_id=game.pk, by=person(CAROL).pk, outcome="solo", powers=["GERMANY"])
    close_game(game_id=game.pk, by=person(CAROL).pk)
    game.refresh_from_db()
    assert game.verdict is not None
    assert len(game.verdict["winners"]) == len(game.seats.all())


def test_a_game_master_who_plays_never_decides_the_outcome() -> None:
    with pytest.raises(BadGame) as refused:
        waiting_game(gm_outcomes=True, gm_plays=True)
    assert "gm_outcomes" in refused.value.problems


def test_everyone_is_told_the_term_before_joining() -> None:
    for chooses, told in ((True, "A game master who closes the game says how it ends"), (False, "a draw between all")):
        terms = Story(waiting_game(gm_outcomes=chooses)).seen_by(DAVE).game.options.terms
        assert any(told in term.sentence for term in terms)


def test_the_page_asks_how_the_game_ends_and_keeps_what_was_chosen() -> None:
    game, client = running_game(gm_outcomes=True), Client()
    client.force_login(person(CAROL))
    address = f"/games/{game.slug}/gm/close/"
    assert "Void: the game counts for no one" in client.get(address).content.decode()
    refused = client.post(address, {"outcome": "draw", "powers": ["GERMANY"], "reason": "It is late."})
    text = refused.content.decode()
    assert refused.status_code == 422
    assert "A draw needs at least two powers" in text
    assert 'value="GERMANY" checked' in " ".join(text.split())
    assert "It is late." in text
    client.post(address, {"outcome": "solo", "powers": ["GERMANY"]})
    game.refresh_from_db()
    assert game.verdict is not None
    assert game.verdict["winners"] == ["GERMANY"]
    assert "Void" not in client.get(f"/games/{running_game(name='Other').slug}/gm/close/").content.decode()
