"""What a page says in the words of a phase."""

from dataclasses import dataclass, field

from games.kernel.wording import words_for


@dataclass(frozen=True)
class Movement:
    budget: int
    kind: str = "M"
    muster: bool = False
    adjustments: dict[str, int] = field(default_factory=dict)
    adjectives: dict[str, str] = field(default_factory=dict)


def test_whoever_has_a_point_to_bid_is_told_that_it_will_be_lost() -> None:
    told = [budget for budget in range(3) if "Diplomacy Points" in words_for(Movement(budget)).unsaved]
    assert told == [1, 2]
