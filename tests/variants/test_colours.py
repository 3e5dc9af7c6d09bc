"""Owners' colours as seen by readers who lack one kind of cone: any two that meet on a map stay distinct."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from variants.registry import offered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from variants.variant import Variant

Triple = tuple[float, float, float]

BOARD_CSS = Path(__file__).parents[2] / "static" / "css" / "board.css"
LEAST_BETWEEN_OWNERS, LEAST_BETWEEN_UNITS = 10.0, 5.0
"""In CIEDE2000, where 1 is barely visible side by side. Units have letters as well."""
LEAST_ON_UNITS, LEAST_OF_UNITS = 7.0, 3.0
LEAST_OF_LABELS = (4.5, 3.9, 3.9)
"""Contrast of letters on units, of units on their own land and of labels on land: light theme, then dark twice."""
SIGHT: Mapping[str, tuple[Triple, Triple, Triple]] = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB."""
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)


def palettes(name: str) -> list[dict[str, str]]:
    """The colours `--name-…` by slot, for each block that sets them: light, dark, dark by choice."""
    blocks = re.findall(r"\{([^{}]*--owner-1:[^{}]*)\}", BOARD_CSS.read_text())
    return [dict(re.findall(rf"--{name}-(\w+): #([0-9a-f]{{6}});", block)) for block in blocks]


def times(matrix: tuple[Triple, Triple, Triple], vector: Triple) -> Triple:
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return one, two, three


def linear(colour: str) -> Triple:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4))
    one, two, three = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return one, two, three


def lab(colour: str, sight: str) -> Triple:
    """CIE L*a*b* as seen."""
    red, green, blue = (min(1.0, max(0.0, part)) for part in times(SIGHT[sight], linear(colour)))
    seen = times(TO_XYZ, (red, green, blue))
    ratios = (part / white for part, white in zip(seen, WHITE, strict=True))
    x, y, z = (t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in ratios)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Triple, other: Triple) -> float:
    """CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    stretch = 1.5 - 0.5 * saturation((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2)
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = math.atan2(b1, a1 * stretch), math.atan2(b2, a2 * stretch)
    turn = math.remainder(h2 - h1, math.tau) if c1 * c2 else 0.0
    hue = h1 + turn / 2
    light, chroma = (l1 + l2) / 2 - 50, (c1 + c2) / 2
    uneven = (
        1 - 0.17 * math.cos(hue - math.radians(30)),
        0.24 * math.cos(2 * hue),
        0.32 * math.cos(3 * hue + math.radians(6)),
        -0.2 * math.cos(4 * hue - math.radians(63)),
    )
    by_light = (l2 - l1) / (1 + 0.015 * light**2 / math.sqrt(20 + light**2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = 2 * math.sqrt(c1 * c2) * math.sin(turn / 2) / (1 + 0.015 * chroma * sum(uneven))
    blue = math.exp(-(((math.degrees(hue) % 360 - 275) / 25) ** 2))
    bent = -2 * saturation(chroma) * math.sin(math.radians(60 * blue))
    return math.sqrt(by_light**2 + by_chroma**2 + by_hue**2 + bent * by_chroma * by_hue)


def saturation(chroma: float) -> float:
    return math.sqrt(chroma**7 / (chroma**7 + 25**7))


def luminance(colour: str) -> float:
    return times(TO_XYZ, linear(colour))[1]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def nearest(colours: Mapping[str, str], slots: set[str]) -> tuple[float, str, str, str]:
    """(difference, slot, slot, sight) of the two hardest to tell apart."""
    return min(
        (difference(lab(colours[one], sight), lab(colours[other], sight)), one, other, sight)
        for one, other in combinations(sorted(slots), 2)
        for sight in SIGHT
    )


def test_the_measure_is_the_published_one() -> None:
    """Sharma, Wu and Dalal 2005, pairs 1, 7, 17, 25 and 33 of their table."""
    pairs = {
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485)): 2.0425,
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0)): 2.3669,
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0)): 27.1492,
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387)): 1.2644,
        ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286)): 0.6377,
    }
    for (one, other), published in pairs.items():
        assert difference(one, other) == pytest.approx(published, abs=5e-5)


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_owners_stay_apart_for_every_reader_by_day_and_by_night(variant: Variant) -> None:
    slots = {str(power.colour) for power in variant.powers} | {"minor", "none"}
    for colours in palettes("owner"):
        worst = nearest(colours, slots)
        assert worst[0] >= LEAST_BETWEEN_OWNERS, worst


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_units_and_arrows_stay_apart_for_every_reader_by_day_and_by_night(variant: Variant) -> None:
    slots = {str(power.colour) for power in variant.powers} | {"minor"}
    for colours in palettes("unit"):
        worst = nearest(colours, slots)
        assert worst[0] >= LEAST_BETWEEN_UNITS, worst


def test_labels_letters_and_units_are_readable_on_every_colour() -> None:
    for lands, units, board, on_land in zip(
        palettes("owner"), palettes("unit"), palettes("board"), LEAST_OF_LABELS, strict=True
    ):
        for slot, unit in units.items():
            assert contrast(unit, board["knock"]) > LEAST_ON_UNITS, slot
            assert contrast(unit, lands[slot]) > LEAST_OF_UNITS, slot
            assert contrast(board["ink"], lands[slot]) > on_land, slot


def test_both_ways_to_choose_the_night_paint_alike() -> None:
    for name in ("owner", "unit", "board"):
        by_day, by_night, as_chosen = palettes(name)
        assert by_night == as_chosen
        assert by_day.keys() == by_night.keys()
        assert by_day != by_night


@pytest.mark.parametrize("sheet", ["board.css", "00-tokens.css"])
def test_the_night_is_for_screens_and_never_printed(sheet: str) -> None:
    css = (BOARD_CSS.parent / sheet).read_text()
    assert re.findall(r"@media ([^{]*?) *\{\s*:root", css) == ["screen and (prefers-color-scheme: dark)", "screen"]
    assert len(re.findall(r":root\b", css)) == 3
