"""Retreats, builds and removals written ahead: how they are read, said and carried out."""

import pytest

from adjudication.conditional import is_decided_ahead, sheet_now_due
from adjudication.notation import read_sheet, write_order, write_sheet
from adjudication.orders import Ahead, Build, Disband, OrderSheet, Retreat, Waive
from adjudication.position import Dislodged, Position
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


def due(ahead: Ahead, before: Position) -> list[str]:
    return [write_order(order, before) for order in sheet_now_due(ahead, "GERMANY", before, STANDARD).orders]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("IF A MUN DISLODGED: BUR, SIL", "IF MUN DISLODGED: BUR, SIL"),
        ("if Munich is dislodged: retreat to Burgundy, else Silesia, else disband", "IF MUN DISLODGED: BUR, SIL"),
        ("If A Mun: disband", "IF MUN DISLODGED: DISBAND"),
        ("IF F Spa: Por, Mar", "IF SPA/SC DISLODGED: POR, MAR"),
        ("IF F Kie: Hol, Den", "IF KIE DISLODGED: HOL, DEN"),
        ("BUILDS: A Ber, F Kiel, waive", "BUILDS: A BER, F KIE"),
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
    ("wishes", "order"),
    [
        ("BUR, SIL, BOH", Retreat("MUN", "SIL")),
        ("BOH", Retreat("MUN", "BOH")),
        ("BUR, TYR", Disband("MUN")),
        ("DISBAND", Disband("MUN")),
    ],
)
def test_the_first_retreat_that_is_possible_counts_and_without_one_the_unit_disbands(
    wishes: str, order: Retreat | Disband
) -> None:
    assert sheet_now_due(read(f"IF A MUN DISLODGED: {wishes}"), "GERMANY", RETREATS, STANDARD).orders == (order,)


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


def test_as_many_builds_are_made_as_are_due_and_the_rest_is_waived() -> None:
    ahead = read("BUILDS: F KIE, A MUN, A BER")
    winter = position("W1901A", {"GERMANY": ["A MUN"]}, {"GERMANY": ["BER", "KIE", "MUN"]})
    assert due(ahead, winter) == ["BUILD F KIE", "BUILD A BER"]
    assert due(ahead._replace(builds=ahead.builds[:1]), winter) == ["BUILD F KIE", "WAIVE"]
    assert due(read("BUILDS: WAIVE"), winter) == ["WAIVE", "WAIVE"]
    assert due(read("REMOVALS: MUN"), winter) == []


def test_units_are_removed_where_they_then_are() -> None:
    winter = position("W1901A", {"GERMANY": ["A BOH", "F KIE"]}, {"GERMANY": ["KIE"]})
    assert due(read("REMOVALS: MUN, BOH, KIE"), winter) == ["DISBAND A BOH"]


def test_a_power_has_written_ahead_what_it_must_decide_or_it_has_not() -> None:
    winter = position("W1901A", {"GERMANY": ["A BOH", "F KIE"]}, {"GERMANY": ["KIE"]})
    for ahead, before, covered in (
        (read("IF A MUN DISLODGED: BUR"), RETREATS, True),
        (read("IF F KIE DISLODGED: HOL", "BUILDS: A BER"), RETREATS, False),
        (read("REMOVALS: MUN"), winter, True),
        (read("BUILDS: A BER"), winter, False),
    ):
        assert is_decided_ahead(ahead, "GERMANY", before, STANDARD) is covered


def test_it_is_said_in_words() -> None:
    ahead = read("IF A MUN DISLODGED: BUR, SIL", "IF KIE: D", "BUILDS: A BER, F KIE", "REMOVALS: MUN, BUR")
    assert list(ahead_words(ahead, FALL, STANDARD)) == [
        "If A Mun is dislodged, it retreats to Bur, or else to Sil. If that is not possible, it disbands.",
        "If F Kie is dislodged, it disbands.",
        "If you may build, you build A Ber, then F Kie, as far as possible. You waive any other builds.",
        "If you must remove units, you remove those in Mun, then in Bur, as far as needed.",
    ]
    assert wishes_by_subject(ahead, BOARD) == {
        "MUN": "Bur, Sil",
        "KIE": "disband",
        "BUILDS": "A Ber, F Kie",
        "REMOVALS": "Mun, Bur",
    }
    assert [*ahead_words(Ahead(builds=(Waive(),)), FALL, STANDARD)] == ["If you may build, you waive all your builds."]
