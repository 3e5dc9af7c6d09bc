"""How fast the other adjudicator is, if it is there: `python -m tests.adjudication.other_judge_speed < PHASES`.

It adjudicates the movement phases that `python -m variants bench --against` hands over, one per line, once to warm up
and then three times for the best, and prints rows. It knows no variants or reasons, and gives numbers or text, not
values.
"""

import json
import sys
from collections.abc import Callable, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any, TypeVar

from tests.adjudication.material import OTHER_JUDGE
from variants.commands.bench import Row, processor_seconds

T = TypeVar("T")
Numbers = tuple[list[tuple[int, bool, int]], list[tuple[int, str]]]


def load() -> Any:
    spec = spec_from_file_location("another_judge", OTHER_JUDGE)
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    module.FALLBACK = True
    return module


def numbers(phase: dict[str, Any], other: Any) -> Numbers:
    powers, places = other.POW, other.LI
    units = [(powers[p], t[0] == "F", places[t[2:]]) for p, texts in phase["units"].items() for t in texts]
    return units, [(powers[p], text) for p, texts in phase["orders"].items() for text in texts]


def text(phase: dict[str, Any], other: Any, names: dict[int, str]) -> list[list[str]]:
    found = other.adjudicate(*numbers(phase, other))
    return [[f"{names[p]} {'F' if fleet else 'A'} {other.LOCS[at]}" for p, fleet, at in some] for some in found]


def best_of_three(work: Callable[[T], object], phases: Sequence[T]) -> float:
    """In microseconds per phase. As with our own adjudicator, results are not kept."""
    times = []
    for _ in range(4):
        begin = processor_seconds()
        for phase in phases:
            work(phase)
        times.append(processor_seconds() - begin)
    return 1e6 * min(times[1:]) / len(phases)


def main() -> None:
    if not OTHER_JUDGE.exists():
        sys.exit(f"The other adjudicator is not here: {OTHER_JUDGE}")
    other = load()
    phases = [json.loads(line) for line in sys.stdin]
    laid_out = [numbers(phase, other) for phase in phases]
    names = {number: power for power, number in other.POW.items()}
    bare = best_of_three(lambda units_and_orders: other.adjudicate(*units_and_orders), laid_out)
    spelt = best_of_three(lambda phase: text(phase, other, names), phases)
    sys.stdout.write(f"{Row('another judge, from numbers to numbers', bare)}\n")
    sys.stdout.write(f"{Row('another judge, from text to text', spelt)}\n")


if __name__ == "__main__":
    main()
