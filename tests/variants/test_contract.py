"""What every registered variant must guarantee, whatever its rules."""

import ast
import re
from pathlib import Path

import pytest

from adjudication.board import province_of
from adjudication.judge import adjudicate
from adjudication.options import must_decide
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.serialisation import position_from_json, position_to_json, public_from_json, public_to_json
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, may_stand
from tests.long_round import how_many
from variants.bots import play
from variants.drawing import PALETTES
from variants.registry import UnknownVariant, find, offered
from variants.variant import Variant

each_variant = pytest.mark.parametrize("variant", offered(), ids=[variant.slug for variant in offered()])


def check_position(position: Position, ruleset: Ruleset) -> None:
    """Always: one unit per province, each where it may be, and every centre owner known."""
    board = ruleset.board
    provinces = [unit.province for unit in position.units]
    assert len(provinces) == len(set(provinces))
    assert all(may_stand(unit.kind, unit.location, board) for unit in position.units)
    assert {unit.power for unit in position.units} <= {*ruleset.powers, NEUTRAL}
    assert set(position.centres) <= set(board.centres)
    assert set(position.centres.values()) <= set(ruleset.powers)
    assert all(location in board.locations for each in position.dislodged for location in each.retreats)


def check_nobody_has_a_unit_too_many(position: Position, ruleset: Ruleset) -> None:
    for power in ruleset.powers:
        assert all(count >= 0 for count in ruleset.builds.centres_minus_units(power, position).values())


@each_variant
def test_borders_run_both_ways_except_out_of_camps(variant: Variant) -> None:
    board = variant.ruleset.board
    for borders in (board.army, board.fleet):
        for here in borders:
            within = board.province(here).within
            assert all(within or here in borders[there] for there in borders[here])


@each_variant
def test_every_province_but_a_camp_can_be_entered(variant: Variant) -> None:
    board = variant.ruleset.board
    reached = {
        province_of(there) for borders in (board.army, board.fleet) for near in borders.values() for there in near
    }
    assert reached == {province.id for province in board.provinces.values() if not province.within}


@each_variant
def test_the_start_is_a_lawful_position_and_everybody_has_something_to_decide(variant: Variant) -> None:
    check_position(variant.start, variant.ruleset)
    assert set(must_decide(variant.start, variant.ruleset)) == set(variant.ruleset.powers)


@each_variant
def test_powers_are_told_apart_by_letter_colour_and_name(variant: Variant) -> None:
    assert {power.id for power in variant.powers} == set(variant.ruleset.powers)
    for trait in ("id", "name", "letter", "colour"):
        assert len({getattr(power, trait) for power in variant.powers}) == variant.players
    slots = {str(power.colour) for power in variant.powers}
    assert any(slots <= palette.keys() for palette in PALETTES)


@each_variant
def test_powers_start_with_their_home_centres(variant: Variant) -> None:
    for power, homes in variant.ruleset.homes.items():
        assert set(homes) <= set(variant.start.centres_of(power))


@each_variant
def test_positions_survive_the_way_through_json(variant: Variant) -> None:
    assert position_from_json(position_to_json(variant.start)) == variant.start


@each_variant
def test_phases_played_by_bots_keep_every_invariant(variant: Variant) -> None:
    position, ruleset, seed = variant.start, variant.ruleset, 0
    for _ in range(how_many("bots")):
        sheets = {power: play(power, position, ruleset, seed) for power in must_decide(position, ruleset)}
        public = adjudicate(position, sheets, ruleset).public
        assert public_from_json(public_to_json(public)) == public
        check_position(public.next, ruleset)
        if position.turn.kind is PhaseKind.ADJUSTMENT:
            check_nobody_has_a_unit_too_many(public.next.in_turn(position.turn), ruleset)
        if public.verdict is None:
            position = public.next
        else:
            position, seed = variant.start, seed + 1
    assert seed or position.turn.year > variant.start.turn.year


def test_an_unknown_variant_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UnknownVariant, match=r"There is no variant 'atlantis'; there are: .*1926"):
        find("atlantis")


def texts_of(path: Path) -> list[str]:
    """The strings of a program except docstrings, or a whole page."""
    if path.suffix != ".py":
        return [path.read_text()]
    nodes = list(ast.walk(ast.parse(path.read_text())))
    prose = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    strings = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in prose]
    return [node.value for node in strings if isinstance(node.value, str)]


def test_no_slug_of_a_variant_occurs_outside_its_folder() -> None:
    root = Path(__file__).parents[2]
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(re.escape(variant.slug) for variant in offered())})(?![\w-])")
    sources = [
        path
        for folder in ("adjudication", "games", "templates", "static", "diplomacy_site")
        for path in sorted((root / folder).rglob("*"))
        if path.suffix in {".py", ".html", ".js", ".css"} and path.parent.name != "examples"  # which the guide shows
    ]
    assert sources
    suspected = [path for path in sources if named.search(path.read_text())]
    assert [path.name for path in suspected if any(named.search(text) for text in texts_of(path))] == []
