"""Phase by phase: calendar, count, winter, civil disorder and the end."""

from dataclasses import replace

import pytest

from adjudication.civil_disorder import CivilDisorder, playable_powers, steps_to_nearest
from adjudication.judge import adjudicate, put_in_civil_disorder, resolve
from adjudication.legality import order_refusal
from adjudication.notation import parse_order
from adjudication.options import must_decide, order_options
from adjudication.orders import Bid, Hold, Move, Order, OrderSheet, Support
from adjudication.position import Dislodged, Position
from adjudication.reasons import Reason
from adjudication.resolution import Notice, NoticeKind, OrderResult, Verdict, VerdictKind
from adjudication.situation import Situation
from adjudication.turns import STANDARD_YEAR, Turn
from adjudication.units import NEUTRAL
from tests.adjudication.boards import BOARD, STANDARD, START, position, unit, units
from tests.adjudication.minors import MINORS
from variants.words import say


def sheet(before: Position, *texts: str) -> OrderSheet:
    orders: list[Order] = [parse_order(text, before, MINORS) for text in texts]
    return OrderSheet(tuple(orders))


def test_a_year_has_five_phases_and_turns_have_codes_and_titles() -> None:
    turn = Turn.from_code("S1926M")
    codes = []
    for _ in range(6):
        codes.append(turn.code)
        turn = STANDARD_YEAR.after(turn)
    assert codes == ["S1926M", "S1926R", "F1926M", "F1926R", "W1926A", "S1927M"]
    assert [c for c in codes if STANDARD_YEAR.counts_centres(Turn.from_code(c))] == ["F1926R"]
    assert (turn.title, turn.kind_title) == ("Spring 1927", "Retreats")
    with pytest.raises(ValueError, match="W1926M"):
        STANDARD_YEAR.after(Turn.from_code("W1926M"))


def test_a_turn_is_told_from_the_others_of_its_year_by_a_few_letters() -> None:
    codes = ["S1901D", "S1901M", "F1901R", "W1901R", "W1901A", "Y1901M", "OCT1918P", "NOV1918M", "DEC1918R", "DEC1918A"]
    shorts = [Turn.from_code(code).short for code in codes]
    assert shorts == ["Sd", "S", "Fr", "Wr", "W", "Y", "Oct", "Nov", "Dec r", "Dec b"]


def test_phases_with_nothing_to_decide_are_passed_over() -> None:
    public = adjudicate(START, {}, STANDARD).public
    assert (public.turn.code, public.next.turn.code) == ("S1901M", "F1901M")
    public = adjudicate(public.next, {}, STANDARD).public
    assert public.next.turn.code == "S1902M"
    assert public.next.centres == START.centres


def test_resolving_goes_one_phase_only() -> None:
    assert resolve(START, {}, STANDARD).public.next.turn.code == "S1901R"


def test_a_game_with_nothing_to_decide_is_left_after_a_year() -> None:
    public = adjudicate(position("S1901M", {}), {}, STANDARD).public
    assert public.next.turn.code == "S1902M"


def test_centres_change_hands_after_fall_and_not_after_spring() -> None:
    spring = position("S1901M", {"FRANCE": ["A SPA"]}, {"GERMANY": ["SPA", "MUN"]})
    public = adjudicate(spring, {}, STANDARD).public
    assert public.next.centres == {"MUN": "GERMANY", "SPA": "GERMANY"}
    public = adjudicate(public.next, {}, STANDARD).public
    assert public.next.centres == {"MUN": "GERMANY", "SPA": "FRANCE"}
    facts = {"power": "FRANCE", "place": "SPA", "loser": "GERMANY"}
    taken = Notice(NoticeKind.CENTRE_TAKEN, "FRANCE", "SPA", facts)
    assert taken in public.notices


def test_a_minors_unit_takes_no_centre() -> None:
    fall = position("F1901M", {NEUTRAL: ["A SPA"], "FRANCE": ["A PAR"]}, {"GERMANY": ["SPA"]})
    assert adjudicate(fall, {}, MINORS).public.next.centres["SPA"] == "GERMANY"


def test_a_fleet_off_the_way_takes_no_part_although_another_alone_would_do() -> None:
    before = position("S1901M", {"GERMANY": ["A ALB", "F ADR", "F EAS"], "ITALY": ["F ION"]})
    orders = sheet(before, "A ALB - TRI VIA", "F EAS C A ALB - TRI", "F ADR H")
    public = resolve(before, {"GERMANY": orders}, STANDARD).public
    assert [(o.results, o.reason) for o in public.outcomes] == [
        ((OrderResult.STANDS,), None),
        ((OrderResult.INVALID,), Reason.NO_CONVOY_ORDERED),
        ((OrderResult.ILLEGAL,), Reason.CONVOY_OUTSIDE_ROUTE),
        ((OrderResult.STANDS,), None),
    ]


# Retreats.


def test_two_units_that_retreat_to_one_place_disband_and_so_does_one_without_an_order() -> None:
    before = Position(
        Turn.from_code("S1901R"),
        units({"FRANCE": ["A MUN", "A TYR", "A VIE"]}),
        dislodged=(
            Dislodged(unit("GERMANY", "A MUN"), "BUR", ("BOH", "SIL")),
            Dislodged(unit("ITALY", "A TYR"), "PIE", ("BOH", "VEN")),
            Dislodged(unit("AUSTRIA", "A VIE"), None, ("BUD", "GAL")),
        ),
    )
    sheets = {"GERMANY": sheet(before, "A MUN - BOH"), "ITALY": sheet(before, "A TYR - BOH")}
    public = resolve(before, sheets, STANDARD).public
    assert [o.results for o in public.outcomes] == [(OrderResult.FAILS,), (OrderResult.FAILS,)]
    assert {o.reason for o in public.outcomes} == {Reason.RETREATS_COLLIDE}
    assert say(public.outcomes[0], STANDARD) == "More than one unit retreated to Boh, so all of them were disbanded."
    gone = Notice(NoticeKind.DISBANDED, "AUSTRIA", "VIE", {"unit": unit("AUSTRIA", "A VIE")})
    assert public.notices == (gone,)
    assert say(gone, STANDARD) == "A Vie had no retreat order and was disbanded."
    assert (public.next.units, public.next.dislodged) == (before.units, ())


def test_the_surplus_order_of_a_unit_is_refused_and_the_first_stands() -> None:
    before = position("S1901M", {"GERMANY": ["A MUN"]})
    orders = sheet(before, "A MUN - BOH", "A MUN - TYR")
    public = resolve(before, {"GERMANY": orders}, STANDARD).public
    assert [str(u) for u in public.next.units] == ["A BOH"]
    assert [o.results for o in public.outcomes] == [(OrderResult.SUCCEEDS,), (OrderResult.ILLEGAL,)]
    assert public.outcomes[1].reason is Reason.ORDERED_TWICE


# Winter.


def test_builds_not_ordered_are_waived() -> None:
    winter = position("W1901A", {}, {"FRANCE": ["PAR", "MAR"]})
    public = resolve(winter, {"FRANCE": sheet(winter, "BUILD A PAR")}, STANDARD).public
    assert public.next.units == units({"FRANCE": ["A PAR"]})
    assert public.notices == ()


def test_removals_not_ordered_are_made_from_the_farthest_unit() -> None:
    winter = position("W1901A", {"FRANCE": ["A PAR", "A MOS", "A BUR"]}, {"FRANCE": ["PAR"]})
    public = resolve(winter, {"FRANCE": sheet(winter, "DISBAND A BUR")}, STANDARD).public
    assert public.next.units == units({"FRANCE": ["A PAR"]})
    gone = Notice(NoticeKind.REMOVED, "FRANCE", "MOS", {"unit": unit("FRANCE", "A MOS")})
    assert public.notices == (gone,)
    assert say(gone, STANDARD) == "A Mos was removed, because no order said which unit to remove."


def test_distance_is_counted_to_owned_centres_or_to_homes_as_the_rules_say() -> None:
    winter = position("W1901A", {"FRANCE": ["A SER", "A GAS"]}, {"FRANCE": ["SER"]})
    by_homes = replace(STANDARD, disorder=CivilDisorder(from_homes=True))
    assert [str(u) for u in resolve(winter, {}, STANDARD).public.next.units] == ["A SER"]
    assert [str(u) for u in resolve(winter, {}, by_homes).public.next.units] == ["A GAS"]


def test_distances_cross_land_and_sea() -> None:
    steps = steps_to_nearest(["PAR"], BOARD)
    assert (steps["PAR"], steps["BRE"], steps["ENG"], steps["LON"]) == (0, 1, 2, 3)


# Minor powers.


def test_a_minor_that_nobody_controls_or_occupies_is_rebuilt_in_winter() -> None:
    winter = replace(
        position("W1926A", {"FRANCE": ["A SPA"]}, {"FRANCE": ["POR", "SPA"]}),
        memory={"minors": {"BEL": "A", "DEN": "F", "POR": "F", "SPA": "A"}},
    )
    public = resolve(winter, {}, MINORS).public
    assert public.next.units_of(NEUTRAL) == units({NEUTRAL: ["A BEL", "F DEN"]})
    rebuilt = Notice(NoticeKind.MINOR_REBUILT, NEUTRAL, "DEN", {"place": "DEN", "kind": "F"})
    assert rebuilt in public.notices
    assert say(rebuilt, MINORS) == "Denmark has its fleet back."


def test_d3_a_centre_left_before_fall_was_not_taken_and_is_rebuilt() -> None:
    fall = replace(position("F1926M", {"FRANCE": ["A BEL"]}, {"FRANCE": ["PAR"]}), memory={"minors": {"BEL": "A"}})
    public = adjudicate(fall, {"FRANCE": sheet(fall, "A BEL - PIC")}, MINORS).public
    assert public.next.turn.code == "S1927M"
    assert public.next.units == units({NEUTRAL: ["A BEL"], "FRANCE": ["A PIC"]})
    assert public.next.centres == {"PAR": "FRANCE"}


# Permanent civil disorder.

BROKEN = replace(
    position(
        "S1926M",
        {"GERMANY": ["A MUN", "A SIL"], "FRANCE": ["A BER"], "ITALY": ["A VEN"]},
        {"GERMANY": ["MUN", "KIE", "BER", "DEN"], "FRANCE": ["PAR"], "ITALY": ["VEN"]},
    ),
    memory={"minors": {"DEN": "F"}},
)


def test_a_power_that_leaves_for_good_falls_apart_into_minors_with_armies() -> None:
    after, notices = put_in_civil_disorder(BROKEN, "GERMANY", MINORS)
    assert after.units == units({"FRANCE": ["A BER"], "ITALY": ["A VEN"], NEUTRAL: ["A DEN", "A KIE", "A MUN"]})
    assert after.centres == {"BER": "GERMANY", "PAR": "FRANCE", "VEN": "ITALY"}
    assert after.memory == {"disordered": ["GERMANY"], "minors": {"DEN": "A", "KIE": "A", "MUN": "A"}}
    assert [(n.kind, n.power, n.province) for n in notices] == [
        ("civil disorder", "GERMANY", None),
        ("new minor", None, "DEN"),
        ("new minor", None, "KIE"),
        ("new minor", None, "MUN"),
    ]


def test_its_dislodged_units_are_gone_too() -> None:
    retreating = replace(
        BROKEN, turn=Turn.from_code("S1926R"), dislodged=(Dislodged(unit("GERMANY", "A BER"), "PRU", ("KIE",)),)
    )
    after, _ = put_in_civil_disorder(retreating, "GERMANY", MINORS)
    assert after.dislodged == ()


def test_an_occupied_centre_is_the_occupiers_after_fall() -> None:
    after, _ = put_in_civil_disorder(replace(BROKEN, turn=Turn.from_code("F1926M")), "GERMANY", MINORS)
    public = adjudicate(after, {}, MINORS).public
    assert public.next.centres["BER"] == "FRANCE"


def test_an_occupied_centre_left_before_the_end_of_fall_becomes_a_minor_with_an_army() -> None:
    after, _ = put_in_civil_disorder(replace(BROKEN, turn=Turn.from_code("F1926M")), "GERMANY", MINORS)
    public = adjudicate(after, {"FRANCE": sheet(after, "A BER - PRU")}, MINORS).public
    assert "BER" not in public.next.centres
    assert unit(NEUTRAL, "A BER") in public.next.units
    assert public.next.memory["minors"]["BER"] == "A"
    new = Notice(NoticeKind.NEW_MINOR, None, "BER", {"place": "BER"})
    assert new in public.notices
    assert say(new, MINORS) == "Berlin is now a minor power with an army."


def test_it_stays_its_own_in_spring_however_empty() -> None:
    after, _ = put_in_civil_disorder(BROKEN, "GERMANY", MINORS)
    public = adjudicate(after, {"FRANCE": sheet(after, "A BER - PRU")}, MINORS).public
    assert public.next.turn.code == "F1926M"
    assert public.next.centres["BER"] == "GERMANY"
    assert public.next.unit_at("BER") is None


def test_a_new_minor_follows_bids_and_takes_its_army_again_in_winter() -> None:
    after, _ = put_in_civil_disorder(replace(BROKEN, turn=Turn.from_code("F1926M")), "GERMANY", MINORS)
    bid = OrderSheet((), (Bid(parse_order("A MUN S A BER", after, MINORS), 1),))
    public = resolve(after, {"FRANCE": bid}, MINORS).public
    assert [o.results for o in public.outcomes if o.unit == unit(NEUTRAL, "A MUN")] == [(OrderResult.GIVEN,)]
    without = replace(after, turn=Turn.from_code("W1926A"), units=units({"FRANCE": ["A BER"]}))
    assert len(resolve(without, {}, MINORS).public.next.units_of(NEUTRAL)) == 3


def test_nobody_plays_that_power_again_and_its_sheet_is_not_read() -> None:
    after, _ = put_in_civil_disorder(BROKEN, "GERMANY", MINORS)
    assert "GERMANY" not in playable_powers(after, MINORS)
    assert "GERMANY" not in must_decide(after, MINORS)
    assert order_options("GERMANY", after, MINORS) == ()
    bid = OrderSheet((), (Bid(Hold("MUN"), 1),))
    assert resolve(after, {"GERMANY": bid}, MINORS) == resolve(after, {}, MINORS)
    refusal = order_refusal(Hold("MUN"), "GERMANY", Situation(after, MINORS))
    assert refusal is not None


def test_in_the_standard_rules_its_units_stay_and_hold() -> None:
    after, notices = put_in_civil_disorder(BROKEN, "GERMANY", STANDARD)
    assert after.units == BROKEN.units
    assert notices == (Notice(NoticeKind.CIVIL_DISORDER, "GERMANY", None, {"power": "GERMANY"}),)
    assert say(notices[0], STANDARD) == "Germany is in civil disorder for good; its units hold."


# The end.


def centres(count: int, skip: int = 0) -> list[str]:
    return list(BOARD.centres[skip : skip + count])


def end(**held: list[str]) -> Verdict | None:
    fall = position("F1901R", {}, held)
    return resolve(fall, {}, STANDARD).public.verdict


def test_eighteen_centres_win_after_fall() -> None:
    won = end(FRANCE=centres(18), ITALY=centres(16, skip=18))
    assert won == Verdict(("FRANCE",), VerdictKind.MOST_CENTRES, {"power": "FRANCE", "count": 18})
    assert say(won, STANDARD) == "France wins with 18 supply centres."
    assert end(FRANCE=centres(17)) is None


def test_nobody_wins_in_another_season() -> None:
    spring = position("S1901R", {}, {"FRANCE": centres(18)})
    assert resolve(spring, {}, STANDARD).public.verdict is None


def test_of_two_with_enough_the_one_with_more_wins_and_a_tie_plays_on() -> None:
    early = replace(STANDARD, victory=replace(STANDARD.victory, needed=12))  # type: ignore[type-var]
    more = position("F1901R", {}, {"FRANCE": centres(14), "ITALY": centres(13, skip=14)})
    even = position("F1901R", {}, {"FRANCE": centres(14), "ITALY": centres(14, skip=14)})
    verdict = resolve(more, {}, early).public.verdict
    assert verdict is not None
    assert verdict.winners == ("FRANCE",)
    assert resolve(even, {}, early).public.verdict is None


def test_adjudication_stops_at_the_verdict() -> None:
    fall = position("F1901M", {"FRANCE": ["A SPA"]}, {"FRANCE": [c for c in centres(18) if c != "SPA"]})
    public = adjudicate(fall, {}, STANDARD).public
    assert public.verdict is not None
    assert public.next.turn.code == "W1901A"


def test_a_support_to_a_coast_out_of_reach_is_unlawful_even_if_its_unit_moves_to_another_one() -> None:
    before = position("S1901M", {"FRANCE": ["F MAR", "A GAS"]})
    orders = (Move("MAR", "SPA/SC"), Support("GAS", "MAR", "SPA/NC"))
    outcomes = resolve(before, {"FRANCE": OrderSheet(orders)}, STANDARD).public.outcomes
    assert [outcome.reason for outcome in outcomes] == [Reason.SUPPORT_OF_IMPOSSIBLE_MOVE, None]


def test_an_unlawful_support_given_twice_is_refused_twice() -> None:
    before = position("S1901M", {"FRANCE": ["A PAR", "A MAR"]})
    orders = (Support("PAR", "MAR", "TYR"), Support("PAR", "MAR", "TYR"))
    outcomes = resolve(before, {"FRANCE": OrderSheet(orders)}, STANDARD).public.outcomes
    assert [(o.unit and o.unit.text, o.results) for o in outcomes] == [
        ("A MAR", (OrderResult.STANDS,)),
        ("A PAR", (OrderResult.ILLEGAL,)),
        ("A PAR", (OrderResult.ILLEGAL,)),
    ]


def test_the_very_order_of_a_units_owner_is_refused_to_another_power_and_a_second_time_to_the_owner() -> None:
    before = position("S1901M", {"FRANCE": ["A PAR"], "ITALY": ["A VEN"]})
    twice, foreign = OrderSheet((Move("PAR", "BUR"), Move("PAR", "BUR"))), OrderSheet((Move("PAR", "BUR"),))
    public = resolve(before, {"FRANCE": twice, "ITALY": foreign}, STANDARD).public
    assert [(o.power, o.order, o.results[0], o.reason) for o in public.outcomes] == [
        ("FRANCE", Move("PAR", "BUR"), OrderResult.SUCCEEDS, None),
        ("FRANCE", Move("PAR", "BUR"), OrderResult.ILLEGAL, Reason.ORDERED_TWICE),
        ("ITALY", Move("PAR", "BUR"), OrderResult.ILLEGAL, Reason.NOT_YOUR_UNIT),
        ("ITALY", Hold("VEN"), OrderResult.STANDS, None),
    ]
