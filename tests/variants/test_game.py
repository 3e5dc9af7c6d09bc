"""A game in a program's memory, as researchers use it."""

import pickle
from random import Random

import pytest

from adjudication.orders import Hold, OrderSheet
from adjudication.resolution import OrderResult
from tests.long_round import how_many
from variants import SLUGS, Game, UnlawfulOrder, push_all
from variants.rulebooks import RULEBOOKS

PHASES = how_many("drawn") // 5


@pytest.mark.parametrize("slug", RULEBOOKS)
def test_any_orders_are_lawful_the_same_for_the_same_seed_and_keep_a_game_going(slug: str) -> None:
    game, values = Game(slug), Game(slug)
    for phase in range(PHASES):
        if game.result:
            break
        orders = game.random_orders(phase)
        assert orders == Game(slug, game.position).random_orders(phase)
        assert game.push(orders).next == values.push(values.random_sheets(phase)).next
    assert game.phases


def test_as_many_builds_as_there_are_to_give() -> None:
    game = Game("standard")
    while "W" not in game.turn:
        game.push(game.random_orders(game.turn))
    for power in game.deciding:
        given = game.random_orders(1)[power]
        assert len(given) <= abs(game.builds(power))
        assert all(("BUILD" in line) == (game.builds(power) > 0) for line in given if line != "WAIVE")


def test_an_unlawful_value_fails_with_its_reason_and_an_unlawful_line_changes_nothing() -> None:
    game = Game("standard")
    outcome = next(
        it for it in game.push({"FRANCE": OrderSheet((Hold("BUR"),))}).outcomes if OrderResult.ILLEGAL in it.results
    )
    assert outcome.reason
    with pytest.raises(UnlawfulOrder, match="There is no power ATLANTIS"):
        game.push({"ATLANTIS": OrderSheet()})


def test_many_games_are_pushed_at_once_or_none() -> None:
    games = [Game("standard"), Game("1926")]
    with pytest.raises(UnlawfulOrder, match="Game 1: GERMANY, “A MUN - LON”"):
        push_all(games, [{"FRANCE": "A PAR - BUR"}, {"GERMANY": "A MUN - LON"}])
    assert [game.phases for game in games] == [[], []]
    results = push_all(games, [game.random_orders() for game in games])
    assert [result.next for result in results] == [game.position for game in games]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_is_pickled_small_and_goes_on_from_there(slug: str) -> None:
    game = Game(slug, rules={"via_fallback": True})
    for phase in range(3):
        game.push(game.random_orders(phase))
    stored = pickle.dumps(game)
    again = pickle.loads(stored)  # noqa: S301 - our own
    assert len(stored) < 10_000
    assert (again.position, again.rules, again.variant.ruleset.via_fallback) == (game.position, game.rules, True)
    assert again.random_orders(7) == game.random_orders(7)
    assert repr(again) == f"<Game {slug} {game.turn}>"


def test_the_map_shows_orders_results_and_what_is_built() -> None:
    game = Game("standard")
    plain = game.svg()
    drawn = game.svg({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]})
    assert plain.count("<path") < drawn.count("<path")
    assert game._repr_svg_() == plain == game.svg(result=True)
    game.push({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]})
    assert "Bounced" in game.svg(result=True)
    assert "Bounced" not in game.svg()
    chance = Random(1)
    while "W" not in game.turn:
        game.push(game.random_orders(chance.random()))
    building = next(power for power in game.deciding if game.builds(power) > 0)
    line = next(line for lines in game.lawful(building).values() for line in lines if line.startswith("BUILD"))
    assert game.svg({building: line}) != game.svg()
