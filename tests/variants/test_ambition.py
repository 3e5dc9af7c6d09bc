"""Ambition & Empire: leagues of faith, chosen homes, and minor powers that sally."""

import pytest

from adjudication.judge import adjudicate, resolve
from adjudication.legality import order_refusal
from adjudication.notation import parse_order, read_sheet
from adjudication.options import bid_options, must_decide, order_options
from adjudication.orders import Build, Move, OrderSheet
from adjudication.position import Position
from adjudication.reasons import Reason
from adjudication.resolution import Public
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, unit_from_text
from tests.long_round import how_many
from variants.bots import play
from variants.registry import find
from variants.words import say

AMBITION = find("ambition-and-empire")
RULES, START = AMBITION.ruleset, AMBITION.start
GAMES = how_many("chance")


def table(
    turn: str, units: dict[str, list[str]], centres: dict[str, list[str]], homes: dict[str, list[str]] | None = None
) -> Position:
    standing = tuple(unit_from_text(power, text) for power, texts in units.items() for text in texts)
    held = {centre: power for power, theirs in centres.items() for centre in theirs}
    memory = {**START.memory, **({"homes": homes} if homes else {})}
    return Position(Turn.from_code(turn), standing, held, memory=memory)


def winter(text: str, power: str, before: Position) -> tuple[Public, list[str]]:
    """The Winter after one power's sheet, and what was wrong with the sheet."""
    reading = read_sheet(text, power, before, RULES)
    return resolve(before, {power: reading.sheet}, RULES).public, [say(it.why, RULES) for it in reading.problems]


def refusal(text: str, minor: str, units: dict[str, list[str]]) -> str | None:
    before = table("S1764M", {NEUTRAL: [minor], **units}, {})
    refused = order_refusal(parse_order(text, before, RULES), NEUTRAL, Situation(before, RULES))
    assert refused is None or refused.reason is Reason.VARIANT_RULE
    return say(refused, RULES) if refused else None


# Leagues.


def test_each_power_and_each_minor_power_has_one_faith_and_its_page_notes_it() -> None:
    faiths = {"Catholic": 7 + 4, "Christian": 6 + 5, "Muslim": 4 + 1}
    assert len(START.memory["minors"]) + len(RULES.powers) == sum(faiths.values())
    notes = {minor: AMBITION.notes[minor] for minor in START.memory["minors"]}
    assert sum("Catholic" in note for note in notes.values()) == 7
    assert sum("Christian" in note for note in notes.values()) == 6
    assert sum("Muslim" in note for note in notes.values()) == 4


def test_the_papal_states_help_only_catholic_units() -> None:
    strict = "Papal States helps only units of its own league (Catholic)."
    assert refusal("A Pap S A Mil - Tus", "A PAP", {"PRUSSIA": ["A MIL"]}) == strict
    assert refusal("A Pap S A Ven", "A PAP", {"TURKEY": ["A VEN"]}) == strict
    assert refusal("A Pap S A Mil - Tus", "A PAP", {"SPAIN": ["A MIL"]}) is None


@pytest.mark.parametrize(
    ("attacker", "victim", "refused"),
    [
        ("TURKEY", "FRANCE", True),
        ("TURKEY", "RUSSIA", True),
        ("FRANCE", "RUSSIA", False),
        ("RUSSIA", "FRANCE", False),
        ("RUSSIA", "TURKEY", False),
    ],
)
def test_a_benign_christian_minor_power_helps_no_foreign_faith_against_friends(
    attacker: str, victim: str, refused: bool
) -> None:
    said = refusal("A Swi S A Ven - Mil", "A SWI", {attacker: ["A VEN"], victim: ["A MIL"]})
    foreign = "Switzerland helps no foreign unit against a unit of a friendly league (Christian, Catholic)."
    assert said == (foreign if refused else None)
    assert refusal("A Swi S A Ven - Mil", "A SWI", {attacker: ["A VEN"]}) is None, "the province is empty"
    assert refusal("A Swi S A Ven", "A SWI", {attacker: ["A VEN"]}) is None, "to hold"


def test_a_muslim_minor_power_helps_no_foreign_faith_against_muslims_alone() -> None:
    against = {"RUSSIA": ["A KAZ"], "TURKEY": ["A ZAP"]}
    assert refusal("A Cri S A Kaz - Zap", "A CRI", against) is not None
    assert refusal("A Cri S A Kaz - Zap", "A CRI", {"RUSSIA": ["A KAZ"], "AUSTRIA": ["A ZAP"]}) is None


def test_a_minor_powers_unit_counts_by_its_own_faith() -> None:
    units = {"TURKEY": ["A TYR"], NEUTRAL: ["A SWI", "A VEN"]}
    before = table("S1764M", units, {})
    order = parse_order("A Swi S A Tyr - Ven", before, RULES)
    assert order_refusal(order, NEUTRAL, Situation(before, RULES)) is not None


def test_powers_units_help_whom_they_like() -> None:
    before = table("S1764M", {"TURKEY": ["A VEN"], "FRANCE": ["A SWI"], "SPAIN": ["A MIL"]}, {})
    order = parse_order("A Swi S A Ven - Mil", before, RULES)
    assert order_refusal(order, "FRANCE", Situation(before, RULES)) is None


# Sorties.


def test_sorties_are_offered_for_every_minor_power() -> None:
    for minor in bid_options(START, RULES):
        assert any(isinstance(order, Move) for order in minor.orders), minor.location


# Chosen homes.

SPANISH = {"SPAIN": ["BRC", "MAD", "POR", "MOR"]}


def test_d1_the_first_captured_centre_in_which_a_power_builds_is_its_third_home_for_good() -> None:
    before = table("W1763A", {"SPAIN": ["A LEO", "A MAR"]}, SPANISH)
    public, problems = winter("BUILD F Por", "SPAIN", before)
    assert problems == []
    assert public.next.memory["homes"] == {"SPAIN": ["POR"]}
    assert "Spain: Portugal is now a home." in [say(notice, RULES) for notice in public.notices]
    assert RULES.builds.homes("SPAIN", Situation(public.next, RULES)) == ("BRC", "MAD", "POR")
    later = table("W1764A", {"SPAIN": ["A LEO"]}, SPANISH, {"SPAIN": ["POR"]})
    assert winter("BUILD F Mor", "SPAIN", later)[1] == ["Morocco is not one of your home centres."]
    assert winter("BUILD F Por", "SPAIN", later)[1] == []


def test_d1_two_captured_centres_in_one_winter_are_refused_and_one_beside_a_home_is_not() -> None:
    before = table("W1763A", {"SPAIN": ["A LEO"]}, SPANISH)
    both, problems = winter("BUILD F Por; BUILD F Mor", "SPAIN", before)
    assert problems == ["Only one captured centre can become your home in a Winter, and you have chosen Portugal."]
    assert both.next.memory["homes"] == {"SPAIN": ["POR"]}
    one, problems = winter("BUILD A Mad; BUILD F Por; BUILD F Brc", "SPAIN", before)
    assert problems == []
    assert one.next.memory["homes"] == {"SPAIN": ["POR"]}


def test_a_power_that_builds_only_at_home_keeps_its_choice() -> None:
    public, _ = winter("BUILD A Mad", "SPAIN", table("W1763A", {"SPAIN": ["A LEO"]}, SPANISH))
    assert "homes" not in public.next.memory


def test_powers_with_three_homes_choose_no_more() -> None:
    before = table("W1763A", {"FRANCE": ["A BUR"]}, {"FRANCE": ["BRE", "MAR", "PAR", "SAV"]})
    assert winter("BUILD A Sav", "FRANCE", before)[1] == ["Savoy is not one of your home centres."]


@pytest.mark.parametrize(("power", "builds"), [("RUSSIA", True), ("TURKEY", False)])
def test_crimea_is_a_home_of_russia_alone_whenever_russia_controls_it(power: str, builds: bool) -> None:
    homes = list(RULES.homes[power])
    chosen = {"TURKEY": ["WLA"]}
    before = table("W1763A", {}, {power: [*homes, "CRI"]}, chosen)
    sites = {
        order.location
        for row in order_options(power, before, RULES)
        for order in row.orders
        if isinstance(order, Build)
    }
    assert ("CRI" in sites) is builds


# Whole games.


@pytest.mark.parametrize("seed", range(GAMES))
def test_ten_bots_play_from_1763_to_a_winner(seed: int) -> None:
    position = START
    for _ in range(200):
        written: dict[str, OrderSheet] = {p: play(p, position, RULES, seed) for p in must_decide(position, RULES)}
        public = adjudicate(position, written, RULES).public
        if public.verdict:
            return
        position = public.next
    pytest.fail("no one has won in 200 phases")
