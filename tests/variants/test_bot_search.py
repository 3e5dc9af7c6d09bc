"""The bots that search: lawful in every phase of every variant, the same everywhere, and better than easy ones."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from adjudication.board import province_of
from adjudication.judge import adjudicate, resolve_in
from adjudication.movement.convoys import route_exists
from adjudication.movement.layout import lay_out
from adjudication.notation import read_sheet, write_order, write_sheet
from adjudication.options import must_decide
from adjudication.orders import Convoy, Move, OrderSheet, Support, location_of
from adjudication.position import Dislodged, Position
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind, Turn
from adjudication.units import NEUTRAL, Unit, UnitKind, unit_from_text
from tests.long_round import how_many
from variants.bots import Level, guesses, play
from variants.bots.bidding import mixture
from variants.bots.field import Field, Plan
from variants.bots.ground import WIDTH
from variants.bots.quick import quick_plan
from variants.bots.search import Effort, best_plan
from variants.bots.seeded_rng import SeededRng
from variants.bots.worth import Prospect, Worth, is_counted
from variants.commands.arena import Match, play_game
from variants.registry import offered
from variants.rulebook import Rulebook
from variants.rulebooks import RULEBOOKS
from variants.variant import Variant

ROOT = Path(__file__).parents[2]
LITTLE = 2
"""Percent of a strong bot's positions."""
PHASES = how_many("searched")
STANDARD, POINTS = RULEBOOKS["standard"](), RULEBOOKS["1926"]()
each_variant = pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)


def game_of(book: Rulebook | Variant, phases: int) -> Iterator[tuple[Position, dict[str, OrderSheet]]]:
    """The first phases of a game between easy bots, with what they write."""
    position, ruleset = book.start, book.ruleset
    for seed in range(phases):
        sheets = {power: play(power, position, ruleset, seed) for power in must_decide(position, ruleset)}
        yield position, sheets
        public = adjudicate(position, sheets, ruleset).public
        position = book.start if public.verdict else public.next


def placed(turn: str, units: dict[str, str], centres: dict[str, str], book: Rulebook = STANDARD) -> Position:
    """`units`, `centres`: power -> units as text and centres, separated by commas."""
    return Position(
        turn=Turn.from_code(turn),
        units=tuple(unit_from_text(power, text) for power, some in units.items() for text in some.split(", ")),
        centres={centre: power for power, some in centres.items() for centre in some.split(", ")},
        memory=book.start.memory,
    )


def written(power: str, position: Position, ruleset: Ruleset, seed: int = 1) -> set[str]:
    sheet = play(power, position, ruleset, seed, Level.STRONG, LITTLE)
    return {write_order(order, position) for order in sheet.orders}


@each_variant
def test_in_every_phase_of_every_variant_a_search_ends_in_a_lawful_sheet_with_an_order_for_every_unit(
    variant: Variant,
) -> None:
    kinds: Counter[PhaseKind] = Counter()
    for position, sheets in game_of(variant, PHASES):
        kinds[position.turn.kind] += 1
        power = sorted(sheets)[len(kinds) % len(sheets)]
        for sheet in (
            play(power, position, variant.ruleset, 1, Level.STRONG, LITTLE),
            guesses(position, variant.ruleset, 1)[power],
        ):
            reading = read_sheet(write_sheet(sheet, position), power, position, variant.ruleset)
            assert (reading.sheet, reading.problems) == (sheet, ())
            assert len(sheet.orders) == len(sheets[power].orders) or position.turn.kind is PhaseKind.DECLARATION
    assert kinds[PhaseKind.MOVEMENT] > PHASES // 7


@each_variant
def test_the_search_sees_the_same_outcome_of_a_phase_as_the_judge(variant: Variant) -> None:
    """Every power's quick plans, bids included, on the way through a game."""
    compared = 0
    for position, _ in game_of(variant, PHASES):
        situation = Situation(position, variant.ruleset)
        if position.turn.kind is not PhaseKind.MOVEMENT or situation.is_muster:
            continue
        field = Field(situation)
        plans = {power: quick_plan(field, power, SeededRng(1, power)) for power in field.prospect.powers}
        sheets = {power: field.sheet(plan) for power, plan in plans.items()}
        judged = resolve_in(situation, sheets).public.next
        for power, plan in plans.items():
            world = field.world([plan for other, plan in plans.items() if other != power])
            after, beaten = field.outcome(plan, world)
            before_customs = {unit for unit in judged.units if not variant.ruleset.customs or unit in after.values()}
            assert before_customs <= {*after.values()}
            if not variant.ruleset.customs:
                assert {*after.values()} == {*judged.units}
            assert {each.unit for each in judged.dislodged} <= {unit for unit, _ in beaten}
            compared += 1
    assert compared > 3


def test_orders_laid_out_in_two_steps_are_those_laid_out_in_one() -> None:
    for position, _ in game_of(STANDARD, PHASES):
        if position.turn.kind is PhaseKind.MOVEMENT:
            field = Field(Situation(position, STANDARD.ruleset))
            given = [
                order
                for power in STANDARD.ruleset.powers
                for order in quick_plan(field, power, SeededRng(2, power)).orders.values()
            ]
            first = lay_out(given[: len(given) // 2], field.situation)
            both = lay_out(given[len(given) // 2 :], field.situation, first)
            assert both == lay_out(given, field.situation)


def worth_by_hand(worth: Worth, units: Mapping[int, Unit], beaten: Sequence[Unit]) -> int:
    """What `Worth.of` says, counted unit by unit and centre by centre."""
    weights, total, due = worth.prospect.weights, 0, len(worth.losses)
    for here, unit in units.items():
        if unit.power == worth.power:
            total += worth.places[unit.rank] + worth.gains.get(here, 0)
            due += (here in worth.gains) - 1
        elif unit.power in worth.foes and here in worth.losses:
            due -= 1
    for index, centre in enumerate(worth.prospect.ground.centres):
        reach = worth.prospect.ground.reach
        near = [unit.power for unit in units.values() if reach[unit.rank] >> WIDTH * index & 1]
        mine, theirs = near.count(worth.power), sum(power in worth.foes for power in near)
        total += centre_by_hand(worth, centre, units[centre].power if centre in units else None, mine, theirs)
    total += weights.landing * landings_by_hand(worth, units)
    total += weights.blocked * max(0, due - sum(home not in units for home in worth.homes))
    return total + weights.fled * sum(unit.power in worth.foes for unit in beaten)


def landings_by_hand(worth: Worth, units: Mapping[int, Unit]) -> int:
    """How many own armies a single own fleet could bring to a centre that they could gain and can't walk to."""
    board = worth.prospect.situation.bitboard
    fleets = [here for here, unit in units.items() if unit.power == worth.power and board.water >> here & 1]
    return sum(
        any(
            route_exists(board, here, centre, 1 << fleet)
            for fleet in fleets
            for centre in worth.gains
            if board.shore >> centre & 1 and not board.army[here] >> centre & 1
        )
        for here, unit in units.items()
        if unit.power == worth.power and unit.kind is UnitKind.ARMY and board.shore >> here & 1
    )


def centre_by_hand(worth: Worth, centre: int, there: str | None, mine: int, theirs: int) -> int:
    """`there`: whose unit is in the centre; so many own units, and others', could enter."""
    weights, owner = worth.prospect.weights, worth.prospect.owners.get(centre)
    if there == worth.power:
        held = weights.beaten * (theirs > mine + 1) + weights.tied * (theirs == mine + 1)
        return held + weights.watched * (0 < theirs <= mine)
    if owner == worth.power and there not in worth.foes:
        left = weights.open * (theirs > mine) + weights.doubt * (0 < theirs <= mine)
        return left + weights.home * (theirs > 0 and centre in worth.homes)
    if centre not in worth.gains and owner != worth.power:
        return 0
    ahead = mine - theirs - (there is not None)
    lost = weights.lost * (owner == worth.power) + weights.even * (ahead == 0 < mine)
    chance = weights.chance + weights.margin * min(2, ahead - 1) + weights.early * (owner is None)
    return lost + (chance if ahead > 0 else 0)


@each_variant
def test_the_worth_of_a_position_is_the_sum_of_what_counts(variant: Variant) -> None:
    """Except for races and decided games, which are counted as they stand."""
    compared: Counter[bool] = Counter()
    for position, sheets in game_of(variant, 2 * PHASES):
        situation = Situation(position, variant.ruleset)
        if position.turn.kind is not PhaseKind.MOVEMENT or situation.is_muster:
            continue
        prospect, number = Prospect(situation), situation.bitboard.number
        prospect.free, prospect.brink = [], {}
        judged = resolve_in(situation, sheets).public.next
        units, beaten = {number[unit.province]: unit for unit in judged.units}, [it.unit for it in judged.dislodged]
        for power in prospect.powers:
            worth = Worth(power, prospect)
            assert worth.of(units, [(unit, 0) for unit in beaten]) == worth_by_hand(worth, units, beaten)
            compared[is_counted(position.turn, variant.ruleset.calendar)] += 1
    assert sum(compared.values()) > 3


def test_a_power_guards_its_home_in_fall_rather_than_wait_before_a_strong_neighbour() -> None:
    """One army can cover Munich, and another may enter it; the third power's centres are out of reach."""
    position = placed(
        "F1902M",
        {"GERMANY": "A KIE, A BER", "FRANCE": "A BUR", "TURKEY": "A ANK"},
        {"GERMANY": "KIE, BER, MUN", "FRANCE": "PAR, MAR", "TURKEY": "ANK"},
    )
    ordered = written("GERMANY", position, STANDARD.ruleset)
    assert any(order.endswith("- MUN") for order in ordered), ordered


SHEETS = """
import hashlib
from variants.bots import Level, play
from variants.rulebooks import RULEBOOKS
books = [RULEBOOKS[slug]() for slug in ("standard", "1926", "formal-diplomacy")]
sheets = [play(book.ruleset.powers[1], book.start, book.ruleset, 7, Level.STRONG, 4) for book in books]
print(hashlib.sha256(repr(sheets).encode()).hexdigest())
"""


def test_the_same_seed_gives_the_same_sheet_in_another_process_whatever_its_hashes() -> None:
    command = [sys.executable, "-c", SHEETS]
    runs = [
        subprocess.run(command, cwd=ROOT, env={"PYTHONHASHSEED": hashes}, capture_output=True, text=True, check=True)
        for hashes in ("1", "2")
    ]
    assert runs[0].stdout == runs[1].stdout


def test_a_search_judges_no_more_positions_than_its_effort_says(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = 0
    outcome = Field.outcome

    def counted(field: Field, plan: Plan, world: object) -> object:
        nonlocal judged
        judged += 1
        return outcome(field, plan, world)  # type: ignore[arg-type]

    monkeypatch.setattr(Field, "outcome", counted)
    field = Field(Situation(STANDARD.start, STANDARD.ruleset))
    best_plan(field, "FRANCE", 1, Effort(positions=1000, worlds=4, drafts=4, others=40))
    assert 300 < judged <= 1000 + 4 * 4


def test_it_takes_the_centre_that_no_one_guards() -> None:
    position = placed("F1901M", {"FRANCE": "A BUR", "TURKEY": "A ANK"}, {"FRANCE": "PAR", "TURKEY": "ANK"})
    assert written("FRANCE", position, STANDARD.ruleset) & {"A BUR - BEL", "A BUR - MUN", "A BUR - MAR"}


def test_it_attacks_a_unit_with_the_support_that_dislodges_it() -> None:
    all_others = ", ".join(centre for centre in STANDARD.ruleset.board.centres if centre != "TUN")
    position = placed("S1905M", {"ITALY": "F ION, F TYS", "TURKEY": "A TUN"}, {"ITALY": all_others, "TURKEY": "TUN"})
    assert written("ITALY", position, STANDARD.ruleset) in (
        {"F ION - TUN", "F TYS S F ION - TUN"},
        {"F TYS - TUN", "F ION S F TYS - TUN"},
    )


def test_it_supports_convoys_and_sails_only_as_its_own_units_do() -> None:
    for position, _ in game_of(STANDARD, 2 * PHASES):
        if position.turn.kind is PhaseKind.MOVEMENT:
            for power in STANDARD.ruleset.powers:
                orders = play(power, position, STANDARD.ruleset, 3, Level.STRONG, LITTLE).orders
                given = {province_of(location_of(order)): order for order in orders}
                for order in orders:
                    if isinstance(order, Support) and order.supported in given:
                        own = given[order.supported]
                        assert order.destination == (province_of(own.destination) if isinstance(own, Move) else None)
                    if isinstance(order, Convoy) and order.army in given:
                        carried = given[order.army]
                        assert isinstance(carried, Move)
                        assert (carried.via, carried.destination) == (True, order.destination)
                    if isinstance(order, Move) and order.via:
                        assert any(isinstance(it, Convoy) and it.army == province_of(order.location) for it in orders)


def test_it_sends_an_army_over_the_sea() -> None:
    """The last centre lies inland."""
    english = ", ".join(centre for centre in STANDARD.ruleset.board.centres if centre not in ("MUN", "ANK"))
    position = placed("S1901M", {"ENGLAND": "A YOR, F NTH", "TURKEY": "A ANK"}, {"ENGLAND": english, "TURKEY": "ANK"})
    assert any(order.startswith("F NTH C A YOR") for order in written("ENGLAND", position, STANDARD.ruleset))


def test_it_keeps_another_from_winning_rather_than_take_a_centre() -> None:
    """Turkey wins with Berlin; only the army in Munich can keep it out, which could take Burgundy's neighbours."""
    turkish = "ANK, CON, SMY, BUL, GRE, SER, RUM, BUD, VIE, TRI, SEV, MOS, WAR, VEN, ROM, NAP, TUN"
    position = placed(
        "F1910M", {"FRANCE": "A MUN", "TURKEY": "A PRU"}, {"FRANCE": "PAR, MAR, MUN, BER", "TURKEY": turkish}
    )
    assert written("FRANCE", position, STANDARD.ruleset) & {"A MUN - BER"}


def test_it_retreats_to_a_centre_and_builds_where_the_unit_is_wanted() -> None:
    base = placed("F1905R", {"TURKEY": "A BUD"}, {"AUSTRIA": "VIE", "TURKEY": "BUD"})
    beaten = Dislodged(unit_from_text("AUSTRIA", "A GAL"), "BUD", ("BOH", "SIL", "RUM"))
    assert written("AUSTRIA", replace(base, dislodged=(beaten,)), STANDARD.ruleset) == {"A GAL - RUM"}
    winter = placed("W1905A", {"RUSSIA": "A WAR", "TURKEY": "F BLA"}, {"RUSSIA": "WAR, SEV, STP", "TURKEY": "ANK"})
    assert len(written("RUSSIA", winter, STANDARD.ruleset)) == 2


def test_it_bids_for_what_its_orders_need_and_never_more_than_it_has() -> None:
    spent = Counter[int]()
    for seed in range(6):
        sheet = play("GERMANY", POINTS.start, POINTS.ruleset, seed, Level.STRONG, LITTLE)
        spent[sum(bid.points for bid in sheet.bids)] += 1
        assert {location_of(bid.order) for bid in sheet.bids} <= {u.location for u in POINTS.start.units_of(NEUTRAL)}
        given = {province_of(location_of(order)): order for order in sheet.orders}
        for bid in sheet.bids:
            assert isinstance(bid.order, Support)
            own = given[bid.order.supported]
            assert bid.order.destination == (province_of(own.destination) if isinstance(own, Move) else None)
    assert spent.keys() <= {0, 3}  # points are free: none are left where a bid could help
    assert spent[0] < 3


def test_who_always_pays_three_for_one_minor_cannot_count_on_meeting_its_bids() -> None:
    """The bids of one power in one position differ from seed to seed."""
    bids = {play("GERMANY", POINTS.start, POINTS.ruleset, seed, Level.STRONG, LITTLE).bids for seed in range(8)}
    assert len(bids) > 3


def test_a_mixture_hides_what_a_rival_could_use_and_wastes_nothing_otherwise() -> None:
    """Two places of equal worth, each of which a rival can spoil; and one that is better whatever the rival does."""
    even = mixture([[100, 0, 100], [100, 100, 0]])
    assert sum(even) * 45 // 100 < even[0] < sum(even) * 55 // 100
    clear = mixture([[100, 90, 90], [10, 0, 10]])
    assert clear[0] > sum(clear) * 95 // 100


def test_random_numbers_are_the_same_everywhere_and_leave_no_number_out() -> None:
    assert [SeededRng("a", 1).below(1000) for _ in range(2)] == [SeededRng("a", 1).below(1000)] * 2
    rng = SeededRng("b")
    assert Counter(rng.below(4) for _ in range(4000)).keys() == {0, 1, 2, 3}
    assert sorted(rng.shuffled(range(20))) == [*range(20)]


def test_a_search_beats_the_bot_that_takes_what_is_near_as_either_power() -> None:
    match = Match("the-sound", "strong:4", "easy")
    assert [play_game(match, number).won for number in range(2)] == [True, True]


def test_easy_bots_that_want_the_same_empty_centre_do_not_bounce_there_for_ever() -> None:
    """Burgundy and Ruhr border Belgium, and nobody else is near it."""
    mine = {"FRANCE": "BRE, PAR, MAR, SPA, POR", "GERMANY": "KIE, BER, MUN, HOL, DEN"}
    start = placed("S1902M", {"FRANCE": "A BUR", "GERMANY": "A RUH"}, mine)
    ways = Counter[tuple[bool, ...]]()
    for seed in range(40):
        sheets = {power: play(power, start, STANDARD.ruleset, seed) for power in ("FRANCE", "GERMANY")}
        goes = [any(isinstance(it, Move) and it.destination == "BEL" for it in each.orders) for each in sheets.values()]
        ways[tuple(goes)] += 1
    assert ways[True, True] < 20
    assert ways[True, False]
    assert ways[False, True]
