"""Positions as values: they can be keys, are stored small, and say what they are."""

import pickle

from adjudication.position import Dislodged, Position
from adjudication.turns import Turn
from adjudication.units import UnitKind, shared_unit
from variants.registry import find

MUN, KIE = shared_unit("GERMANY", UnitKind.ARMY, "MUN", ""), shared_unit("GERMANY", UnitKind.FLEET, "KIE", "")
BEATEN = Position(Turn.from_code("S1901R"), (KIE,), {"MUN": "GERMANY"}, (Dislodged(MUN, "BUR", ("BER",)),))


def test_equal_positions_are_one_key_whatever_they_remember() -> None:
    again = Position(Turn.from_code("S1901R"), (KIE,), {"MUN": "GERMANY"}, (Dislodged(MUN, "BUR", ("BER",)),))
    start = find("1926").start
    assert {BEATEN: 1, again: 2} == {BEATEN: 2}
    assert {start: 1}[pickle.loads(pickle.dumps(start))] == 1  # noqa: S301 - our own
    assert len({start, start.in_turn(Turn.from_code("F1926M"))}) == 2


def test_a_position_is_stored_small_and_comes_back_equal() -> None:
    for position in (find("1926").start, BEATEN):
        stored = pickle.dumps(position)
        assert pickle.loads(stored) == position  # noqa: S301 - our own
        assert len(stored) < 5_000


def test_a_position_says_its_turn_and_units() -> None:
    assert repr(BEATEN) == "<Position S1901R: GERMANY F KIE, *A MUN>"
