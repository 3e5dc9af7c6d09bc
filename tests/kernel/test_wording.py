"""What a page says in the words of a phase."""

from dataclasses import dataclass, field

import pytest

from games.kernel.models import Game
from games.kernel.plain import without_case_and_accents
from games.kernel.wording import words_for_power
from tests.factories import waiting_game


@dataclass(frozen=True)
class Movement:
    budget: int
    kind: str = "M"
    muster: bool = False
    adjustments: dict[str, int] = field(default_factory=dict)
    adjectives: dict[str, str] = field(default_factory=dict)


def test_whoever_has_a_point_to_bid_is_told_that_it_will_be_lost() -> None:
    told = [budget for budget in range(3) if "Diplomacy Points" in words_for_power(Movement(budget)).unsaved]
    assert told == [1, 2]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["ガリア戦記", "हिन्दी खेल", "Été à Zürich", "ΑΘΉΝΑ", "Łódź"])
def test_a_name_is_found_by_itself_in_every_script(name: str) -> None:
    game = waiting_game(name=name)
    assert Game.objects.filter(name__plain__contains=without_case_and_accents(name)).get() == game
