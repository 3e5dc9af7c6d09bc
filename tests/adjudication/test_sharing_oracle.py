"""A province that units share, against a plain reading of the rules that tries everything."""

from itertools import product

from hypothesis import given

from adjudication.movement.battle import Battle
from adjudication.movement.presolve import plain_answers
from adjudication.movement.solver import Solver
from adjudication.orders import Move, Order
from adjudication.position import Position
from adjudication.situation import Situation
from adjudication.turns import Turn
from tests.adjudication.battles import Drawn, examples, laid_out
from tests.adjudication.sharing import SHARED_RULES, SharingOracle, army, crowds_around, lawful

TRIANGLE = ("BUL", "RUM", "SER")
"""Three provinces that border each other."""


def agrees(drawn: Drawn) -> None:
    """With the only consistent answers; of several, with those by which most units move. The judge is asked from
    scratch, and again after what is clear at once."""
    found = SharingOracle(drawn.position.units_by_province(), drawn.orders).consistent()
    moves = [place for place, order in drawn.orders.items() if isinstance(order, Move)]
    expected = max(found, key=lambda answers: sum(answers[place] for place in moves))
    situation = Situation(drawn.position, SHARED_RULES)
    battle = Battle(situation, laid_out(drawn.orders, situation))
    for solver in (Solver(battle), Solver(battle, plain_answers(battle))):
        assert {place: solver.succeeds(situation.bitboard.number[place]) for place in expected} == expected


@examples(200)
@given(crowds_around())
def test_the_judge_finds_what_trying_everything_finds(drawn: Drawn) -> None:
    agrees(drawn)


def test_two_in_bulgaria_and_two_beside_it_with_all_orders_among_these_three_provinces() -> None:
    units = (army("AUSTRIA", "BU1"), army("ITALY", "BU2"), army("RUSSIA", "RUM"), army("TURKEY", "SER"))
    position = Position(Turn.from_code("S1901M"), units)
    possible = {place: [o for o in orders if _is_among_these(o)] for place, orders in lawful(position).items()}
    for orders in product(*possible.values()):
        agrees(Drawn(position, dict(zip(possible, orders, strict=True))))


def _is_among_these(order: Order) -> bool:
    return getattr(order, "destination", None) in (None, *TRIANGLE)
