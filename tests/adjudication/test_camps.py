"""A province that units share: each is in a camp there, and others wait until all of them have left."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.board import Board, province_of
from adjudication.errors import NotationError
from adjudication.judge import resolve
from adjudication.legality import order_refusal
from adjudication.movement.battle import Battle
from adjudication.movement.solver import Solver
from adjudication.notation import parse_order, read_sheet, write_order, write_sheet
from adjudication.options import order_options
from adjudication.orders import Convoy, Disband, Hold, Move, Order, OrderSheet, Support
from adjudication.position import Dislodged, Position
from adjudication.quick_judge import standing_after
from adjudication.reasons import Reason
from adjudication.resolution import OrderResult, Public
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import Unit, UnitKind
from tests.adjudication.battles import examples, laid_out
from tests.adjudication.boards import _FOLDER, STANDARD, lawful_sheets, position, unit
from variants.camps import with_camps
from variants.words import say
from variants.words.orders import pretty_order

CAMPS = {
    "BU1": {"within": "BUL", "name": "Bulgaria (Austrian camp)"},
    "BU2": {"within": "BUL", "name": "Bulgaria (Turkish camp)"},
}
BOARD = Board.from_json(with_camps(json.loads((_FOLDER / "board.json").read_text(encoding="utf-8")), CAMPS))
RULES = replace(STANDARD, board=BOARD)
TOGETHER = {"AUSTRIA": ["A BU1"], "TURKEY": ["A BU2"]}


def judged(before: Position, rules: Ruleset = RULES, **texts: str) -> Public:
    """Orders separated by semicolons, all lawful."""
    return resolve(before, lawful_sheets(before, texts, rules), rules).public


def fate(public: Public, location: str) -> tuple[list[str], Reason | None]:
    (outcome,) = [o for o in public.outcomes if o.unit and o.unit.location == location]
    return [result.value for result in outcome.results], outcome.reason


def standing(public: Public) -> set[str]:
    return {str(each) for each in public.next.units}


def near(**more: list[str]) -> Position:
    """Austria and Turkey share Bulgaria, with others nearby."""
    return position("S1901M", {**TOGETHER, **more})


# Entering.


def test_nobody_enters_while_one_of_those_who_share_stays() -> None:
    public = judged(near(RUSSIA=["A RUM", "A SER"]), AUSTRIA="A Bul - Gre", RUSSIA="A Rum - Bul; A Ser S A Rum - Bul")
    assert fate(public, "RUM") == (["fails"], Reason.SHARED_PROVINCE)
    assert standing(public) == {"A GRE", "A BU2", "A RUM", "A SER"}
    assert public.next.dislodged == ()
    (outcome,) = [o for o in public.outcomes if o.order == Move("RUM", "BUL")]
    assert say(outcome, RULES) == "Not every unit left Bul, so no other unit could enter."


def test_somebody_enters_when_all_of_them_leave() -> None:
    public = judged(near(RUSSIA=["A RUM"]), AUSTRIA="A Bul - Gre", TURKEY="A Bul - Con", RUSSIA="A Rum - Bul")
    assert standing(public) == {"A GRE", "A CON", "A BUL"}


def test_somebody_enters_when_they_leave_in_a_circle() -> None:
    before = near(RUSSIA=["A SER", "A GRE"])
    public = judged(before, AUSTRIA="A Bul - Ser", TURKEY="A Bul - Con", RUSSIA="A Ser - Gre; A Gre - Bul")
    assert standing(public) == {"A SER", "A CON", "A GRE", "A BUL"}
    assert {str(unit) for unit in public.next.units_of("RUSSIA")} == {"A GRE", "A BUL"}


def test_those_who_share_bounce_and_stay_together() -> None:
    public = judged(near(), AUSTRIA="A Bul - Gre", TURKEY="A Bul - Gre")
    assert standing(public) == {"A BU1", "A BU2"}
    assert public.next.contested == {"GRE"}
    assert [say(outcome, RULES) for outcome in public.outcomes] == [
        "Bounced with Turkey A Bul–Gre: 1 against 1.",
        "Bounced with Austria A Bul–Gre: 1 against 1.",
    ]


def test_two_from_outside_bounce_in_a_province_that_all_have_left_and_nobody_retreats_there() -> None:
    before = near(RUSSIA=["A RUM"], ITALY=["A SER"])
    public = judged(before, AUSTRIA="A Bul - Gre", TURKEY="A Bul - Con", RUSSIA="A Rum - Bul", ITALY="A Ser - Bul")
    assert fate(public, "RUM") == (["fails"], Reason.BOUNCED)
    assert public.next.contested == {"BUL"}


def test_a_camp_is_no_goal_and_its_province_is_none_for_who_camps_there() -> None:
    before = near(RUSSIA=["A RUM", "F BLA"])
    for text in ("A RUM - BU1", "A RUM - BU1 VIA"):
        assert order_refusal(parse_order(text, before, RULES), "RUSSIA", Situation(before, RULES)) is not None
    for order in (Move("BU1", "BUL"), Move("BU1", "BUL", via=True)):
        refusal = order_refusal(order, "AUSTRIA", Situation(before, RULES))
        assert refusal is not None
        assert refusal.reason is Reason.OWN_PROVINCE
    assert order_refusal(Convoy("BLA", "BU1", "BUL"), "RUSSIA", Situation(before, RULES)) is not None
    refusal = order_refusal(Support("BU1", "RUM", "BUL"), "AUSTRIA", Situation(before, RULES))
    assert refusal is not None
    assert say(refusal, RULES) == "A Bul cannot support a move to its own province."
    offered = [o for power in RULES.powers for row in order_options(power, before, RULES) for o in row.orders]
    goals = {o.destination for o in offered if isinstance(o, Move | Support | Convoy)}
    assert not {"BU1", "BU2"} & goals


def test_an_army_is_convoyed_out_of_a_camp() -> None:
    before = near(RUSSIA=["F BLA"])
    public = judged(before, AUSTRIA="A Bul - Sev", RUSSIA="F Bla C Austrian A Bul - Sev")
    assert standing(public) == {"A SEV", "A BU2", "F BLA"}


# Battles at its borders.


def test_an_attack_cuts_the_supports_that_are_given_from_there() -> None:
    before = near(RUSSIA=["A RUM", "A SER"], GERMANY=["A GRE"])
    given = judged(before, AUSTRIA="A Bul S A Ser - Gre", RUSSIA="A Ser - Gre")
    assert [str(d.unit) for d in given.next.dislodged] == ["A GRE"]
    cut = judged(before, AUSTRIA="A Bul S A Ser - Gre", RUSSIA="A Ser - Gre; A Rum - Bul")
    assert fate(cut, "BU1") == (["cut"], Reason.SUPPORT_CUT)
    assert cut.next.dislodged == ()
    (outcome,) = [o for o in cut.outcomes if o.order == Support("BU1", "SER", "GRE")]
    assert say(outcome, RULES) == "Support cut by A Rum–Bul."


def test_an_attack_from_where_the_support_is_aimed_does_not_cut_it() -> None:
    before = near(RUSSIA=["A SER"], GERMANY=["A GRE"])
    public = judged(before, AUSTRIA="A Bul S A Ser - Gre", RUSSIA="A Ser - Gre", GERMANY="A Gre - Bul")
    assert fate(public, "BU1") == (["given"], None)
    assert [str(d.unit) for d in public.next.dislodged] == ["A GRE"]


AROUND = {"GERMANY": ["A RUM"], "RUSSIA": ["A GRE"], "ITALY": ["A SER", "A SEV"]}
HEAD_TO_HEAD = {"AUSTRIA": "A Bul - Gre", "RUSSIA": "A Gre - Bul", "GERMANY": "A Rum S Russian A Gre - Bul"}


def test_an_attack_out_of_there_does_not_cut_a_support_that_is_aimed_at_it_whoever_makes_it() -> None:
    public = judged(near(**AROUND), RULES, **HEAD_TO_HEAD, TURKEY="A Bul - Rum", ITALY="A Ser S Austrian A Bul - Gre")
    assert fate(public, "RUM") == (["given"], None)
    assert fate(public, "BU1") == (["fails"], Reason.HEAD_TO_HEAD)
    assert public.next.dislodged == ()


def test_an_attack_out_of_there_that_dislodges_the_supporter_cuts_such_a_support_too() -> None:
    help_ = "A Ser S Austrian A Bul - Gre; A Sev S Turkish A Bul - Rum"
    public = judged(near(**AROUND), RULES, **HEAD_TO_HEAD, TURKEY="A Bul - Rum", ITALY=help_)
    assert fate(public, "RUM") == (["cut", "dislodged"], Reason.SUPPORTER_DISLODGED)
    assert {str(each.unit) for each in public.next.dislodged} == {"A GRE", "A RUM"}


def test_an_attack_out_of_there_cuts_supports_that_are_aimed_elsewhere_and_one_from_elsewhere_cuts_this_one() -> None:
    before = near(RUSSIA=["A SER", "A RUM"], GERMANY=["A BUD"])
    elsewhere = judged(before, TURKEY="A Bul - Ser", RUSSIA="A Ser S A Rum - Bud; A Rum - Bud")
    assert fate(elsewhere, "SER") == (["cut"], Reason.SUPPORT_CUT)
    from_elsewhere = judged(before, RUSSIA="A Ser S A Rum - Bul; A Rum - Bul", GERMANY="A Bud - Ser")
    assert fate(from_elsewhere, "SER") == (["cut"], Reason.SUPPORT_CUT)


def test_an_own_attack_cuts_nothing() -> None:
    before = near(RUSSIA=["A SER"], GERMANY=["A GRE"])
    own = replace(before, units=(*before.units, unit("AUSTRIA", "A RUM")))
    public = judged(own, AUSTRIA="A Bul S A Ser - Gre; A Rum - Bul", RUSSIA="A Ser - Gre")
    assert fate(public, "BU1") == (["given"], None)


def test_head_to_head_nobody_passes() -> None:
    public = judged(near(RUSSIA=["A GRE"]), AUSTRIA="A Bul - Gre", TURKEY="A Bul - Con", RUSSIA="A Gre - Bul")
    assert fate(public, "BU1") == (["fails"], Reason.HEAD_TO_HEAD)
    assert fate(public, "GRE") == (["fails"], Reason.SHARED_PROVINCE)
    assert standing(public) == {"A BU1", "A CON", "A GRE"}


def test_head_to_head_the_stronger_one_leaves_and_the_beaten_one_may_not_retreat_into_the_shared_province() -> None:
    before = near(RUSSIA=["A GRE"], ITALY=["A SER"])
    public = judged(
        before, AUSTRIA="A Bul - Gre", TURKEY="A Bul - Con", RUSSIA="A Gre - Bul", ITALY="A Ser S Austrian A Bul - Gre"
    )
    assert standing(public) == {"A GRE", "A CON", "A SER"}
    assert public.next.dislodged == (Dislodged(unit("RUSSIA", "A GRE"), "BUL", ("ALB",)),)
    assert fate(public, "GRE")[0] == ["fails", "dislodged"]


def test_head_to_head_the_supports_of_the_other_move_defend() -> None:
    before = near(RUSSIA=["A GRE", "A RUM"], ITALY=["A SER"])
    public = judged(
        before,
        AUSTRIA="A Bul - Gre",
        TURKEY="A Bul - Con",
        RUSSIA="A Gre - Bul; A Rum S A Gre - Bul",
        ITALY="A Ser S Austrian A Bul - Gre",
    )
    assert fate(public, "BU1") == (["fails"], Reason.HEAD_TO_HEAD)
    assert public.next.dislodged == ()


def test_by_convoy_they_pass_each_other() -> None:
    before = near(RUSSIA=["A GRE"], ITALY=["F AEG"])
    public = judged(
        before,
        AUSTRIA="A Bul - Gre via",
        TURKEY="A Bul - Con",
        RUSSIA="A Gre - Bul",
        ITALY="F Aeg C Austrian A Bul - Gre",
    )
    assert {str(unit) for unit in public.next.units_of("AUSTRIA")} == {"A GRE"}
    assert {str(unit) for unit in public.next.units_of("RUSSIA")} == {"A BUL"}


def test_nobody_retreats_into_a_province_that_units_share() -> None:
    before = near(RUSSIA=["A RUM"], ITALY=["A SER", "A BUD"])
    public = judged(before, ITALY="A Ser - Rum; A Bud S A Ser - Rum")
    (beaten,) = public.next.dislodged
    assert beaten.retreats == ("GAL", "SEV", "UKR")
    refusal = order_refusal(parse_order("A Rum - Bul", public.next, RULES), "RUSSIA", Situation(public.next, RULES))
    assert refusal is not None
    assert say(refusal, RULES) == "Bulgaria is occupied."


def test_a_contest_for_a_shared_province_is_told_once() -> None:
    public = judged(near(RUSSIA=["A RUM"]), RUSSIA="A Rum - Bul")
    assert [contest.province for contest in public.contests] == ["BUL"]


# Wording.


@pytest.mark.parametrize(
    ("power", "text", "order"),
    [
        ("AUSTRIA", "A Bul - Gre", Move("BU1", "GRE")),
        ("TURKEY", "A Bul - Gre", Move("BU2", "GRE")),
        ("TURKEY", "Bulgaria holds", Hold("BU2")),
        ("TURKEY", "A Bu1 - Gre", Move("BU1", "GRE")),
        ("TURKEY", "Army Bulgaria (Austrian camp) - Greece", Move("BU1", "GRE")),
        ("RUSSIA", "A Rum - Bul", Move("RUM", "BUL")),
        ("RUSSIA", "A Rum S Austrian A Bul - Ser", Support("RUM", "BU1", "SER")),
        ("RUSSIA", "A Rum S Turkey A Bul - Ser", Support("RUM", "BU2", "SER")),
        ("RUSSIA", "A Rum S A Bu2 - Ser", Support("RUM", "BU2", "SER")),
        ("RUSSIA", "F Bla C Turkish A Bul - Sev", Convoy("BLA", "BU2", "SEV")),
    ],
)
def test_the_name_of_a_shared_province_stands_for_the_camp_of_the_unit_that_is_meant(
    power: str, text: str, order: Order
) -> None:
    before = near(RUSSIA=["A RUM", "F BLA"])
    assert parse_order(text, before, RULES, power) == order
    assert parse_order(write_order(order, before), before, RULES) == order


def test_to_disband_ones_own_unit_the_name_of_the_province_is_enough() -> None:
    before = near().in_turn(Turn.from_code("W1901A"))
    for text in ("Disband A Bul", "A Bul D"):
        assert parse_order(text, before, RULES, "TURKEY") == Disband("BU2")


@pytest.mark.parametrize("text", ["A Rum S A Bul - Ser", "A Bul - Ser", "F Bla C A Bul - Sev"])
def test_where_it_is_not_clear_who_is_meant_the_sentence_lists_them(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_order(text, near(RUSSIA=["A RUM", "F BLA"]), RULES, "RUSSIA")
    assert (
        say(caught.value, RULES)
        == "There are several units in Bulgaria. Say whose you mean: Austria A Bul or Turkey A Bul."
    )
    named = parse_order("A Rum S Austria A Bul - Ser", near(RUSSIA=["A RUM"]), RULES, "RUSSIA")
    assert named == Support("RUM", "BU1", "SER")


@pytest.mark.parametrize("text", ["A Bul S A Bul - Ser", "A Bul S Bul - Ser", "A Bul S Turkish A Bul - Ser"])
def test_a_support_given_from_there_means_the_other_unit_never_the_one_that_gives_it(text: str) -> None:
    assert parse_order(text, near(), RULES, "AUSTRIA") == Support("BU1", "BU2", "SER")
    assert parse_order("A Bul S A Bul - Ser", near(), RULES, "TURKEY") == Support("BU2", "BU1", "SER")
    muster = parse_order("F Bul/sc S F Bul/sc - Gre", near(), MUSTER, "AUSTRIA")
    assert muster == Support("BU1/SC", "BU2", "GRE")


def test_who_names_his_own_unit_for_its_own_support_is_told_that_it_cannot() -> None:
    order = parse_order("A Bul S Austrian A Bul - Ser", near(), RULES, "AUSTRIA")
    refusal = order_refusal(order, "AUSTRIA", Situation(near(), RULES))
    assert refusal is not None
    assert say(refusal, RULES) == "A unit cannot support itself."


@pytest.mark.parametrize("text", ["A Rum S Russian A Bul - Ser", "A Rum S Russia F Bul", "F Bla C Russian A Bul - Sev"])
def test_a_power_without_a_unit_there_is_not_taken_for_another(text: str) -> None:
    only_one = position("S1901M", {"AUSTRIA": ["A BU1"], "TURKEY": ["F BU2/SC"], "RUSSIA": ["A RUM", "F BLA"]})
    with pytest.raises(NotationError) as caught:
        parse_order(text, only_one, RULES, "RUSSIA")
    assert say(caught.value, RULES) == (
        "Russia has no unit in Bulgaria. There are several units in Bulgaria. "
        "Say whose you mean: Austria A Bul or Turkey F Bul/sc."
    )


def test_the_only_unit_of_its_kind_needs_no_other_name() -> None:
    before = position("S1901M", {"AUSTRIA": ["A BU1"], "TURKEY": ["F BU2/SC"], "RUSSIA": ["A RUM", "F AEG"]})
    assert parse_order("A Rum S A Bul - Ser", before, RULES, "RUSSIA") == Support("RUM", "BU1", "SER")
    assert parse_order("F Aeg S F Bul - Gre", before, RULES, "RUSSIA") == Support("AEG", "BU2", "GRE")
    assert parse_order("F Aeg C A Bul - Gre", before, RULES, "RUSSIA") == Convoy("AEG", "BU1", "GRE")


def test_a_unit_in_the_province_itself_is_meant_by_its_name() -> None:
    before = position("S1901M", {"AUSTRIA": ["A BUL"]})
    assert parse_order("A Bul - Gre", before, RULES, "TURKEY") == Move("BUL", "GRE")
    assert parse_order("A Bul - Gre", near(), RULES, "TURKEY") == Move("BU2", "GRE")


# The muster: orders that say what a unit is.

MUSTER = replace(RULES, muster=Turn.from_code("S1901M"))


@pytest.mark.parametrize(
    ("text", "formed", "moved"),
    [
        ("A Bul - Gre", "A BU1", "A GRE"),
        ("A Bul H", "A BU1", "A BU1"),
        ("F Bul/ec - Bla", "F BU1/EC", "F BLA"),
        ("F Bul/sc - Gre", "F BU1/SC", "F GRE"),
        ("Bul south coast - Aeg", "F BU1/SC", "F AEG"),
        ("F Bul/sc H", "F BU1/SC", "F BU1/SC"),
        ("", "A BU1", "A BU1"),
    ],
)
def test_in_the_turn_of_the_muster_the_order_says_what_the_unit_is(text: str, formed: str, moved: str) -> None:
    public = judged(near(), MUSTER, AUSTRIA=text)
    assert [str(o.unit) for o in public.outcomes] == [formed, "A BU2"]
    assert standing(public) == {moved, "A BU2"}
    lines = {"AUSTRIA": [text]} if text else {}
    assert {str(each) for each in standing_after(near(), lines, MUSTER).units} == standing(public)


def test_after_the_muster_a_unit_is_what_it_was_made() -> None:
    fleet = judged(near(), MUSTER, AUSTRIA="F Bul/sc H").next
    assert fleet.unit_at("BU1") == Unit("AUSTRIA", UnitKind.FLEET, "BU1/SC")
    with pytest.raises(NotationError) as caught:
        parse_order("A Bul - Gre", fleet.in_turn(Turn.from_code("F1901M")), MUSTER, "AUSTRIA")
    assert "is a fleet, not an army" in say(caught.value, MUSTER)


def test_all_forms_are_offered_and_each_order_is_written_and_read_back() -> None:
    (row,) = order_options("AUSTRIA", near(), MUSTER)
    texts = [write_order(order, near()) for order in row.orders]
    assert texts == [
        "A BU1 H",
        "A BU1 - CON",
        "A BU1 - GRE",
        "A BU1 - RUM",
        "A BU1 - SER",
        *(text for text in texts if " S " in text and text.startswith("A")),
        "F BU1/EC H",
        "F BU1/EC - BLA",
        "F BU1/EC - CON",
        "F BU1/EC - RUM",
        *(text for text in texts if " S " in text and text.startswith("F BU1/EC")),
        "F BU1/SC H",
        "F BU1/SC - AEG",
        "F BU1/SC - CON",
        "F BU1/SC - GRE",
        *(text for text in texts if " S " in text and text.startswith("F BU1/SC")),
    ]
    for order, text in zip(row.orders, texts, strict=True):
        assert parse_order(text, near(), MUSTER) == order
        sheet = read_sheet(text, "AUSTRIA", near(), MUSTER).sheet
        assert write_sheet(sheet, near()) == text
    assert pretty_order(Move("BU1/EC", "BLA"), near(), BOARD) == "F Bul/ec–BLA"


def test_people_read_the_name_of_the_province_and_whose_unit_is_helped() -> None:
    before = near(RUSSIA=["A RUM", "F BLA"])
    words = [
        pretty_order(order, before, BOARD)
        for order in (Move("BU1", "GRE"), Support("RUM", "BU2", "SER"), Convoy("BLA", "BU2", "SEV"))
    ]
    assert words == ["A Bul–Gre", "A Rum S Turkey A Bul–Ser", "F BLA C Turkey A Bul–Sev"]
    assert parse_order(words[1], before, RULES) == Support("RUM", "BU2", "SER")


def test_a_fleet_that_names_no_coast_is_asked_for_it() -> None:
    with pytest.raises(NotationError) as caught:
        parse_order("F Bul - Bla", near(), MUSTER, "AUSTRIA")
    asked = "Name the coast: Bulgaria (Austrian camp) (ec) or Bulgaria (Austrian camp) (sc)."
    assert say(caught.value, RULES) == asked


def test_the_first_lawful_order_says_what_the_unit_is_and_an_unlawful_one_nothing() -> None:
    before = near()
    sheet = read_sheet("F Bul/ec - Bla\nA Bul - Gre", "AUSTRIA", before, MUSTER)
    assert [say(problem.why, RULES) for problem in sheet.problems] == [
        "There is already an order for Bulgaria (Austrian camp)."
    ]
    assert sheet.sheet.orders == (Move("BU1/EC", "BLA"),)
    wrong = Move("BU1/EC", "AEG")
    public = resolve(before, {"AUSTRIA": OrderSheet((wrong,))}, MUSTER).public
    assert standing(public) == {"A BU1", "A BU2"}
    assert public.outcomes[0].results == (OrderResult.ILLEGAL,)
    two = OrderSheet((wrong, Move("BU1/SC", "AEG"), Hold("BU1")))
    assert standing(resolve(before, {"AUSTRIA": two}, MUSTER).public) == {"F AEG", "A BU2"}


def test_nobody_musters_anothers_unit() -> None:
    public = resolve(near(), {"TURKEY": OrderSheet((Move("BU1/EC", "BLA"),))}, MUSTER).public
    assert standing(public) == {"A BU1", "A BU2"}


# Whatever is ordered.

NEIGHBOURHOOD = ("RUM", "SER", "GRE", "CON", "BLA", "AEG", "SEV", "ALB", "ION", "SMY")


@st.composite
def crowds(draw: st.DrawFn) -> tuple[Position, dict[str, Order]]:
    """Two units sharing Bulgaria and others all around, each with a lawful order."""
    powers = st.sampled_from(["AUSTRIA", "TURKEY", "RUSSIA"])
    around = draw(st.lists(st.sampled_from(NEIGHBOURHOOD), unique=True, min_size=2))
    units = [draw(_somewhere_in("BU1", "AUSTRIA")), draw(_somewhere_in("BU2", "TURKEY"))]
    units += [draw(_somewhere_in(province, draw(powers))) for province in around]
    before = Position(Turn.from_code("S1901M"), tuple(units))
    rows = [row for power in RULES.powers for row in order_options(power, before, RULES)]
    orders: dict[str, Order] = {}
    for row in rows:
        moves = [order for order in row.orders if isinstance(order, Move)]
        into = [order for order in moves if order.destination[:3] == "BUL"]
        wanted = draw(st.sampled_from([row.orders, moves or row.orders, into or moves or row.orders]))
        orders[province_of(row.location)] = draw(st.sampled_from(wanted))
    return before, orders


@st.composite
def _somewhere_in(draw: st.DrawFn, province: str, power: str) -> Unit:
    kind = BOARD.provinces[province].kind
    forms = [Unit(power, UnitKind.ARMY, province)] if kind.takes_armies else []
    if kind.takes_fleets:
        forms += [Unit(power, UnitKind.FLEET, place) for place in BOARD.fleet_locations(province)]
    return draw(st.sampled_from(forms))


@examples(50)
@given(crowds())
def test_nobody_is_driven_out_and_nobody_enters_before_all_have_left(drawn: tuple[Position, dict[str, Order]]) -> None:
    before, orders = drawn
    sheets = {
        power: OrderSheet(tuple(o for p, o in orders.items() if before.units_by_province()[p].power == power))
        for power in RULES.powers
    }
    public = resolve(before, sheets, RULES).public
    stay = [unit for unit in public.next.units if unit.province in CAMPS]
    assert not [each for each in public.next.dislodged if each.unit.province in CAMPS]
    assert not (stay and public.next.unit_at("BUL"))
    assert not any("BUL" in map(province_of, each.retreats) for each in public.next.dislodged if stay)
    assert not {"BU1", "BU2"} & public.next.contested
    assert all(OrderResult.DESTROYED not in o.results for o in public.outcomes if o.unit in stay)


@examples(50)
@given(crowds())
def test_a_finished_resolution_of_a_shared_province_is_a_fixed_point(drawn: tuple[Position, dict[str, Order]]) -> None:
    before, orders = drawn
    situation = Situation(before, RULES)
    solver = Solver(Battle(situation, laid_out(orders, situation)))
    asked = [situation.bitboard.number[p] for p, o in orders.items() if not isinstance(o, Hold)]
    answers = {here: solver.succeeds(here) for here in asked}
    assert {here: solver.evaluate(here) for here in asked} == answers
