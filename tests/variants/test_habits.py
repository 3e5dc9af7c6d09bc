"""What bots do badly, and what becomes of them, is counted in whole games."""

from tests.variants.habits import habits_of_game
from tests.variants.weights import seen_in_game
from variants.bots.worth import Weights


def test_the_habits_of_a_game_are_counted_the_same_on_every_run() -> None:
    found = habits_of_game("the-sound", "easy", 0)
    assert found == habits_of_game("the-sound", "easy", 0)
    assert found["games"] == 1
    assert 0 < found["builds due"] >= found["builds blocked"]
    assert found["fleets built"] + found["armies built"] <= found["builds due"] - found["builds blocked"]
    assert 0 < found["points outbid or tied"] + found["points not spent"] <= found["points"]
    assert 0 < found["supports that changed nothing"] < found["supports"]


def test_bids_are_counted_by_what_their_power_expected() -> None:
    found = habits_of_game("the-sound", "medium", 0)
    expected = {name: count for name, count in found.items() if name.startswith("bids said")}
    made = {name: count for name, count in expected.items() if not name.endswith("won")}
    assert made
    assert all(expected.get(f"{name}, and won", 0) <= count for name, count in made.items())


def test_the_parts_of_a_worth_are_those_that_a_game_shows() -> None:
    """Nobody holds another's centre before the first phase."""
    seen = seen_in_game("collapse-of-the-dual-empire", 0, years=2)
    parts = [dict(zip(Weights._fields, one.before, strict=True)) for one in seen]
    assert parts[0]["taken"] == parts[0]["lost"] == 0
    assert all(any(one[name] for one in parts) for name in ("taken", "lost", "chance", "open", "place"))
    assert {one.counted for one in seen} == {True, False}
