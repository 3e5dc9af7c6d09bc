"""What bots do badly is counted in whole games."""

from tests.variants.habits import habits_of_game


def test_the_habits_of_a_game_are_counted_the_same_on_every_run() -> None:
    found = habits_of_game("the-sound", "easy", 0)
    assert found == habits_of_game("the-sound", "easy", 0)
    assert found["games"] == 1
    assert 0 < found["builds due"] >= found["builds blocked"]
    assert found["fleets built"] + found["armies built"] <= found["builds due"] - found["builds blocked"]
    assert 0 < found["points outbid or tied"] + found["points not spent"] <= found["points"]
    assert 0 < found["supports that changed nothing"] < found["supports"]
