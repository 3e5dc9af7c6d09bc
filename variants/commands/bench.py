"""`python -m variants bench`: the adjudicator's speed on movement phases in which every unit has an order, the speed of
listing all lawful orders, and the speed of games with random orders.

One process, without its start-up, best of several rounds, in processor time.
"""

import gc
import gzip
import json
import re
import resource
import shlex
import subprocess
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any, TypeAlias

from adjudication.board import Board, Province, province_of
from adjudication.judge import adjudicate, resolve_in
from adjudication.legality import order_refusal
from adjudication.notation import order_writer, write_order
from adjudication.options import LawfulOrders
from adjudication.orders import Hold, Move, Order, OrderSheet, Support, location_of
from adjudication.position import Position
from adjudication.quick_judge import standing_after, standing_in
from adjudication.serialisation import lists_by_key
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit, UnitKind, neighbours
from variants.bots import play
from variants.commands.judge import written_bids
from variants.commands.trial_games import play_phases
from variants.phase_json import OrderedPhase, read_phase
from variants.rulebook import Rulebook

PhaseDocument: TypeAlias = dict[str, Any]
KEPT = ("units", "centers", "orders", "bids", "relations", "memory")
"""What a phase is read from, besides its turn."""
PHASES_OF_A_GAME = 60
"""A game between bots is broken off after this many."""


def recorded_phases(paths: Sequence[str], rulebook: Rulebook, first: int | None = None) -> list[PhaseDocument]:
    """Phases from files with one phase or one whole game per line, gzipped or not. Units without an order get one."""
    movement_phases = (phase for path in paths for phase in _phases_in(Path(path)) if phase["phase"].endswith("M"))
    return [with_order_for_every_unit(phase, rulebook) for phase in islice(movement_phases, first)]


def _phases_in(path: Path) -> Iterator[PhaseDocument]:
    content = path.read_bytes()
    for line in (gzip.decompress(content) if path.suffix == ".gz" else content).decode().splitlines():
        document = json.loads(line)
        for phase in document.get("phases", [document]):
            code = phase.get("phase") or f"{phase['season'][0]}{phase['year']}{phase['type'][0]}"
            yield {"phase": code, **{key: phase[key] for key in KEPT if key in phase}}


def with_order_for_every_unit(document: PhaseDocument, rulebook: Rulebook) -> PhaseDocument:
    """The same phase, in which units without an order hold or give one of their possible supports, in turn."""
    phase = read_phase(document, rulebook)
    situation, position = phase.situation, phase.position
    by_province = {province_of(location_of(order)): order for sheet in phase.sheets.values() for order in sheet.orders}
    orders = {power: list(lines) for power, lines in document["orders"].items()}
    for unit in position.units:
        if unit.province not in by_province and not situation.is_leaderless(unit):
            choices = [Hold(unit.location), *_supports(unit, by_province.values(), situation)]
            by_province[unit.province] = new_order = choices[len(by_province) % len(choices)]
            orders.setdefault(unit.power, []).append(write_order(new_order, position))
    return {**document, "orders": orders}


def _supports(unit: Unit, orders: Iterable[Order], situation: Situation) -> list[Order]:
    """The unit's lawful supports for the orders given."""
    supports = [
        Support(unit.location, province_of(location_of(order)), order.destination if isinstance(order, Move) else None)
        for order in orders
    ]
    return [support for support in supports if order_refusal(support, unit.power, situation) is None]


def played_phases(rulebook: Rulebook, first: int) -> list[PhaseDocument]:
    """This many phases of games between easy bots; always the same ones."""
    return list(islice((phase for seed in count() for phase in _phases_of_game(rulebook, seed)), first))


def _phases_of_game(rulebook: Rulebook, seed: int) -> Iterator[PhaseDocument]:
    position = rulebook.start
    for _ in range(PHASES_OF_A_GAME):
        sheets = {power: play(power, position, rulebook.ruleset, seed) for power in rulebook.ruleset.powers}
        if position.turn.kind is PhaseKind.MOVEMENT:
            yield with_order_for_every_unit(phase_as_text(position, sheets), rulebook)
        public = adjudicate(position, sheets, rulebook.ruleset).public
        if public.verdict:
            return
        position = public.next


def phase_as_text(position: Position, sheets: Mapping[str, OrderSheet]) -> PhaseDocument:
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


SIZES = ((1, 22), (1, 34), (2, 68), (4, 136))
"""Boards side by side, and the units on them."""
REPEATS = 100
STEADY = 100_000
"""Phases adjudicated to see whether memory stays flat."""


_ROW = re.compile(r"^(\S.*?)\s{2,}.*?([\d.,]+) µs$", re.MULTILINE)
OWN_ROWS = (
    "positions only, of a position laid out before",
    "positions only",
    "orders to explained results",
    "order text to explained results",
    "text to explained results",
    "text to explained results, each fact read",
    "lawful orders of all powers, as values",
    "lawful orders of all powers, as text",
    "a phase of any lawful orders",
)


class NoRows(ValueError):
    """Another program printed nothing comparable."""


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    microseconds: float

    def __str__(self) -> str:
        return f"{self.name:<46}  {1e6 / self.microseconds:>9,.0f}/s {self.microseconds:>9.1f} µs"


def measured_rows(
    documents: Sequence[PhaseDocument], rulebook: Rulebook, rounds: int, commands: Sequence[str] = ()
) -> list[Row]:
    """The best of several rounds of each kind of work, and of each of the `commands`, in turn so that a busy
    machine affects all alike."""
    phases = [read_phase(document, rulebook) for document in documents]
    tasks: Sequence[Callable[[], object]] = (
        lambda: _find_positions(phases, documents, rulebook),
        lambda: _explain_results(phases),
        lambda: _judge_order_texts(phases, documents),
        lambda: _judge_documents(documents, rulebook),
        lambda: _judge_documents(documents, rulebook, read_facts=True),
        lambda: _list_lawful_orders(phases, rulebook, write=False),
        lambda: _list_lawful_orders(phases, rulebook, write=True),
        lambda: deque(play_phases(rulebook.start, rulebook.ruleset, len(phases)), maxlen=0),
    )
    best: dict[str, float] = {}
    for _ in range(rounds):
        seconds = [_seconds(_trying_orders(phases, documents)), *map(_seconds, tasks)]
        rows = [Row(name, 1e6 * each / len(phases)) for name, each in zip(OWN_ROWS, seconds, strict=True)]
        for row in [*rows, *(row for command in commands for row in rows_of(command, documents))]:
            best[row.name] = min(best.get(row.name, row.microseconds), row.microseconds)
    return [Row(name, microseconds) for name, microseconds in best.items()]


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    start = processor_seconds()
    work()
    return processor_seconds() - start


def processor_seconds() -> float:
    """The processor time of this process alone, unaffected by other programs on the machine."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _trying_orders(phases: Sequence[OrderedPhase], documents: Sequence[PhaseDocument]) -> Callable[[], None]:
    """Lay out the positions, and return what is to be timed: judging orders in them, as if to try many."""
    situations = [Situation(phase.position, phase.situation.ruleset) for phase in phases]

    def work() -> None:
        for situation, document in zip(situations, documents, strict=True):
            standing_in(situation, document["orders"])

    return work


def _find_positions(phases: Sequence[OrderedPhase], documents: Sequence[PhaseDocument], rulebook: Rulebook) -> None:
    for phase, document in zip(phases, documents, strict=True):
        standing_after(phase.position, document["orders"], rulebook.ruleset)


def _explain_results(phases: Sequence[OrderedPhase]) -> None:
    for phase in phases:
        resolve_in(phase.situation, phase.sheets)


def _judge_order_texts(phases: Sequence[OrderedPhase], documents: Sequence[PhaseDocument]) -> None:
    for phase, document in zip(phases, documents, strict=True):
        OrderedPhase.of(phase.position, document["orders"], phase.situation.ruleset).adjudicate()


def _judge_documents(documents: Sequence[PhaseDocument], rulebook: Rulebook, *, read_facts: bool = False) -> None:
    for document in documents:
        public = read_phase(document, rulebook).adjudicate().public
        for outcome in public.outcomes if read_facts else ():
            assert outcome.facts is not None


def _list_lawful_orders(phases: Sequence[OrderedPhase], rulebook: Rulebook, *, write: bool) -> None:
    for phase in phases:
        options = LawfulOrders(Situation(phase.position, rulebook.ruleset))
        rows = [row for power in rulebook.ruleset.powers for row in options.of_power(power)]
        if write:
            write_text = order_writer(phase.position)
            assert [write_text(order) for row in rows for order in row.orders]


def peak_memory(documents: Sequence[PhaseDocument], rulebook: Rulebook) -> tuple[int, int]:
    """Peak memory in KiB: after adjudicating every phase once, and after a great many more."""
    _judge_documents(documents, rulebook, read_facts=True)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _judge_documents(list(islice(cycle(documents), STEADY)), rulebook, read_facts=True)
    return before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def rows_by_board_size(rulebook: Rulebook, rounds: int) -> list[Row]:
    """Measurements of positions only, on crowded boards of several sizes."""
    return [_row_of_crowd(with_boards_side_by_side(rulebook, boards), units, rounds) for boards, units in SIZES]


def _row_of_crowd(rulebook: Rulebook, units: int, rounds: int) -> Row:
    documents = [crowded_phase(rulebook, units)] * REPEATS
    phases = [read_phase(documents[0], rulebook)] * REPEATS
    best = min(_seconds(lambda: _find_positions(phases, documents, rulebook)) for _ in range(rounds))
    return Row(f"positions only, {units} units", 1e6 * best / REPEATS)


def rows_of(command: str, documents: Sequence[PhaseDocument]) -> list[Row]:
    """Another program's own figures for these phases, in rows as `Row` writes them. Raises NoRows."""
    lines = "".join(f"{json.dumps(document)}\n" for document in documents)
    run = subprocess.run(shlex.split(command), input=lines, capture_output=True, text=True, check=False)
    rows = [Row(match[1], float(match[2].replace(",", ""))) for match in _ROW.finditer(run.stdout)]
    if not rows:
        raise NoRows(f"No row “name  microseconds µs” was printed by {command}\n{run.stdout}{run.stderr}")
    return rows


def ratios(rows: Sequence[Row]) -> str:
    """For each row of another program, how many times as fast each of our own rows is."""
    own_rows, lines = [row for row in rows if row.name in OWN_ROWS], list[str]()
    for other in rows:
        if other.name not in OWN_ROWS:
            lines.append(f"{other.name} = 1\n")
            lines += [f"  {row.name:<46} {other.microseconds / row.microseconds:>7.2f}\n" for row in own_rows]
    return "".join(lines)


def with_boards_side_by_side(rulebook: Rulebook, copies: int) -> Rulebook:
    """The same rules on this many boards, with no borders between them."""
    board = rulebook.ruleset.board
    ids = sorted(board.provinces)
    provinces: dict[str, Province] = {}
    army: dict[str, frozenset[str]] = {}
    fleet: dict[str, frozenset[str]] = {}
    for copy in range(copies):
        new_ids = {place: f"{copy}{ids.index(province_of(place)):02d}{place[3:]}" for place in board.locations}
        for province in board.provinces.values():
            new = new_ids[province.id]
            coasts = tuple(new_ids[coast] for coast in province.coasts)
            provinces[new] = replace(province, id=new, name=new, abbr=new, coasts=coasts, aliases=())
        army |= {new_ids[here]: frozenset(new_ids[p] for p in there) for here, there in board.army.items()}
        fleet |= {new_ids[here]: frozenset(new_ids[p] for p in there) for here, there in board.fleet.items()}
    return replace(rulebook, ruleset=replace(rulebook.ruleset, board=Board(provinces, army, fleet)))


SUPPORTS = 2
"""Which of every three."""


def crowded_phase(rulebook: Rulebook, count: int) -> PhaseDocument:
    """Armies in the first centres of a board, owned by the powers in turn. Two of three attack, in all directions. The
    third supports the one before it if it can, or holds."""
    ruleset, units, orders = rulebook.ruleset, list[tuple[str, str]](), list[tuple[str, str]]()
    before = goal = ""
    for index, place in enumerate(ruleset.board.centres[:count]):
        power = ruleset.powers[index % len(ruleset.powers)]
        neighbour_ids = sorted(neighbours(UnitKind.ARMY, place, ruleset.board))
        order = f"A {place} H"
        supports = index % 3 == SUPPORTS
        if supports and goal in neighbour_ids:
            order = f"A {place} S A {before} - {goal}"
        elif neighbour_ids and not supports:
            before, goal = place, neighbour_ids[index % len(neighbour_ids)]
            order = f"A {place} - {goal}"
        units.append((power, f"A {place}"))
        orders.append((power, order))
    return {"phase": rulebook.start.turn.code, "units": lists_by_key(units), "orders": lists_by_key(orders)}
