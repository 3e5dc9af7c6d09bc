"""Movement phases for the bench, recorded or played by bots. In each, every unit of a power has an order."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, TypeAlias

from adjudication.board import province_of
from adjudication.judge import adjudicate
from adjudication.legality import check
from adjudication.notation import write_order
from adjudication.orders import Hold, Move, Order, OrderSheet, Support, where
from adjudication.position import Position
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit
from variants.bots import play
from variants.commands.judge import written_bids
from variants.phase_json import read_phase
from variants.rulebook import Rulebook

PhaseDocument: TypeAlias = dict[str, Any]
KEPT = ("units", "centers", "orders", "bids", "relations", "memory")
"""What a phase is read from, besides its turn."""
PHASES_OF_A_GAME = 60
"""A game between bots is broken off after this many."""


def recorded(paths: Sequence[str], rulebook: Rulebook, first: int | None = None) -> list[PhaseDocument]:
    """From files with one phase or one whole game per line, gzipped or not. Units without an order are given one."""
    found = (phase for path in paths for line in _lines(Path(path)) for phase in _phases(json.loads(line)))
    moving = (phase for phase in found if phase["phase"].endswith("M"))
    return [completed(phase, rulebook) for phase in islice(moving, first)]


def _lines(path: Path) -> list[str]:
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode().splitlines()


def _phases(document: PhaseDocument) -> Iterator[PhaseDocument]:
    for phase in document.get("phases", [document]):
        code = phase.get("phase") or f"{phase['season'][0]}{phase['year']}{phase['type'][0]}"
        yield {"phase": code, **{key: phase[key] for key in KEPT if key in phase}}


def completed(document: PhaseDocument, rulebook: Rulebook) -> PhaseDocument:
    """The same phase, in which the units without an order hold or support in turn."""
    phase = read_phase(document, rulebook)
    situation, position = phase.situation, phase.position
    given = {province_of(where(order)): order for sheet in phase.sheets.values() for order in sheet.orders}
    orders = {power: list(lines) for power, lines in document["orders"].items()}
    for unit in position.units:
        if unit.province not in given and not situation.is_leaderless(unit):
            choices = [Hold(unit.location), *_supports(unit, given.values(), situation)]
            given[unit.province] = chosen = choices[len(given) % len(choices)]
            orders.setdefault(unit.power, []).append(write_order(chosen, position))
    return {**document, "orders": orders}


def _supports(unit: Unit, given: Iterable[Order], situation: Situation) -> list[Order]:
    """The unit's lawful supports for the orders given."""
    conceivable = [
        Support(unit.location, province_of(where(order)), order.destination if isinstance(order, Move) else None)
        for order in given
    ]
    return [support for support in conceivable if check(support, unit.power, situation) is None]


def played(rulebook: Rulebook, first: int) -> list[PhaseDocument]:
    """This many phases of games between simple bots, always the same ones."""
    return list(islice((phase for seed in count() for phase in _game(rulebook, seed)), first))


def _game(rulebook: Rulebook, seed: int) -> Iterator[PhaseDocument]:
    position = rulebook.start
    for _ in range(PHASES_OF_A_GAME):
        sheets = {power: play(power, position, rulebook.ruleset, seed) for power in rulebook.ruleset.powers}
        if position.turn.kind is PhaseKind.MOVEMENT:
            yield completed(written(position, sheets), rulebook)
        public = adjudicate(position, sheets, rulebook.ruleset).public
        if public.verdict:
            return
        position = public.next


def written(position: Position, sheets: Mapping[str, OrderSheet]) -> PhaseDocument:
    """A phase as text."""
    powers = sorted({unit.power for unit in position.units})
    bids = {power: written_bids(sheet, position) for power, sheet in sheets.items() if sheet.bids}
    return {
        "phase": position.turn.code,
        "units": {power: [unit.text for unit in position.units_of(power)] for power in powers},
        "centers": {power: list(position.centres_of(power)) for power in sheets},
        "orders": {power: [write_order(it, position) for it in sheet.orders] for power, sheet in sheets.items()},
        "bids": bids,
        "relations": dict(position.relations),
        "memory": dict(position.memory),
    }
