"""Balkan Battle for two: the published rules by sentence, and our readings of open points."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from adjudication.adjustments import adjustment_counts, build_sites
from adjudication.judge import adjudicate, resolve
from adjudication.legality import order_refusal
from adjudication.notation import parse_order
from adjudication.options import must_decide
from adjudication.position import Dislodged, Position
from adjudication.reasons import Reason
from adjudication.resolution import Public
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import unit_from_text
from tests.adjudication.boards import lawful_sheets
from tests.long_round import how_many
from tests.variants.chance import whole_game
from tests.variants.test_contract import check_nobody_has_a_unit_too_many, check_position
from variants.families.homes_won import HOMES, homes_of
from variants.registry import find
from variants.words import say

BALKAN = find("balkan-battle")
BOARD, RULES, START = BALKAN.ruleset.board, BALKAN.ruleset, BALKAN.start
GAMES = how_many("chance")
Texts = Mapping[str, list[str]]


def standing(turn: str, units: Texts, centres: Texts, homes: Texts | None = None) -> Position:
    """As in {"TURKEY": ["A BUL"]}; `homes` are those won."""
    there = tuple(unit_from_text(power, text) for power, texts in units.items() for text in texts)
    held = {centre: power for power, theirs in centres.items() for centre in theirs}
    return Position(Turn.from_code(turn), there, held, memory={"homes": dict(homes)} if homes else {})


def played(before: Position, **texts: str) -> Public:
    """The next phase in which someone has to decide."""
    return adjudicate(before, lawful_sheets(before, texts, RULES), RULES).public


def stepped(before: Position, **texts: str) -> Public:
    """One phase only."""
    return resolve(before, lawful_sheets(before, texts, RULES), RULES).public


def sites(power: str, position: Position) -> tuple[str, ...]:
    return build_sites(power, Situation(position, RULES))


def told(public: Public) -> list[str]:
    return [say(notice, RULES) for notice in public.notices]


# Rule 1: who starts where.


def test_rule_1_austria_starts_with_army_vienna_and_turkey_with_army_constantinople() -> None:
    assert {unit.power: str(unit) for unit in START.units} == {"AUSTRIA": "A VIE", "TURKEY": "A CON"}
    assert BALKAN.players == 2


def test_rule_1_both_are_home_supply_centres_and_the_other_twelve_belong_to_nobody() -> None:
    assert START.centres == {"CON": "TURKEY", "VIE": "AUSTRIA"}
    assert RULES.homes == {"AUSTRIA": ("VIE",), "TURKEY": ("CON",)}


# Rule 2: the turns.


def test_rule_2_the_turns_go_1901_winter_1901_1902_winter_1902() -> None:
    turn, codes = START.turn, []
    for _ in range(5):
        codes.append((turn.title, turn.code))
        turn = RULES.calendar.after(turn)
    assert codes == [
        ("1901", "Y1901M"),
        ("Winter 1901", "W1901R"),
        ("Winter 1901", "W1901A"),
        ("1902", "Y1902M"),
        ("Winter 1902", "W1902R"),
    ]


def test_rule_2_centres_change_hands_every_year_after_the_retreats() -> None:
    moved = stepped(START, TURKEY="A Con - Bul").next
    assert moved.turn.code == "W1901R"
    assert "BUL" not in moved.centres
    assert stepped(moved).next.centres["BUL"] == "TURKEY"


def test_d1_where_nobody_must_retreat_winter_is_one_deadline() -> None:
    public = played(START, TURKEY="A Con - Bul", AUSTRIA="A Vie - Tri")
    assert public.next.turn.code == "W1901A"
    assert must_decide(public.next, RULES) == ("AUSTRIA", "TURKEY")


def test_d1_where_somebody_must_retreat_winter_is_two_and_the_retreat_decides_what_may_be_built() -> None:
    homes = {"AUSTRIA": ["BUD"], "TURKEY": ["BUL"]}
    before = standing(
        "Y1903M",
        {"TURKEY": ["A BUL", "A SER"], "AUSTRIA": ["A RUM"]},
        {"TURKEY": ["CON", "BUL"], "AUSTRIA": ["VIE", "BUD"]},
        homes,
    )
    beaten = played(before, TURKEY="A Bul - Rum; A Ser S A Bul - Rum").next
    assert beaten.turn.code == "W1903R"
    assert beaten.dislodged == (Dislodged(unit_from_text("AUSTRIA", "A RUM"), "BUL", ("BUD", "GAL", "SEV", "UKR")),)
    assert must_decide(beaten, RULES) == ("AUSTRIA",)
    taking = played(beaten, AUSTRIA="A Rum - Sev")
    assert taking.next.turn.code == "W1903A"
    assert told(taking) == ["Turkey takes Rumania.", "Turkey takes Serbia.", "Austria takes Sevastopol."]
    assert sum(adjustment_counts("AUSTRIA", Situation(taking.next, RULES)).values()) == 2
    leaving = played(beaten, AUSTRIA="A Rum - Gal").next
    assert sum(adjustment_counts("AUSTRIA", Situation(leaving, RULES)).values()) == 1


# Rule 3: homes that are won.


def test_rule_3_the_first_centre_conquered_becomes_the_second_home_and_units_are_built_in_both() -> None:
    public = played(START, TURKEY="A Con - Bul")
    assert told(public) == ["Turkey takes Bulgaria.", "Turkey: Bulgaria is now a home."]
    assert homes_of("TURKEY", public.next, RULES) == ("CON", "BUL")
    assert homes_of("AUSTRIA", public.next, RULES) == ("VIE",)
    assert sites("TURKEY", public.next) == ("CON",), "Bulgaria is occupied"
    left = replace(public.next, units=(unit_from_text("TURKEY", "A RUM"),))
    assert sites("TURKEY", left) == ("BUL", "CON")


def test_rule_3_the_second_home_is_the_last() -> None:
    before = standing("Y1902M", {"TURKEY": ["A BUL", "A CON"]}, {"TURKEY": ["BUL", "CON"]}, {"TURKEY": ["BUL"]})
    public = played(before, TURKEY="A Bul - Ser; A Con - Ank")
    assert told(public) == ["Turkey takes Ankara.", "Turkey takes Serbia."]
    assert homes_of("TURKEY", public.next, RULES) == ("CON", "BUL")
    assert sites("TURKEY", public.next) == ("BUL", "CON")
    refusal = order_refusal(parse_order("Build A Ser", public.next, RULES), "TURKEY", Situation(public.next, RULES))
    assert refusal is not None
    assert refusal.reason is Reason.NOT_A_BUILD_SITE


def test_rule_3_a_home_is_one_for_good_and_builds_again_once_it_is_retaken() -> None:
    lost = standing(
        "W1905A",
        {"TURKEY": ["A SER"]},
        {"TURKEY": ["CON", "SER", "GRE"], "AUSTRIA": ["BUL", "VIE"]},
        {"TURKEY": ["BUL"], "AUSTRIA": ["TRI"]},
    )
    assert homes_of("TURKEY", lost, RULES) == ("CON", "BUL")
    assert sites("TURKEY", lost) == ("CON",)
    back = replace(lost, centres={**lost.centres, "BUL": "TURKEY"})
    assert sites("TURKEY", back) == ("BUL", "CON")


def test_rule_3_who_holds_anothers_home_without_having_won_it_as_a_home_cannot_build_there() -> None:
    before = standing(
        "Y1905M",
        {"AUSTRIA": ["A SER"]},
        {"AUSTRIA": ["VIE", "TRI", "SER"], "TURKEY": ["BUL", "CON"]},
        {"AUSTRIA": ["TRI"], "TURKEY": ["BUL"]},
    )
    after = played(before, AUSTRIA="A Ser - Bul").next
    assert after.centres["BUL"] == "AUSTRIA"
    assert sites("AUSTRIA", after) == ("TRI", "VIE")
    refusal = order_refusal(parse_order("Build A Bul", after, RULES), "TURKEY", Situation(after, RULES))
    assert refusal is not None
    assert say(refusal, RULES) == "You do not control Bulgaria."


def test_rule_3_a_year_without_a_conquest_makes_no_home() -> None:
    public = played(START, TURKEY="A Con H", AUSTRIA="A Vie - Tyr")
    assert told(public) == []
    assert public.next.turn.code == "Y1902M"
    assert homes_of("AUSTRIA", public.next, RULES) == ("VIE",)


def test_d2_of_two_centres_conquered_first_in_one_year_the_first_by_alphabet_would_be_the_home() -> None:
    """A position that no game reaches, as a power with one centre has one unit."""
    before = standing("W1901R", {"TURKEY": ["A SMY", "A ANK"]}, {"TURKEY": ["CON"]})
    assert homes_of("TURKEY", stepped(before).next, RULES) == ("CON", "ANK")


# Rule 4: the end.


@pytest.mark.parametrize(("held", "winners"), [(7, None), (8, ("TURKEY",))])
def test_rule_4_of_14_centres_eight_win(held: int, winners: tuple[str, ...] | None) -> None:
    assert len(BOARD.centres) == 14
    theirs = [centre for centre in BOARD.centres if centre != "VIE"][:held]
    before = standing("W1907R", {"AUSTRIA": ["A VIE"]}, {"TURKEY": theirs, "AUSTRIA": ["VIE"]})
    verdict = stepped(before).verdict
    assert (verdict.winners if verdict else None) == winners


def test_rule_4_eight_centres_win_after_the_retreats_of_winter_not_before() -> None:
    theirs = {"TURKEY": ["ANK", "BUD", "BUL", "CON", "GRE", "SER", "SMY"], "AUSTRIA": ["VIE"]}
    before = standing("Y1907M", {"TURKEY": ["A SER"], "AUSTRIA": ["A VIE"]}, theirs)
    moved = stepped(before, TURKEY="A Ser - Tri")
    assert moved.verdict is None
    counted = stepped(moved.next).verdict
    assert counted is not None
    assert say(counted, RULES) == "Turkey wins with 8 supply centres."


def test_a_power_without_a_centre_loses_its_unit() -> None:
    before = standing("W1905A", {"AUSTRIA": ["A BOH"], "TURKEY": ["A VIE"]}, {"TURKEY": ["CON", "VIE"]})
    public = stepped(before)
    assert public.next.units_of("AUSTRIA") == ()
    assert told(public) == ["A Boh was removed, because no order said which unit to remove."]


# Rule 5: the map.


def near(location: str) -> set[str]:
    return {*BOARD.army.get(location, ()), *BOARD.fleet.get(location, ())}


def test_d8_there_are_27_spaces_and_these_14_centres() -> None:
    assert len(BOARD.provinces) == 27
    assert " ".join(BOARD.centres) == "ANK BUD BUL CON GRE NAP RUM SER SEV SMY TRI VEN VIE WAR"


@pytest.mark.parametrize("gone", ["LVN", "ARM", "EAS", "SYR", "ROM", "MUN", "BER", "TYS", "BAL"])
def test_d8_spaces_that_are_out_of_the_cut_are_not_on_the_board(gone: str) -> None:
    assert gone not in BOARD.provinces


def test_rule_5_moscow_is_no_centre_and_touches_prussia_for_armies() -> None:
    assert not BOARD.provinces["MOS"].centre
    assert "PRU" in BOARD.army["MOS"]
    before = standing("Y1903M", {"TURKEY": ["A MOS"]}, {"TURKEY": ["CON"]})
    assert played(before, TURKEY="A Mos - Pru").next.units == (unit_from_text("TURKEY", "A PRU"),)


def test_rule_5_no_army_walks_round_the_black_sea() -> None:
    assert near("SEV") == {"MOS", "RUM", "UKR", "BLA"}
    assert near("ANK") == {"CON", "SMY", "BLA"}


def test_rule_5_fleets_move_from_the_ionian_sea_to_the_aegean_and_back() -> None:
    for here, there in (("ION", "AEG"), ("AEG", "ION")):
        before = standing("Y1903M", {"TURKEY": [f"F {here}"]}, {"TURKEY": ["CON"]})
        after = played(before, TURKEY=f"F {here} - {there}").next
        assert after.unit_at(there) == unit_from_text("TURKEY", f"F {there}")


def test_the_borders_are_those_of_the_standard_map_but_for_moscow_and_prussia() -> None:
    standard = find("standard").ruleset.board
    for here in BOARD.provinces:
        cut = {there for there in standard.army.get(here, ()) if there in BOARD.provinces}
        added = {"MOS": {"PRU"}, "PRU": {"MOS"}}.get(here, set())
        assert BOARD.army.get(here, frozenset()) == cut | added
    for place in BOARD.locations:
        cut = {there for there in standard.fleet.get(place, ()) if there in BOARD.locations}
        assert BOARD.fleet.get(place, frozenset()) == cut


# Whole games.


def test_d3_when_nobody_has_a_unit_or_a_centre_left_the_game_is_drawn() -> None:
    nobody = replace(START, turn=Turn.from_code("W1903R"), units=(), centres={})
    verdict = resolve(nobody, {}, RULES).public.verdict
    assert verdict is not None
    assert verdict.winners == ("AUSTRIA", "TURKEY")
    somebody = replace(nobody, centres={"SER": "TURKEY"})
    assert resolve(somebody, {}, RULES).public.verdict is None


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_game_of_chance_keeps_its_rules_to_the_end(seed: int) -> None:
    for before, public in whole_game(START, RULES, seed, years=1000):
        check_position(public.next, RULES)
        if before.turn.code.endswith("A"):
            check_nobody_has_a_unit_too_many(public.next.in_turn(before.turn), RULES)
        for power in RULES.powers:
            homes = homes_of(power, public.next, RULES)
            assert len(set(homes)) == len(homes) <= HOMES
            assert homes[: len(homes_of(power, before, RULES))] == homes_of(power, before, RULES)
            assert d2_is_never_asked(before, public.next, power)
    assert public.verdict is not None


def d2_is_never_asked(before: Position, after: Position, power: str) -> bool:
    """A power that still wins a home has taken one centre at most."""
    if len(homes_of(power, before, RULES)) == HOMES:
        return True
    return len(set(after.centres_of(power)) - set(before.centres_of(power))) <= 1


def test_a_build_is_written_and_carried_out_in_a_home_that_was_won() -> None:
    before = standing("W1902A", {"TURKEY": ["A RUM"]}, {"TURKEY": ["BUL", "CON"]}, {"TURKEY": ["BUL"]})
    after = played(before, TURKEY="Build F Bul/sc").next
    assert set(after.units) == {unit_from_text("TURKEY", "F BUL/SC"), unit_from_text("TURKEY", "A RUM")}
