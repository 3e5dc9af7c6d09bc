"""Land ownership in Formal Diplomacy, and what happens to foreign units on the land of others."""

import pytest

from adjudication.judge import adjudicate
from adjudication.resolution import Public
from adjudication.ruleset import owners_of_provinces
from tests.variants.formal_table import (
    ALLIANCE,
    BOARD,
    NEUTRALITY,
    RULES,
    START,
    WAR,
    is_void,
    played,
    refusal,
    related,
    sentences,
    standing,
    table,
    told,
)
from variants.registry import find
from variants.words import say

HOME_LAND = {
    "ENGLAND": "CLY WAL YOR",
    "FRANCE": "BUR GAS PIC",
    "GERMANY": "PRU RUH SIL",
    "AUSTRIA": "BOH GAL TYR",
    "ITALY": "APU PIE TUS",
    "RUSSIA": "FIN LVN UKR",
    "TURKEY": "ARM SYR",
}


def owner(province: str, **centres: str) -> str | None:
    """The owner if these centres changed hands."""
    return RULES.territory.owner(province, table({}, centres=centres))


# Home land.


@pytest.mark.parametrize("power", RULES.powers)
def test_all_the_powers_have_non_supply_center_home_owned_provinces(power: str) -> None:
    """As the rules list them."""
    owned = {province for province, whose in owners_of_provinces(START, RULES).items() if whose == power}
    assert owned == {*HOME_LAND[power].split(), *RULES.homes[power]}


def test_d8_albania_north_africa_free_centres_and_every_sea_are_nobodys() -> None:
    free = set(BOARD.provinces) - set(owners_of_provinces(START, RULES))
    at_sea = {province.id for province in BOARD.provinces.values() if province.kind.value == "sea"}
    centres = {"BEL", "BUL", "DEN", "GRE", "HOL", "NWY", "POR", "RUM", "SER", "SPA", "SWE", "TUN"}
    assert free == at_sea | centres | {"ALB", "NAF"}


def test_where_there_is_no_home_land_supply_centres_alone_are_owned() -> None:
    classic = find("standard")
    assert owners_of_provinces(classic.start, classic.ruleset) == classic.start.centres


def test_a_supply_centre_belongs_to_the_power_that_controls_it() -> None:
    assert owner("BEL") is None
    assert owner("BEL", BEL="FRANCE") == "FRANCE"
    assert owner("PAR", PAR="GERMANY") == "GERMANY"


def test_if_russia_occupies_berlin_prussia_is_part_of_russia_and_silesia_of_germany() -> None:
    assert owner("PRU", BER="RUSSIA") == "RUSSIA"
    assert owner("SIL", BER="RUSSIA") == "GERMANY"
    assert owner("SIL", BER="RUSSIA", MUN="RUSSIA") == "RUSSIA"
    assert owner("RUH", BER="RUSSIA") == "GERMANY"


def test_prussia_comes_home_with_berlin() -> None:
    assert owner("PRU", BER="GERMANY") == "GERMANY"
    assert owner("PRU", BER="") == "GERMANY", "a centre that nobody controls is nobody's gain"


def test_an_equal_number_of_home_centres_leaves_the_land_with_its_power() -> None:
    assert owner("UKR", MOS="GERMANY") == "RUSSIA"
    assert owner("UKR", MOS="GERMANY", SEV="") == "RUSSIA"
    assert owner("UKR", MOS="GERMANY", SEV="GERMANY") == "GERMANY"


def test_enemies_count_together_against_the_power_and_the_strongest_of_them_owns() -> None:
    """Gascony is adjacent to Brest, Marseilles and Paris."""
    assert owner("GAS", BRE="ENGLAND", MAR="ITALY", PAR="ENGLAND") == "ENGLAND"
    assert owner("GAS", BRE="ENGLAND", PAR="ENGLAND") == "ENGLAND"


def test_d7_on_a_tie_between_two_others_it_is_nobodys() -> None:
    assert owner("SIL", BER="RUSSIA", MUN="FRANCE") is None
    assert owner("GAS", BRE="ENGLAND", MAR="ITALY") is None, "two others together hold more than France"
    assert owner("GAS", BRE="ENGLAND", MAR="ITALY", PAR="GERMANY") is None


def test_d7_what_is_nobodys_is_open_to_every_neutral() -> None:
    position = table({"AUSTRIA": ["A BOH"]}, centres={"BER": "RUSSIA", "MUN": "FRANCE"})
    assert not is_void(position, "AUSTRIA", "A BOH - SIL")


def test_other_powers_home_centres_next_to_it_do_not_count() -> None:
    assert owner("SIL", WAR="FRANCE") == "GERMANY"
    assert owner("ARM", SEV="AUSTRIA") == "TURKEY"
    assert owner("PIE", MAR="GERMANY") == "ITALY"


def test_who_may_enter_follows_the_owner() -> None:
    """England is at war with Germany and neutral towards Russia."""
    for berlin, void in (("GERMANY", False), ("RUSSIA", True)):
        position = table({"ENGLAND": ["F BAL"]}, related(ENGLAND_GERMANY=WAR), centres={"BER": berlin})
        assert is_void(position, "ENGLAND", "F BAL - PRU") is void


def test_a_home_power_that_lost_its_centres_does_not_enter_its_old_land() -> None:
    position = table({"GERMANY": ["A RUH"]}, centres={"KIE": "FRANCE", "MUN": "FRANCE", "BER": "FRANCE"})
    assert owner("RUH", KIE="FRANCE", MUN="FRANCE") == "FRANCE"
    refused = refusal(position, "GERMANY", "A RUH - MUN")
    assert refused is not None
    assert say(refused, RULES) == "Munich belongs to France, which is neutral towards Germany: A Ruh may not enter."


# Internment.


@pytest.mark.parametrize(("stance", "interned"), [(NEUTRALITY, True), (ALLIANCE, False), (WAR, False)])
def test_a_unit_in_violation_of_neutrality_is_interned_and_disbanded(stance: str, interned: bool) -> None:
    position = table({"FRANCE": ["A RUH"]}, related(FRANCE_GERMANY=stance))
    public = played(position, {})
    assert standing(public, "FRANCE") == ([] if interned else ["A RUH"])
    told_so = "Germany interned France's A Ruh, which was on its neutral land. It is disbanded."
    assert sentences(public) == ([told_so] if interned else [])
    if interned:
        (notice,) = public.notices
        assert (notice.kind, notice.power, notice.province) == ("interned", "FRANCE", "RUH")


def test_a_unit_on_its_own_land_on_nobodys_or_at_sea_is_left_alone() -> None:
    position = table({"FRANCE": ["A BUR", "A BEL", "F NTH", "F NAF"]})
    assert played(position, {}).next.units == position.units


def test_d9_a_unit_is_interned_at_the_end_of_the_movement_phase_and_of_no_other() -> None:
    moved = played(table({"FRANCE": ["A RUH"]}), {})
    assert moved.next.turn.code == "S1901R"
    assert standing(moved, "FRANCE") == []
    assert [notice.kind for notice in moved.notices] == ["interned"]
    for turn in ("S1901D", "S1901R", "F1901R", "W1901A"):
        assert standing(played(table({"FRANCE": ["A RUH"]}, turn=turn), {}), "FRANCE") == ["A RUH"]


def fought_beside_a_guest(**guest: str) -> Public:
    """Germany drives the French army from Munich, while an Austrian army is in the Ruhr."""
    position = table(
        {"FRANCE": ["A MUN"], "GERMANY": ["A KIE", "A BER"], "AUSTRIA": ["A RUH"]},
        related(FRANCE_GERMANY=WAR, **guest),
        centres={"PAR": "ENGLAND", "MAR": "ENGLAND"},
    )
    return played(position, {"GERMANY": ["A KIE - MUN", "A BER S A KIE - MUN"]})


def test_d9_the_space_that_an_interned_unit_leaves_is_open_to_a_retreat() -> None:
    moved = fought_beside_a_guest()
    assert [notice.province for notice in moved.notices] == ["RUH"]
    (beaten,) = moved.next.dislodged
    assert beaten.retreats == ("RUH", "SIL")
    assert standing(played(moved.next, {"FRANCE": ["A MUN - RUH"]}), "FRANCE") == ["A RUH"]


def test_d9_the_space_of_a_guest_who_may_stay_is_closed_to_a_retreat() -> None:
    moved = fought_beside_a_guest(AUSTRIA_GERMANY=ALLIANCE)
    assert moved.notices == ()
    (beaten,) = moved.next.dislodged
    assert beaten.retreats == ("SIL",)


def test_d9_a_broken_alliance_leaves_the_guest_one_movement_phase_to_go_home() -> None:
    guest = table({"FRANCE": ["A RUH", "A MUN"]}, related(FRANCE_GERMANY=ALLIANCE), "F1902D")
    broken = played(guest, {"GERMANY": ["DECLARE NEUTRALITY FRANCE"]}).next
    assert broken.turn.code == "F1902M"
    assert broken.units == guest.units
    going = played(broken, {"FRANCE": ["A MUN - BUR", "A RUH - BEL"]})
    assert [told(going, unit) for unit in ("A MUN", "A RUH")] == ["succeeds", "succeeds"]
    assert standing(going, "FRANCE") == ["A BEL", "A BUR"]
    staying = played(broken, {"FRANCE": ["A MUN - BUR"]})
    assert standing(staying, "FRANCE") == ["A BUR"]


def test_d9_a_guest_does_not_go_home_through_neutral_land() -> None:
    broken = table({"FRANCE": ["A BER"]})
    assert is_void(broken, "FRANCE", "A BER - MUN")


def test_d9_land_that_changes_hands_in_fall_is_closed_from_the_next_spring() -> None:
    """An Austrian army is in Prussia, as Germany's ally, when Russia takes Berlin."""
    position = table(
        {"RUSSIA": ["A BER"], "AUSTRIA": ["A PRU"]}, related(AUSTRIA_GERMANY=ALLIANCE, GERMANY_RUSSIA=WAR), "F1901R"
    )
    counted = played(position, {})
    assert RULES.territory.owner("PRU", counted.next) == "RUSSIA"
    assert standing(counted, "AUSTRIA") == ["A PRU"]
    spring = counted.next.in_turn(START.turn)
    moved = played(played(spring, {}).next, {})
    assert standing(moved, "AUSTRIA") == []
    assert sentences(moved) == ["Russia interned Austria's A Pru, which was on its neutral land. It is disbanded."]


def test_interned_units_are_gone_before_centres_are_counted() -> None:
    moved = played(table({"FRANCE": ["A MUN"]}, turn="F1901M"), {})
    public = played(moved.next, {})
    assert public.next.centres["MUN"] == "GERMANY"
    assert public.next.units == ()


def test_the_winner_of_a_fight_is_not_interned_in_the_phase_of_that_fight() -> None:
    """D10: Germany beats a French army in Austria's Bohemia."""
    position = table({"FRANCE": ["A BOH"], "GERMANY": ["A MUN", "A SIL"]}, related(FRANCE_GERMANY=WAR))
    fought = played(position, {"GERMANY": ["A MUN - BOH", "A SIL S A MUN - BOH"]})
    assert told(fought, "A BOH") == "destroyed: destroyed"
    assert standing(fought, "GERMANY") == ["A BOH", "A SIL"]
    assert (sentences(fought), fought.next.memory) == ([], {})
    rested = played(fought.next, {})
    assert standing(rested, "GERMANY") == ["A BOH", "A SIL"]
    assert sentences(rested) == []


def test_d10_it_is_interned_at_the_next_check_if_it_is_still_there() -> None:
    position = table({"FRANCE": ["A BOH"], "GERMANY": ["A MUN", "A SIL"]}, related(FRANCE_GERMANY=WAR))
    fought = played(position, {"GERMANY": ["A MUN - BOH", "A SIL S A MUN - BOH"]})
    fall = played(played(fought.next, {}).next, {}).next
    assert fall.turn.code == "F1901M"
    stays = played(fall, {})
    assert standing(stays, "GERMANY") == ["A SIL"]
    assert sentences(stays) == ["Austria interned Germany's A Boh, which was on its neutral land. It is disbanded."]
    leaves = played(fall, {"GERMANY": ["A BOH - MUN"]})
    assert standing(leaves, "GERMANY") == ["A MUN", "A SIL"]


def test_d10_who_finds_the_enemy_gone_has_won_no_fight() -> None:
    position = table({"FRANCE": ["A BOH"], "GERMANY": ["A SIL"]}, related(FRANCE_GERMANY=WAR))
    moved = played(position, {"FRANCE": ["A BOH - MUN"], "GERMANY": ["A SIL - BOH"]})
    assert told(moved, "A SIL") == "succeeds"
    assert standing(moved, "GERMANY") == []


def test_d10_a_beaten_unit_that_may_still_retreat_makes_a_victor_too() -> None:
    position = table(
        {"FRANCE": ["A BOH"], "GERMANY": ["A SIL", "A TYR"]}, related(FRANCE_GERMANY=WAR, AUSTRIA_FRANCE=ALLIANCE)
    )
    moved = played(position, {"GERMANY": ["A SIL - BOH", "A TYR S A SIL - BOH"]})
    assert [str(beaten.unit) for beaten in moved.next.dislodged] == ["A BOH"]
    assert standing(moved, "GERMANY") == ["A BOH"], "the army in Tyrolia won nothing and is interned"
    settled = played(moved.next, {"FRANCE": ["A BOH - VIE"]})
    assert standing(settled, "FRANCE") == ["A VIE"]
    assert standing(settled, "GERMANY") == ["A BOH"]


def test_d10_the_victory_of_one_excuses_nobody_else() -> None:
    position = table(
        {"FRANCE": ["A BOH"], "GERMANY": ["A MUN", "A SIL"], "ITALY": ["A GAL"]}, related(FRANCE_GERMANY=WAR)
    )
    moved = played(position, {"GERMANY": ["A MUN - BOH", "A SIL S A MUN - BOH"]})
    assert [notice.power for notice in moved.notices] == ["ITALY"]


def test_an_enemy_of_the_owner_who_fights_there_needs_no_excuse_and_leaves_no_trace() -> None:
    position = table(
        {"FRANCE": ["A BOH"], "GERMANY": ["A MUN", "A SIL"]}, related(FRANCE_GERMANY=WAR, AUSTRIA_GERMANY=WAR)
    )
    fought = played(position, {"GERMANY": ["A MUN - BOH", "A SIL S A MUN - BOH"]})
    assert fought.next.memory == {}


def test_phases_in_which_nobody_decides_anything_intern_as_well() -> None:
    position = table({"FRANCE": ["A RUH"], "GERMANY": ["A MUN"]})
    public = adjudicate(position, {}, RULES).public
    assert public.next.turn.code == "F1901D"
    assert standing(public, "FRANCE") == []
    assert [notice.kind for notice in public.notices] == ["interned"]


# Victory, as in the standard game.


@pytest.mark.parametrize(("held", "wins"), [(18, True), (17, False)])
def test_eighteen_centres_after_fall_win(held: int, wins: bool) -> None:
    centres = dict.fromkeys(BOARD.centres[:held], "FRANCE") | dict.fromkeys(BOARD.centres[held:], "TURKEY")
    position = table({"FRANCE": ["A ALB"]}, turn="F1905R", centres=centres)
    verdict = played(position, {}).verdict
    assert (verdict.winners if verdict else ()) == (("FRANCE",) if wins else ())
