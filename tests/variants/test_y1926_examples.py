"""Examples 1 to 4 of the published rules of 1926, in the words of the rules."""

from collections.abc import Mapping

from adjudication.judge import adjudicate
from adjudication.notation import read_sheet, write_order
from adjudication.orders import Sheet
from adjudication.resolution import Public, Result
from adjudication.units import NEUTRAL, Unit, UnitKind
from variants.registry import find

SPRING_26 = find("1926")

GERMAN_ATTACK = "A Mun - Cze"
ITALIAN_ATTACK = "A Mil - Swi"
FOR_GERMANY = "A Aus S A Mun - Cze"
FOR_ITALY = "A Aus S A Mil - Swi"


def played(texts: Mapping[str, str]) -> Public:
    """Spring 1926 with these sheets, written as players write them."""
    position, ruleset = SPRING_26.start, SPRING_26.ruleset
    sheets: dict[str, Sheet] = {}
    for power, text in texts.items():
        reading = read_sheet(text, power, position, ruleset)
        assert reading.problems == ()
        sheets[power] = reading.sheet
    return adjudicate(position, sheets, ruleset).public


def order_of(public: Public, location: str) -> str:
    outcome = next(
        each for each in public.outcomes if each.unit is not None and each.unit.location == location
    )
    return write_order(outcome.order, SPRING_26.start)


def results_of(public: Public, location: str) -> tuple[Result, ...]:
    return next(
        each.results for each in public.outcomes if each.unit is not None and each.unit.location == location
    )


def assert_germany_takes_czechia(public: Public) -> None:
    assert order_of(public, "AUS") == "A AUS S A MUN - CZE"
    assert results_of(public, "AUS") == (Result.GIVEN,)
    assert results_of(public, "MUN") == (Result.SUCCEEDS,)
    assert public.next.unit_at("CZE") == Unit("GERMANY", UnitKind.ARMY, "CZE")
    assert public.next.unit_at("MUN") is None
    assert public.next.dislodged == (), "a minor power's unit never retreats"
    assert len(public.next.units_of(NEUTRAL)) == 21, "the Czech army is disbanded at once"


def assert_italy_is_held_off(public: Public) -> None:
    assert results_of(public, "MIL") == (Result.FAILS,)
    assert public.next.unit_at("MIL") == Unit("ITALY", UnitKind.ARMY, "MIL")
    assert public.next.unit_at("SWI") == Unit(NEUTRAL, UnitKind.ARMY, "SWI")


def test_example_1_no_other_power_allocates_a_dp_to_austria_so_the_austrian_unit_supports_the_german_attack() -> (
    None
):
    public = played({"GERMANY": f"{GERMAN_ATTACK}\n1: {FOR_GERMANY}"})
    assert_germany_takes_czechia(public)


def test_example_2_since_each_allocated_one_dp_neither_controls_austria_and_the_austrian_army_simply_holds() -> (
    None
):
    public = played(
        {"GERMANY": f"{GERMAN_ATTACK}\n1: {FOR_GERMANY}", "ITALY": f"{ITALIAN_ATTACK}\n1: {FOR_ITALY}"}
    )
    assert order_of(public, "AUS") == "A AUS H"
    assert results_of(public, "MUN") == (Result.FAILS,)
    assert public.next.unit_at("MUN") == Unit("GERMANY", UnitKind.ARMY, "MUN")
    assert public.next.unit_at("CZE") == Unit(NEUTRAL, UnitKind.ARMY, "CZE")
    assert_italy_is_held_off(public)
    assert len(public.next.units_of(NEUTRAL)) == 22


def test_example_3_since_germany_allocated_one_more_dp_than_italy_the_austrian_supports_the_german_attack() -> (
    None
):
    public = played(
        {"GERMANY": f"{GERMAN_ATTACK}\n2: {FOR_GERMANY}", "ITALY": f"{ITALIAN_ATTACK}\n1: {FOR_ITALY}"}
    )
    assert_germany_takes_czechia(public)
    assert_italy_is_held_off(public)


def test_example_4_the_germans_get_the_austrian_support_because_the_turks_supported_the_german_efforts() -> (
    None
):
    public = played(
        {
            "GERMANY": f"{GERMAN_ATTACK}\n1: {FOR_GERMANY}",
            "ITALY": f"{ITALIAN_ATTACK}\n1: {FOR_ITALY}",
            "TURKEY": f"1: {FOR_GERMANY}",
        }
    )
    assert_germany_takes_czechia(public)
    assert_italy_is_held_off(public)
