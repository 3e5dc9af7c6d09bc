"""Random games of every variant, played to a win or the end of a year, satisfy every invariant."""

import pytest

from adjudication.resolution import OrderResult
from adjudication.serialisation import public_from_json, public_to_json
from tests.long_round import how_many
from tests.variants.chance import whole_game
from tests.variants.test_contract import check_position
from variants.registry import offered
from variants.variant import Variant
from variants.words import say

GAMES = how_many("chance")
YEARS = 4 * GAMES


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("variant", offered(), ids=[variant.slug for variant in offered()])
def test_a_game_of_chance_comes_to_its_end(variant: Variant, seed: int) -> None:
    phases = 0
    for before, public in whole_game(variant.start, variant.ruleset, seed, YEARS):
        phases += 1
        check_position(public.next, variant.ruleset)
        assert all(OrderResult.ILLEGAL not in outcome.results for outcome in public.outcomes)
        assert all(say(outcome, variant.ruleset) for outcome in public.outcomes if outcome.reason)
        assert public.turn == before.turn
        assert public.next.turn != before.turn
        if seed == 0:
            assert public_from_json(public_to_json(public)) == public
    assert phases >= 4
    assert public.verdict or public.next.turn.year == variant.start.turn.year + YEARS
