"""The board of a variant as data: what programs need to draw it and to find routes of units."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from adjudication.board import Province
from adjudication.units import Unit
from games.kernel.marks import InApi
from variants.variant import Variant
from variants.words.messages import worded
from variants.words.orders import turn_words

Point = tuple[float, float]
VIEW_BOX = re.compile(r'viewBox="0 0 (\d+) (\d+)"')


@dataclass(frozen=True, slots=True)
class ProvinceView:
    """A province, and its places on the map."""

    id: Annotated[str, InApi("Its id, as in “MUN”: three letters or digits, in orders and everywhere else.")]
    name: Annotated[str, InApi("Its name for display.")]
    abbr: Annotated[str, InApi("Its short name for display.")]
    kind: Annotated[
        str, InApi("land (no fleets), coast (armies and fleets), sea (fleets) or island (a sea that armies can enter).")
    ]
    centre: Annotated[bool, InApi("It is a supply centre.")]
    coasts: Annotated[
        tuple[str, ...], InApi("The locations of fleets if it has several coasts, as in “SPA/NC”; else empty.")
    ]
    within: Annotated[str, InApi("The province that it is a camp in; empty for all others.")]
    aliases: Annotated[tuple[str, ...], InApi("Other names that players may write.")]
    note: Annotated[str, InApi("A fact about it; empty if there is none.")]
    label: Annotated[Point, InApi("Where its name is.")]
    mark: Annotated[Point | None, InApi("Where the mark of its supply centre is; null without one.")]
    units: Annotated[
        Mapping[str, Point], InApi("Where a unit is drawn, by location: the province itself, and its coasts.")
    ]


@dataclass(frozen=True, slots=True)
class StartView:
    """The position at the start."""

    turn: Annotated[str, InApi("The first turn in short, as in “S1926M”.")]
    title: Annotated[str, InApi("The first turn, as in “Spring 1927”.")]
    units: Annotated[tuple[Unit, ...], InApi("The units.")]
    centres: Annotated[Mapping[str, str], InApi("Province to the id of the power that controls it.")]


@dataclass(frozen=True, slots=True)
class BoardView:
    """The board of a variant."""

    width: Annotated[int, InApi("How wide the map is, in its own units.")]
    height: Annotated[int, InApi("How high it is.")]
    provinces: Annotated[tuple[ProvinceView, ...], InApi("The provinces.")]
    army: Annotated[Mapping[str, tuple[str, ...]], InApi("Province to the provinces next to it, for armies.")]
    fleet: Annotated[
        Mapping[str, tuple[str, ...]],
        InApi("Location to the locations next to it, for fleets: provinces, or coasts as in “SPA/NC”."),
    ]
    homes: Annotated[Mapping[str, tuple[str, ...]], InApi("Power to the provinces in which it can build.")]
    start: Annotated[StartView, InApi("The position at the start.")]


def board_view(variant: Variant) -> BoardView:
    board, start = variant.ruleset.board, variant.start
    size = VIEW_BOX.search(variant.art.head)
    assert size is not None, "every map says how large it is"
    return BoardView(
        width=int(size[1]),
        height=int(size[2]),
        provinces=tuple(_province_view(it, variant) for it in board.provinces.values()),
        army={here: tuple(sorted(others)) for here, others in board.army.items()},
        fleet={here: tuple(sorted(others)) for here, others in board.fleet.items()},
        homes=variant.ruleset.homes,
        start=StartView(start.turn.code, turn_words(start.turn), start.units, start.centres),
    )


def _province_view(province: Province, variant: Variant) -> ProvinceView:
    places, centres = variant.art.places, variant.art.centres
    locations = dict.fromkeys((province.id, *province.coasts))
    return ProvinceView(
        id=province.id,
        name=province.name,
        abbr=province.abbr,
        kind=province.kind.value,
        centre=province.centre,
        coasts=province.coasts,
        within=province.within,
        aliases=province.aliases,
        note=worded(variant.notes.get(province.id, "")),
        label=variant.art.labels[province.id],
        mark=centres.get(province.id),
        units={location: places[location] for location in locations if location in places},
    )
