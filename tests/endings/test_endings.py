"""Surviving powers, votes, the last year and two scoring systems: pure rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adjudication.civil_disorder import with_disordered_power
from adjudication.position import Dislodged
from adjudication.turns import Turn
from games.endings.models import EndKind
from games.endings.rules import (
    WhyNoVote,
    electorate,
    place_in_words,
    points_by_draw_size,
    points_by_squares,
    verdict_by_agreement,
    why_eliminated_have_no_vote,
)
from games.kernel.models import Occupancy, Seat
from variants.registry import find
from variants.survivors import survivors, verdict_after_last_year
from variants.words import say

LANDS = find("1926")
THREE = find("three-way-balkan-battle")


def test_a_power_with_a_unit_or_a_centre_is_left() -> None:
    start = THREE.start
    assert survivors(start, THREE) == ("AUSTRIA", "RUSSIA", "TURKEY")
    (austrian,) = start.units_of("AUSTRIA")
    no_russian = tuple(unit for unit in start.units if unit.power != "RUSSIA")
    assert survivors(replace(start, units=no_russian), THREE) == ("AUSTRIA", "TURKEY")
    with_centre = replace(start, units=no_russian, centres={**start.centres, "SER": "RUSSIA"})
    assert survivors(with_centre, THREE) == ("AUSTRIA", "RUSSIA", "TURKEY")
    beaten = replace(start, units=(), dislodged=(Dislodged(austrian, "SER", ()),))
    assert survivors(beaten, THREE) == ("AUSTRIA",)


def test_a_power_in_permanent_civil_disorder_is_not_left_whatever_stands_there() -> None:
    """1926, D13."""
    disordered = with_disordered_power("RUSSIA", THREE.start)
    assert survivors(disordered, THREE) == ("AUSTRIA", "TURKEY")
    assert why_eliminated_have_no_vote(disordered, THREE) == {"RUSSIA": WhyNoVote.DISORDER}
    beaten = replace(disordered, units=disordered.units_of("TURKEY"))
    assert why_eliminated_have_no_vote(beaten, THREE) == {"AUSTRIA": WhyNoVote.GONE, "RUSSIA": WhyNoVote.DISORDER}


def test_a_vacant_seat_and_one_that_a_bot_plays_have_no_vote() -> None:
    holders = [Occupancy(pk=1, seat=Seat(power="AUSTRIA")), Occupancy(pk=2, seat=Seat(power="RUSSIA"), bot="easy")]
    electors = electorate(("AUSTRIA", "RUSSIA", "TURKEY"), holders)
    assert electors.voters == {"AUSTRIA": 1}
    assert electors.silent == {"RUSSIA": WhyNoVote.BOT, "TURKEY": WhyNoVote.VACANT}
    assert electors.agrees({1: True})
    assert electors.agrees({1: True, 2: False})
    assert not electors.agrees({1: False, 2: True})
    assert not electors.agrees({})


def test_where_nobody_has_a_vote_nothing_is_agreed() -> None:
    assert not electorate(("AUSTRIA",), []).agrees({})


def test_the_verdict_names_the_powers_in_the_sequence_of_the_variant() -> None:
    draw = verdict_by_agreement(EndKind.DRAW, ("FRANCE", "BRITAIN"), LANDS)
    assert draw.winners == ("BRITAIN", "FRANCE")
    assert say(draw, LANDS.ruleset) == "All players agreed on a draw between Britain and France."
    conceded = verdict_by_agreement(EndKind.CONCESSION, ("GERMANY",), LANDS)
    assert say(conceded, LANDS.ruleset) == "All conceded the game to Germany."
    together = verdict_by_agreement(EndKind.CONCESSION, ("ITALY", "GERMANY"), LANDS)
    assert say(together, LANDS.ruleset) == "All conceded the game to Germany and Italy, who win together."


def test_the_last_year_ends_when_what_follows_lies_beyond_it() -> None:
    last = replace(LANDS.start, turn=Turn.from_code("W1930A"))
    beyond = replace(LANDS.start, turn=Turn.from_code("S1931M"))
    assert verdict_after_last_year(last, LANDS, 1930) is None
    assert verdict_after_last_year(beyond, LANDS, None) is None
    verdict = verdict_after_last_year(beyond, LANDS, 1930)
    assert verdict is not None
    assert verdict.winners == tuple(power.id for power in LANDS.powers)
    assert say(verdict, LANDS.ruleset) == (
        "1930 was the last year: a draw between Britain, France, Germany, Italy, Poland, the Soviet Union and Turkey."
    )
    alone = replace(beyond, units=beyond.units_of("ITALY"))
    verdict = verdict_after_last_year(alone, LANDS, 1930)
    assert verdict is not None
    assert verdict.winners == ("ITALY",)
    assert say(verdict, LANDS.ruleset) == "Only Italy has units left at the end of 1930, the last year."


def test_draw_size_shares_a_hundred_points_among_those_who_won_or_drew() -> None:
    assert points_by_draw_size("ABC", ("A", "B")) == {"A": 50, "B": 50, "C": 0}
    assert points_by_draw_size("ABC", ("C",)) == {"A": 0, "B": 0, "C": 100}


def test_sum_of_squares_shares_them_by_the_squares_of_centres_among_those_who_won() -> None:
    centres = {"A": 3, "B": 4, "C": 0}
    assert points_by_squares(centres, ("A", "B"), won=False) == pytest.approx({"A": 36, "B": 64, "C": 0})
    assert points_by_squares({"A": 3, "B": 4, "C": 12}, ("A", "B"), won=True) == pytest.approx(
        {"A": 36, "B": 64, "C": 0}
    )
    assert points_by_squares(centres, ("A",), won=True) == {"A": 100, "B": 0, "C": 0}
    assert points_by_squares({"A": 0, "B": 0}, ("A", "B"), won=False) == {"A": 0, "B": 0}


@pytest.mark.parametrize(
    ("power", "winners", "centres", "sentence"),
    [
        ("AUSTRIA", ["AUSTRIA"], (7, 2, 1), "You won."),
        ("RUSSIA", ["AUSTRIA"], (7, 2, 1), "Austria won. You came second with 2 centres."),
        ("TURKEY", ["AUSTRIA"], (7, 2, 1), "Austria won. You came third with 1 centre."),
        ("TURKEY", ["AUSTRIA"], (7, 2, 2), "Austria won. You came joint second with 2 centres."),
        ("TURKEY", ["AUSTRIA"], (7, 2, 0), "Austria won. You have no centre left."),
        ("RUSSIA", ["AUSTRIA", "RUSSIA"], (4, 4, 2), "You share first place with Austria."),
        (
            "TURKEY",
            ["AUSTRIA", "RUSSIA"],
            (1, 1, 8),
            "Austria and Russia share first place. You came third with 8 centres.",
        ),
        ("TURKEY", [], (1, 1, 8), ""),
    ],
)
def test_the_first_words_of_the_end_are_about_its_reader(
    power: str, winners: list[str], centres: tuple[int, ...], sentence: str
) -> None:
    variant = find("three-way-balkan-battle")
    held = dict(zip(("AUSTRIA", "RUSSIA", "TURKEY"), centres, strict=True))
    assert place_in_words(power, winners, held, variant) == sentence


@pytest.mark.parametrize(("count", "told"), [(1, "1 centre"), (3, "3 centres")])
def test_of_two_the_loser_is_not_called_second(count: int, told: str) -> None:
    variant = find("balkan-battle")
    words = place_in_words("TURKEY", ["AUSTRIA"], {"AUSTRIA": 7, "TURKEY": count}, variant)
    assert words == f"Austria won. You have {told} left."
