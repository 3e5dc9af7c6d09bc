"""A second adjudicator of moves out of and into a province that units share, written plainly from the rules, and crowds
around such a province, for Hypothesis to draw from. Armies only, and no convoys."""

import json
from dataclasses import replace

from hypothesis import strategies as st

from adjudication.board import Board
from adjudication.options import order_options
from adjudication.orders import Move, Order, Support
from adjudication.position import Position
from adjudication.turns import Turn
from adjudication.units import Unit, UnitKind
from tests.adjudication.battles import Drawn, helps
from tests.adjudication.boards import _FOLDER, STANDARD
from tests.adjudication.oracle import Answers, Oracle
from variants.camps import with_camps

THREE_CAMPS = {f"BU{number}": {"within": "BUL", "name": f"Bulgaria (camp {number})"} for number in (1, 2, 3)}
SHARED_BOARD = Board.from_json(
    with_camps(json.loads((_FOLDER / "board.json").read_text(encoding="utf-8")), THREE_CAMPS)
)
SHARED_RULES = replace(STANDARD, board=SHARED_BOARD)
AROUND = ("SER", "RUM", "GRE", "CON", "ALB", "BUD", "TRI")
POWERS = ("AUSTRIA", "ITALY", "RUSSIA", "TURKEY")


class SharingOracle(Oracle):
    """All units in a camp are in Bulgaria: they attack from there, and an attack on Bulgaria is one on each of them.
    No unit can enter Bulgaria until all of them have left, so none is dislodged."""

    def _together(self) -> list[str]:
        return [place for place in self.units if place in THREE_CAMPS]

    def _stays(self, camp: str, mover: str, answers: Answers) -> bool:
        """A unit of Bulgaria never passes the one that comes from where it goes."""
        return not (camp in self.moves and answers[camp]) or self.moves[camp] == mover

    def _path(self, mover: str, answers: Answers) -> bool:
        """Here: can the unit enter at all?"""
        to_bulgaria = self.moves[mover] == "BUL"
        return not (to_bulgaria and any(self._stays(camp, mover, answers) for camp in self._together()))

    def _head_to_head(self, mover: str) -> bool:
        return self.moves.get(self.moves[mover]) == _province(mover)

    def _cut(self, here: str, order: Support, answers: Answers) -> bool:
        attackers = [m for m, goal in self.moves.items() if goal == _province(here)]
        foreign = [m for m in attackers if self.units[m].power != self.units[here].power]
        aimed_at = _province(order.destination or order.supported)
        return any(answers[m] or _province(m) != aimed_at for m in foreign)


def _province(place: str) -> str:
    return "BUL" if place in THREE_CAMPS else place


def army(power: str, place: str) -> Unit:
    return Unit(power, UnitKind.ARMY, place)


def lawful(position: Position) -> dict[str, list[Order]]:
    """Province -> all lawful orders of the unit there but moves by sea."""
    rows = [row for power in POWERS for row in order_options(power, position, SHARED_RULES)]
    return {row.location: [o for o in row.orders if not (isinstance(o, Move) and o.via)] for row in rows}


@st.composite
def crowds_around(draw: st.DrawFn) -> Drawn:
    """Two or three units in Bulgaria and some around it; later orders often help earlier ones."""
    camps = draw(st.sampled_from([("BU1", "BU2"), ("BU1", "BU2", "BU3")]))
    near = draw(st.lists(st.sampled_from(AROUND), min_size=1, max_size=5, unique=True))
    units = [army(power, camp) for power, camp in zip(POWERS, camps, strict=False)]
    units += [army(draw(st.sampled_from(POWERS)), place) for place in near]
    position = Position(Turn.from_code("S1901M"), tuple(units))
    orders: dict[str, Order] = {}
    for place, possible in draw(st.permutations(sorted(lawful(position).items()))):
        helping = [order for order in possible if helps(order, orders)]
        moving = [order for order in possible if isinstance(order, Move)]
        orders[place] = draw(st.sampled_from(draw(st.sampled_from([possible, moving, helping or moving]))))
    return Drawn(position, orders)
