"""What counts how much for what becomes of a power: the bots' weights, read off games between bots.

python -m tests.variants.weights --variants standard 1926 --games 60 --processes 2

needs `pip install numpy`. In these games every third plan is a quick one, so that what follows does not hang on who
plays well. The centres that a power has three counts later are set against each part of the worth of the position after
the phase; the same parts before it are held fixed. Printed is each weight, beside `taken` as 1000, with its error.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from functools import partial
from itertools import pairwise
from multiprocessing import Pool
from typing import TYPE_CHECKING, NamedTuple

from adjudication.judge import adjudicate
from adjudication.options import must_decide
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from variants.bots import Level, play
from variants.bots.field import Field
from variants.bots.quick import quick_plan
from variants.bots.seeded_rng import SeededRng
from variants.bots.worth import Prospect, Weights, Worth, is_counted
from variants.commands.arena import SEEDS
from variants.rulebook import read_rulebook
from variants.rulebooks import FOLDERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adjudication.position import Position
    from adjudication.ruleset import Ruleset
    from adjudication.units import Unit

YEARS = 10
LITTLE = 3
"""Percent of a strong bot's positions."""
QUICK = 35
"""How many plans in 100 are quick ones."""
COUNTS = 3
PENALTY = 3.0
NOTHING = Weights(*[0] * len(Weights._fields))
SINGLE = [NOTHING._replace(**{name: 1000}) for name in Weights._fields]


class Seen(NamedTuple):
    """One power in one phase: the parts of its worth before and after, its centres, the most that another power has,
    and its centres three counts later."""

    counted: bool
    before: list[float]
    after: list[float]
    centres: int
    rival: int
    later: int


def seen_in_game(slug: str, number: int, years: int = YEARS) -> list[Seen]:
    ruleset, positions = read_rulebook(*FOLDERS[slug]).ruleset, [*_game(slug, number, years)]
    counts = [at + 1 for at, position in enumerate(positions[:-1]) if ruleset.calendar.counts_centres(position.turn)]
    found: list[Seen] = []
    for at, (position, following) in enumerate(pairwise(positions)):
        later = [count for count in counts if count > at][COUNTS - 1 :]
        if later and _is_moving(position, ruleset):
            found += _seen(position, following, positions[later[0]], ruleset)
    return found


def _game(slug: str, number: int, years: int) -> Iterator[Position]:
    book, rng = read_rulebook(*FOLDERS[slug]), SeededRng("weights", slug, number)
    ruleset, position = book.ruleset, book.start
    while position.turn.year < book.start.turn.year + years:
        yield position
        field = Field(Situation(position, ruleset)) if _is_moving(position, ruleset) else None
        sheets = {}
        for power in must_decide(position, ruleset):
            if field is not None and rng.below(100) < QUICK:
                sheets[power] = field.sheet(quick_plan(field, power, rng))
            else:
                sheets[power] = play(power, position, ruleset, rng.below(SEEDS), Level.STRONG, LITTLE)
        public = adjudicate(position, sheets, ruleset).public
        position = public.next
        if public.verdict:
            break
    yield position


def _is_moving(position: Position, ruleset: Ruleset) -> bool:
    return position.turn.kind is PhaseKind.MOVEMENT and not Situation(position, ruleset).is_muster


def _seen(position: Position, following: Position, later: Position, ruleset: Ruleset) -> Iterator[Seen]:
    situation = Situation(position, ruleset)
    prospects = [Prospect(situation, weights) for weights in (NOTHING, *SINGLE)]
    sizes, number = prospects[0].sizes, situation.bitboard.number
    before = {number[unit.province]: unit for unit in position.units}
    after = {number[unit.province]: unit for unit in following.units}
    beaten = [(each.unit, 0) for each in following.dislodged]
    for power in prospects[0].powers:
        if sizes[power]:
            yield Seen(
                counted=is_counted(position.turn, ruleset.calendar),
                before=_parts(power, prospects, before, ()),
                after=_parts(power, prospects, after, beaten),
                centres=sizes[power],
                rival=max(size for other, size in sizes.items() if other != power or len(sizes) == 1),
                later=len(later.centres_of(power)),
            )


def _parts(
    power: str, prospects: Sequence[Prospect], units: dict[int, Unit], beaten: Sequence[tuple[Unit, int]]
) -> list[float]:
    """How often each of the weights counts."""
    nothing, *found = [Worth(power, prospect).of(units, beaten) for prospect in prospects]
    return [(each - nothing) / 1000 for each in found]


def fitted(seen: Sequence[Seen]) -> Iterator[str]:
    """A line for each weight: a regression that shrinks what is seldom seen (Hoerl and Kennard's ridge)."""
    import numpy as np  # noqa: PLC0415  # nothing else here needs it

    rows = [[*each.after, *each.before, each.centres, each.centres**2, each.rival] for each in seen]
    parts = np.array(rows, dtype=float)
    gained = np.array([each.later - each.centres for each in seen], dtype=float)
    parts, gained = parts - parts.mean(axis=0), gained - gained.mean()
    inverse = np.linalg.inv(parts.T @ parts + PENALTY * np.eye(parts.shape[1]))
    found = inverse @ parts.T @ gained
    errors = np.sqrt(np.diag(inverse) * (gained - parts @ found).var())
    for index, name in enumerate(Weights._fields):
        yield f"  {name:8} {1000 * found[index] / found[0]:6.0f} ± {1000 * errors[index] / found[0]:.0f}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = ArgumentParser(prog="python -m tests.variants.weights", description="Read the bots' weights off games.")
    parser.add_argument("--variants", nargs="+", default=["standard", "1926"])
    parser.add_argument("--games", type=int, default=60, help="of each variant (60)")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args(arguments)
    seen: list[Seen] = []
    with Pool(asked.processes) as pool:
        for slug in asked.variants:
            for game in pool.imap(partial(seen_in_game, slug), range(asked.games)):
                seen += game
    for counted, title in ((True, "centres are counted before units move again"), (False, "units move again first")):
        own = [each for each in seen if each.counted is counted]
        sys.stdout.write(f"{title} ({len(own)} phases of a power)\n")
        sys.stdout.writelines(f"{line}\n" for line in fitted(own))


if __name__ == "__main__":
    main()
