"""The map in the turn in which orders also say what kind units are."""

from adjudication.judge import adjudicate
from adjudication.notation import read_sheet
from variants.maps import drawing_of, marks_placed_by, with_marks_placed
from variants.registry import find

THREE = find("three-way-balkan-battle")
RULES, START = THREE.ruleset, THREE.start
SHEET = read_sheet("F Bul/ec - Bla", "RUSSIA", START, RULES).sheet


def test_a_player_sees_the_own_unit_as_the_sheet_makes_it_and_the_others_as_everybody_sees_them() -> None:
    placed = marks_placed_by(SHEET, "RUSSIA", START, THREE)
    assert [(mark.kind, mark.location) for mark in placed] == [("F", "BU2/EC")]
    units = with_marks_placed(drawing_of(START, THREE).units, placed)
    assert {(mark.kind, mark.location) for mark in units} == {("A", "BU1"), ("F", "BU2/EC"), ("A", "BU3")}


def test_before_the_orders_are_opened_the_map_for_all_says_nothing_of_them() -> None:
    assert {(mark.kind, mark.location) for mark in drawing_of(START, THREE).units} == {
        ("A", "BU1"),
        ("A", "BU2"),
        ("A", "BU3"),
    }


def test_the_results_show_what_the_units_were_made() -> None:
    public = adjudicate(START, {"RUSSIA": SHEET}, RULES).public
    drawing = drawing_of(START, THREE, public.outcomes)
    assert ("F", "BU2/EC") in {(mark.kind, mark.location) for mark in drawing.units}
    assert [arrow.unit for arrow in drawing.arrows if arrow.kind == "move"] == ["BU2/EC"]


def test_in_any_other_turn_the_map_shows_the_units_of_the_position() -> None:
    later = adjudicate(START, {"RUSSIA": SHEET}, RULES).public.next
    public = adjudicate(later, {}, RULES).public
    marks = drawing_of(later, THREE, public.outcomes).units
    assert {(mark.kind, mark.location) for mark in marks} == {("A", "BU1"), ("F", "BLA"), ("A", "BU3")}
