"""Every key that a facts.yaml may hold, and what it says: the reference for designers, and the check of their files.

Coordinates are [latitude, longitude] in degrees. A map unit is one pixel of `size`.
"""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

Keys = Mapping[str, str]
NEEDED = "Needed. "
ELSEWHERE = frozenset({"powers", "home", "homes", "units", "minors", "minor_fleets"})

FACTS: Keys = {
    "size": "Needed. Width and height of the map in map units: [1000, 960].",
    "projection": "Needed. How the globe becomes a map; see below.",
    "base": "Needed. The outlines in `base/`: {file: countries-50m.json, layer: countries}.",
    "codes": "Needed. Code: the countries of today that it stands for, as in `DNK: [Denmark]`. It divides the land.",
    "spaces": "Needed. Abbreviation: a province, as below. Seas are written in capitals.",
    "army": "Needed. Borders for armies, a line each, as in `Mun: Ber Sil`. Write each border once.",
    "fleet": "Borders for fleets: between seas, between a sea and a coast, and along a coast; coasts as in `Spa/nc`.",
    "raster_scale": "Pixels of the working grid to a map unit (3).",
    "seed": "A number; another one roughens the borders between towns differently.",
    "min_water_width": "Water narrower than this many map units becomes land.",
    "min_land_width": "Land narrower than this many map units becomes water.",
    "drop_islands_below": "Islands smaller than this many square map units are dropped (20).",
    "keep_islands": "A point on each small island that stays.",
    "paint": "Rings that give land another code, in sequence: old frontiers; see below.",
    "terrain": "Land made or taken away, in sequence; see below.",
    "lakes": "Rings of points: water that is drawn and means nothing.",
    "canals": "Lines of points: drawn as water. A `canal` province lets fleets pass.",
    "sea_lines": "Lines that divide the water into seas; see below.",
    "bands": "Water along the frame, for coasts that go on outside: {line, height, void, left, right, corner}.",
    "inert": "Code: the name of land outside the game; or {name, in, sites} for a share of the codes in `in`.",
    "inert_seas": "Code: {name, sites} of water outside the game.",
    "inert_class": "The style of land outside the game, if it is not hatched: context.",
    "straits": "Pairs of provinces whose border runs through a strait, so that it does not divide a coast.",
    "bridges": "Borders across a strait, drawn as an arrow: {between, at, army, fleet}.",
    "fourway": "Sets of four provinces that meet in one point and all border each other.",
    "no_adjacency": "Pairs that touch on the map without a border.",
    "multipart": "Provinces that may be in several pieces.",
    "coast_split": "Province: points at which its coast is divided, as at a rock.",
    "centre_size": "Size of the marks of supply centres (11).",
    "extra_labels": "Province: further places for its label, in map units: [x, y] or [x, y, angle].",
    "context_labels": "Words on land outside the game: {text, at}.",
    "aliases": "Abbreviation: other names that players write. The full name always counts.",
    "ambiguous": "A name that is refused: the provinces it may stand for, as in `Bra: [Brt, Brv]`.",
    "meta": "A note for readers.",
    "footer": "A note for readers.",
    "neutral_word": "A note for readers.",
}
PROJECTION: Keys = {
    "proj4": "The projection as PROJ writes it, as in +proj=laea +lat_0=58.5 +lon_0=18 +units=m.",
    "frame": "{left, right, top, bottom}: a point that each edge of the map goes through.",
    "lenses": "Places drawn larger (gain above 0) or smaller (below 0): {at, radius_km, gain}.",
    "shifts": "Places moved: {at, radius_km, dx, dy} in map units.",
}
SPACE: Keys = {
    "name": "Its full name.",
    "in": "The codes whose land it takes. A code that several provinces name is divided by the nearest site.",
    "sites": "Towns of a province, or a point in each part of a sea. A town decides which land near it belongs here.",
    "sea": "1 for a sea.",
    "sc": "1 for a supply centre.",
    "owner": "The power whose land it is, without being one of the homes in `variant.toml`; tint only.",
    "star": "true: its mark is a star, as a home's is.",
    "nation": "The country whose frontier is drawn round it, if that is no power's.",
    "coasts": "Named coasts: a point at each, as in {nc: [43.4, -5.0], sc: [38.6, -0.4]}.",
    "canal": "true: fleets pass through it from sea to sea, and its coast is one.",
    "one_coast": "true: its coast is one, although land lies between the parts.",
    "island": "true: a sea with land that armies may occupy.",
    "faction": "Whose mark the centre bears, in a variant with factions.",
    "unit_slots": "How many units need a place in it, for camps.",
    "colonial": "A note for readers; `variant.toml` lists the colonies.",
    "note": "A note for readers.",
}
PAINT: Keys = {
    "why": "In words; a fault names it.",
    "to": "The code that the land gets.",
    "from": "The codes that it has. ~ is water.",
    "ring": "The points of the ring.",
    "warp": "false: do not roughen the ring.",
    "optional": "true: no fault if the ring touches nothing.",
}
TERRAIN: Keys = {
    "op": "fill (water in a ring becomes land), disc (a round island) or carve (a line of water).",
    "code": "The code of the new land.",
    "ring": "fill: the points of the ring.",
    "show": "fill: water, if the new land is drawn as water, as in a strait that belongs to a province.",
    "at": "disc: its middle.",
    "radius": "disc: in map units.",
    "line": "carve: the points of the line.",
    "width": "carve: in map units.",
}
SEA_LINE: Keys = {
    "id": "Its name, for faults and for `bands`.",
    "pts": "Its points. Begin and end a little inland: a gap is a leak.",
    "to_band": "true: go on to the lower edge.",
}
SECTIONS: Mapping[str, Keys] = {
    "At the top": FACTS,
    "`projection`": PROJECTION,
    "Each of `spaces`": SPACE,
    "Each of `paint`": PAINT,
    "Each of `terrain`": TERRAIN,
    "Each of `sea_lines`": SEA_LINE,
}


class UnknownKeys(ValueError):
    """Keys that mean nothing; the message says where they stand and which were perhaps meant."""


def check_keys(facts: Mapping[str, Any]) -> None:
    """Raises UnknownKeys."""
    faults = list(_unknown(facts))
    if faults:
        raise UnknownKeys("\n".join(faults))


def _unknown(facts: Mapping[str, Any]) -> Iterator[str]:
    yield from _strange("facts.yaml", facts, FACTS)
    for key, says in FACTS.items():
        if says.startswith(NEEDED) and key not in facts:
            yield f"facts.yaml: “{key}” is missing. {says.removeprefix(NEEDED)}"
    yield from _strange("projection", facts.get("projection", {}), PROJECTION)
    for name, space in facts.get("spaces", {}).items():
        yield from _strange(f"spaces, {name}", space, SPACE)
    for ring in facts.get("paint", []):
        yield from _strange(f"paint, {ring.get('why', 'without a why')}", ring, PAINT)
    for change in facts.get("terrain", []):
        yield from _strange(f"terrain, {change.get('op', 'without an op')}", change, TERRAIN)
    for line in facts.get("sea_lines", []):
        yield from _strange(f"sea_lines, {line.get('id', 'without an id')}", line, SEA_LINE)


def _strange(where: str, entry: Mapping[str, Any], known: Keys) -> Iterator[str]:
    for key in entry:
        if key in ELSEWHERE:
            yield f"{where}: “{key}” belongs in variant.toml, where powers have their homes, colonies and units."
        elif key not in known:
            close = get_close_matches(str(key), known, 1)
            meant = f"Did you mean “{close[0]}”?" if close else f"Known are: {', '.join(known)}."
            yield f"{where}: “{key}” means nothing. {meant}"


def reference() -> str:
    """All keys as Markdown, for README.md."""
    tables = (
        f"### {title}\n\n| key | what it says |\n|---|---|\n"
        + "".join(f"| `{key}` | {says} |\n" for key, says in keys.items())
        for title, keys in SECTIONS.items()
    )
    return "\n".join(tables)
