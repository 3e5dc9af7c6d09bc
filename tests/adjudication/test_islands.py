"""A sea space containing land: armies and fleets can be there, and fleets convoy."""

from dataclasses import replace

from adjudication.board import Board, Province, ProvinceKind
from adjudication.judge import resolve
from adjudication.legality import order_refusal
from adjudication.notation import parse_order
from adjudication.orders import Convoy, Move, OrderSheet
from adjudication.position import Position
from adjudication.resolution import OrderResult
from adjudication.situation import Situation
from adjudication.units import Unit, UnitKind, may_stand
from tests.adjudication.boards import STANDARD, position

BORDERS = {"WES": ["ROC", "OCE"], "EAS": ["ROC"], "ROC": ["WES", "EAS", "OCE"], "OCE": ["WES", "ROC"]}
ROCK = Board(
    {
        "WES": Province("WES", "Westland", "Wes", ProvinceKind.COAST),
        "EAS": Province("EAS", "Eastland", "Eas", ProvinceKind.COAST),
        "ROC": Province("ROC", "The Rock", "Roc", ProvinceKind.ISLAND),
        "OCE": Province("OCE", "Ocean", "OCE", ProvinceKind.SEA),
    },
    army={"WES": frozenset({"ROC"}), "ROC": frozenset({"WES"})},
    fleet={here: frozenset(there) for here, there in BORDERS.items()},
)
RULES = replace(STANDARD, board=ROCK)


def after(before: Position, *texts: str) -> list[str]:
    orders = tuple(parse_order(text, before, RULES) for text in texts)
    public = resolve(before, {"FRANCE": OrderSheet(orders)}, RULES).public
    assert all(outcome.results[0] is not OrderResult.ILLEGAL for outcome in public.outcomes)
    return [str(unit) for unit in public.next.units]


def test_armies_and_fleets_both_stand_on_an_island() -> None:
    assert may_stand(UnitKind.ARMY, "ROC", ROCK)
    assert may_stand(UnitKind.FLEET, "ROC", ROCK)
    assert Unit("FRANCE", UnitKind.ARMY, "ROC").province == "ROC"


def test_an_army_walks_onto_an_island_where_a_border_is_listed() -> None:
    before = position("S1901M", {"FRANCE": ["A WES"]})
    assert after(before, "A WES - ROC") == ["A ROC"]


def test_a_fleet_on_an_island_convoys() -> None:
    before = position("S1901M", {"FRANCE": ["A WES", "F ROC"]})
    assert after(before, "A WES - EAS", "F ROC C A WES - EAS") == ["A EAS", "F ROC"]


def test_an_army_embarks_and_lands_on_an_island() -> None:
    there = position("S1901M", {"FRANCE": ["A WES", "F OCE"]})
    assert after(there, "A WES - ROC VIA", "F OCE C A WES - ROC") == ["A ROC", "F OCE"]
    back = position("S1901M", {"FRANCE": ["A ROC", "F OCE"]})
    assert after(back, "A ROC - WES VIA", "F OCE C A ROC - WES") == ["A WES", "F OCE"]


def test_a_fleet_on_the_island_brings_no_army_to_where_it_lies_itself() -> None:
    before = position("S1901M", {"FRANCE": ["A WES", "F ROC"]})
    assert order_refusal(Convoy("ROC", "WES", "ROC"), "FRANCE", Situation(before, RULES)) is not None
    assert order_refusal(Move("WES", "ROC", via=True), "FRANCE", Situation(before, RULES)) is not None
