"""Examples 1 to 4 of the published rules of Locarno, in the words of the rules."""

from adjudication.judge import adjudicate
from adjudication.notation import read_sheet, write_order
from adjudication.orders import Sheet
from adjudication.resolution import Public, Result
from adjudication.units import NEUTRAL, Unit, UnitKind
from variants.registry import find

SPRING_26 = find("locarno")

GERMAN_ATTACK = "A Mun - Cze"
ITALIAN_ATTACK = "A Mil - Swi"
FOR_GERMANY = "A Aus S A Mun - Cze"
FOR_ITALY = "A Aus S A Mil - Swi"


def played(**texts: str) -> Public:
    """Spring 1926 with these sheets, written as players write them."""
    position, ruleset = SPRING_26.start, SPRING_26.ruleset
    sheets: dict[str, Sheet] = {}
    for power, text in texts.items():
        reading = read_sheet(text, power, position, ruleset)
        assert reading.problems == ()
        sheets[power] = reading.sheet
    return adjudicate(position, sheets, ruleset).public


def told(public: Public, location: str) -> tuple[str, tuple[Result, ...]]:
    """What a unit was ordered and what came of it."""
    outcome = next(
        each for each in public.outcomes if each.unit is not None and each.unit.location == location
    )
    return write_order(outcome.order, SPRING_26.start), outcome.results


def assert_the_austrians_support_the_german_attack_on_czechya(public: Public) -> None:
    assert told(public, "AUS") == ("A AUS S A MUN - CZE", (Result.GIVEN,))
    assert told(public, "MUN") == ("A MUN - CZE", (Result.SUCCEEDS,))
    assert public.next.unit_at("CZE") == Unit("GERMANY", UnitKind.ARMY, "CZE")
    assert public.next.dislodged == (), "a minor power's unit never retreats"
    assert len(public.next.units_of(NEUTRAL)) == 21, "the Czech army is disbanded at once"


def assert_italy_is_held_off(public: Public) -> None:
    assert told(public, "MIL") == ("A MIL - SWI", (Result.FAILS,))
    assert public.next.unit_at("SWI") == Unit(NEUTRAL, UnitKind.ARMY, "SWI")


def test_example_1_no_other_power_allocates_a_dp_so_the_austrian_unit_supports_the_german_attack() -> None:
    public = played(GERMANY=f"{GERMAN_ATTACK}\n1: {FOR_GERMANY}")
    assert_the_austrians_support_the_german_attack_on_czechya(public)


def test_example_2_since_each_allocated_one_dp_neither_controls_austria_and_its_army_simply_holds() -> None:
    public = played(GERMANY=f"{GERMAN_ATTACK}\n1: {FOR_GERMANY}", ITALY=f"{ITALIAN_ATTACK}\n1: {FOR_ITALY}")
    assert told(public, "AUS")[0] == "A AUS H"
    assert told(public, "MUN") == ("A MUN - CZE", (Result.FAILS,))
    assert public.next.unit_at("CZE") == Unit(NEUTRAL, UnitKind.ARMY, "CZE")
    assert_italy_is_held_off(public)
    assert len(public.next.units_of(NEUTRAL)) == 22


def test_example_3_since_germany_allocated_one_more_dp_the_austrians_support_its_attack() -> None:
    public = played(GERMANY=f"{GERMAN_ATTACK}\n2: {FOR_GERMANY}", ITALY=f"{ITALIAN_ATTACK}\n1: {FOR_ITALY}")
    assert_the_austrians_support_the_german_attack_on_czechya(public)
    assert_italy_is_held_off(public)


def test_example_4_the_germans_get_the_support_because_the_turks_supported_their_efforts() -> None:
    public = played(
        GERMANY=f"{GERMAN_ATTACK}\n1: {FOR_GERMANY}",
        ITALY=f"{ITALIAN_ATTACK}\n1: {FOR_ITALY}",
        TURKEY=f"1: {FOR_GERMANY}",
    )
    assert_the_austrians_support_the_german_attack_on_czechya(public)
    assert_italy_is_held_off(public)
