"""Moves that are obvious at a glance have the results that the solver finds."""

from hypothesis import given

from adjudication.movement.battle import Battle
from adjudication.movement.presolve import plain_answers
from adjudication.movement.solver import Solver
from adjudication.notation import parse_order
from adjudication.situation import Situation
from tests.adjudication.battles import Drawn, battles, examples, laid_out, paradoxes
from tests.adjudication.boards import STANDARD, position


def battle_of(drawn: Drawn) -> Battle:
    situation = Situation(drawn.position, STANDARD)
    return Battle(situation, laid_out(drawn.orders, situation))


def agrees(drawn: Drawn) -> None:
    battle = battle_of(drawn)
    plain, asked = plain_answers(battle), Solver(battle)
    assert plain == {mover: asked.succeeds(mover) for mover in plain}
    assert Solver(battle, plain).arrivals() == asked.arrivals()


@examples(400)
@given(battles())
def test_what_is_plain_is_what_asking_finds(drawn: Drawn) -> None:
    agrees(drawn)


@examples(150)
@given(paradoxes())
def test_so_it_is_in_paradoxes(drawn: Drawn) -> None:
    agrees(drawn)


def plain_in(units: dict[str, list[str]], *texts: str) -> dict[str, bool]:
    before = position("S1901M", units)
    orders = {text[2:5]: parse_order(text, before, STANDARD) for text in texts}
    battle = battle_of(Drawn(before, orders))
    return {battle.bitboard.provinces[mover]: answer for mover, answer in plain_answers(battle).items()}


FOUR = {"FRANCE": ["A PAR", "A BUR"], "GERMANY": ["A MUN", "A RUH"]}


def test_a_row_of_followers_is_plain_to_its_end() -> None:
    row = plain_in(FOUR, "A PAR - BUR", "A BUR - MUN", "A MUN - TYR")
    assert row == {"MUN": True, "BUR": True, "PAR": True}
    blocked = plain_in(FOUR, "A PAR - BUR", "A BUR - MUN", "A MUN - RUH", "A RUH H")
    assert blocked == {"MUN": False, "BUR": False, "PAR": False}


def test_a_supported_follower_plainly_beats_a_unit_that_failed_to_leave() -> None:
    failing = plain_in(FOUR, "A PAR - BUR", "A BUR - MUN", "A MUN H")
    assert failing == {"BUR": False, "PAR": False}
    allied = {"ENGLAND": ["A PAR", "A PIC"], "FRANCE": ["A BUR"], "GERMANY": ["A MUN"]}
    supported = plain_in(allied, "A PAR - BUR", "A PIC S A PAR - BUR", "A BUR - MUN", "A MUN H")
    assert supported == {"BUR": False, "PAR": True}


def test_supports_decide_by_their_number_where_nobody_attacks_them() -> None:
    assert plain_in(FOUR, "A MUN - BUR", "A RUH S A MUN - BUR") == {"MUN": True}
    assert plain_in(FOUR, "A MUN - BUR", "A RUH S A MUN - BUR", "A PAR S A BUR") == {"MUN": False}


def test_a_support_attacked_from_elsewhere_is_plainly_cut_unless_by_its_own_power() -> None:
    supported = "A MUN - BUR", "A RUH S A MUN - BUR", "A BEL - RUH"
    foreign, own = ({**FOUR, "ENGLAND": ["A BEL"]}, {**FOUR, "GERMANY": ["A MUN", "A RUH", "A BEL"]})
    assert plain_in(foreign, *supported) == {"BEL": False, "RUH": False, "MUN": False}
    assert plain_in(own, *supported) == {"BEL": False, "RUH": True, "MUN": True}


def test_a_support_attacked_only_from_where_it_goes_is_left_to_be_asked() -> None:
    assert plain_in(FOUR, "A MUN - BUR", "A RUH S A MUN - BUR", "A BUR - RUH") == {"BUR": False}


def test_who_meets_head_to_head_without_support_fails_and_a_supported_one_is_left_to_be_asked() -> None:
    assert plain_in(FOUR, "A MUN - BUR", "A BUR - MUN") == {"MUN": False, "BUR": False}
    assert plain_in(FOUR, "A MUN - BUR", "A BUR - MUN", "A RUH S A MUN - BUR") == {"BUR": False}


def test_of_several_moves_to_an_empty_province_the_one_with_most_supports_succeeds() -> None:
    units = {"FRANCE": ["A BUR", "A BEL"], "GERMANY": ["A MUN", "A KIE"], "RUSSIA": ["A BER"]}
    moves = "A BUR - RUH", "A MUN - RUH", "A KIE S A MUN - RUH"
    assert plain_in(units, *moves) == {"BUR": False, "MUN": True}
    assert plain_in(units, *moves, "A BEL S A BUR - RUH") == {"BUR": False, "MUN": False}
    cut = plain_in(units, *moves, "A BER - KIE")
    assert cut == {"BER": False, "KIE": False, "BUR": False, "MUN": False}
