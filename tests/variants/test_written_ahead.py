"""In every variant, whatever is written ahead becomes lawful orders once its phase has come."""

from collections.abc import Iterator
from random import Random

import pytest

from adjudication.conditional import build_choices, phases_ahead, retreat_choices, sheet_now_due
from adjudication.judge import adjudicate
from adjudication.legality import refusals_of_sheet
from adjudication.notation import read_sheet, write_sheet
from adjudication.options import must_decide
from adjudication.orders import OrderSheet
from adjudication.position import Position
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import UnitKind, mark_of
from tests.long_round import how_many
from tests.variants.chance import any_sheet
from variants.registry import offered, teaching
from variants.variant import Variant
from variants.words.ahead import build_words
from variants.words.orders import place_words

PHASES = how_many("ahead")
HOW_OFTEN = 0.8
"""Otherwise the players change their minds."""


def any_wishes(power: str, position: Position, variant: Variant, chance: Random) -> Iterator[str]:
    """Lines at random, each of which can come true."""
    rules, situation = variant.ruleset, Situation(position, variant.ruleset)
    after = {turn.kind for turn in phases_ahead(position.turn, rules.calendar)}
    own = [unit for unit in position.units_of(power) if unit.province not in situation.leaderless]
    for unit in own if PhaseKind.RETREAT in after else ():
        choices = retreat_choices(unit, situation)
        wishes = chance.sample([*choices, "DISBAND"], min(len(choices) + 1, chance.randrange(1, 5)))
        at_last = sorted(wishes, key=lambda wish: wish == "DISBAND")
        yield f"IF {unit} DISLODGED: {', '.join(at_last)}"
    if PhaseKind.ADJUSTMENT not in after:
        return
    marks = [mark_of(kind, faction) for kind in UnitKind for faction in rules.factions or ("",)]
    sites = [f"{chance.choice(marks)} {site}" for site in chance.sample(rules.board.centres, len(rules.board.centres))]
    builds = [site for site in sites if not read_sheet(f"BUILDS: {site}", power, position, rules).problems]
    if builds:
        yield f"BUILDS: {', '.join([*builds, 'WAIVE'][: chance.randrange(1, len(builds) + 2)])}"
    if own:
        yield f"REMOVALS: {', '.join(unit.province for unit in chance.sample(own, len(own)))}"


def written(power: str, position: Position, variant: Variant, chance: Random) -> OrderSheet:
    """Random orders, and random wishes beside them."""
    reading = read_sheet("\n".join(any_wishes(power, position, variant, chance)), power, position, variant.ruleset)
    assert not reading.problems
    return any_sheet(power, position, variant.ruleset, chance)._replace(ahead=reading.sheet.ahead)


def assert_reads_back(sheet: OrderSheet, power: str, position: Position, variant: Variant) -> None:
    reading = read_sheet(write_sheet(sheet, position), power, position, variant.ruleset)
    assert (reading.sheet, reading.problems) == (sheet, ())


@pytest.mark.parametrize("variant", [*offered(), *teaching()], ids=lambda variant: variant.slug)
@pytest.mark.parametrize("seed", range(2))
def test_what_was_written_ahead_is_lawful_in_its_phase_and_can_be_written_down(variant: Variant, seed: int) -> None:
    position, rules, chance = variant.start, variant.ruleset, Random(seed)
    due: dict[str, OrderSheet] = {}
    for _ in range(PHASES):
        sheets = {power: written(power, position, variant, chance) for power in must_decide(position, rules)}
        if chance.random() < HOW_OFTEN:
            sheets |= due
        for power, sheet in sheets.items():
            assert_reads_back(sheet, power, position, variant)
        public = adjudicate(position, sheets, rules).public
        if public.verdict:
            return
        position = public.next
        due = {power: sheet_now_due(sheet.ahead, power, position, rules) for power, sheet in sheets.items()}
        for power, sheet in due.items():
            assert not any(refusals_of_sheet(sheet.orders, power, Situation(position, rules)))
            assert_reads_back(sheet, power, position, variant)


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_the_builds_to_choose_from_are_those_that_can_be_wished_for_in_the_powers_homes(variant: Variant) -> None:
    position, rules, board = variant.start, variant.ruleset, variant.ruleset.board
    due = None
    while due is None:
        position = adjudicate(position, {}, rules).public.next
        due = next(
            (turn for turn in phases_ahead(position.turn, rules.calendar) if turn.kind is PhaseKind.ADJUSTMENT), None
        )
    marks = [mark_of(kind, faction) for kind in UnitKind for faction in rules.factions or ("",)]
    for power in rules.powers:
        situation = Situation(position, rules)
        homes = rules.builds.homes(power, situation)
        places = [place_words(each, board) for home in homes for each in {home, *board.fleet_locations(home)}]
        lines = [f"BUILDS: {mark} {name}" for mark in marks for name in places]
        lawful = {build for line in lines for build in read_sheet(line, power, position, rules).sheet.ahead.builds}
        choices = list(build_choices(power, situation, due))
        assert (set(choices), len(choices)) == (lawful, len(lawful))
        assert all(f"BUILDS: {build_words(each, board)}" in lines for each in choices)
