"""Files drawn from the facts of a board: board.json, anchors.json, map.svg."""

import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

import variants
from variants.cartography.board import as_json, board
from variants.cartography.facts import digest, homes_beside, pair, parse_pairs, read_facts
from variants.cartography.keys import UnknownKeys, check_keys, reference

HERE = Path(variants.__file__).parent
FOLDERS = sorted(file.parent for file in HERE.glob("*/facts.yaml"))
SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES = 240_000

every_board = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def table(folder: Path, name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / name).read_text(encoding="utf-8"))
    return content


def picture(folder: Path) -> ET.Element:
    return ET.parse(folder / "map.svg").getroot()  # noqa: S314 - our own file


def test_1926_has_111_spaces_47_centres_176_army_borders_and_216_fleet_borders() -> None:
    drawn = table(HERE / "y1926", "board.json")
    centres = [name for name, province in drawn["provinces"].items() if province["centre"]]
    army, fleet = (sum(map(len, drawn[unit].values())) for unit in ("army", "fleet"))
    assert (len(drawn["provinces"]), len(centres), army, fleet) == (111, 47, 2 * 176, 2 * 216)


def test_1926_has_three_provinces_with_named_coasts_and_two_seas_with_land_in_them() -> None:
    provinces = table(HERE / "y1926", "board.json")["provinces"]
    assert {name: province["coasts"] for name, province in provinces.items() if province["coasts"]} == {
        "PER": ["PER/NC", "PER/SC"],
        "ROM": ["ROM/EC", "ROM/WC"],
        "SPA": ["SPA/NC", "SPA/SC", "SPA/WC"],
    }
    assert [name for name, province in provinces.items() if province["kind"] == "island"] == ["DOD", "GIB"]


def test_in_1926_gibraltar_touches_both_southern_coasts_of_spain_and_an_army_can_step_over() -> None:
    drawn = table(HERE / "y1926", "board.json")
    assert drawn["fleet"]["GIB"] == ["ATO", "BOB", "MOR", "SPA/SC", "SPA/WC", "WES"]
    assert drawn["army"]["GIB"] == ["SPA"]
    assert drawn["army"]["DOD"] == ["IZM"]


@pytest.mark.parametrize(
    ("folder", "spaces", "centres", "army", "fleet"),
    [("balkan", 27, 14, 45, 31), ("dual_empire", 74, 40, 188, 0), ("corridor", 10, 7, 12, 9)],
)
def test_the_other_boards_count_as_their_rules_say(
    folder: str, spaces: int, centres: int, army: int, fleet: int
) -> None:
    drawn = table(HERE / folder, "board.json")
    marked = [name for name, province in drawn["provinces"].items() if province["centre"]]
    borders = [sum(map(len, drawn[unit].values())) for unit in ("army", "fleet")]
    assert (len(drawn["provinces"]), len(marked), *borders) == (spaces, centres, 2 * army, 2 * fleet)


def test_balkan_changes_the_standard_board_as_its_rules_say() -> None:
    drawn, standard = table(HERE / "balkan", "board.json"), table(HERE / "standard", "board.json")
    assert set(drawn["provinces"]) < set(standard["provinces"])
    assert not {"LVN", "ARM"} & set(drawn["provinces"])
    assert "PRU" in drawn["army"]["MOS"]
    assert not drawn["provinces"]["MOS"]["centre"]
    assert "AEG" in drawn["fleet"]["ION"]
    assert "SEV" not in drawn["army"]["ANK"]


def test_every_border_between_two_spaces_of_balkan_is_one_of_the_standard_board_but_one() -> None:
    drawn, standard = table(HERE / "balkan", "board.json"), table(HERE / "standard", "board.json")
    for unit, new in (("army", {("MOS", "PRU"), ("PRU", "MOS")}), ("fleet", set())):
        on_board = {(a, b) for a, near in drawn[unit].items() for b in near}
        in_standard = {(a, b) for a, near in standard[unit].items() for b in near}
        places = set(drawn[unit])
        assert on_board - in_standard == new
        assert {(a, b) for a, b in in_standard - on_board if {a, b} <= places} == set()


def test_in_the_dual_empire_bra_is_said_to_be_ambiguous_and_nobody_is_called_so() -> None:
    drawn = table(HERE / "dual_empire", "board.json")
    assert drawn["ambiguous"] == {"Bra": ["BRT", "BRV"]}
    assert {drawn["provinces"][name]["name"] for name in ("BRT", "BRV")} == {"Bratislava", "Brasov"}
    assert "BRA" not in drawn["provinces"]


@every_board
def test_the_board_is_what_the_facts_give(folder: Path) -> None:
    facts = folder / "facts.yaml"
    made = as_json(board(read_facts(facts), digest(facts)))
    assert made == (folder / "board.json").read_text(encoding="utf-8")


@every_board
def test_all_three_files_are_drawn_from_the_facts_as_they_are_now(folder: Path) -> None:
    now = digest(folder / "facts.yaml")
    assert table(folder, "board.json")["facts"] == now
    assert table(folder, "anchors.json")["facts"] == now
    assert picture(folder).get("data-facts") == now


@every_board
@pytest.mark.parametrize("unit", ["army", "fleet"])
def test_borders_go_both_ways_and_only_between_known_places(folder: Path, unit: str) -> None:
    borders = table(folder, "board.json")[unit]
    for place, neighbours in borders.items():
        assert neighbours == sorted(set(neighbours)), place
        assert place not in neighbours
        assert [other for other in neighbours if place not in borders[other]] == []


@every_board
def test_every_place_a_unit_can_stand_in_has_its_row_of_borders(folder: Path) -> None:
    drawn = table(folder, "board.json")
    provinces = drawn["provinces"].items()
    assert set(drawn["army"]) == {name for name, province in provinces if province["kind"] != "sea"}
    assert set(drawn["fleet"]) == {
        place for name, province in provinces if province["kind"] != "land" for place in province["coasts"] or [name]
    }


@every_board
def test_no_name_or_other_name_means_two_provinces(folder: Path) -> None:
    provinces = table(folder, "board.json")["provinces"].items()
    words = [
        word
        for name, province in provinces
        for word in {each.upper() for each in (name, province["name"], *province["aliases"])}
    ]
    assert [word for word, times in Counter(words).items() if times > 1] == []


@every_board
def test_every_province_is_drawn_once_under_its_id_and_says_its_name(folder: Path) -> None:
    provinces = table(folder, "board.json")["provinces"]
    shapes = [shape for shape in picture(folder).iter(f"{SVG}path") if shape.get("data-province")]
    drawn = {str(shape.get("data-province")): shape for shape in shapes}
    assert len(shapes) == len(drawn)
    assert set(drawn) == set(provinces)
    for name, shape in drawn.items():
        assert shape.get("id") == f"p-{name}"
        assert shape.get("data-kind") == provinces[name]["kind"]
        assert shape.findtext(f"{SVG}title") == provinces[name]["name"]
        assert str(shape.get("d")).startswith("M")


@every_board
def test_every_province_is_labelled_with_its_abbreviation(folder: Path) -> None:
    words = Counter(text.text for text in picture(folder).iter(f"{SVG}text"))
    provinces = table(folder, "board.json")["provinces"].values()
    assert [province["abbr"] for province in provinces if not words[province["abbr"]]] == []


@every_board
def test_the_map_gives_each_centre_one_mark(folder: Path) -> None:
    provinces = table(folder, "board.json")["provinces"]
    anchors = table(folder, "anchors.json")["provinces"]
    marks = [group for group in picture(folder).iter(f"{SVG}g") if group.get("class") == "centres"]
    centres = {name for name, province in provinces.items() if province["centre"]}
    assert {name for name, spots in anchors.items() if "centre" in spots} == centres
    assert [len(group) for group in marks] == [len(centres)]


@every_board
def test_every_province_and_coast_has_places_inside_the_frame(folder: Path) -> None:
    provinces, anchors = table(folder, "board.json")["provinces"], table(folder, "anchors.json")
    width, height = anchors["size"]
    assert picture(folder).get("viewBox") == f"0 0 {width} {height}"
    assert set(anchors["provinces"]) == set(provinces)
    for name, spots in anchors["provinces"].items():
        assert sorted(spots.get("coasts", {})) == provinces[name]["coasts"]
        single = [spots[part] for part in ("unit", "label", "centre") if part in spots]
        for x, y in [*single, *spots.get("coasts", {}).values()]:
            assert 0 < x < width
            assert 0 < y < height


@every_board
def test_no_two_units_stand_on_each_other(folder: Path) -> None:
    anchors = table(folder, "anchors.json")["provinces"]
    places = [(*spots["unit"], name) for name, spots in anchors.items()]
    close = [(a, b) for x, y, a in places for v, w, b in places if a < b and abs(x - v) < 27 and abs(y - w) < 20]
    assert close == []


@every_board
def test_the_map_needs_no_inline_style_no_script_and_nothing_from_elsewhere(folder: Path) -> None:
    for element in picture(folder).iter():
        assert element.tag.removeprefix(SVG) not in ("style", "script", "image", "foreignObject")
        for name, value in element.attrib.items():
            assert name != "style"
            assert not name.startswith("on")
            assert not name.endswith("href") or value.startswith("#b-")
            assert "url(" not in value or value == "url(#b-hatch)"


@every_board
def test_the_map_is_light_enough_to_be_part_of_a_page(folder: Path) -> None:
    assert (folder / "map.svg").stat().st_size <= MOST_BYTES


def test_a_table_of_borders_is_read_line_by_line_without_its_notes() -> None:
    assert parse_pairs("Mun: Ber Tyr # over the Alps\n\n# Ber: Par\n Spa/nc: Gas") == {
        ("Ber", "Mun"),
        ("Mun", "Tyr"),
        ("Gas", "Spa/nc"),
    }
    assert pair("Mun", "Ber") == pair("Ber", "Mun")


# the keys


@every_board
def test_homes_are_written_in_the_variant_alone_and_drawn_from_there(folder: Path) -> None:
    homes = homes_beside(folder / "facts.yaml")
    drawn = table(folder, "anchors.json")["provinces"]
    assert {place: drawn[place]["home"] for place in homes} == homes
    with pytest.raises(UnknownKeys, match="“home” belongs in variant"):
        check_keys(read_facts(folder / "facts.yaml"))


def test_the_reference_in_the_readme_is_that_of_the_keys_that_are_checked() -> None:
    readme = (HERE / "cartography" / "README.md").read_text(encoding="utf-8")
    assert readme.endswith(reference())


def test_keys_that_mean_nothing_are_named_with_what_was_perhaps_meant() -> None:
    facts = yaml.safe_load((HERE / "corridor" / "facts.yaml").read_text(encoding="utf-8"))
    facts["sizes"] = facts.pop("size")
    facts["spaces"]["Cor"]["site"] = []
    facts["paint"][0]["too"] = "LND"
    with pytest.raises(UnknownKeys) as found:
        check_keys(facts)
    assert str(found.value).splitlines() == [
        "facts.yaml: “sizes” means nothing. Did you mean “size”?",
        "facts.yaml: “size” is missing. Width and height of the map in map units: [1000, 960].",
        "spaces, Cor: “site” means nothing. Did you mean “sites”?",
        "paint, the land: “too” means nothing. Did you mean “to”?",
    ]
