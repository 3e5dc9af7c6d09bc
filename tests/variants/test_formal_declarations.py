"""Declarations in Formal Diplomacy: the relationships they lead to, and when they become public."""

import tomllib
from itertools import combinations, product
from pathlib import Path

import pytest

from adjudication.errors import NotationError
from adjudication.judge import adjudicate, put_in_civil_disorder, resolve
from adjudication.notation import parse_order, read_sheet, write_sheet
from adjudication.options import must_decide, order_options
from adjudication.orders import Declare, OrderSheet
from adjudication.position import Position
from adjudication.reasons import Misreading, Reason
from adjudication.relations import stance_of
from adjudication.resolution import OrderResult
from adjudication.serialisation import position_from_json, position_to_json, public_from_json, public_to_json
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from tests.variants.formal_table import (
    ALLIANCE,
    NEUTRALITY,
    RULES,
    START,
    WAR,
    played,
    refusal,
    related,
    sentences,
    sheets,
    table,
)
from variants.formal import rules as formal
from variants.words import say

FOLDER = Path(formal.__file__).parent
NOTHING = None
WORDS = (NOTHING, NEUTRALITY, ALLIANCE, WAR)
STANCES = (NEUTRALITY, ALLIANCE, WAR)


def declared(now: str, france: str | None, germany: str | None) -> str:
    """The relationship of France and Germany after these two declarations."""
    texts = {
        power: [f"DECLARE {word} {other}"]
        for power, word, other in (("FRANCE", france, "GERMANY"), ("GERMANY", germany, "FRANCE"))
        if word
    }
    position = table({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}, related(FRANCE_GERMANY=now), "S1901D")
    return stance(played(position, texts).next, "FRANCE", "GERMANY")


def stance(position: Position, one: str, other: str) -> str:
    return stance_of(one, other, position, RULES.relations.stances)


# The table of relations: each row, and the case just beyond it.


@pytest.mark.parametrize("now", STANCES)
@pytest.mark.parametrize("other", WORDS)
def test_declarations_of_war_are_unilateral(now: str, other: str | None) -> None:
    assert declared(now, WAR, other) == WAR
    assert declared(now, other, WAR) == WAR


@pytest.mark.parametrize("now", [NEUTRALITY, ALLIANCE])
@pytest.mark.parametrize("one", [NOTHING, NEUTRALITY, ALLIANCE])
@pytest.mark.parametrize("other", [NOTHING, NEUTRALITY, ALLIANCE])
def test_without_a_declaration_nobody_comes_to_be_at_war(now: str, one: str | None, other: str | None) -> None:
    assert declared(now, one, other) != WAR


def test_a_war_becomes_an_alliance_if_both_say_alliance() -> None:
    assert declared(WAR, ALLIANCE, ALLIANCE) == ALLIANCE
    for one, other in ((ALLIANCE, NOTHING), (NOTHING, ALLIANCE)):
        assert declared(WAR, one, other) == WAR


@pytest.mark.parametrize(("one", "other"), [(NEUTRALITY, NEUTRALITY), (ALLIANCE, NEUTRALITY), (NEUTRALITY, ALLIANCE)])
def test_even_if_these_declarations_are_mismatched_the_default_applies(one: str, other: str) -> None:
    assert declared(WAR, one, other) == NEUTRALITY


@pytest.mark.parametrize("word", [NEUTRALITY, ALLIANCE])
def test_it_takes_mutual_consent_to_end_a_war(word: str) -> None:
    assert declared(WAR, word, NOTHING) == WAR
    assert declared(WAR, NOTHING, word) == WAR
    assert declared(WAR, word, word) != WAR


def test_a_war_goes_on_in_silence() -> None:
    assert declared(WAR, NOTHING, NOTHING) == WAR


def test_a_declaration_of_alliance_must_be_made_in_conjunction() -> None:
    assert declared(NEUTRALITY, ALLIANCE, ALLIANCE) == ALLIANCE


@pytest.mark.parametrize(
    ("one", "other"), [pair for pair in product(WORDS, WORDS) if WAR not in pair and pair != (ALLIANCE, ALLIANCE)]
)
def test_neutral_powers_stay_neutral_otherwise(one: str | None, other: str | None) -> None:
    assert declared(NEUTRALITY, one, other) == NEUTRALITY


@pytest.mark.parametrize("other", [NOTHING, NEUTRALITY, ALLIANCE])
def test_an_alliance_member_may_break_the_alliance_unilaterally(other: str | None) -> None:
    assert declared(ALLIANCE, NEUTRALITY, other) == NEUTRALITY
    assert declared(ALLIANCE, other, NEUTRALITY) == NEUTRALITY


@pytest.mark.parametrize("one", [NOTHING, ALLIANCE])
@pytest.mark.parametrize("other", [NOTHING, ALLIANCE])
def test_an_alliance_lasts_otherwise(one: str | None, other: str | None) -> None:
    assert declared(ALLIANCE, one, other) == ALLIANCE


@pytest.mark.parametrize("now", STANCES)
@pytest.mark.parametrize(("one", "other"), list(product(WORDS, WORDS)))
def test_it_does_not_matter_which_of_two_powers_wrote_which_paper(now: str, one: str | None, other: str | None) -> None:
    assert declared(now, one, other) == declared(now, other, one)


# The year.


def test_a_state_of_neutrality_is_the_automatic_default_at_the_start() -> None:
    assert START.turn.code == "S1901D"
    assert RULES.relations.stances[0] == NEUTRALITY
    assert {stance(START, one, other) for one, other in combinations(RULES.powers, 2)} == {NEUTRALITY}


def test_declarations_come_before_the_orders_of_both_seasons() -> None:
    codes, turn = [], START.turn
    for _ in range(8):
        codes.append(turn.code)
        turn = RULES.calendar.after(turn)
    assert codes == ["S1901D", "S1901M", "S1901R", "F1901D", "F1901M", "F1901R", "W1901A", "S1902D"]
    assert turn.code == "S1902M"


def test_only_the_fall_retreats_are_followed_by_the_count_of_centres() -> None:
    turn, counting = START.turn, []
    for _ in range(7):
        counting += [turn.code] if RULES.calendar.counts_centres(turn) else []
        turn = RULES.calendar.after(turn)
    assert counting == ["F1901R"]


def test_talk_is_public_by_default() -> None:
    facts = tomllib.loads((FOLDER / "variant.toml").read_text())
    assert facts["press"] == "public"


# What may be declared.


def test_everybody_is_offered_three_words_for_each_other_power() -> None:
    for power in RULES.powers:
        offers = order_options(power, START, RULES)
        assert [offer.location for offer in offers] == [other for other in RULES.powers if other != power]
        for offer in offers:
            assert offer.unit is None
            assert offer.orders == tuple(Declare(word, offer.location) for word in STANCES)


def test_a_declaration_is_read_as_players_write_it() -> None:
    for text in ("DECLARE WAR FRANCE", "declare war on France", "Declares war against France"):
        assert parse_order(text, START, RULES) == Declare("war", "FRANCE")
    reading = read_sheet("Declare alliance with Italy\ndeclare neutrality towards Turkey", "FRANCE", START, RULES)
    assert reading.problems == ()
    assert write_sheet(reading.sheet, START) == "DECLARE ALLIANCE ITALY\nDECLARE NEUTRALITY TURKEY"


@pytest.mark.parametrize(
    ("text", "reason", "sentence"),
    [
        (
            "DECLARE PEACE ITALY",
            Reason.NOT_DECLARED_SO,
            "“peace” cannot be declared: choose war, neutrality or alliance.",
        ),
        ("DECLARE WAR FRANCE", Reason.NOT_DECLARED_SO, "A power cannot declare anything to itself: name another one."),
        (
            "A PAR - BUR",
            Reason.WRONG_PHASE,
            "Declarations: powers declare war, neutrality or alliance, as in DECLARE WAR FRANCE.",
        ),
    ],
)
def test_what_cannot_be_declared_is_refused_with_what_can(text: str, reason: Reason, sentence: str) -> None:
    refused = refusal(START, "FRANCE", text)
    assert refused is not None
    assert (refused.reason, say(refused, RULES)) == (reason, sentence)


def test_a_declaration_to_nobody_on_the_board_names_those_that_there_are() -> None:
    with pytest.raises(NotationError) as caught:
        parse_order("DECLARE WAR ON SPAIN", START, RULES)
    assert (caught.value.reason, caught.value.facts) == (
        Misreading.DECLARE_WHAT,
        {"powers": tuple(sorted(RULES.powers))},
    )
    assert "one of these powers: Austria, England, " in say(caught.value, RULES)


def test_one_power_is_declared_one_thing() -> None:
    reading = read_sheet("DECLARE WAR ITALY\nDECLARE ALLIANCE ITALY", "FRANCE", START, RULES)
    assert [say(problem.why, RULES) for problem in reading.problems] == ["There is already a declaration to Italy."]
    assert reading.sheet.orders == (Declare("war", "ITALY"),)


def test_nothing_is_declared_while_units_move() -> None:
    moving = table({"FRANCE": ["A PAR"]})
    refused = refusal(moving, "FRANCE", "DECLARE WAR ITALY")
    assert refused is not None
    assert refused.reason is Reason.WRONG_PHASE


def test_a_sheet_without_declarations_leaves_nothing_undecided() -> None:
    declarations = RULES.special[PhaseKind.DECLARATION]
    assert declarations.unfinished((), "FRANCE", Situation(START, RULES)) == ()


# D1, D2, D12.


def test_d1_a_power_that_missed_the_deadline_wrote_nothing() -> None:
    at_war = table({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}, related(FRANCE_GERMANY=WAR), "S1901D")
    public = played(at_war, {"GERMANY": ["DECLARE NEUTRALITY FRANCE"]})
    assert stance(public.next, "FRANCE", "GERMANY") == WAR
    (paper,) = public.outcomes
    assert (paper.results, paper.reason) == ((OrderResult.FAILS,), Reason.TAKES_TWO)
    assert say(paper, RULES) == "France declared neither neutrality nor alliance, so the war goes on."


def test_d1_a_power_in_civil_disorder_wrote_nothing_whatever_lies_in_its_drawer() -> None:
    abandoned, _ = put_in_civil_disorder(START, "ITALY", RULES)
    drawer = sheets(abandoned, {"ITALY": ["DECLARE WAR FRANCE"], "FRANCE": ["DECLARE ALLIANCE ITALY"]})
    public = resolve(abandoned, drawer, RULES).public
    assert stance(public.next, "FRANCE", "ITALY") == NEUTRALITY
    assert {o.power for o in public.outcomes} == {"FRANCE"}
    assert "ITALY" not in must_decide(abandoned, RULES)


def test_d2_papers_and_relations_are_public_once_they_are_opened() -> None:
    public = played(
        START,
        {
            "GERMANY": ["DECLARE WAR FRANCE", "DECLARE ALLIANCE AUSTRIA"],
            "FRANCE": ["DECLARE NEUTRALITY GERMANY"],
            "AUSTRIA": ["DECLARE ALLIANCE GERMANY"],
            "ITALY": ["DECLARE ALLIANCE TURKEY"],
        },
    )
    assert [(o.power, o.order, o.results[0].value, say(o, RULES)) for o in public.outcomes] == [
        ("AUSTRIA", Declare(ALLIANCE, "GERMANY"), "succeeds", ""),
        ("FRANCE", Declare(NEUTRALITY, "GERMANY"), "fails", "Germany declared war."),
        ("GERMANY", Declare(ALLIANCE, "AUSTRIA"), "succeeds", ""),
        ("GERMANY", Declare(WAR, "FRANCE"), "succeeds", ""),
        (
            "ITALY",
            Declare(ALLIANCE, "TURKEY"),
            "fails",
            "Turkey did not declare alliance, so the two powers are neutral towards each other.",
        ),
    ]
    assert public.next.relations == {"AUSTRIA GERMANY": "alliance", "FRANCE GERMANY": "war"}
    assert sentences(public) == ["Austria and Germany are allies now.", "France and Germany are at war now."]
    assert public.next.turn.code == "S1901M"
    assert public_from_json(public_to_json(public)) == public
    assert position_from_json(position_to_json(public.next)) == public.next


def test_every_change_is_told_and_nothing_else() -> None:
    before = table(
        {"FRANCE": ["A PAR"], "GERMANY": ["A MUN"], "ITALY": ["A ROM"]},
        related(FRANCE_GERMANY=WAR, FRANCE_ITALY=ALLIANCE, GERMANY_ITALY=ALLIANCE),
        "F1901D",
    )
    public = played(
        before,
        {
            "FRANCE": ["DECLARE NEUTRALITY GERMANY", "DECLARE NEUTRALITY ITALY"],
            "GERMANY": ["DECLARE NEUTRALITY FRANCE"],
        },
    )
    assert sentences(public) == [
        "France and Germany are no longer at war but neutral towards each other.",
        "France and Italy are no longer allies but neutral towards each other.",
    ]
    assert public.next.relations == {"GERMANY ITALY": "alliance"}


def test_d2_a_power_reads_its_own_papers_alone_in_its_private_part() -> None:
    written = sheets(START, {"GERMANY": ["DECLARE WAR FRANCE"], "FRANCE": ["DECLARE ALLIANCE GERMANY"]})
    private = resolve(START, written, RULES).private
    assert {power: mine.sheet for power, mine in private.items()} == written


def test_d12_war_may_be_declared_on_a_power_that_nobody_plays() -> None:
    abandoned, _ = put_in_civil_disorder(START, "ITALY", RULES)
    public = played(abandoned, {"FRANCE": ["DECLARE WAR ITALY"]})
    assert stance(public.next, "FRANCE", "ITALY") == WAR


def test_d12_a_power_without_unit_or_centre_is_out_of_the_game() -> None:
    gone = table(
        {"FRANCE": ["A ROM"], "GERMANY": ["A MUN"]},
        turn="S1905D",
        centres=dict.fromkeys(("ROM", "NAP", "VEN"), "FRANCE"),
    )
    assert "ITALY" not in must_decide(gone, RULES)
    assert order_options("ITALY", gone, RULES) == ()
    assert "ITALY" not in [offer.location for offer in order_options("FRANCE", gone, RULES)]
    for power, text in (("FRANCE", "DECLARE WAR ITALY"), ("ITALY", "DECLARE WAR FRANCE")):
        refused = refusal(gone, power, text)
        assert refused is not None
        assert say(refused, RULES) == "Italy is no longer in the game."
    assert played(gone, {"ITALY": ["DECLARE WAR FRANCE"]}).next.relations == {}


def test_d12_a_centre_or_a_unit_is_enough_to_decide() -> None:
    centre_alone = table({"FRANCE": ["A ROM"]}, turn="S1905D")
    assert "ITALY" in must_decide(centre_alone, RULES)
    unit_alone = table(
        {"FRANCE": ["A ROM"], "ITALY": ["A TUN"]}, turn="S1905D", centres=dict.fromkeys(("ROM", "NAP", "VEN"), "FRANCE")
    )
    assert "ITALY" in must_decide(unit_alone, RULES)


# Declarations are secret until they are opened, and affect no other power.

PAPERS = [None, *(f"DECLARE {word} FRANCE" for word in STANCES)]
OTHERS = {
    "FRANCE": ["DECLARE ALLIANCE GERMANY", "DECLARE WAR ITALY"],
    "ITALY": ["DECLARE ALLIANCE AUSTRIA"],
    "AUSTRIA": ["DECLARE ALLIANCE ITALY"],
}


@pytest.mark.parametrize("now", STANCES)
def test_a_paper_changes_the_relation_of_its_two_powers_and_nothing_else(now: str) -> None:
    position = table({power: [] for power in RULES.powers}, related(FRANCE_GERMANY=now), "S1901D")
    seen = set()
    for paper in PAPERS:
        public = played(position, OTHERS | {"GERMANY": [paper] if paper else []})
        relations = {two: word for two, word in public.next.relations.items() if two != "FRANCE GERMANY"}
        bystanders = [o for o in public.outcomes if {o.power, getattr(o.order, "power", "")} != {"FRANCE", "GERMANY"}]
        others = [notice for notice in public.notices if "Germany" not in say(notice, RULES)]
        seen.add(repr((relations, bystanders, [say(o, RULES) for o in bystanders], others)))
        assert (public.next.units, public.next.centres) == (position.units, position.centres)
        assert (public.next.memory, public.next.turn.code) == ({}, "S1901M")
    assert len(seen) == 1


@pytest.mark.parametrize("paper", PAPERS)
def test_what_lies_unopened_changes_neither_choices_nor_duties_of_anybody(paper: str | None) -> None:
    """Everything that can be asked before the opening is asked of the position, which no declaration changes."""
    before = position_to_json(START)
    choices = {power: order_options(power, START, RULES) for power in RULES.powers}
    written = sheets(START, {"GERMANY": [paper]}) if paper else {}
    resolve(START, written, RULES)
    assert position_to_json(START) == before
    assert {power: order_options(power, START, RULES) for power in RULES.powers} == choices
    assert must_decide(START, RULES) == RULES.powers


def test_papers_that_come_to_the_same_relations_leave_the_same_position() -> None:
    silent = played(START, {})
    for papers in ({"GERMANY": ["DECLARE ALLIANCE FRANCE"]}, {"FRANCE": ["DECLARE NEUTRALITY GERMANY"]}):
        assert played(START, papers).next == silent.next


def test_after_the_declarations_everybody_moves_and_no_phase_is_left_out_before() -> None:
    resolution = adjudicate(START, {power: OrderSheet() for power in RULES.powers}, RULES)
    assert resolution.public.next.turn.code == "S1901M"
    spring = adjudicate(resolution.public.next, {}, RULES)
    assert spring.public.next.turn.code == "F1901D"
