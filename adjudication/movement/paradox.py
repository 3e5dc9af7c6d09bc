"""How a circle of orders that depend on each other is settled."""

from collections.abc import Sequence

from adjudication.movement.prepared import CONVOYS, MOVES


def settlement(circle: Sequence[int], does: Sequence[int]) -> dict[int, bool]:
    """Answers that end the circle: province -> does its order succeed?

    A circle with a convoy is a paradox: by the Szykman rule its convoys are disrupted (DATC 4.A.2). In a circle without
    one, units follow each other round: they all move (DATC 6.C).
    """
    convoys = [fleet for fleet in circle if does[fleet] == CONVOYS]
    if convoys:
        return dict.fromkeys(convoys, False)
    return {mover: True for mover in circle if does[mover] == MOVES}
