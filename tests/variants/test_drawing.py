"""The board with its units and orders as one SVG."""

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest

import variants
from variants.drawing import SEA, Arrow, BoardArt, UnknownPlaceError, draw_board, read_art
from variants.registry import offered
from variants.signs import CentreMark, UnitMark
from variants.variant import Variant

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(variants.__file__).parent
COLOURS = {"GERMANY": "3", "BRITAIN": "1"}

MAP = """<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 400 300">
<path id="p-BAL" data-province="BAL" data-kind="sea" data-colour="sea" d="M0 0"><title>Baltic</title></path>
<path id="p-BER" data-province="BER" data-kind="land" data-colour="minor" d="M0 0"><title>Berlin</title></path>
<path id="p-SIL" data-province="SIL" data-kind="land" data-colour="none" d="M0 0"><title>Silesia</title></path>
<path id="p-SLO" data-province="SLO" data-kind="land" data-colour="none" d="M0 0"><title>Slovakia</title></path>
<path id="p-GIB" data-province="GIB" data-kind="island" data-colour="sea" d="M0 0"><title>Gib</title></path>
<path class="islet" data-islet="GIB" data-colour="none" d="M0 0"/>
<g class="labels"><text x="100" y="120">Ber</text></g>
</svg>
"""
ANCHORS = {
    "BAL": {"label": [300, 60], "unit": [300, 40], "home": ""},
    "BER": {"label": [100, 120], "unit": [100, 100], "home": "GERMANY", "centre": [80, 100]},
    "SIL": {"label": [200, 120], "unit": [200, 100], "home": "GERMANY", "coasts": {"SIL/NC": [200, 60]}},
    "SLO": {"label": [200, 220], "unit": [200, 200], "home": ""},
    "GIB": {"label": [50, 270], "unit": [50, 250], "home": "BRITAIN"},
}
LAYERS = ["orders", "standing", "units", "verdicts"]
"""The parts that vary by position."""
ARMY = UnitMark("A", "BER", "3", "G", "German army in Berlin")
MINOR = UnitMark("A", "SIL", "minor", "", "Army in Silesia")
ORDERS = [
    Arrow("hold", "BER", "", "", True, ""),
    Arrow("move", "BER", "SIL", "", True, ""),
    Arrow("retreat", "BER", "SLO", "", True, ""),
    Arrow("support-hold", "BER", "SIL", "", True, ""),
    Arrow("support-move", "SLO", "SIL", "BER", True, ""),
    Arrow("convoy", "BAL", "SIL", "BER", True, ""),
    Arrow("disband", "BER", "", "", True, ""),
    Arrow("build", "BER", "BER", "", True, ""),
]


@pytest.fixture
def art() -> BoardArt:
    return read_art(MAP, json.dumps({"provinces": ANCHORS}), COLOURS)


def with_class(svg: str, name: str) -> list[ET.Element]:
    elements = ET.fromstring(svg).iter()  # noqa: S314 - our own text
    return [element for element in elements if name in str(element.get("class", "")).split()]


def orders(svg: str) -> list[ET.Element]:
    return [element for element in with_class(svg, "order") if element.get("data-order")]


def colours(svg: str) -> dict[str, str]:
    found = ET.fromstring(svg).iter(f"{SVG}path")  # noqa: S314 - our own text
    return {
        str(shape.get("data-province") or f"islet {shape.get('data-islet')}"): str(shape.get("data-colour"))
        for shape in found
        if shape.get("data-province") or shape.get("data-islet")
    }


def points(line: ET.Element) -> list[tuple[float, float]]:
    numbers = [float(number) for number in re.findall(r"-?[\d.]+", str(line.get("d")))]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_a_centre_shows_who_controls_it_and_other_land_its_country(art: BoardArt) -> None:
    assert colours(draw_board(art, {"BER": "6"}, [])) == {
        "BAL": "sea",
        "BER": "6",
        "SIL": "3",
        "SLO": "none",
        "GIB": "sea",
        "islet GIB": "1",
    }


def test_a_centre_nobody_controls_is_a_minors_even_in_its_old_country(art: BoardArt) -> None:
    assert colours(draw_board(art, {}, []))["BER"] == "minor"


def test_the_sea_keeps_its_colour_under_every_owner_of_the_rock_in_it(art: BoardArt) -> None:
    drawn = colours(draw_board(art, {"GIB": "2"}, []))
    assert (drawn["GIB"], drawn["islet GIB"]) == ("sea", "2")


def test_a_unit_shows_its_kind_its_colour_and_its_letter(art: BoardArt) -> None:
    (unit,) = with_class(draw_board(art, {}, [ARMY]), "unit")
    assert {name: unit.get(f"data-{name}") for name in ("unit", "kind", "colour")} == {
        "unit": "BER",
        "kind": "A",
        "colour": "3",
    }
    assert unit.findtext(f"{SVG}text") == "G"
    assert unit.findtext(f"{SVG}title") == "German army in Berlin"
    assert str(unit.get("transform")).startswith("translate(100.0 100.0)")


def test_a_minor_has_a_device_instead_of_a_letter_and_fleets_look_unlike_armies(art: BoardArt) -> None:
    army, fleet = with_class(draw_board(art, {}, [MINOR, UnitMark("F", "SLO", "minor", "", "")]), "unit")
    assert army.find(f"{SVG}text") is None
    shapes = [[path.get("d") for path in unit.iter(f"{SVG}path")] for unit in (army, fleet)]
    assert [len(each) for each in shapes] == [2, 2]
    assert not set(shapes[0]) & set(shapes[1])


def test_a_fleet_on_a_named_coast_lies_at_that_coast(art: BoardArt) -> None:
    (fleet,) = with_class(draw_board(art, {}, [UnitMark("F", "SIL/NC", "3", "G", "")]), "unit")
    assert str(fleet.get("transform")).startswith("translate(200.0 60.0)")


def test_an_army_of_a_faction_has_an_outline_of_its_own_and_a_badge(art: BoardArt) -> None:
    marks = [UnitMark("A", "BER", "3", "G", "", letter, form) for form, letter in enumerate(["", "C", "D", "I"])]
    armies = [with_class(draw_board(art, {}, [mark]), "unit")[0] for mark in marks]
    outlines = {str(army.find(f"{SVG}path").get("d")) for army in armies}  # type: ignore[union-attr]
    assert len(outlines) == len(marks)
    badges = [army.findtext(f"{SVG}g[@class='badge']/{SVG}text") for army in armies]
    assert badges == [None, "C", "D", "I"]


def test_a_centre_shows_which_faction_holds_it(art: BoardArt) -> None:
    held = CentreMark("BER", "D", 2, "Berlin: democratic")
    (mark,) = with_class(draw_board(art, {}, [], holders=[held]), "holder")
    assert (mark.findtext(f"{SVG}title"), mark.findtext(f"{SVG}text")) == ("Berlin: democratic", "D")
    assert mark.get("transform") == "translate(80.0 100.0)"
    with pytest.raises(UnknownPlaceError, match="SIL"):
        draw_board(art, {}, [], holders=[CentreMark("SIL", "D", 2, "")])


def test_a_dislodged_unit_stands_beside_its_conqueror_in_a_ring(art: BoardArt) -> None:
    conqueror, beaten = with_class(draw_board(art, {}, [MINOR], [UnitMark("A", "SIL", "3", "G", "")]), "unit")
    assert conqueror.get("transform") != beaten.get("transform")
    assert "dislodged" in str(beaten.get("class"))
    assert beaten.find(f"{SVG}circle") is not None
    assert conqueror.find(f"{SVG}circle") is None


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.kind)
def test_every_kind_of_order_is_drawn_and_says_where(art: BoardArt, order: Arrow) -> None:
    (drawn,) = orders(draw_board(art, {}, [ARMY, MINOR], [], [order]))
    named = {name: drawn.get(f"data-{name}") for name in ("order", "unit", "target", "aux")}
    assert named == {"order": order.kind, "unit": order.unit, "target": order.target, "aux": order.aux}
    assert order.kind in str(drawn.get("class")).split()
    assert len(drawn) > 1


@pytest.mark.parametrize("kind", ["move", "retreat", "support-move", "support-hold", "convoy", "hold"])
@pytest.mark.parametrize("ok", [True, False], ids=["succeeds", "fails"])
def test_only_what_failed_is_crossed_out(art: BoardArt, kind: str, ok: bool) -> None:
    order = Arrow(kind, "SLO", "SIL", "BER", ok, "")
    svg = draw_board(art, {}, [ARMY, MINOR], [], [order])
    (drawn,) = orders(svg)
    assert ("failed" in str(drawn.get("class")).split()) is not ok
    assert bool(with_class(svg, "cross")) is not ok


def test_an_order_wears_the_colour_of_the_unit_that_has_it(art: BoardArt) -> None:
    move = Arrow("move", "BER", "SIL", "", True, "")
    retreat = Arrow("retreat", "BER", "SLO", "", True, "")
    beaten = UnitMark("A", "BER", "5", "P", "")
    drawn = orders(draw_board(art, {}, [ARMY], [beaten], [move, retreat]))
    assert {order.get("data-order"): order.get("data-colour") for order in drawn} == {"move": "3", "retreat": "5"}


def test_an_arrow_stops_before_a_unit_and_goes_to_the_middle_of_an_empty_space(art: BoardArt) -> None:
    def end(*units: UnitMark) -> tuple[float, float]:
        (line,) = with_class(draw_board(art, {}, units, [], [ORDERS[1]]), "line")
        return points(line)[-1]

    assert 12 < 200 - end(ARMY, MINOR)[0] < 18
    assert 200 - end(ARMY)[0] < 5


def test_two_units_that_change_places_go_round_each_other(art: BoardArt) -> None:
    there, back = Arrow("move", "BER", "SIL", "", True, ""), Arrow("move", "SIL", "BER", "", True, "")
    lines = with_class(draw_board(art, {}, [], [], [there, back]), "line")
    bends = [points(line)[1] for line in lines]
    assert bends[0][1] > 100 > bends[1][1]


def test_a_disbanded_unit_is_struck_out_where_it_stands(art: BoardArt) -> None:
    svg = draw_board(art, {}, [ARMY], [], [Arrow("disband", "BER", "", "", True, "")])
    (bar,) = with_class(svg, "bar")
    assert bar.get("transform") == "translate(100.0 100.0)"
    assert svg.index('class="bar"') > svg.index('class="unit"')


def test_two_supporters_of_one_move_meet_it_in_two_places(art: BoardArt) -> None:
    supports = [Arrow("support-move", place, "SIL", "BER", True, "") for place in ("SLO", "BAL")]
    knobs = with_class(draw_board(art, {}, [ARMY], [], supports), "knob")
    assert len({(knob.get("cx"), knob.get("cy")) for knob in knobs}) == 2


@pytest.mark.parametrize("named", ["SIL", "SIL/NC"])
def test_help_goes_to_the_coast_on_which_a_fleet_stands_whether_its_order_names_that_or_not(
    art: BoardArt, named: str
) -> None:
    fleet = UnitMark("F", "SIL/NC", "3", "G", "")
    help_moving = Arrow("support-move", "SLO", "BAL", named, True, "")
    help_holding = Arrow("support-hold", "BER", named, "", True, "")
    svg = draw_board(art, {}, [fleet], [], [help_moving, help_holding])
    holding, moving = orders(svg)
    assert (holding.get("data-target"), moving.get("data-aux")) == ("SIL/NC", "SIL/NC")
    (ring,) = with_class(svg, "ring")
    assert (ring.get("cx"), ring.get("cy")) == ("200.0", "60.0")


def test_labels_stay_readable_over_orders_and_units_lie_on_top(art: BoardArt) -> None:
    root = ET.fromstring(draw_board(art, {}, [ARMY], [], [ORDERS[1]]))  # noqa: S314 - our own text
    layers = [layer.get("class") for layer in root if layer.tag == f"{SVG}g"]
    assert layers == ["orders", "labels", *LAYERS[1:]]


def test_a_retreat_starts_beside_the_conqueror(art: BoardArt) -> None:
    retreat = Arrow("retreat", "SIL", "BER", "", True, "")
    starts = []
    for dislodged in ([], [UnitMark("A", "SIL", "3", "G", "")]):
        (line,) = with_class(draw_board(art, {}, [MINOR], dislodged, [retreat]), "line")
        starts.append(points(line)[0])
    assert starts[0] != starts[1]


def test_the_order_of_units_and_orders_does_not_matter(art: BoardArt) -> None:
    units = [ARMY, MINOR, UnitMark("F", "BAL", "1", "B", "")]
    drawings = {
        draw_board(art, {}, mixed, mixed[:2], mixed_orders)
        for mixed in permutations(units)
        if set(mixed[:2]) == set(units[:2])
        for mixed_orders in (ORDERS, ORDERS[::-1])
    }
    assert len(drawings) == 1


def test_text_from_outside_never_becomes_markup(art: BoardArt) -> None:
    evil = "\"><script>alert('1')</script>&"
    unit = UnitMark("A", "BER", evil, evil, evil)
    svg = draw_board(art, {"BER": evil}, [unit], [unit], [Arrow("move", "BER", "SIL", "", True, evil)], evil)
    assert "<script" not in svg
    root = ET.fromstring(svg)  # noqa: S314 - the text under test
    assert root.get("aria-label") == evil
    assert {title.text for title in root.iter(f"{SVG}title")} >= {evil}
    assert not list(root.iter(f"{SVG}script"))


def test_a_place_the_map_does_not_have_is_named(art: BoardArt) -> None:
    with pytest.raises(UnknownPlaceError, match="'XYZ'"):
        draw_board(art, {}, [UnitMark("A", "XYZ", "1", "B", "")])
    with pytest.raises(UnknownPlaceError, match="'ATL'"):
        draw_board(art, {}, [], [], [Arrow("move", "BER", "ATL", "", True, "")])


def test_an_unknown_kind_of_order_is_refused_with_the_known_ones(art: BoardArt) -> None:
    with pytest.raises(ValueError, match=r"'fly' is not a kind of order; the kinds are hold, .*build"):
        draw_board(art, {}, [], [], [Arrow("fly", "BER", "SIL", "", True, "")])


def test_an_order_to_stay_where_one_is_can_still_be_drawn(art: BoardArt) -> None:
    ET.fromstring(draw_board(art, {}, [], [], [Arrow("move", "BER", "BER", "", False, "")]))  # noqa: S314


def test_every_place_of_1926_can_hold_a_unit_without_any_inline_style() -> None:
    folder = ROOT / "y1926"
    anchors = (folder / "anchors.json").read_text(encoding="utf-8")
    art = read_art((folder / "map.svg").read_text(encoding="utf-8"), anchors, {})
    units = [UnitMark("F", place, "1", "B", "") for place in art.places]
    svg = draw_board(art, {}, units, units, [Arrow("hold", place, "", "", False, "") for place in art.places])
    assert len(with_class(svg, "unit")) == 2 * len(art.places) == 2 * (111 + 7)
    assert all(element.get("style") is None for element in ET.fromstring(svg).iter())  # noqa: S314


# -- the colours of board.css


def test_with_letters_owners_are_told_apart_without_colours_and_places_can_be_found(art: BoardArt) -> None:
    plain = draw_board(art, {"BER": "3"}, [])
    svg = draw_board(art, {"BER": "3"}, [], letters={"3": "G"})
    assert [mark.text for mark in with_class(svg, "owner")] == ["G"]
    assert with_class(draw_board(art, {"BER": "minor"}, [], letters={"3": "G"}), "owner") == []
    assert {f'id="own-{slot}"' in svg for slot in range(1, 9)} == {True}
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    places = dict(place.split(" ", 1) for place in root.get("data-places", "").split(";"))
    assert places["BER"] == "100 100"
    assert places.keys() == art.places.keys()
    assert with_class(plain, "owner") == []
    assert "data-places" not in plain


def test_where_there_was_a_stand_off_is_marked_and_said(art: BoardArt) -> None:
    (mark,) = with_class(draw_board(art, {}, [], contested={"SIL": "Silesia: closed"}), "contested")
    assert mark.get("transform") == "translate(200.0 100.0)"
    assert mark.findtext(f"{SVG}title") == "Silesia: closed"


def test_the_points_of_a_bid_stand_at_the_unit_they_are_bid_for(art: BoardArt) -> None:
    bid = Arrow("hold", "SIL", "", "", True, "", points=2)
    (mark,) = with_class(draw_board(art, {}, [MINOR], [], [bid]), "bid")
    assert mark.findtext(f"{SVG}text") == "2"
    assert with_class(draw_board(art, {}, [MINOR], [], [replace(bid, points=0)]), "bid") == []


def test_a_home_won_in_play_has_the_star_of_homes_and_says_whose_it_is(art: BoardArt) -> None:
    said = "Berlin: a home of Britain, won in play"
    (mark,) = with_class(draw_board(art, {}, [], homes={"BER": said}), "home")
    assert mark.get("transform") == "translate(80.0 100.0)"
    assert mark.findtext(f"{SVG}title") == said
    assert with_class(draw_board(art, {}, []), "home") == []
    with pytest.raises(UnknownPlaceError, match="no supply centre called 'SIL'"):
        draw_board(art, {}, [], homes={"SIL": ""})


def test_the_letter_of_an_owner_gives_way_to_a_unit_and_to_the_mark_of_a_faction() -> None:
    anchors = {**ANCHORS, "BER": {"label": [70, 120], "unit": [70, 100], "home": "GERMANY", "centre": [80, 100]}}
    free, narrow = (read_art(MAP, json.dumps({"provinces": each}), COLOURS) for each in (ANCHORS, anchors))
    holders = [CentreMark("BER", "D", 1, "democratic")]

    def letter(art: BoardArt, marks: list[CentreMark]) -> float:
        svg = draw_board(art, {"BER": "3"}, [], letters={"3": "G"}, holders=marks)
        (text,) = with_class(svg, "owner")
        return float(str(text.get("x")))

    assert letter(free, []) == 70.5
    assert letter(narrow, []) == 89.5
    assert letter(free, holders) == letter(narrow, holders) == 67.5


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_no_unit_stands_on_the_letter_of_an_owner(variant: Variant) -> None:
    slot, letter = "1", "W"
    svg = draw_board(variant.art, dict.fromkeys(variant.art.centres, slot), [], letters={slot: letter})
    letters = with_class(svg, "owner")
    assert len(letters) == len(variant.art.centres)
    for name, text in zip(sorted(variant.art.centres), letters, strict=True):
        unit_x, unit_y = variant.art.places[name]
        away = abs(float(str(text.get("x"))) - unit_x), abs(float(str(text.get("y"))) - 3 - unit_y)
        assert away[0] > 13 or away[1] > 13, name


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_the_sign_of_a_hold_seldom_lies_on_a_name(variant: Variant) -> None:
    size = 14.0
    names = [
        (float(x), float(y), float(own or size) * len(name) * 0.33, float(own or size) * 0.75)
        for x, y, own, name in re.findall(
            r'<text x="([^"]+)" y="([^"]+)"(?: font-size="([^"]+)")?>(\w+)<', variant.art.writing
        )
    ]
    assert names
    holds = [Arrow("hold", place, "", "", True, "") for place in variant.art.places]
    drawn = draw_board(variant.art, {}, [], arrows=holds)
    lines = [(float(x), float(y)) for x, y in re.findall(r'"line" d="M(\S+) (\S+)h22"', drawn)]
    assert len(lines) == len(holds)
    hidden = [
        (x, y)
        for x, y in lines
        if any(abs(x + 11 - at) < 11 + half and base - high < y < base for at, base, half, high in names)
    ]
    assert len(hidden) <= len(lines) / 10


def test_a_bare_drawing_has_what_is_on_the_ground_and_the_colours(art: BoardArt) -> None:
    draw = partial(draw_board, art, {"BER": "3", "SIL": "3"}, [ARMY], [MINOR], ORDERS, "Europe", letters={"3": "G"})
    more = partial(draw, holders=[CentreMark("BER", "D", 1, "democratic")], contested={"SLO": "closed"})
    whole, bare = (ET.fromstring(more(bare=bare)) for bare in (False, True))  # noqa: S314 - our own text
    layers = [ET.tostring(layer) for layer in whole if layer.get("class") in LAYERS]
    assert [layer.get("class") for layer in bare] == LAYERS
    assert [ET.tostring(layer) for layer in bare] == layers
    assert bare.get("aria-label") == whole.get("aria-label") == "Europe"
    assert bare.get("data-colours") == "1 GIB;3 BER SIL;none SLO"
    assert whole.get("data-ground") == art.ground
    assert bare.get("data-ground") is None


def test_every_change_of_the_ground_gives_it_another_name(art: BoardArt) -> None:
    anchors, moved = (
        json.dumps({"provinces": ANCHORS}),
        json.dumps({"provinces": {**ANCHORS, "SLO": {"label": [1, 9], "unit": [1, 1], "home": ""}}}),
    )
    assert read_art(MAP, anchors, COLOURS).ground == art.ground
    others = {
        read_art(MAP.replace("400 300", "400 301"), anchors, COLOURS).ground,
        read_art(MAP.replace('d="M0 0"', 'd="M0 1"', 1), anchors, COLOURS).ground,
        read_art(MAP.replace(">Ber<", ">Brl<"), anchors, COLOURS).ground,
        read_art(MAP, moved, COLOURS).ground,
    }
    assert len({art.ground, *others}) == 5


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_a_name_has_one_colour_on_every_ground(variant: Variant) -> None:
    """So a list of colours by name is complete."""
    unowned: dict[str, set[str]] = {}
    for slot in variant.art.slots:
        if slot.unowned != SEA:
            unowned.setdefault(slot.province, set()).add(slot.unowned)
    assert {name for name, slots in unowned.items() if len(slots) > 1} == set()
