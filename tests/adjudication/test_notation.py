from dataclasses import replace

import pytest
from hypothesis import given

from adjudication.errors import NotationError
from adjudication.notation import parse_order, read_sheet, write_order, write_sheet
from adjudication.options import order_options
from adjudication.orders import (
    Bid,
    Build,
    Convoy,
    Declare,
    Disband,
    Hold,
    Move,
    Order,
    OrderSheet,
    Retreat,
    Support,
    Waive,
)
from adjudication.position import Dislodged, Position
from adjudication.turns import Turn
from adjudication.units import UnitKind
from tests.adjudication.battles import POWERS, examples, positions
from tests.adjudication.boards import BOARD, STANDARD, START, position, unit, units
from tests.adjudication.minors import MINORS, WITH_MINORS
from variants.words import say
from variants.words.orders import pretty_order

MOVEMENT = position(
    "S1901M", {"ENGLAND": ["F NTH", "A LON", "F MAO", "F LVP"], "GERMANY": ["A MUN", "F KIE"], "RUSSIA": ["F STP/SC"]}
)
RETREAT = Position(
    Turn.from_code("F1901R"),
    units({"AUSTRIA": ["A MUN"]}),
    dislodged=(Dislodged(unit("GERMANY", "A MUN"), "TYR", ("BOH", "BUR")),),
)
WINTER = position("W1901A", {"GERMANY": ["A RUH"]}, {"GERMANY": ["BER", "KIE", "MUN"]})


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A MUN - BOH", Move("MUN", "BOH")),
        ("a mun-boh", Move("MUN", "BOH")),
        ("A Mun–Boh", Move("MUN", "BOH")),
        ("A Mun → Boh", Move("MUN", "BOH")),
        ("Army Munich -> Bohemia", Move("MUN", "BOH")),
        ("Munich to Bohemia", Move("MUN", "BOH")),
        ("A Munich moves to Bohemia.", Move("MUN", "BOH")),
        ("Germany's A Mun - Boh", Move("MUN", "BOH")),
        ("A Mun holds", Hold("MUN")),
        ("A Mun H", Hold("MUN")),
        ("A LON - NWY", Move("LON", "NWY", via=True)),
        ("A LON - NWY VIA", Move("LON", "NWY", via=True)),
        ("A Lon-Wal via convoy", Move("LON", "WAL", via=True)),
        ("A Lon - Wal by convoy", Move("LON", "WAL", via=True)),
        ("F Kie S A Mun-Ber", Support("KIE", "MUN", "BER")),
        ("F Kiel supports Germany's army Munich to Berlin", Support("KIE", "MUN", "BER")),
        ("F Kie S German A Mun", Support("KIE", "MUN")),
        ("F Kie supports A Mun holds", Support("KIE", "MUN")),
        ("F NTH C A Lon–Nwy", Convoy("NTH", "LON", "NWY")),
        ("F North Sea convoys A London - Norway", Convoy("NTH", "LON", "NWY")),
        ("F Mao - Spa (nc)", Move("MAO", "SPA/NC")),
        ("F Mid-Atlantic Ocean-Spain north coast", Move("MAO", "SPA/NC")),
        ("F mid-spa/sc", Move("MAO", "SPA/SC")),
        ("F STP - BOT", Move("STP/SC", "BOT")),
        ("F St. Petersburg (sc) - Gulf of Bothnia", Move("STP/SC", "BOT")),
        ("F StP/nc - Bot", Move("STP/SC", "BOT")),
        ("F Mao - Spa", Move("MAO", "SPA")),
        ("A Mun - StP/nc", Move("MUN", "STP")),
        ("F LVP - IRI", Move("LVP", "IRI")),
        ("F Liv - Irish Sea", Move("LVP", "IRI")),
    ],
)
def test_what_players_write_is_read(text: str, order: Order) -> None:
    assert parse_order(text, MOVEMENT, STANDARD) == order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A MUN - BOH", Retreat("MUN", "BOH")),
        ("A Mun R Boh", Retreat("MUN", "BOH")),
        ("A Munich retreats to Bohemia", Retreat("MUN", "BOH")),
        ("A MUN D", Disband("MUN")),
        ("disband A Mun", Disband("MUN")),
        ("Mun disbands", Disband("MUN")),
    ],
)
def test_retreats_are_read(text: str, order: Order) -> None:
    assert parse_order(text, RETREAT, STANDARD) == order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("BUILD A BER", Build(UnitKind.ARMY, "BER")),
        ("Build army in Berlin", Build(UnitKind.ARMY, "BER")),
        ("F Kie B", Build(UnitKind.FLEET, "KIE")),
        ("BUILD F STP/NC", Build(UnitKind.FLEET, "STP/NC")),
        ("WAIVE", Waive()),
        ("remove A Ruh", Disband("RUH")),
    ],
)
def test_adjustments_are_read(text: str, order: Order) -> None:
    assert parse_order(text, WINTER, STANDARD) == order


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "There is no order on this line. Write one as in A BUD - GAL."),
        ("A Mnuich - Boh", "There is no province “Mnuich”. Did you mean Munich (Mun)?"),
        ("A Mun - Xyzzyx", "There is no province “Xyzzyx”. Write a place in short or in full, as in BUD or Budapest."),
        ("A Mun", "Say what the unit in Munich should do: hold (H), move (-), support (S) or convoy (C)."),
        ("A Mun -", "The order ends where a province is expected. Write it whole, as in A BUD - GAL."),
        ("F Mun - Boh", "The unit in Munich is an army, not a fleet. Write A MUN."),
        ("A Kie - Mun", "The unit in Kiel is a fleet, not an army. Write F KIE."),
        ("F Mao - Spa ec", "There is no Spain (ec); there is Spain (nc) or Spain (sc)."),
        ("F Kie - Ber nc", "There is no Berlin (nc). Write the province alone."),
        ("A Mun - Ber/nc", "There is no Berlin (nc). Write the province alone."),
        ("F Kie S F Nth/ec", "There is no North Sea (ec). Write the province alone."),
        (
            "A Mun - Boh Tyr",
            "The order is complete before “Tyr”, which makes no sense here. "
            "Write one order as in A BUD - GAL, A BUD H or A BOH S A BUD - GAL.",
        ),
        ("F Nth C A Lon", "Say where to convoy the army, as in F ADR C A ALB - APU."),
        ("BUILD Mun", "Say whether to build an army or a fleet: BUILD A or BUILD F."),
    ],
)
def test_what_is_no_order_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(NotationError) as refused:
        parse_order(text, MOVEMENT, STANDARD)
    assert say(refused.value, STANDARD) == sentence


@examples(25)
@given(positions())
def test_every_option_is_read_back_as_it_is_written(drawn: Position) -> None:
    for power in POWERS:
        for options in order_options(power, drawn, STANDARD):
            for order in options.orders:
                assert parse_order(write_order(order, drawn), drawn, STANDARD) == order


@pytest.mark.parametrize("order", [Retreat("MUN", "BOH"), Disband("MUN")])
def test_a_retreat_is_written_for_the_dislodged_unit(order: Order) -> None:
    assert parse_order(write_order(order, RETREAT), RETREAT, STANDARD) == order


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (Move("MUN", "BOH"), "A Mun–Boh"),
        (Move("LON", "NWY", via=True), "A Lon–Nwy"),
        (Move("LON", "WAL", via=True), "A Lon–Wal via convoy"),
        (Support("KIE", "MUN", "BER"), "F Kie S A Mun–Ber"),
        (Support("KIE", "MUN"), "F Kie S A Mun"),
        (Convoy("NTH", "LON", "NWY"), "F NTH C A Lon–Nwy"),
        (Move("STP/SC", "BOT"), "F Stp/sc–BOT"),
        (Hold("MUN"), "A Mun holds"),
        (Build(UnitKind.FLEET, "STP/NC"), "Build F Stp/nc"),
        (Waive(), "Waive"),
    ],
)
def test_orders_are_put_into_the_words_of_players(order: Order, words: str) -> None:
    assert pretty_order(order, MOVEMENT, BOARD) == words


def test_a_line_is_as_long_as_its_letters_written_out() -> None:
    """One letter may stand for eighteen, which would be a way around the limit."""
    reading = read_sheet("A Mun - \N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 180, "GERMANY", START, STANDARD)
    assert [say(it.why, STANDARD) for it in reading.problems] == [
        "This line has 4,680 characters; at most 2,000 are allowed. Split it into several lines."
    ]


def test_a_sheet_is_read_line_by_line_and_keeps_what_is_lawful() -> None:
    text = """Germany:
A Mun - Boh   # to the east

F Kie H; A Ber - Kie
F Kie - Hol
A Lon - Wal
A Ber - Marz
1: A Mun H"""
    reading = read_sheet(text, "GERMANY", START, STANDARD)
    assert reading.sheet.orders == (Move("MUN", "BOH"), Hold("KIE"), Move("BER", "KIE"))
    assert reading.sheet.bids == (Bid(Hold("MUN"), 1),), "its points are spent all the same"
    assert [(it.line, it.text, say(it.why, STANDARD)) for it in reading.problems] == [
        (5, "F Kie - Hol", "There is already an order for Kiel."),
        (6, "A Lon - Wal", "The unit in London is a fleet, not an army. Write F LON."),
        (7, "A Ber - Marz", "There is no province “Marz”. Did you mean Marseilles (Mar)?"),
        (8, "1: A Mun H", "The unit in Munich does not belong to a minor power."),
    ]


def test_bids_are_lines_with_points() -> None:
    text = "2: A Tyr S A Mun - Boh\n1 DP: Tyr holds"
    reading = read_sheet(text, "GERMANY", WITH_MINORS, MINORS)
    support, hold = Bid(Support("TYR", "MUN", "BOH"), 2), Bid(Hold("TYR"), 1)
    assert reading.problems == ()
    assert reading.sheet == OrderSheet((), (support, hold))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("4: A Tyr H", "You have 3 points and bid 4."),
        ("3: A Tyr H\n1: A Tyr H", "You have 3 points and bid 4."),
        ("0: A Tyr H", "A bid needs at least one point."),
        ("-1: A Tyr H", "A bid needs at least one point."),
        ("1: A Tyr - Boh", "A minor power’s unit can only hold or support."),
        ("1: A Mun H", "The unit in Munich does not belong to a minor power."),
        ("1: A Bur H", "There is no unit in Burgundy."),
        ("1: A Tyr S A Boh - Sil", "A Tyr cannot support into Silesia, which it cannot reach itself."),
        ("A Tyr H", "The unit in Tyrolia belongs to a minor power: it follows bids, not orders."),
    ],
)
def test_a_bid_that_cannot_stand_is_refused_with_a_sentence(text: str, sentence: str) -> None:
    reading = read_sheet(text, "GERMANY", WITH_MINORS, MINORS)
    assert [say(problem.why, STANDARD) for problem in reading.problems] == [sentence]


def test_declarations_and_placings_are_shown_as_they_are_read() -> None:
    deployment = replace(WITH_MINORS, turn=Turn.from_code("OCT1901P"))
    declare, put = Declare("war", "FRANCE"), Build(UnitKind.ARMY, "MUN")
    shown = [pretty_order(order, deployment, MINORS.board) for order in (declare, put)]
    assert shown == ["Declare war on France", "Place A Mun"]
    assert [parse_order(text, deployment, MINORS) for text in shown] == [declare, put]
    assert pretty_order(put, WITH_MINORS, MINORS.board) == "Build A Mun"


def test_a_written_sheet_is_read_back_without_problems() -> None:
    sheet = OrderSheet(
        (Move("MUN", "BOH"), Support("KIE", "MUN", "BER")), (Bid(Support("TYR", "MUN", "BOH"), 1), Bid(Hold("BOH"), 2))
    )
    reading = read_sheet(write_sheet(sheet, WITH_MINORS), "GERMANY", WITH_MINORS, MINORS)
    assert (reading.sheet, reading.problems) == (sheet, ())


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("A MAR H\nMove A PAR to BUR", ["A MAR H"]),
        ("A PAR - BUR\nA MAR - SPA\nS", ["A PAR - BUR", "A MAR - SPA"]),
        ("A MAR\nS A PAR - BUR", ["A MAR S A PAR - BUR"]),
        ("A MAR S A PAR\n- BUR", ["A MAR S A PAR - BUR"]),
    ],
)
def test_a_line_that_begins_with_a_deed_never_spoils_the_whole_order_before_it(text: str, orders: list[str]) -> None:
    reading = read_sheet(text, "FRANCE", START, STANDARD)
    assert {write_order(order, START) for order in reading.sheet.orders} >= set(orders)
