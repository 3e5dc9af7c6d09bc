"""The board of a variant as data: what programs need to draw it and to find the ways of units."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from adjudication.board import Province
from adjudication.units import Unit
from variants.variant import Variant

Point = tuple[float, float]
VIEW_BOX = re.compile(r'viewBox="0 0 (\d+) (\d+)"')


@dataclass(frozen=True, slots=True)
class ProvinceView:
    """A province. `coasts` are the locations for fleets if there are several. `within`: the province of a camp. All
    points are on the map: of its label, of its centre mark (None without one), and of a unit at each location."""

    id: str
    name: str
    abbr: str
    kind: str
    centre: bool
    coasts: tuple[str, ...]
    within: str
    aliases: tuple[str, ...]
    note: str
    label: Point
    mark: Point | None
    units: Mapping[str, Point]


@dataclass(frozen=True, slots=True)
class StartView:
    """The start position. `centres`: province -> the power that controls it."""

    turn: str
    title: str
    units: tuple[Unit, ...]
    centres: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board. `army` has the borders of provinces, `fleet` those of locations; `homes` says where each power builds.
    `width` and `height` are those of the map, in its own units."""

    width: int
    height: int
    provinces: tuple[ProvinceView, ...]
    army: Mapping[str, tuple[str, ...]]
    fleet: Mapping[str, tuple[str, ...]]
    homes: Mapping[str, tuple[str, ...]]
    start: StartView


def board_of(variant: Variant) -> BoardView:
    board, start = variant.ruleset.board, variant.start
    size = VIEW_BOX.search(variant.art.head)
    assert size is not None, "every map says how large it is"
    return BoardView(
        width=int(size[1]),
        height=int(size[2]),
        provinces=tuple(_province(one, variant) for one in board.provinces.values()),
        army={here: tuple(sorted(others)) for here, others in board.army.items()},
        fleet={here: tuple(sorted(others)) for here, others in board.fleet.items()},
        homes=variant.ruleset.homes,
        start=StartView(start.turn.code, start.turn.title, start.units, start.centres),
    )


def _province(province: Province, variant: Variant) -> ProvinceView:
    places, centres = variant.art.places, variant.art.centres
    here = dict.fromkeys((province.id, *province.coasts))
    return ProvinceView(
        id=province.id,
        name=province.name,
        abbr=province.abbr,
        kind=province.kind.value,
        centre=province.centre,
        coasts=province.coasts,
        within=province.within,
        aliases=province.aliases,
        note=variant.notes.get(province.id, ""),
        label=variant.art.labels[province.id],
        mark=centres.get(province.id),
        units={location: places[location] for location in here if location in places},
    )
