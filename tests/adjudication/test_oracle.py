"""The solver against every consistent combination of answers."""

from hypothesis import given

from adjudication.movement.battle import Battle
from adjudication.movement.prepared import MOVES
from adjudication.movement.solver import Solver
from adjudication.orders import Convoy, Move
from adjudication.situation import Situation
from tests.adjudication.battles import Drawn, battles, examples, laid_out, paradoxes
from tests.adjudication.boards import STANDARD
from tests.adjudication.oracle import Answers, Oracle


def solved(drawn: Drawn) -> tuple[Answers, frozenset[str]]:
    """The solver's answers for moves, and the fleets that a paradox disrupted."""
    situation = Situation(drawn.position, STANDARD)
    solver = Solver(Battle(situation, laid_out(drawn.orders, situation)))
    number = situation.bitboard.number
    answers = {p: solver.succeeds(number[p]) for p in drawn.orders}
    return answers, frozenset(situation.bitboard.provinces[fleet] for fleet in solver.disrupted)


def moved(answers: Answers, drawn: Drawn) -> set[str]:
    return {p for p, order in drawn.orders.items() if isinstance(order, Move) and answers[p]}


def agrees(drawn: Drawn) -> None:
    """With the only consistent solution, with the one in which most units of a circle move or, in
    a paradox, with a consistent solution once its convoys are disrupted."""
    answers, disrupted = solved(drawn)
    oracle = Oracle(drawn.position.units_by_province(), drawn.orders)
    solutions = [moved(solution, drawn) for solution in oracle.consistent()]
    if len(solutions) == 1:
        assert moved(answers, drawn) == solutions[0]
        assert not disrupted
    elif not disrupted:
        assert moved(answers, drawn) == max(solutions, key=len)
    else:
        settled = Oracle(drawn.position.units_by_province(), drawn.orders, disrupted)
        assert moved(answers, drawn) in [moved(s, drawn) for s in settled.consistent()]


@examples(150)
@given(battles(most=8))
def test_the_solver_finds_what_trying_everything_finds(drawn: Drawn) -> None:
    agrees(drawn)


@examples(150)
@given(paradoxes())
def test_the_solver_ends_paradoxes_as_the_rule_says(drawn: Drawn) -> None:
    agrees(drawn)


@examples(60)
@given(paradoxes())
def test_only_convoying_fleets_are_ever_disrupted(drawn: Drawn) -> None:
    _, disrupted = solved(drawn)
    assert all(isinstance(drawn.orders[fleet], Convoy) for fleet in disrupted)


@examples(60)
@given(battles())
def test_every_move_is_laid_out_as_a_move(drawn: Drawn) -> None:
    situation = Situation(drawn.position, STANDARD)
    battle = Battle(situation, laid_out(drawn.orders, situation))
    moving = {situation.bitboard.provinces[m] for m in battle.movers}
    assert moving == {p for p, order in drawn.orders.items() if isinstance(order, Move)}
    assert all(battle.action[m] == MOVES for m in battle.movers)
