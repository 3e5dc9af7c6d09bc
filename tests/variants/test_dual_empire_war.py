"""The Collapse of the Dual Empire: factions on the battlefield, and civil disorder within a power."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from adjudication.judge import adjudicate, put_in_civil_disorder, resolve
from adjudication.notation import read_sheet, write_order
from adjudication.options import must_decide, order_options
from adjudication.orders import Hold, Move, OrderSheet, Support
from adjudication.position import Position
from adjudication.quick_judge import standing_after
from adjudication.reasons import Reason
from adjudication.turns import PhaseKind, Turn
from tests.variants.chance import whole_game
from tests.variants.dual_empire import (
    RULES,
    START,
    outcome,
    played,
    position,
    problem,
    problems,
    results,
    sentences,
    units_of,
)
from variants.maps import drawing_of
from variants.registry import find
from variants.words import say

# Rules 2 and 10: three kinds of army.


def test_orders_are_written_with_ca_da_and_ia() -> None:
    november = position("NOV1918M", {"GERMANS": ["CA VIE", "DA STY", "IA SIL"]})
    assert problems("CA Vie - Low\nDA Sty H\nIA Sil - Par", "GERMANS", november) == ()
    assert problems("CA. Vie - Low\nda sty - gra\nIA Silesia holds", "GERMANS", november) == ()
    assert problem("DA Vie - Low", "GERMANS", november) == (
        "The unit in Vienna is a communist army, not a democratic army. Write CA VIE."
    )
    assert problem("IA Sty H", "GERMANS", november) == (
        "The unit in Styria is a democratic army, not an imperialist army. Write DA STY."
    )


def test_a_line_is_read_anew_when_another_factions_army_stands_there() -> None:
    line = "CA Vie - Low"
    assert problems(line, "GERMANS", position("NOV1918M", {"GERMANS": ["CA VIE"]})) == ()
    assert problem(line, "GERMANS", position("NOV1918M", {"GERMANS": ["DA VIE"]})) == (
        "The unit in Vienna is a democratic army, not a communist army. Write DA VIE."
    )


# Rule 7: support.


@pytest.mark.parametrize(("mine", "theirs"), [("CA", "DA"), ("DA", "CA")])
@pytest.mark.parametrize("owner", ["CZECHS", "GERMANS"])
def test_rule_7_communists_and_democrats_of_any_race_never_support_each_other(
    mine: str, theirs: str, owner: str
) -> None:
    november = position("NOV1918M", {"CZECHS": [f"{mine} MOR"]})
    beside = position("NOV1918M", {owner: [f"{theirs} VIE"]})
    both = replace(november, units=(*november.units, *beside.units))
    words = {"CA": "communist", "DA": "democratic"}
    sentence = f"{words[mine].capitalize()} armies cannot support {words[theirs]} ones such as {theirs} Vie."
    assert problem(f"{mine} Mor S {theirs} Vie", "CZECHS", both) == sentence
    assert problem(f"{mine} Mor S {theirs} Vie - SSu", "CZECHS", both) == sentence
    offered = [order for row in order_options("CZECHS", both, RULES) for order in row.orders]
    assert not any(isinstance(order, Support) for order in offered)


@pytest.mark.parametrize("mine", ["CA", "DA", "IA"])
@pytest.mark.parametrize("theirs", ["CA", "DA", "IA"])
def test_rule_7_imperialist_armies_support_and_are_supported_by_any_and_each_faction_its_own(
    mine: str, theirs: str
) -> None:
    november = position("NOV1918M", {"GERMANS": [f"{mine} VIE"], "CZECHS": [f"{theirs} MOR"]})
    allowed = "I" in mine + theirs or mine == theirs
    lines = f"{mine} Vie S {theirs} Mor\n", f"{mine} Vie S {theirs} Mor - SSu"
    assert [not problems(line, "GERMANS", november) for line in lines] == [allowed, allowed]


def test_rule_7_such_an_order_is_void_and_adds_no_strength() -> None:
    november = position("NOV1918M", {"CZECHS": ["CA MOR", "DA BRT"], "GERMANS": ["CA VIE"]})
    void = OrderSheet((Support("MOR", "BRT", "VIE"), Move("BRT", "VIE")))
    public = resolve(november, {"CZECHS": void}, RULES).public
    assert results(public, "CA MOR") == ["illegal"]
    assert outcome(public, "CA MOR").reason is Reason.RIVAL_FACTIONS
    assert say(outcome(public, "CA MOR"), RULES) == "Communist armies cannot support democratic ones such as DA Brt."
    assert results(public, "DA BRT") == ["fails"]
    assert units_of("GERMANS", public.next) == ["CA VIE"]


# Rule 11: a power's own units.


def attack_on_lower_austria(defender: str, owner: str = "GERMANS", helper: str = "CA STY") -> list[str]:
    """What happens to a unit that a German communist attacks with one support."""
    november = position("NOV1918M", {"GERMANS": ["CA VIE", helper]})
    there = position("NOV1918M", {owner: [f"{defender} LOW"]})
    both = replace(november, units=(*november.units, *there.units))
    public = played(both, {"GERMANS": ["CA Vie - Low", f"{helper} S CA Vie - Low"]})
    assert results(public, "CA VIE") == (["succeeds"] if public.next.dislodged else ["fails"])
    return results(public, f"{defender} LOW")


def test_rule_11_a_german_communist_army_may_not_dislodge_another_german_communist_army() -> None:
    assert attack_on_lower_austria("CA") == ["stands"]


def test_rule_11_it_may_dislodge_a_german_democratic_or_imperialist_army() -> None:
    assert attack_on_lower_austria("DA") == ["dislodged"]
    assert attack_on_lower_austria("IA") == ["dislodged"]
    assert attack_on_lower_austria("DA", helper="IA STY") == ["dislodged"]


def test_rule_11_it_may_dislodge_a_rumanian_communist_army() -> None:
    assert attack_on_lower_austria("CA", owner="RUMANIANS") == ["dislodged"]


def test_rule_11_why_a_move_against_the_own_faction_fails_is_said() -> None:
    november = position("NOV1918M", {"GERMANS": ["CA VIE", "CA STY", "CA LOW"]})
    public = played(november, {"GERMANS": ["CA Vie - Low", "CA Sty S CA Vie - Low", "CA Low H"]})
    assert outcome(public, "CA VIE").reason is Reason.OWN_UNIT_THERE
    assert say(outcome(public, "CA VIE"), RULES) == "CA Low stays, and no faction can dislodge its own units."


def attack_with_help(helper: str) -> list[str]:
    """A Czech communist attacks a German one with German help."""
    november = position("NOV1918M", {"GERMANS": [helper, "CA LOW"], "CZECHS": ["CA SSU"]})
    orders = {"GERMANS": [f"{helper} S CA SSu - Low", "CA Low H"], "CZECHS": ["CA SSu - Low"]}
    public = played(november, orders)
    assert bool(public.next.dislodged) is (results(public, "CA SSU") == ["succeeds"])
    if not public.next.dislodged:
        assert say(outcome(public, "CA SSU"), RULES).endswith(
            "1 against 1, because support does not count against the supporter’s own faction."
        )
    return results(public, "CA LOW")


def test_rule_11_a_support_counts_against_another_faction_of_the_same_power_but_not_against_its_own() -> None:
    assert attack_with_help("CA STY") == ["stands"]
    assert attack_with_help("IA STY") == ["dislodged"]


def support_under_attack_by(attacker: str) -> list[str]:
    """A German communist supports, and another German army attacks it."""
    november = position("NOV1918M", {"GERMANS": ["CA VIE", "CA STY", attacker], "CZECHS": ["DA LOW"]})
    orders = ["CA Vie - Low", "CA Sty S CA Vie - Low", f"{attacker} - Sty"]
    return results(played(november, {"GERMANS": orders}), "CA STY")


def test_rule_11_a_support_is_cut_by_another_faction_of_the_same_power_but_not_by_its_own() -> None:
    assert support_under_attack_by("CA GRA") == ["given"]
    assert support_under_attack_by("DA GRA") == ["cut"]
    assert support_under_attack_by("IA GRA") == ["cut"]


def test_factions_of_one_power_stand_each_other_off() -> None:
    november = position("NOV1918M", {"GERMANS": ["CA VIE", "DA STY"]})
    public = played(november, {"GERMANS": ["CA Vie - Low", "DA Sty - Low"]})
    assert results(public, "CA VIE") == results(public, "DA STY") == ["fails"]
    assert public.next.contested == {"LOW"}


def test_an_army_beaten_by_its_own_powers_other_faction_retreats() -> None:
    november = position("NOV1918M", {"GERMANS": ["CA VIE", "CA STY", "DA LOW"]})
    beaten = played(november, {"GERMANS": ["CA Vie - Low", "CA Sty S CA Vie - Low"]}).next
    assert must_decide(beaten, RULES) == ("GERMANS",)
    after = played(beaten, {"GERMANS": ["DA Low - Lin"]}).next
    assert units_of("GERMANS", after) == ["DA LIN", "CA LOW", "CA STY"]


def test_rule_2_there_is_nothing_to_convoy_with() -> None:
    november = position("NOV1918M", {"CROATS": ["CA TRI", "CA DAL"]})
    assert problem("CA Tri - Dal", "CROATS", november) == "CA Tri cannot reach Dalmatia in one move."
    assert problem("CA Tri - Dal via convoy", "CROATS", november) == (
        "Trieste and Dalmatia are not adjacent, and no chain of fleets could convoy an army between them."
    )


# Rule 8: imbalance.

FOUR_AND_ONE = ["CA VIE", "CA SAL", "CA TYR", "CA BUR", "DA LOW"]
THREE_AND_ONE = FOUR_AND_ONE[1:]


def test_rule_8_armies_of_a_faction_with_three_fewer_take_no_orders() -> None:
    november = position("NOV1918M", {"GERMANS": FOUR_AND_ONE})
    sentence = "DA Low takes no orders: its power’s rival faction has at least 3 armies more."
    assert problem("DA Low - Lin", "GERMANS", november) == sentence
    assert problem("DA Low H", "GERMANS", november) == sentence
    assert [row.location for row in order_options("GERMANS", november, RULES)] == ["BUR", "SAL", "TYR", "VIE"]
    assert problems("CA Vie - Bur\nCA Bur - Gra", "GERMANS", november) == ()


def test_rule_8_or_vice_versa() -> None:
    november = position("NOV1918M", {"POLES": ["DA KRA", "DA PRE", "DA GOR", "CA LEM"]})
    assert problems("CA Lem H", "POLES", november) == ()
    november = position("NOV1918M", {"POLES": ["DA KRA", "DA PRE", "DA GOR", "DA SAN", "CA LEM"]})
    assert problem("CA Lem H", "POLES", november).startswith("CA Lem takes no orders")
    assert problems("DA Kra H\nDA San H", "POLES", november) == ()


def test_rule_8_two_fewer_is_no_imbalance() -> None:
    november = position("NOV1918M", {"GERMANS": THREE_AND_ONE})
    assert RULES.disorder.leaderless(november) == frozenset()
    assert problems("DA Low - Lin", "GERMANS", november) == ()


def test_rule_8_a_faction_without_armies_has_none_in_disorder() -> None:
    november = position("NOV1918M", {"GERMANS": ["CA VIE", "CA SAL", "CA TYR"]})
    assert RULES.disorder.leaderless(november) == frozenset()


def test_rule_8_does_not_affect_imperialist_armies_in_any_way() -> None:
    november = position("NOV1918M", {"GERMANS": ["IA SIL", "IA NSU", "IA PEC", "IA CRP", "DA LOW"]})
    assert RULES.disorder.leaderless(november) == frozenset()
    november = position("NOV1918M", {"GERMANS": [*FOUR_AND_ONE, "IA SIL"]})
    assert RULES.disorder.leaderless(november) == {"LOW"}
    assert problems("IA Sil - Par", "GERMANS", november) == ()


def test_rule_8_looks_at_each_power_alone() -> None:
    november = position("NOV1918M", {"GERMANS": FOUR_AND_ONE, "CZECHS": ["DA MOR", "CA PRA"]})
    assert RULES.disorder.leaderless(november) == {"LOW"}
    drawn = drawing_of(november, find("collapse-of-the-dual-empire"))
    assert {mark.location for mark in drawn.units if mark.idle} == {"LOW"}, "the map shows it"


def test_rule_8_an_army_in_disorder_holds_whatever_reaches_the_judge() -> None:
    november = position("NOV1918M", {"GERMANS": FOUR_AND_ONE})
    public = resolve(november, {"GERMANS": OrderSheet((Move("LOW", "LIN"), Hold("VIE")))}, RULES).public
    assert results(public, "DA LOW") == ["illegal"]
    assert outcome(public, "DA LOW").reason is Reason.IN_DISORDER
    assert "DA LOW" in units_of("GERMANS", public.next)


def test_rule_8_programs_that_try_many_orders_find_the_same() -> None:
    for armies, goal in ((THREE_AND_ONE, "LIN"), (FOUR_AND_ONE, "LOW"), (THREE_AND_ONE, "LIN")):
        november = position("NOV1918M", {"GERMANS": armies})
        standing = standing_after(november, {"GERMANS": ["DA Low - Lin"]}, RULES)
        assert f"DA {goal}" in map(str, standing.units)


def test_programs_that_try_many_orders_find_the_same_month_by_month() -> None:
    months = disorders = 0
    for before, public in whole_game(START, RULES, seed=2, years=3):
        if before.turn.kind is not PhaseKind.MOVEMENT:
            continue
        written: dict[str, list[str]] = {}
        for each in public.outcomes:
            written.setdefault(each.power, []).append(write_order(each.order, before))
        found = {str(unit) for unit in standing_after(before, written, RULES).units}
        assert found == {str(unit) for unit in resolve(before, sheets(written, before), RULES).public.next.units}
        months += 1
        disorders += bool(RULES.disorder.leaderless(before))
    assert months == 26
    assert disorders


def sheets(written: Mapping[str, list[str]], before: Position) -> dict[str, OrderSheet]:
    return {p: read_sheet("\n".join(lines), p, before, RULES).sheet for p, lines in written.items()}


def test_rule_8_armies_in_disorder_may_be_supported() -> None:
    armies = {"GERMANS": FOUR_AND_ONE, "CZECHS": ["CA SSU", "CA KRU"], "MAGYARS": ["DA STY"]}
    november = position("NOV1918M", armies)
    orders = {"CZECHS": ["CA SSu - Low", "CA Kru S CA SSu - Low"], "MAGYARS": ["DA Sty S DA Low"]}
    public = played(november, orders)
    assert results(public, "DA LOW") == ["stands"]
    assert results(public, "DA STY") == ["given"]


def test_rule_8_armies_in_disorder_are_disbanded_when_dislodged() -> None:
    november = position("NOV1918M", {"GERMANS": FOUR_AND_ONE, "CZECHS": ["CA SSU", "CA KRU"]})
    public = played(november, {"CZECHS": ["CA SSu - Low", "CA Kru S CA SSu - Low"]})
    assert results(public, "DA LOW") == ["destroyed"]
    assert outcome(public, "DA LOW").reason is Reason.DISORDER_DISBANDED
    assert public.next.dislodged == ()
    assert units_of("GERMANS", public.next) == ["CA BUR", "CA SAL", "CA TYR", "CA VIE"]


def test_rule_8_the_own_communists_may_dislodge_the_democrats_in_disorder() -> None:
    november = position("NOV1918M", {"GERMANS": ["CA VIE", "CA STY", "CA TYR", "CA BUR", "DA LOW"]})
    public = played(november, {"GERMANS": ["CA Vie - Low", "CA Sty S CA Vie - Low"]})
    assert results(public, "DA LOW") == ["destroyed"]


def test_d6_imbalance_is_tested_at_the_start_of_every_month_on_the_position_then() -> None:
    armies = {"GERMANS": ["CA VIE", "CA SAL", "CA TYR", "CA BUR", "DA LOW"], "MAGYARS": ["DA BAK", "DA GRA"]}
    november = position("NOV1918M", armies)
    orders = {"GERMANS": ["CA Bur - Gra"], "MAGYARS": ["DA Bak - Bur", "DA Gra S DA Bak - Bur"]}
    public = played(replace(november, turn=Turn.from_code("NOV1918M")), orders)
    beaten = public.next
    assert [str(each.unit) for each in beaten.dislodged] == ["CA BUR"]
    assert RULES.disorder.leaderless(beaten) == frozenset()
    december = played(beaten, {"GERMANS": ["CA Bur D"]}).next
    assert december.turn.code == "DEC1918M"
    assert RULES.disorder.leaderless(december) == frozenset()
    assert problems("DA Low - Lin", "GERMANS", december) == ()


def test_d6_an_imbalance_that_arises_during_a_month_does_not_count_in_it() -> None:
    armies = {"GERMANS": ["CA VIE", "CA SAL", "CA TYR", "CA STY", "DA LOW", "DA BUR"], "MAGYARS": ["DA BAK", "DA GRA"]}
    november = position("NOV1918M", armies)
    orders = {"GERMANS": ["DA Low - Lin"], "MAGYARS": ["DA Bak - Bur", "DA Gra S DA Bak - Bur"]}
    public = played(november, orders)
    assert results(public, "DA LOW") == ["succeeds"]
    assert results(public, "DA BUR") == ["dislodged"]
    december = played(public.next, {"GERMANS": ["DA Bur D"]}).next
    assert RULES.disorder.leaderless(december) == {"LIN"}


def test_rule_8_a_faction_in_disorder_builds_nothing_and_d7_its_removals_are_still_chosen() -> None:
    winter = position("DEC1918A", {"GERMANS": ["CA SAL", "CA TYR", "CA BUR", "CA GRA", "CA LOW", "DA LIN"]})
    assert [row.location for row in order_options("GERMANS", winter, RULES)] == [
        *("BUR", "GRA", "LOW", "SAL", "TYR"),
        *("BAN", "CRP", "NSU", "PEC", "SIL"),
    ]
    none = "Your democratic armies are in civil disorder: none is built."
    assert problem("BUILD DA Sty", "GERMANS", winter) == none
    after = played(winter, {"GERMANS": ["DISBAND CA Tyr", "DISBAND CA Low", "DISBAND CA Bur"]}).next
    assert units_of("GERMANS", after) == ["CA GRA", "DA LIN", "CA SAL"]
    crowded = position(
        "DEC1918A",
        {"CZECHS": ["CA MOR", "CA SLO", "CA OST", "CA KOS", "CA BRT", "DA PLZ"]},
        {"MAGYARS": ["PRA", "BOH"]},
    )
    assert problem("DISBAND CA Mor\nDISBAND CA Slo\nDISBAND CA Ost\nDISBAND CA Kos", "CZECHS", crowded) == (
        "You have only 3 communist units to remove."
    )
    after = played(crowded, {"CZECHS": ["DISBAND CA Ost", "DISBAND CA Kos", "DISBAND CA Brt"]}).next
    assert units_of("CZECHS", after) == ["CA MOR", "CA SLO"]


@pytest.mark.parametrize(("armies", "builds"), [(THREE_AND_ONE, True), (FOUR_AND_ONE, False), (FOUR_AND_ONE[:4], True)])
def test_rule_8_a_faction_two_behind_builds_and_d7_so_does_one_without_any_armies(
    armies: list[str], builds: bool
) -> None:
    winter = position("DEC1918A", {"GERMANS": armies})
    assert (problems("BUILD DA Sty", "GERMANS", winter) == ()) is builds


def test_everybody_with_an_army_that_takes_orders_decides() -> None:
    november = position("NOV1918M", {"GERMANS": FOUR_AND_ONE, "CZECHS": ["DA MOR"]})
    assert must_decide(november, RULES) == ("CZECHS", "GERMANS")


def test_a_power_given_up_for_good_keeps_its_armies_which_hold() -> None:
    november = adjudicate(START, {}, RULES).public.next
    alone, notices = put_in_civil_disorder(november, "CZECHS", RULES)
    assert [say(notice, RULES) for notice in notices] == [
        "The Czechs are in civil disorder for good; their armies hold."
    ]
    assert alone.units == november.units
    assert "CZECHS" not in must_decide(alone, RULES)
    public = resolve(alone, {"CZECHS": OrderSheet((Move("MOR", "OLO"),))}, RULES).public
    assert results(public, "CA MOR") == ["stands"]
    assert sentences(public) == []
