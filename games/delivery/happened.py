"""What happened in a phase, for emails: the reader's own orders first, then what all look for, then all other orders.

Everything comes from the result that everyone may read.
"""

from collections.abc import Iterator

from django.utils.text import capfirst

from adjudication.english import listed
from adjudication.words import phase_words
from games.history.parts import OutcomeView, ResultView, SideResult
from games.news.outboxes import Section


def sections_of(result: ResultView) -> tuple[Section, ...]:
    """Those that have anything to say, under the title of the phase."""
    mine = [Section("Your orders", tuple(_lines(side))) for side in result.sides if side.mine]
    won = tuple(f"{capfirst(side.called)} won {listed(list(side.won))}." for side in result.sides if side.won)
    corrected = tuple(f"Corrected by the game master: {sentence}" for sentence in result.amendments)
    others = [Section(side.name, tuple(_lines(side)), folded=True) for side in result.sides if not side.mine]
    told = (*mine, Section("Supply centres", won), Section("Also", (*corrected, *result.general)), *others)
    found = tuple(section for section in told if section.lines)
    return (Section(f"Result of {phase_words(result.head)}", () if found else ("There were no orders.",)), *found)


def _lines(side: SideResult) -> Iterator[str]:
    if side.missed:
        yield "No orders received."
    yield from map(_line, side.failures_first)
    yield from side.notices
    if side.lost:
        yield f"Lost {listed(list(side.lost))}."


def _line(outcome: OutcomeView) -> str:
    mark = "✓" if outcome.succeeded else "✕"
    return f"{mark} {outcome.text}" + (f" – {capfirst(outcome.sentence)}" if outcome.sentence else "")
