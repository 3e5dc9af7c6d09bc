"""Players that are programs, for any variant: they use the board, the lawful choices and the judge, and no variant's
name. The same seed gives the same orders on every machine.

A bot reads only the public position, so it cannot reveal what others have written.
"""

from enum import StrEnum

from adjudication.orders import OrderSheet
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from variants.bots import easy
from variants.bots.field import Field
from variants.bots.quick import quick_plan
from variants.bots.search import Effort, best_plan
from variants.bots.seeded_rng import SeededRng
from variants.bots.sheets import best_sheet, fitting_sheet

__all__ = ["Level", "guesses", "play"]


class Level(StrEnum):
    """How well a bot plays: easy bots take what is near, the other bots search."""

    EASY = "easy"
    MEDIUM = "medium"
    STRONG = "strong"


EFFORTS = {
    Level.MEDIUM: Effort(positions=2_400, worlds=8, drafts=6, others=40),
    Level.STRONG: Effort(positions=28_000, worlds=32, drafts=12, others=60),
}


def play(
    power: str, position: Position, ruleset: Ruleset, seed: int, level: Level = Level.EASY, percent: int = 100
) -> OrderSheet:
    """Lawful orders and bids for `power` in any phase; empty if it has nothing to decide. `percent`: how many of the
    positions that bots of this level usually judge are judged."""
    if level is Level.EASY:
        return easy.play(power, position, ruleset, seed)
    effort = EFFORTS[level].of(percent, len(position.units))
    situation = Situation(position, ruleset)
    if position.turn.kind is not PhaseKind.MOVEMENT or situation.is_muster:
        sheet = best_sheet(power, situation, seed, effort)
    else:
        field = Field(situation)
        sheet = field.sheet(best_plan(field, power, seed, effort))
    return fitting_sheet(sheet, power, situation)


def guesses(position: Position, ruleset: Ruleset, seed: int) -> dict[str, OrderSheet]:
    """Orders that each power might write in any phase, found in a few milliseconds: all share one view of the board."""
    situation = Situation(position, ruleset)
    if position.turn.kind is not PhaseKind.MOVEMENT or situation.is_muster:
        return {power: easy.play(power, position, ruleset, seed) for power in ruleset.powers}
    field = Field(situation)
    return {power: field.sheet(quick_plan(field, power, SeededRng("guess", seed, power))) for power in ruleset.powers}
