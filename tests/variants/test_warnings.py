"""What does not fit together on one sheet: each kind beside a sheet that must not warn, and what the judge finds."""

from random import Random

import pytest

from adjudication.board import province_of
from adjudication.fitting import Misfit, warnings_about
from adjudication.judge import adjudicate
from adjudication.notation import read_sheet, write_order
from adjudication.options import must_decide
from adjudication.orders import Order, OrderSheet, location_of
from adjudication.position import Dislodged, Position
from adjudication.reasons import Reason
from adjudication.resolution import OrderResult
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind, Turn
from adjudication.units import NEUTRAL, Unit
from tests.adjudication.boards import STANDARD, position, unit
from tests.adjudication.minors import MINORS
from tests.long_round import how_many
from tests.variants import dual_empire, formal_table
from tests.variants.chance import any_sheet
from variants.bots import Level, play
from variants.bots.sheets import fitting_sheet
from variants.examples import examples_of
from variants.game import Game, UnlawfulOrder
from variants.registry import offered, teaching
from variants.variant import Variant
from variants.words import say

each_variant = pytest.mark.parametrize("variant", offered(), ids=[variant.slug for variant in offered()])
BOARD = position(
    "S1901M",
    {
        "ENGLAND": ["F NTH", "F EDI", "A YOR", "A LON", "F SPA/NC", "F MAO"],
        "GERMANY": ["A MUN", "A BER", "A KIE", "F BAL"],
        NEUTRAL: ["A TYR", "A BOH", "F NWY", "F SKA", "A SWE"],
    },
    {"ENGLAND": ["EDI", "LON", "LVP"], "GERMANY": ["BER", "KIE", "MUN"]},
)
DONE = {OrderResult.SUCCEEDS, OrderResult.GIVEN, OrderResult.AVAILABLE}
MISSED = {Reason.UNMATCHED_SUPPORT, Reason.UNMATCHED_CONVOY}


def told(power: str, text: str, before: Position = BOARD, rules: Ruleset = MINORS) -> list[str]:
    """What is said of these lawful lines, each after the order that it is about."""
    reading = read_sheet(text, power, before, rules)
    assert reading.problems == ()
    found = warnings_about(reading.sheet, power, Situation(before, rules))
    return [f"{it.points or ''} {write_order(it.order, before)}: {say(it, rules)}".strip() for it in found]


@pytest.mark.parametrize(
    ("power", "text", "warning", "fits"),
    [
        (
            "ENGLAND",
            "F NTH S F EDI - NWG\nF EDI H",
            "F NTH S F EDI - NWG: This would help F Edi–NWG, but you order F Edi holds.",
            "F NTH S F EDI - NWG\nF EDI - NWG",
        ),
        (
            "ENGLAND",
            "F NTH C A YOR - NWY\nA YOR - LON",
            "F NTH C A YOR - NWY: This would help A Yor–Nwy, but you order A Yor–Lon.",
            "F NTH C A YOR - NWY",  # that its army is still without an order is said already
        ),
        (
            "ENGLAND",
            "F EDI S A YOR\nA YOR - LVP",
            "F EDI S A YOR: A unit that moves cannot be supported to hold, and you order A Yor–Lvp.",
            "F EDI S A YOR\nA YOR S A LON - WAL\nA LON - WAL",
        ),
        (
            "GERMANY",
            "A MUN - SIL\n2: A TYR S A MUN - BOH",
            "2 A TYR S A MUN - BOH: This would help A Mun–Boh, but you order A Mun–Sil.",
            "A MUN - BOH\n2: A TYR S A MUN - BOH",
        ),
        (
            "ENGLAND",
            "F NTH S A SWE - NWY",
            "F NTH S A SWE - NWY: A Swe cannot be ordered to move, so this order can do nothing.",
            "F NTH S F NWY",
        ),
        (
            "GERMANY",
            "1: A TYR S A VIE",
            "1 A TYR S VIE: There is no unit in Vienna to support, so this order can do nothing.",
            "1: A TYR S A BOH",
        ),
        (
            "GERMANY",
            "A BER - SWE VIA\nF BAL H",
            "A BER - SWE VIA: This army cannot arrive without F BAL, which you order to do something else.",
            "A BER - SWE VIA\nF BAL C A BER - SWE",
        ),
        (
            "GERMANY",
            "A BER - SIL\nA MUN - SIL",
            "A MUN - SIL: Only one of A Ber and A Mun can enter Silesia. With equal support they stand each other off.",
            "A BER - SIL\nA MUN - BER",
        ),
        (
            "GERMANY",
            "A BER - KIE\nA KIE H",
            "A BER - KIE: A Kie stays in Kiel, and your own units cannot dislodge it.",
            "A BER - KIE\nA KIE - HOL",
        ),
        (
            "GERMANY",
            "A BER - KIE\nA KIE - BER",
            "A KIE - BER: A Ber and A Kie cannot change places unless one of them goes by convoy.",
            "A BER - KIE VIA\nA KIE - BER\nF BAL C A BER - KIE",
        ),
        (
            "GERMANY",
            "1: A TYR H\n2: A TYR S A MUN - BOH",
            "2 A TYR S A MUN - BOH: You bid for different orders for A Tyr. It follows only one, "
            "so the points for the others are lost.",
            "1: A TYR H\n2: A BOH S A TYR",
        ),
    ],
)
def test_it_is_said_what_does_not_fit_and_nothing_is_said_of_what_does(
    power: str, text: str, warning: str, fits: str
) -> None:
    assert told(power, text) == [warning]
    assert told(power, fits) == []


def test_fleets_that_never_convoy_bring_no_army_over() -> None:
    minors_only = position("S1901M", {"ENGLAND": ["A LON", "F EDI"], NEUTRAL: ["F NTH"]})
    assert told("ENGLAND", "A LON - NWY VIA", minors_only) == [
        "A LON - NWY VIA: No fleets that may convoy link London and Norway, so this army cannot arrive."
    ]
    anyone = position("S1901M", {"ENGLAND": ["A LON"], "FRANCE": ["F NTH"]})
    assert told("ENGLAND", "A LON - NWY VIA", anyone) == []


def test_two_of_ones_own_that_retreat_to_one_place_are_said() -> None:
    beaten = [Dislodged(unit("FRANCE", text), None, ("GAS", "PIC")) for text in ("A PAR", "A BUR")]
    before = Position(Turn.from_code("S1901R"), (), {}, tuple(beaten))
    said = "A PAR - GAS: If A Bur and A Par retreat to Gascony, all of them are disbanded."
    assert told("FRANCE", "A BUR - GAS\nA PAR - GAS", before, STANDARD) == [said]
    assert told("FRANCE", "A BUR - GAS\nA PAR - PIC", before, STANDARD) == []


def test_a_move_that_gives_way_may_be_supported_to_hold() -> None:
    """Formal Diplomacy: a move against a neutral power's unit is a hold unless that unit leaves."""
    before = formal_table.table({"FRANCE": ["A PAR", "A GAS"], "ENGLAND": ["A BUR"]})
    assert told("FRANCE", "A PAR - BUR\nA GAS S A PAR", before, formal_table.RULES) == []
    assert told("FRANCE", "A PAR - PIC\nA GAS S A PAR", before, formal_table.RULES) != []


def test_rival_factions_of_one_power_may_dislodge_each_other() -> None:
    lines = "CA VIE - LOW\nDA LOW H"
    rivals = dual_empire.position("NOV1918M", {"GERMANS": ["CA VIE", "DA LOW"]})
    assert told("GERMANS", lines, rivals, dual_empire.RULES) == []
    comrades = dual_empire.position("NOV1918M", {"GERMANS": ["CA VIE", "CA LOW"]})
    assert told("GERMANS", lines.replace("DA", "CA"), comrades, dual_empire.RULES) != []


def keys_warned(power: str, sheet: OrderSheet, situation: Situation) -> set[tuple[Unit, Order]]:
    """The orders that can do nothing: of the others that do not fit, one may be carried out."""
    return {
        (situation.units[province_of(location_of(it.order))], it.order)
        for it in warnings_about(sheet, power, situation)
        if it.reason is not Misfit.ONE_ORDER and (it.reason is not Misfit.ONE_PLACE or "case" in it.facts)
    }


@each_variant
def test_an_order_that_is_warned_of_does_nothing_and_every_help_that_misses_ones_own_unit_is_warned_of(
    variant: Variant,
) -> None:
    chance, ruleset, before = Random(variant.slug), variant.ruleset, variant.start
    for _ in range(how_many("lawful")):
        situation = Situation(before, ruleset)
        sheets = {power: any_sheet(power, before, ruleset, chance) for power in must_decide(before, ruleset)}
        public = adjudicate(before, sheets, ruleset).public
        if before.turn.kind is PhaseKind.MOVEMENT and ruleset.muster != before.turn:
            warned = {key for power, sheet in sheets.items() for key in keys_warned(power, sheet, situation)}
            done = {(it.unit, it.order) for it in public.outcomes if DONE & {*it.results}}
            assert not warned & done
            ordered = {(power, location_of(order)) for power, sheet in sheets.items() for order in sheet.orders}
            missed = [it for it in public.outcomes if it.reason in MISSED and isinstance(it.facts.get("unit"), Unit)]
            own = {
                (it.unit, it.order) for it in missed if (it.power, getattr(it.facts["unit"], "location", "")) in ordered
            }
            assert own <= warned
        before = public.next if not public.verdict else variant.start


@each_variant
@pytest.mark.parametrize("level", [Level.EASY, Level.MEDIUM])
def test_sheets_of_bots_fit_together(variant: Variant, level: Level) -> None:
    before, ruleset = variant.start, variant.ruleset
    for number in range(how_many("bots") // (1 if level is Level.EASY else 5)):
        sheets = {it: play(it, before, ruleset, number, level, 10) for it in must_decide(before, ruleset)}
        for power, sheet in sheets.items():
            assert warnings_about(sheet, power, Situation(before, ruleset)) == ()
        before = adjudicate(before, sheets, ruleset).public.next


def test_orders_that_do_not_fit_are_changed_into_help_and_bids_are_left_out() -> None:
    situation = Situation(BOARD, MINORS)
    text = "A MUN - SIL\nA BER - KIE\nA KIE - BER\nF BAL S A KIE - DEN\n1: A TYR S A MUN - BOH\n1: A BOH S A MUN - SIL"
    sheet = read_sheet(text, "GERMANY", BOARD, MINORS).sheet
    assert len(warnings_about(sheet, "GERMANY", situation)) == 3
    better = fitting_sheet(sheet, "GERMANY", situation)
    assert warnings_about(better, "GERMANY", situation) == ()
    others = ["A BER S A KIE", "A KIE H", "F BAL S A BER"]
    assert [write_order(order, BOARD) for order in better.orders] == ["A MUN - SIL", *others]
    assert [write_order(bid.order, BOARD) for bid in better.bids] == ["A BOH S A MUN - SIL"]


def test_of_the_worked_examples_just_those_that_are_about_it_are_warned_of() -> None:
    found = {
        (variant.slug, example.title, it.reason)
        for variant in (*offered(), *teaching())
        for example in examples_of(variant)
        for power, sheet in example.phase.sheets.items()
        for it in warnings_about(sheet, power, example.phase.situation)
    }
    assert found == {
        *((slug, "Support for a unit that does not exist", Misfit.WITHOUT_EFFECT) for slug in ("1926", "locarno")),
        *((slug, "Two bids that tie", Misfit.ORDERED_OTHERWISE) for slug in ("1926", "locarno")),
        *((slug, "Two bids that tie", Misfit.ONE_ORDER) for slug in ("1926", "locarno")),
        ("standard", "Not against your own units", Misfit.ONE_PLACE),
        ("standard", "Two retreats to one province", Misfit.ONE_PLACE),
        ("collapse-of-the-dual-empire", "Communists do not dislodge communists", Misfit.ONE_PLACE),
    }


def test_the_package_says_what_does_not_fit_in_a_game() -> None:
    game = Game("1926")
    lines = ["A Mun - Cze", "2: A Aus S A Mun - Swi"]
    (warning,) = game.warnings("GERMANY", lines)
    assert (warning.reason, warning.points) == (Misfit.ORDERED_OTHERWISE, 2)
    assert game.say(warning) == "This would help A Mun–Swi, but you order A Mun–Cze."
    assert game.warnings("GERMANY", "A Mun - Cze\n2: A Aus S A Mun - Cze") == ()
    with pytest.raises(UnlawfulOrder):
        game.warnings("GERMANY", ["A Mun - Lon"])
    game.push({"GERMANY": lines})  # a warning is no refusal
