"""What a power has written ahead, in words."""

from collections.abc import Iterator

from adjudication.orders import Ahead, Build
from adjudication.position import Position
from adjudication.reasons import Facts
from adjudication.ruleset import Ruleset
from adjudication.units import Unit, as_ordered
from variants.words import words_for


def ahead_words(ahead: Ahead, position: Position, ruleset: Ruleset) -> Iterator[str]:
    """A sentence for each line: what will happen."""
    fill = words_for(ruleset).fill
    for location, goals in ahead.retreats:
        yield fill("ahead retreat" if goals else "ahead disband", _whose(location, goals, position))
    builds = tuple([Unit("", it.kind, it.location, it.faction) for it in ahead.builds if isinstance(it, Build)])
    if ahead.builds:
        yield fill("ahead builds" if builds else "ahead waive", {"units": builds})
    if ahead.removals:
        yield fill("ahead removals", {"places": ahead.removals})


def _whose(location: str, goals: tuple[str, ...], position: Position) -> Facts:
    unit = position.unit_at(location)
    return {"places": goals, **({"unit": as_ordered(unit, location)} if unit else {"place": location})}
