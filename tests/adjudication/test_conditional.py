"""Retreats, builds and removals written ahead: how they are read, said and carried out."""

import pytest

from adjudication.conditional import leaves_nothing_open, sheet_now_due, wishes_due
from adjudication.notation import read_sheet, write_order, write_sheet
from adjudication.orders import Ahead, Build, OrderSheet, Waive
from adjudication.position import Dislodged, Position
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import UnitKind
from tests.adjudication.boards import BOARD, STANDARD, position, unit, units
from variants.words import say
from variants.words.ahead import ahead_words, wishes_by_subject

FALL = position(
    "F1901M", {"GERMANY": ["A MUN", "F KIE", "F SPA/SC"], "FRANCE": ["A BUR"]}, {"GERMANY": ["BER", "KIE", "MUN"]}
)
SPRING = position("S1901M", {"GERMANY": ["A MUN"]})
BEATEN = Dislodged(unit("GERMANY", "A MUN"), "TYR", ("BOH", "SIL"))
RETREATS = Position(Turn.from_code("F1901R"), units({"AUSTRIA": ["A MUN"]}), dislodged=(BEATEN,))


def read(*lines: str, before: Position = FALL) -> Ahead:
    reading = read_sheet("\n".join(lines), "GERMANY", before, STANDARD)
    assert not reading.problems
    return reading.sheet.ahead


def refusal(line: str, before: Position = FALL, *earlier: str) -> str:
    (problem,) = read_sheet("\n".join((*earlier, line)), "GERMANY", before, STANDARD).problems
    return say(problem.why, STANDARD)


def came_of(ahead: Ahead, before: Position) -> list[tuple[list[str], list[str]]]:
    """What was given and skipped of each wish."""
    wishes = wishes_due(ahead, "GERMANY", Situation(before, STANDARD))
    return [
        ([write_order(it, before) for it in each.given], [write_order(it, before) for it in each.skipped])
        for each in wishes
    ]


def is_decided(ahead: Ahead, before: Position) -> bool:
    return leaves_nothing_open(sheet_now_due(ahead, "GERMANY", before, STANDARD).orders, "GERMANY", before, STANDARD)


def due(ahead: Ahead, before: Position) -> list[str]:
    return [write_order(order, before) for order in sheet_now_due(ahead, "GERMANY", before, STANDARD).orders]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("IF A MUN DISLODGED: BUR, SIL", "IF MUN DISLODGED: BUR, SIL"),
        ("if Munich is dislodged: retreat to Burgundy, else Silesia", "IF MUN DISLODGED: BUR, SIL"),
        ("if Munich is dislodged: retreat to Burgundy, else disband", "IF MUN DISLODGED: BUR, DISBAND"),
        ("If A Mun: disband", "IF MUN DISLODGED: DISBAND"),
        ("IF F Spa: Por, Mar", "IF SPA/SC DISLODGED: POR, MAR"),
        ("IF F Kie: Hol, Den", "IF KIE DISLODGED: HOL, DEN"),
        ("BUILDS: A Ber, F Kiel", "BUILDS: A BER, F KIE"),
        ("BUILDS: A Ber, F Kiel, waive", "BUILDS: A BER, F KIE, WAIVE"),
        ("Build: nothing", "BUILDS: WAIVE"),
        ("Removals: the unit in Munich, A Bur", "REMOVALS: MUN, BUR"),
    ],
)
def test_lines_are_read_as_players_write_them(text: str, canonical: str) -> None:
    assert write_sheet(OrderSheet(ahead=read(text)), FALL) == canonical
    assert read(canonical) == read(text)


def test_orders_stand_beside_what_is_written_ahead() -> None:
    reading = read_sheet("A MUN - BOH; IF A MUN DISLODGED: SIL", "GERMANY", FALL, STANDARD)
    assert write_sheet(reading.sheet, FALL) == "A MUN - BOH\nIF MUN DISLODGED: SIL"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("IF A MUN DISLODGED", "after a colon"),
        ("IF A MUN DISLODGED:", "separated by commas"),
        ("IF A BER DISLODGED: SIL", "There is no unit in Berlin."),
        ("IF A BUR DISLODGED: PAR", "The unit in Burgundy is not yours to order."),
        ("IF A MUN ATTACKED: SIL", "before “ATTACKED”"),
        ("IF A MUN DISLODGED: LON", "A Mun cannot retreat to London. It could reach Ber, Boh, Bur"),
        ("IF A MUN DISLODGED: SIL, SIL", "Sil is named twice."),
        ("IF A MUN DISLODGED: DISBAND, SIL", "nothing can follow it"),
        ("IF A MUN DISLODGED: SIL TYR", "before “TYR”"),
        ("IF A MUN DISLODGED: ATLANTIS", "There is no province “ATLANTIS”."),
        ("BUILDS: A PAR", "Paris is not one of your home centres."),
        ("BUILDS: F MUN", "A fleet cannot be built in Munich."),
        ("BUILDS: A BER, F BER", "Berlin is named twice"),
        ("BUILDS: WAIVE, A BER", "nothing can follow it"),
        ("BUILDS: BER", "Say whether to build an army or a fleet"),
        ("REMOVALS: MOS", "None of your units can be in Moscow"),
        ("REMOVALS: MUN, MUN", "Munich is named twice."),
    ],
)
def test_what_can_never_come_true_is_refused_at_entry(line: str, sentence: str) -> None:
    assert sentence in refusal(line)


def test_each_subject_has_one_line() -> None:
    assert "already a line for A Mun" in refusal("IF MUN: BUR", FALL, "IF MUN: SIL")
    assert "already a line of builds" in refusal("BUILDS: F KIE", FALL, "BUILDS: A BER")


def test_only_phases_that_follow_before_the_next_moves_can_be_written_ahead() -> None:
    assert read("IF A MUN DISLODGED: SIL", before=SPRING).retreats
    assert "only if they follow" in refusal("BUILDS: A BER", SPRING)
    assert "together with moves" in refusal("IF A MUN DISLODGED: SIL", RETREATS)
    assert read("BUILDS: A BER", before=RETREATS).builds


def test_a_home_that_may_be_taken_back_this_turn_can_be_built_in() -> None:
    lost = position("F1901M", {"GERMANY": ["A MUN"], "RUSSIA": ["A BER"]}, {"RUSSIA": ["BER"], "GERMANY": ["MUN"]})
    assert read("BUILDS: A BER", before=lost).builds == (Build(UnitKind.ARMY, "BER"),)


@pytest.mark.parametrize(
    ("wishes", "given", "skipped"),
    [
        ("BUR, SIL, BOH", ["A MUN - SIL"], ["A MUN - BUR"]),
        ("BOH", ["A MUN - BOH"], []),
        ("BUR, TYR", [], ["A MUN - BUR", "A MUN - TYR"]),
        ("BUR, DISBAND", ["A MUN D"], ["A MUN - BUR"]),
        ("BOH, DISBAND", ["A MUN - BOH"], []),
        ("DISBAND", ["A MUN D"], []),
    ],
)
def test_the_first_retreat_that_is_possible_counts_and_a_unit_disbands_only_if_that_is_a_wish(
    wishes: str, given: list[str], skipped: list[str]
) -> None:
    ahead = read(f"IF A MUN DISLODGED: {wishes}")
    assert came_of(ahead, RETREATS) == [(given, skipped)]
    assert due(ahead, RETREATS) == given
    assert is_decided(ahead, RETREATS) is bool(given)


def test_two_units_of_a_power_never_retreat_to_the_same_place() -> None:
    both = position("F1901M", {"GERMANY": ["A MUN", "A BER"]})
    ahead = read("IF A MUN DISLODGED: SIL, BOH", "IF A BER DISLODGED: SIL, PRU", before=both)
    beaten = (BEATEN, Dislodged(unit("GERMANY", "A BER"), "KIE", ("PRU", "SIL")))
    after = Position(Turn.from_code("F1901R"), units({"AUSTRIA": ["A MUN"], "FRANCE": ["A BER"]}), dislodged=beaten)
    assert due(ahead, after) == ["A MUN - SIL", "A BER - PRU"]


def test_builds_and_removals_stay_ahead_until_their_phase_if_they_are_still_possible() -> None:
    ahead = read("IF A MUN DISLODGED: SIL", "BUILDS: A BER", "REMOVALS: MUN, SIL")
    assert sheet_now_due(ahead, "GERMANY", RETREATS, STANDARD).ahead == Ahead((), ahead.builds, ("SIL",))
    spring = Position(Turn.from_code("S1901R"), RETREATS.units, dislodged=RETREATS.dislodged)
    assert sheet_now_due(ahead, "GERMANY", spring, STANDARD).ahead == Ahead()


def test_as_many_builds_are_made_as_are_due_and_the_rest_is_waived_only_if_that_is_a_wish() -> None:
    winter = position("W1901A", {"GERMANY": ["A MUN"]}, {"GERMANY": ["BER", "KIE", "MUN"]})
    for wishes, given, skipped in (
        ("F KIE, A MUN, A BER", ["BUILD F KIE", "BUILD A BER"], ["BUILD A MUN"]),
        ("F KIE, A BER, A MUN", ["BUILD F KIE", "BUILD A BER"], []),
        ("F KIE", ["BUILD F KIE"], []),
        ("F KIE, WAIVE", ["BUILD F KIE", "WAIVE"], []),
        ("A MUN", [], ["BUILD A MUN"]),
        ("A MUN, WAIVE", ["WAIVE", "WAIVE"], ["BUILD A MUN"]),
        ("WAIVE", ["WAIVE", "WAIVE"], []),
    ):
        ahead = read(f"BUILDS: {wishes}")
        assert came_of(ahead, winter) == [(given, skipped)]
        assert is_decided(ahead, winter) is (len(given) == 2)
    assert due(read("REMOVALS: MUN"), winter) == []
    no_more = position("W1901A", {"GERMANY": ["A MUN", "A BER"]}, {"GERMANY": ["BER", "MUN"]})
    assert came_of(read("BUILDS: A BER, WAIVE"), no_more) == [([], [])], "nothing is due, so nothing is impossible"


def test_units_are_removed_where_they_then_are() -> None:
    winter = position("W1901A", {"GERMANY": ["A BOH", "F KIE"]}, {"GERMANY": ["KIE"]})
    assert came_of(read("REMOVALS: MUN, BOH, KIE"), winter) == [(["DISBAND A BOH"], ["DISBAND MUN"])]


def test_a_power_has_decided_ahead_what_it_must_decide_or_it_has_not() -> None:
    winter = position("W1901A", {"GERMANY": ["A BOH", "F KIE"]}, {"GERMANY": ["KIE"]})
    for ahead, before, decided in (
        (read("IF A MUN DISLODGED: SIL"), RETREATS, True),
        (read("IF A MUN DISLODGED: BUR"), RETREATS, False),
        (read("IF F KIE DISLODGED: HOL", "BUILDS: A BER"), RETREATS, False),
        (read("REMOVALS: KIE"), winter, True),
        (read("REMOVALS: MUN"), winter, False),
        (read("BUILDS: A BER"), winter, False),
    ):
        assert is_decided(ahead, before) is decided


def test_it_is_said_in_words() -> None:
    ahead = read(
        "IF A MUN DISLODGED: BUR, SIL", "IF KIE: HOL, D", "IF SPA: D", "BUILDS: A BER, F KIE", "REMOVALS: MUN, BUR"
    )
    assert list(ahead_words(ahead, FALL, STANDARD)) == [
        "If A Mun is dislodged, it retreats to Bur, or else to Sil. If that is not possible, it has no order until you "
        "give it one.",
        "If F Kie is dislodged, it retreats to Hol. If that is not possible, it disbands.",
        "If F Spa/sc is dislodged, it disbands.",
        "If you may build, you build A Ber, then F Kie, as far as possible. Any other builds are open until you choose "
        "them.",
        "If you must remove units, you remove those in Mun, then in Bur, as far as needed.",
    ]
    assert wishes_by_subject(ahead, BOARD) == {
        "MUN": "Bur, Sil",
        "KIE": "Hol, disband",
        "SPA": "disband",
        "BUILDS": "A Ber, F Kie",
        "REMOVALS": "Mun, Bur",
    }
    (waived,) = ahead_words(read("BUILDS: A BER, WAIVE"), FALL, STANDARD)
    assert waived == "If you may build, you build A Ber, as far as possible. You waive any other builds."
    assert [*ahead_words(Ahead(builds=(Waive(),)), FALL, STANDARD)] == ["If you may build, you waive all your builds."]
