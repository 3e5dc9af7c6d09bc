"""Parts and small copies of a drawn board."""

import re
import xml.etree.ElementTree as ET

import pytest

from variants.drawing import draw_board
from variants.excerpt import (
    board_to_borrow_from,
    box_around,
    box_of,
    coarse_ring,
    excerpt,
    is_inside,
    miniature,
    points_of,
)
from variants.registry import find, offered
from variants.signs import UnitMark
from variants.variant import Variant

SVG = "{http://www.w3.org/2000/svg}"
WHOLE = (0.0, 0.0, 1600.0, 1240.0)
STANDARD = find("standard")
PARIS, MUNICH, ANKARA = (STANDARD.art.places[place] for place in ("PAR", "MUN", "ANK"))


def drawn(variant: Variant, *units: UnitMark) -> str:
    owners = {centre: str(variant.power(power).colour) for centre, power in variant.start.centres.items()}
    return draw_board(variant.art, owners, units)


def test_a_frame_shows_its_points_with_what_is_around_them_and_stays_on_the_board() -> None:
    for points in ([PARIS], [PARIS, MUNICH], [PARIS, ANKARA], [(3.0, 1200.0)], [(1.0, 1.0), (1599.0, 1239.0)]):
        x, y, width, height = box = box_around(points, WHOLE)
        assert all(is_inside(point, box) for point in points)
        assert x >= 0 <= y
        assert x + width <= WHOLE[2]
        assert y + height <= WHOLE[3]
        assert width >= 330


def test_a_frame_without_points_is_the_whole_board() -> None:
    assert box_around([], WHOLE) == WHOLE


def cut(svg: str, *places: tuple[float, float]) -> str:
    return excerpt(svg, box_around(places, box_of(svg)), board_to_borrow_from(drawn(STANDARD)), "first")


def shown(part: str) -> dict[str, str]:
    """Province -> colour, for shapes that a part takes from the whole board."""
    return dict(re.findall(r'<use href="#p-(\w+)" data-colour="(\w+)"/>', part))


def test_a_part_of_the_board_shows_the_neighbours_and_leaves_out_what_is_far_away() -> None:
    part = cut(drawn(STANDARD, UnitMark("A", "PAR", "6", "F", "French army in Paris")), PARIS, MUNICH)
    assert {"PAR", "MUN", "BUR", "RUH"} <= set(shown(part))
    assert not {"ANK", "MOS", "SEV", "NAF"} & set(shown(part))
    assert {">Bur<", ">Mun<"} <= set(re.findall(r">\w+<", part))
    assert ">Ank<" not in part
    assert 'data-unit="PAR"' in part
    assert len(part) < 8_000


def test_a_part_has_the_colours_of_its_own_owners() -> None:
    colours = shown(cut(draw_board(STANDARD.art, {"MUN": "6", "BER": "3"}, []), MUNICH))
    assert (colours["MUN"], colours["BER"], colours["KIE"]) == ("6", "3", "minor")


def test_a_part_uses_the_ids_of_the_whole_board_and_has_none_but_its_land() -> None:
    whole, part = board_to_borrow_from(drawn(STANDARD)), cut(drawn(STANDARD), MUNICH)
    ids = re.findall(r' id="([^"]+)"', whole)
    assert len(ids) == len(set(ids))
    assert re.findall(r' id="([^"]+)"', part) == ["first-land"]
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', part)) <= {*ids, "first-land"}
    assert "b-land" not in part
    ET.fromstring(part)  # noqa: S314 - our own text


def test_only_the_shapes_that_touch_the_box_are_shown_with_their_looks() -> None:
    svg = (
        '<svg viewBox="0 0 100 100"><defs></defs>\n<g class="ground">\n'
        '<path class="frontier" d="M10 10l50 0 0 50zM900 900l50 0 0 50"/>\n'
        '<path id="p-FAR" data-province="FAR" data-colour="1" d="M900 900l50 0 0 50z"/>\n</g>\n'
        '<path class="bridge" d="M90 90L95 95"/>\n<rect class="edge"/>\n</svg>'
    )
    assert excerpt(svg, (0, 0, 20, 20), board_to_borrow_from(svg), "near") == (
        '<svg viewBox="0 0 20 20"><g class="ground"><use href="#b-1" class="frontier"/></g>\n'
        '<path class="bridge" d="M90 90L95 95"/>\n</svg>'
    )


def test_points_are_read_relative_and_absolute() -> None:
    assert list(points_of("M10 20l5-5 1 1L7 8z")) == [(10, 20), (15, 15), (16, 16), (7, 8)]


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_a_small_copy_has_the_colours_of_the_whole_and_is_a_third_of_it_at_most(variant: Variant) -> None:
    whole = drawn(variant)
    small = miniature(whole)
    ET.fromstring(small.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1))  # noqa: S314 - our own
    assert set(re.findall(r'data-colour="(\w+)"', small)) <= set(re.findall(r'data-colour="(\w+)"', whole))
    owners = {str(variant.power(power).colour) for power in variant.start.centres.values()}
    assert owners <= set(re.findall(r'data-colour="(\w+)"', small))
    assert len(small) < len(whole) / 3


def test_neighbours_keep_their_common_border_in_a_small_copy() -> None:
    assert coarse_ring([(0, 0), (100, 0), (100, 120), (0, 120)]) == "M0 0l2 0 0 2-2 0z"
    assert coarse_ring([(100, 0), (200, 0), (200, 120), (100, 120)]) == "M2 0l2 0 0 2-2 0z"


def test_what_is_too_small_to_be_seen_is_left_out_of_a_small_copy() -> None:
    assert coarse_ring([(0, 0), (10, 0), (10, 10)]) == ""
