"""What a position shows on the map and beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from games.history.results import position_lines
from variants.maps import draw_svg, drawing_of
from variants.registry import find, offered

if TYPE_CHECKING:
    from variants.variant import Variant

BALKAN = find("balkan-battle")


def test_homes_won_in_play_are_starred_on_the_map_and_listed() -> None:
    memory = {"homes": {"AUSTRIA": ["BUD"], "TURKEY": ["BUL"]}}
    centres = {**BALKAN.start.centres, "BUD": "AUSTRIA", "BUL": "AUSTRIA"}
    position = replace(BALKAN.start, centres=centres, memory=memory)
    drawing = drawing_of(position, BALKAN)
    assert drawing.homes == (("BUD", "Austria"), ("BUL", "Turkey"))
    svg = draw_svg(BALKAN.slug, drawing)
    assert "<title>Budapest: a home centre of Austria, won during the game</title>" in svg
    assert "<title>Bulgaria: a home centre of Turkey, won during the game</title>" in svg
    assert {line.name: line.homes for line in position_lines(position, BALKAN)} == {
        "Austria": ("Vienna", "Budapest"),
        "Turkey": ("Constantinople", "Bulgaria"),
    }


def test_a_home_that_two_powers_won_is_called_that_of_both() -> None:
    memory = {"homes": {"AUSTRIA": ["BUL"], "TURKEY": ["BUL"]}}
    assert drawing_of(replace(BALKAN.start, memory=memory), BALKAN).homes == (("BUL", "Austria and Turkey"),)


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_at_the_start_nobody_has_won_a_home_and_every_line_has_its_letter(variant: Variant) -> None:
    assert drawing_of(variant.start, variant).homes == ()
    letters = {power.id: power.letter for power in variant.powers} | {"NEUTRAL": ""}
    lines = position_lines(variant.start, variant)
    assert {line.power: line.letter for line in lines} == {line.power: letters[line.power] for line in lines}
