"""What several tests have written in their worlds: sheets that differ, and bids that differ of which the same comes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.kernel.models import Game
    from tests.secrecy.observation import Observed

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)

Writing = dict[str, tuple[str, ...]]
"""Power -> the lines of its sheet."""

MINE: Writing = {"BRITAIN": ("F Lon-NTH", "1: F Nwy H")}
"""The viewing player's own sheet is the same in every world."""

WHILE_OPEN: dict[str, Writing] = {
    "nobody else wrote": {},
    "one bid much": {"GERMANY": ("A Mun-Cze", "3: A Aus S A Mun-Cze")},
    "all wrote and bid": {
        "GERMANY": ("A Mun H", "1: A Aus H"),
        "FRANCE": ("A Par-Bur", "1: A Bel S A Par-Bur", "1: A Swi H", "1: A Spa H"),
        "ITALY": ("A Mil-Swi", "3: A Aus S A Mil-Swi"),
        "TURKEY": ("# thinking",),
        "POLAND": ("A War H", "A Cra H", "F Gdy H"),
        "SOVIET_UNION": ("A Mos H", "2: A Rum H"),
    },
}

ORDERS: Writing = {
    "FRANCE": ("A Par-Bur",),
    "GERMANY": ("A Mun-Cze", "A Ber H"),
    "ITALY": ("A Mil-Swi",),
    "POLAND": ("A War H",),
    "TURKEY": ("A Ank H",),
}
"""The same orders in every world; the bids differ, and the same orders of minor powers win:
Austria supports Munich, Switzerland holds."""

BIDS: dict[str, Writing] = {
    "outbid": {
        "GERMANY": ("2: A Aus S A Mun-Cze",),
        "ITALY": ("1: A Aus S A Mil-Swi", "1: A Swi H"),
        "FRANCE": ("1: A Swi S A Aus",),
    },
    "alone": {"GERMANY": ("3: A Aus S A Mun-Cze",)},
    "helped by a friend": {
        "GERMANY": ("1: A Aus S A Mun-Cze",),
        "TURKEY": ("1: A Aus S A Mun-Cze", "2: A Swi H"),
        "ITALY": ("1: A Aus S A Mil-Swi",),
        "POLAND": ("1: A Swi S A Aus",),
    },
}


def write(game: Game, writing: Mapping[str, tuple[str, ...]]) -> None:
    for power, lines in {**writing, **MINE}.items():
        Story(game).order(power, *lines)


def joined(bids: Writing) -> Writing:
    return {power: (*lines, *bids.get(power, ())) for power, lines in ORDERS.items()}


NOT_READY = {"GET readyz", "POST readyz"}
"""Nobody looks for deadlines here, and that is what it says."""


def assert_all_alike(worlds: dict[str, dict[str, Observed]]) -> None:
    first, *others = worlds.values()
    for other in others:
        assert other.keys() == first.keys()
        for address, observed in first.items():
            assert other[address] == observed, address
            assert observed.status < 500 or address in NOT_READY, address
