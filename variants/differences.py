"""What differs between two versions of a variant, in sentences."""

from collections.abc import Iterable, Iterator, Mapping

from adjudication.board import Board
from variants.examples import examples_of
from variants.variant import Variant
from variants.words.english import listed
from variants.words.messages import term


def differences(before: Variant, now: Variant) -> Iterator[str]:
    """Spaces, centres, borders, the start, and the worked examples that the rules give: one sentence for each kind."""
    old, new = before.ruleset.board, now.ruleset.board
    for key, mine, other in (("came", new, old), ("gone", old, new)):
        yield from _told(f"spaces {key}", map(mine.name, sorted(mine.provinces.keys() - other.provinces)))
        yield from _told(f"centres {key}", map(mine.name, sorted({*mine.centres} - {*other.centres})))
        yield from _told(f"borders {key}", sorted(_borders(mine) - _borders(other)))
        here, there = (now, before) if mine is new else (before, now)
        yield from _told(f"start {key}", sorted(_of_start(here) - _of_start(there)))
    cases = [{it.title: it.claims for it in examples_of(each)} for each in (before, now)]
    yield from _told(
        "examples differ", sorted(title for title, claims in cases[1].items() if cases[0].get(title) != claims)
    )


def _told(key: str, names: Iterable[str]) -> Iterator[str]:
    if found := [*names]:
        yield term(f"version: {key}", names=listed(found))


def _borders(board: Board) -> set[str]:
    def pairs(table: Mapping[str, Iterable[str]], sign: str) -> set[str]:
        return {f"{sign} {'–'.join(sorted((here, there)))}" for here in table for there in table[here]}

    return pairs(board.army, "A") | pairs(board.fleet, "F")


def _of_start(variant: Variant) -> set[str]:
    """Units and centres, as in “F Sue (Britain)”, “Suez (Britain)”."""
    board, start, names = variant.ruleset.board, variant.start, {power.id: power.name for power in variant.powers}
    units = {
        f"{unit.kind} {board.provinces[unit.province].abbr} ({names.get(unit.power, board.name(unit.province))})"
        for unit in start.units
    }
    return units | {f"{board.name(centre)} ({names[power]})" for centre, power in start.centres.items()}
