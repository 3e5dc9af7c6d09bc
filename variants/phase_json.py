"""A phase as one JSON object, before and after adjudication.

In: `{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}, "dislodged": {"ITALY":
[{"unit": "A VEN", "by": "TYR", "retreats": ["ROM"]}]}, "contested": ["PIE"], "orders": {"FRANCE": ["A PAR - BUR"]},
"bids": {"GERMANY": [{"points": 2, "order": "A AUS S A MUN - CZE"}]}}`; all but units may be left out, and where
rules need them there are `"relations": {"FRANCE GERMANY": "war"}`, `"factions": {"VIE": "C"}` (which armies a centre
supplies) and `"memory"`, whose entries replace those of the start. Retreats that are left out are those that the rules
allow; `"by_convoy": true` says that the attacker came by convoy. Turns before the start are refused, and positions to
which `adjudication.possible` says that the rules cannot lead.
Out: the same shape after the phase. Its orders each have results, reason and sentence, `"notices"` are what happened
without an order, and `"destroyed"` the units that left the board for good; then `"winners"` and the `"verdict"`, if the
game is over. What comes out (`variants.phase_written`) goes in again: orders with results are those of the phase
before, and count as none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, cast

from adjudication.board import province_of
from adjudication.errors import NotationError
from adjudication.judge import resolve_in
from adjudication.line_cache import Lines, layout_of_known_lines, may_be_remembered, prepare_line, read_order
from adjudication.movement.layout import Layout
from adjudication.movement.prepared import MOST_REMEMBERED
from adjudication.orders import Bid, Order, OrderSheet
from adjudication.parser import parse_place, parse_unit
from adjudication.position import Dislodged, Position
from adjudication.possible import objection_to
from adjudication.relations import relation_key
from adjudication.resolution import Resolution
from adjudication.retreats import open_retreats
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import Calendar, PhaseKind, Turn
from adjudication.units import NEUTRAL, Unit, UnitKind, may_stand
from variants.rulebook import Rulebook
from variants.words import say
from variants.words.english import listed

Json: TypeAlias = Mapping[str, Any]


MOST_POINTS = 1_000_000
"""More than any power has: what a bid can say."""


LATEST = 300
"""So many years after its start a game may be, which is far more than any has lasted."""


class BadPhase(ValueError):
    """A phase that cannot be adjudicated; the message says what is wrong."""


class OrderedPhase(NamedTuple):
    """`layout`: the orders laid out, if all lines were written before (see `resolve_in`)."""

    situation: Situation
    sheets: Mapping[str, OrderSheet]
    layout: Layout | None

    @property
    def position(self) -> Position:
        return self.situation.position

    @classmethod
    def of(cls, position: Position, orders: Lines, ruleset: Ruleset) -> OrderedPhase:
        """A phase from a position and the text of its orders. Raises BadPhase."""
        situation, lines = Situation(position, ruleset), dict(sorted(orders.items()))
        layout = _layout_if_known(lines, situation)
        sheets = {power: OrderSheet(own_orders) for power, own_orders in _orders(lines, layout, situation)}
        return cls(situation, sheets, layout)

    def adjudicate(self) -> Resolution:
        return resolve_in(self.situation, self.sheets, layout=self.layout)


def read_phase(document: object, rulebook: Rulebook, *, crowded: bool = False) -> OrderedPhase:
    """The phase in a document; `crowded`: with any number of units. Raises BadPhase."""
    if not isinstance(document, dict):
        raise BadPhase("A phase is a JSON object.")
    ruleset = rulebook.ruleset
    situation = _situation(document, rulebook, crowded=crowded)
    lines = dict(sorted(written_orders(document), key=itemgetter(0)))
    layout = _layout_if_known(lines, situation)
    orders = dict(_orders(lines, layout, situation))
    bids = {power: (*_bids(power, bids, situation),) for power, bids in _lists_by_power(document, "bids")}
    for power in {*orders, *bids}.difference(ruleset.powers):
        _check_power(power, ruleset.powers)
    if not bids:
        return OrderedPhase(situation, {power: OrderSheet(own_orders) for power, own_orders in orders.items()}, layout)
    powers = {**orders, **bids}
    sheets = {power: OrderSheet(orders.get(power, ()), bids.get(power, ())) for power in powers}
    return OrderedPhase(situation, sheets, layout)


def written_orders(document: Json) -> Iterator[tuple[str, list[Any]]]:
    """Power and orders, without orders that have results. Raises BadPhase."""
    for power, entries in _lists_by_power(document, "orders"):
        if not (entries and isinstance(entries[0], dict) and "results" in entries[0]):
            yield power, entries


def _situation(document: Json, rulebook: Rulebook, *, crowded: bool) -> Situation:
    """The position laid out. Raises BadPhase if the rules cannot lead to it."""
    if "units" not in document:
        raise BadPhase("“units” is missing.")
    start, ruleset = rulebook.start, rulebook.ruleset
    position = Position(
        turn=_turn(_checked_text(document.get("phase", start.turn.code)), start.turn, ruleset),
        units=tuple(_units(document, ruleset)),
        centres=_centres(document, rulebook) if "centers" in document else {},
        contested=frozenset([_place(t, ruleset) for t in _checked_texts(document.get("contested", []), "contested")]),
        relations=dict(_relations(document, rulebook)) if "relations" in document else {},
        memory={**start.memory, **_memory(document, rulebook)} if "memory" in document else start.memory,
    )
    if ruleset.factions:
        position = _with_factions(document, position, ruleset)
    elif document.get("factions"):
        raise BadPhase("There are no factions in these rules.")
    situation = Situation(position, ruleset)
    if len(situation.at) < len(position.units):
        counts = Counter(unit.province for unit in position.units)
        raise BadPhase(f"There are two units in {next(place for place, count in counts.items() if count > 1)}.")
    if "dislodged" in document:
        situation = _with_dislodged(document, situation)
    if reason := objection_to(situation.position, ruleset, crowded=crowded):
        raise BadPhase(say(reason, ruleset))
    return situation


def _memory(document: Json, rulebook: Rulebook) -> Json:
    """The memory in the document. Raises BadPhase for anything that these rules don't remember."""
    memory, ruleset = _object_in(document, "memory", "must name what is remembered"), rulebook.ruleset
    checks = {"disordered": _check_disordered, "minors": _check_minors, "homes": _check_homes}
    if ruleset.factions:
        checks["factions"] = _check_factions
    for name in memory:
        if name not in checks:
            raise BadPhase(f"These rules remember nothing called “{name}”; they remember {listed(checks)}.")
        checks[name](memory, rulebook)
    return memory


def _check_disordered(memory: Json, rulebook: Rulebook) -> None:
    powers = _checked_texts(memory["disordered"], "disordered")
    if powers != sorted(set(powers)):
        raise BadPhase("“disordered” must name powers in the sequence of the alphabet, each once.")
    for power in powers:
        _check_power(power, rulebook.ruleset.powers)


def _check_minors(memory: Json, rulebook: Rulebook) -> None:
    board = rulebook.ruleset.board
    for centre, kind in _object_in(memory, "minors", "must name supply centres").items():
        if centre not in board.centres or kind not in [*UnitKind] or not may_stand(UnitKind(kind), centre, board):
            raise BadPhase(f"“minors” must say of a supply centre A or F, as in {board.centres[0]}: A.")


def _check_homes(memory: Json, rulebook: Rulebook) -> None:
    """Check the homes that powers have won or chosen, beside those they began with. Raises BadPhase."""
    ruleset, situation = rulebook.ruleset, Situation(rulebook.start, rulebook.ruleset)
    for power, homes in _object_in(memory, "homes", "must give each power a list of supply centres").items():
        first = ruleset.homes[_check_power(power, ruleset.powers)]
        most = ruleset.builds.most_homes(power, situation) - len(first)
        won = _checked_texts(homes, "homes")
        if len(won) > most:
            raise BadPhase(f"“homes” gives {power} {len(won)} beside those it began with; at most {most} are allowed.")
        if len({*won}) < len(won) or not {*won} <= {*ruleset.board.centres} - {*first}:
            raise BadPhase(f"“homes” must give {power} supply centres, each once, with which it did not begin.")


def _check_factions(memory: Json, rulebook: Rulebook) -> None:
    ruleset = rulebook.ruleset
    for centre, letter in _object_in(memory, "factions", "must name centres, as in VIE: C").items():
        if centre not in ruleset.board.centres or letter not in [*ruleset.factions]:
            raise BadPhase(f"“factions” must say of a supply centre {listed([*ruleset.factions], 'or')}.")


def _with_factions(document: Json, position: Position, ruleset: Ruleset) -> Position:
    """The position with the entries of “factions”. Raises BadPhase if an owner doesn't have the faction."""
    for name, letter in _object_in(document, "factions", "must name centres, as in VIE: C").items():
        centre = _centre(name, ruleset)
        if centre not in position.centres:
            raise BadPhase(f"“factions” names {centre}, which no power has in “centers”.")
        if letter not in [*ruleset.factions]:
            raise BadPhase(f"“factions” must say of a centre {listed([*ruleset.factions], 'or')}.")
        position = ruleset.control.with_owner(centre, position.centres[centre], letter, position)
    factions = ruleset.control.factions(position)
    for centre, power in position.centres.items():
        letters = ruleset.control.possible_factions(centre, power, ruleset)
        if factions.get(centre, "") not in letters:
            adjective = ruleset.factions.get(factions.get(centre, ""), "no")
            complaint = f"{centre} supplies {adjective} armies, which {power} cannot have there"
            raise BadPhase(f"{complaint}: “factions” must say {listed(letters, 'or')}.")
    return position


def _with_dislodged(document: Json, situation: Situation) -> Situation:
    position = situation.position
    lists = _lists_by_power(document, "dislodged")
    dislodged = [_dislodged(power, each, situation) for power, entries in lists for each in entries]
    if dislodged and position.turn.kind is not PhaseKind.RETREAT:
        raise BadPhase(f"Units are dislodged only in a phase for retreats, and {position.turn.code} is none.")
    provinces = Counter(each.unit.province for each in dislodged)
    if len(provinces) < len(dislodged):
        raise BadPhase(f"Two units are dislodged from {provinces.most_common(1)[0][0]}.")
    return Situation(replace(position, dislodged=tuple(dislodged)), situation.ruleset) if dislodged else situation


def _units(document: Json, ruleset: Ruleset) -> list[Unit]:
    rosters = _rosters(ruleset)
    units: list[Unit] = []
    for power, texts in _lists_by_power(document, "units"):
        roster = rosters.get(power)
        try:
            units += [_unit(power, t, ruleset) for t in texts] if roster is None else map(roster.__getitem__, texts)
        except TypeError as error:
            raise BadPhase(f"“units” gives {power} something that is not text.") from error
    return units


def _centres(document: Json, rulebook: Rulebook) -> dict[str, str]:
    ruleset = rulebook.ruleset
    powers = ruleset.powers
    lists = [(_check_power(power, powers), texts) for power, texts in _lists_by_power(document, "centers") if texts]
    centres = {_centre(_checked_text(text), ruleset): power for power, texts in lists for text in texts}
    if len(centres) < sum([len(texts) for _, texts in lists]):
        every = Counter(_centre(text, ruleset) for _, texts in lists for text in texts)
        raise BadPhase(f"“centers” names {every.most_common(1)[0][0]} twice.")
    return centres


def _lists_by_power(document: Json, key: str) -> Iterator[tuple[str, list[Any]]]:
    """Power and list, for each power in the entry `key`."""
    for power, entries in _object_in(document, key, "must give each power a list").items():
        if not isinstance(entries, list):
            raise BadPhase(f"“{key}” gives {power} something that is not a list.")
        yield _power_id(power), entries


@lru_cache(maxsize=1024)
def _power_id(text: str) -> str:
    return text.strip().upper().replace(" ", "_")


def _object_in(document: Json, key: str, demand: str) -> dict[str, Any]:
    entry = document.get(key, {})
    if not isinstance(entry, dict):
        raise BadPhase(f"“{key}” {demand}.")
    return entry


def _relations(document: Json, rulebook: Rulebook) -> Iterator[tuple[str, str]]:
    """The relations as a position keeps them, from pairs in any order. Raises BadPhase."""
    stances, powers = rulebook.ruleset.relations.stances, rulebook.ruleset.powers
    keys: set[str] = set()
    for pair, stance in _object_in(document, "relations", "must name pairs of powers").items():
        if not stances:
            raise BadPhase("Powers have no relations in these rules.")
        if stance not in stances:
            raise BadPhase(f"“relations” must say of two powers, as in FRANCE GERMANY: {' or '.join(stances)}.")
        power, _, other = pair.upper().partition(" ")
        key = relation_key(_check_power(power, powers), _check_power(other, powers))
        if power == other:
            raise BadPhase(f"“relations” must say of two powers what they are to each other, not of {power} alone.")
        if key in keys:
            raise BadPhase(f"“relations” names {key} twice.")
        keys.add(key)
        if stance != stances[0]:
            yield key, stance


def _checked_texts(value: object, key: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise BadPhase(f"“{key}” must be a list of names.")
    return value


def _check_power(power: str, powers: Sequence[str]) -> str:
    if power not in powers:
        raise BadPhase(f"There is no power {power}; there are {', '.join(powers)}.")
    return power


def _checked_text(value: object) -> str:
    if not isinstance(value, str):
        raise BadPhase(f"{value!r} was found where text is expected.")
    return value


@lru_cache(maxsize=4096)
def _turn(code: str, first: Turn, ruleset: Ruleset) -> Turn:
    try:
        turn = Turn.from_code(code)
        ruleset.calendar.after(turn)
    except (ValueError, IndexError) as error:
        raise BadPhase(f"There is no phase {code!r}; phases are written like S1901M.") from error
    if not first.year <= turn.year <= first.year + LATEST or _is_before(turn, first, ruleset.calendar):
        raise BadPhase(f"{code} is no phase of a game that begins with {first.code} and lasts at most {LATEST} years.")
    return turn


def _is_before(turn: Turn, first: Turn, calendar: Calendar) -> bool:
    """Is this turn before the `first` one of the same year?"""
    while turn.year == first.year and turn != first:
        turn = calendar.after(turn)
        if turn == first:
            return True
    return False


class _Roster(dict[str, Unit]):
    """Text of a unit of one power -> the unit, read when it is first asked for."""

    def __init__(self, power: str, ruleset: Ruleset) -> None:
        super().__init__()
        self.power = power
        self.ruleset = ruleset

    def __missing__(self, text: str) -> Unit:
        unit = _unit(self.power, text, self.ruleset)
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        self[text] = unit
        return unit


@lru_cache(maxsize=64)
def _rosters(ruleset: Ruleset) -> Mapping[str, _Roster]:
    return {power: _Roster(power, ruleset) for power in (*ruleset.powers, NEUTRAL)}


def _unit(power: str, text: object, ruleset: Ruleset) -> Unit:
    _check_power(power, (*ruleset.powers, NEUTRAL))
    letters = ruleset.factions_of.get(power, ())
    try:
        unit = parse_unit(_checked_text(text), power, ruleset.board, "".join(ruleset.factions))
    except NotationError as error:
        raise BadPhase(f"{power}, “{text}”: {say(error, ruleset)}") from error
    if unit.faction not in (letters or ("",)):
        marks = listed([f"{letter}A" for letter in letters], "or") or "A"
        raise BadPhase(f"{power}, “{text}”: write {marks}.")
    return unit


def _place(text: object, ruleset: Ruleset) -> str:
    return province_of(_location(text, ruleset))


def _location(text: object, ruleset: Ruleset) -> str:
    try:
        return parse_place(_checked_text(text), ruleset.board)
    except NotationError as error:
        raise BadPhase(say(error, ruleset)) from error


@lru_cache(maxsize=4096)
def _centre(text: str, ruleset: Ruleset) -> str:
    province = ruleset.board.provinces[_place(text, ruleset)]
    if not province.centre:
        raise BadPhase(f"{province.name} is not a supply centre.")
    return province.id


def _dislodged(power: str, entry: object, situation: Situation) -> Dislodged:
    """A dislodged unit. If no retreats are given, they follow from the rules."""
    facts = cast("dict[str, Any]", entry if isinstance(entry, dict) else {"unit": entry})
    unit = _unit(power, facts.get("unit"), situation.ruleset)
    if unit.power == NEUTRAL:
        raise BadPhase(f"{power}, “{unit}”: a unit without a power does not retreat; leave it out.")
    origin = _place(facts["by"], situation.ruleset) if facts.get("by") else None
    if facts.get("by_convoy"):
        origin = None
    if "retreats" not in facts:
        return Dislodged(unit, origin, open_retreats(unit, origin, situation))
    retreats = tuple(
        sorted(_location(text, situation.ruleset) for text in _checked_texts(facts["retreats"], "retreats"))
    )
    if origin in {province_of(place) for place in retreats}:
        origin = None
    closed_places = [place for place in retreats if place not in open_retreats(unit, origin, situation)]
    if closed_places:
        raise BadPhase(f"{power}, “{unit}”: the rules allow no retreat to {listed(closed_places, 'or')}.")
    return Dislodged(unit, origin, retreats)


def _layout_if_known(lines: Lines, situation: Situation) -> Layout | None:
    try:
        return layout_of_known_lines(lines, situation) if may_be_remembered(situation) else None
    except (KeyError, TypeError):
        return None


def _orders(lines: Lines, layout: Layout | None, situation: Situation) -> Iterator[tuple[str, tuple[Order, ...]]]:
    """Power and orders. Known orders are in the order of their lines."""
    if layout is not None:
        all_orders, end = tuple([prepared.order for prepared in layout.given]), 0
        for power, entries in lines.items():
            start, end = end, end + len(entries)
            yield power, all_orders[start:end]
        return
    for power, entries in lines.items():
        orders = tuple([_order(power, text, situation) for text in entries])
        if may_be_remembered(situation) and power in situation.cache.lines:
            for text, order in zip(entries, orders, strict=True):
                prepare_line(text, order, power, situation)
        yield power, orders


def _order(power: str, text: object, situation: Situation) -> Order:
    try:
        return read_order(_checked_text(text), situation, power)
    except NotationError as error:
        raise BadPhase(f"{power}, “{text}”: {say(error, situation.ruleset)}") from error


def _bids(power: str, bids: Sequence[object], situation: Situation) -> Iterator[Bid]:
    for bid in bids:
        facts = bid if isinstance(bid, dict) else {}
        points = facts.get("points")
        if not isinstance(points, int) or isinstance(points, bool) or abs(points) > MOST_POINTS:
            raise BadPhase(f'{power}: a bid is written like this: {{"points": 2, "order": "A AUS H"}}.')
        yield Bid(_order(power, facts.get("order"), situation), points)
