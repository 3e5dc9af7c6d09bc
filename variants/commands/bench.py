"""How fast the judge is: recorded movement phases, one process, start-up excluded, best of several rounds."""

import gc
import gzip
import json
import resource
import shlex
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from timeit import default_timer
from typing import Any

from adjudication.judge import resolve
from adjudication.resolution import Public
from adjudication.swift import standing_after
from variants.commands.phases import Phase, read_phase
from variants.commands.synthetic import Crowd, tiled
from variants.rulebook import Rulebook

Document = dict[str, Any]
SIZES = ((1, 22), (1, 34), (2, 68), (4, 136))
"""Boards side by side, and the units on them."""
REPEATS = 100
STEADY = 100_000
"""Phases judged to see whether memory stays flat."""


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    microseconds: float

    def __str__(self) -> str:
        return f"{self.name:<44} {1e6 / self.microseconds:>9,.0f}/s {self.microseconds:>9.1f} µs"


def movement_phases(paths: Sequence[str]) -> list[Document]:
    """From files with a phase or a whole game a line, gzipped or not."""
    found = [phase for path in paths for line in _lines(Path(path)) for phase in _phases(json.loads(line))]
    return [phase for phase in found if phase["phase"].endswith("M")]


def _lines(path: Path) -> list[str]:
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode().splitlines()


def _phases(document: Document) -> Iterator[Document]:
    for phase in document.get("phases", [document]):
        code = phase.get("phase") or f"{phase['season'][0]}{phase['year']}{phase['type'][0]}"
        yield {"phase": code, "units": phase["units"], "orders": phase["orders"]}


def table(documents: Sequence[Document], rulebook: Rulebook, rounds: int) -> list[Row]:
    """The best of several rounds of each kind of work, in turns so that a busy machine is fair to all."""
    phases = [read_phase(document, rulebook) for document in documents]
    works: dict[str, Callable[[], None]] = {
        "positions only": lambda: _positions(phases, documents, rulebook),
        "orders to explained results": lambda: _explained(phases, rulebook),
        "text to explained results": lambda: _from_text(documents, rulebook, _pass),
        "text to explained results, each sentence read": lambda: _from_text(documents, rulebook, _read),
    }
    best: dict[str, float] = {}
    for name, work in [item for _ in range(rounds) for item in works.items()]:
        best[name] = min(best.get(name, 1e9), _seconds(work))
    return [Row(name, 1e6 * seconds / len(phases)) for name, seconds in best.items()]


def _seconds(work: Callable[[], None]) -> float:
    gc.collect()
    begin = default_timer()
    work()
    return default_timer() - begin


def _positions(phases: Sequence[Phase], documents: Sequence[Document], rulebook: Rulebook) -> None:
    for phase, document in zip(phases, documents, strict=True):
        standing_after(phase.position, document["orders"], rulebook.ruleset)


def _explained(phases: Sequence[Phase], rulebook: Rulebook) -> None:
    for phase in phases:
        resolve(phase.position, phase.sheets, rulebook.ruleset)


def _from_text(documents: Sequence[Document], rulebook: Rulebook, then: Callable[[Public], None]) -> None:
    for document in documents:
        phase = read_phase(document, rulebook)
        then(resolve(phase.position, phase.sheets, rulebook.ruleset).public)


def _pass(public: Public) -> None:
    pass


def _read(public: Public) -> None:
    for outcome in public.outcomes:
        assert outcome.sentence is not None


def memory(documents: Sequence[Document], rulebook: Rulebook) -> tuple[int, int]:
    """The most memory used, in KiB: after every phase was judged once, and after very many more."""
    _from_text(documents, rulebook, _read)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _from_text(list(islice(cycle(documents), STEADY)), rulebook, _read)
    return before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def growth(rulebook: Rulebook, rounds: int) -> list[Row]:
    """Positions only, on crowded boards of several sizes."""
    return [_crowded(tiled(rulebook, boards), units, rounds) for boards, units in SIZES]


def _crowded(rulebook: Rulebook, units: int, rounds: int) -> Row:
    documents = [Crowd(rulebook, units).phase()] * REPEATS
    phases = [read_phase(documents[0], rulebook)] * REPEATS
    best = min(_seconds(lambda: _positions(phases, documents, rulebook)) for _ in range(rounds))
    return Row(f"positions only, {units} units", 1e6 * best / REPEATS)


def against(command: str) -> str:
    """What another program prints when it is run in the same minute."""
    run = subprocess.run(shlex.split(command), capture_output=True, text=True, check=False)
    return f"$ {command}\n{run.stdout}{run.stderr}"
