"""Trial games: players give random lawful orders, to try a variant's rules in every kind of phase."""

from collections.abc import Iterator

from adjudication.judge import adjudicate
from adjudication.options import LawfulOrders, must_decide
from adjudication.position import Position
from adjudication.resolution import Public
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from variants.any_orders import any_sheet
from variants.bots.seeded_rng import SeededRng


def play_phases(start: Position, ruleset: Ruleset, count: int) -> Iterator[tuple[Position, Public]]:
    """This many phases with results, always the same ones; when a game ends, another begins."""
    position, rng = start, SeededRng("trial games")
    for _ in range(count):
        options = LawfulOrders(Situation(position, ruleset))
        sheets = {power: any_sheet(power, options, rng) for power in must_decide(position, ruleset)}
        public = adjudicate(position, sheets, ruleset).public
        yield position, public
        position = start if public.verdict else public.next
