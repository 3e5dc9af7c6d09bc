"""A position as a game master reports it: units and supply centres by power, read line by line.

    Fall 1901, Movement
    France: A Paris, F Brest
    Centres:
    France: Paris, Brest

More sections: `Minor powers:` (their units), `Dislodged:`, `Contested:`, `In disorder:`, `Relations:` and `DP:`. A line
such as `PAR unit FRANCE A PAR` or `PAR centre FRANCE` changes one place, and `-` in it leaves nothing there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple

from adjudication.auction import budget
from adjudication.board import province_of
from adjudication.english import amount, listed
from adjudication.errors import NotationError
from adjudication.judge import secede
from adjudication.parser import parse_place, parse_unit
from adjudication.place_names import place_names_of, words_of
from adjudication.position import Position
from adjudication.resolution import Notice
from adjudication.turns import PhaseKind, Season, Turn
from adjudication.units import NEUTRAL, Unit
from adjudication.words import phase_words
from variants.phase_json import BadPhase, read_phase
from variants.rulebook import Rulebook
from variants.travel.written_position import unit_text
from variants.variant import Variant

MOST_LINES = 600
MOST_MISTAKES = 30
LONGEST_LINE = 2_000
LATEST = 300
"""So many years after its start a game may be, which is far more than any has lasted."""

UNITS, CENTRES, MINORS, DISLODGED, CONTESTED, DISORDER, RELATIONS, POINTS = (
    "units", "centres", "minors", "dislodged", "contested", "disorder", "relations", "points",
)  # fmt: skip
HEADINGS = {
    UNITS: ("units", "positions", "unit locations"),
    CENTRES: ("centres", "centers", "supply centres", "supply centers", "ownership", "scs"),
    MINORS: ("minor powers", "minors", "neutrals", "neutral", "minor power units"),
    DISLODGED: ("dislodged", "dislodged units", "retreats due"),
    CONTESTED: ("contested", "stand-offs", "standoffs"),
    DISORDER: ("in disorder", "disorder", "civil disorder", "in civil disorder", "permanent civil disorder"),
    RELATIONS: ("relations", "stances"),
    POINTS: ("dp", "points", "diplomacy points", "dp left"),
}
SECTION_OF = {name: section for section, names in HEADINGS.items() for name in names}
ONE_LINE = (MINORS, CONTESTED, DISORDER)
"""Sections whose line needs no power in front."""

SEASONS = {season.name.lower(): season for season in Season if season is not Season.YEAR} | {"autumn": Season.FALL}
KINDS = {
    PhaseKind.MOVEMENT: ("movement", "moves", "orders"),
    PhaseKind.RETREAT: ("retreats", "retreat"),
    PhaseKind.ADJUSTMENT: ("adjustments", "adjustment", "builds"),
    PhaseKind.DEPLOYMENT: ("deployment",),
    PhaseKind.DECLARATION: ("declarations", "declaration"),
}
KIND_OF = {word: kind for kind, words in KINDS.items() for word in words}
TURN = re.compile(rf"(?:({'|'.join(SEASONS)})\s+)?(\d{{4}})(?:[\s,:–—-]+\(?({'|'.join(KIND_OF)})\)?)?", re.IGNORECASE)
TURN_LABELS = ("turn", "phase", "position", "date", "season")
CODE = re.compile(r"[A-Za-z]{1,3}\d{4}[A-Za-z]")
CHANGE = re.compile(r"(\S+)\s+(unit|centre|center)\s+(.+)")
LABELLED = re.compile(r"([^:]+?)\s*(?:\(?(\d+)\)?)?\s*:\s*(.*)")
DECORATION = re.compile(r"^(?:[-*•]\s+)+|\*\*")
RULE = re.compile(r"[-=_*~\s]*")
FACTION = re.compile(r"\s*\((\w)\)$")
FROM = re.compile(r"\s+from\s+", re.IGNORECASE)
NOTHING = ("", "-", "–", "—", "none", "no units", "nothing")


class Mistake(NamedTuple):
    """What is wrong on a line; line 0 is the position as a whole."""

    line: int
    text: str
    sentence: str


class WrongPosition(ValueError):
    """A text that is no position; `mistakes` in the sequence of its lines."""

    def __init__(self, mistakes: tuple[Mistake, ...]) -> None:
        super().__init__(" ".join(mistake.sentence for mistake in mistakes))
        self.mistakes = mistakes


class _WrongLine(ValueError):
    """The message is the sentence of a mistake."""


@dataclass(frozen=True, slots=True)
class ToldPosition:
    """`notices`: what the rules made of it at once, for powers in permanent civil disorder."""

    position: Position
    notices: tuple[Notice, ...]


@dataclass
class _Draft:
    """What the lines read so far say. `told_at`: what was said of which province on which line."""

    variant: Variant
    turn: Turn | None = None
    units: dict[str, Unit] = field(default_factory=dict)
    centres: dict[str, str] = field(default_factory=dict)
    factions: dict[str, str] = field(default_factory=dict)
    dislodged: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    contested: list[str] = field(default_factory=list)
    disordered: list[str] = field(default_factory=list)
    relations: dict[str, str] = field(default_factory=dict)
    points: dict[str, tuple[int, int]] = field(default_factory=dict)
    told_at: dict[tuple[str, str], int] = field(default_factory=dict)
    section: str = UNITS
    said: set[str] = field(default_factory=set)


def read_position(text: str, variant: Variant) -> ToldPosition:
    """Raises WrongPosition, which names every line with a mistake."""
    draft, mistakes = _Draft(variant), list[Mistake]()
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        sentence = (
            f"The text has {len(lines)} lines, but at most {MOST_LINES} are allowed. Put reports in their own field."
        )
        raise WrongPosition((Mistake(0, "", sentence),))
    for number, line in enumerate(lines, 1):
        said = DECORATION.sub("", line.strip()).strip(" =")
        if not said or said.startswith("#") or RULE.fullmatch(said):
            continue
        try:
            _read(said[:LONGEST_LINE], number, draft)
        except (_WrongLine, NotationError) as wrong:
            mistakes.append(Mistake(number, said[:80], getattr(wrong, "sentence", str(wrong))))
    mistakes += (Mistake(0, "", sentence) for sentence in _missing(draft))
    if mistakes:
        raise WrongPosition(tuple(mistakes[:MOST_MISTAKES]))
    return _finished(draft)


def _read(said: str, number: int, draft: _Draft) -> None:
    """One line."""
    turn = _turn(said, draft.variant)
    if turn is not None:
        draft.turn, draft.section = turn, UNITS
        return
    if change := CHANGE.fullmatch(said):
        place, what, value = change.groups()
        _change(place, what, value, number, draft)
        return
    if (alone := said.rstrip(":").strip().lower()) in SECTION_OF:
        draft.section = SECTION_OF[alone]
        draft.said.add(draft.section)
        return
    labelled = LABELLED.fullmatch(said)
    if labelled is None:
        example = f"{draft.variant.powers[0].name}: {unit_text(draft.variant.start.units[0], draft.variant)}"
        raise _WrongLine(f"This line can’t be read. Write a power, a colon and its units, as in “{example}”.")
    label, count, rest = labelled.groups()
    _labelled(label.strip(), int(count) if count else None, rest.strip().rstrip("."), number, draft)


def _labelled(label: str, count: int | None, rest: str, number: int, draft: _Draft) -> None:
    if label.lower() in TURN_LABELS:
        draft.turn = _turn(rest, draft.variant)
        if draft.turn is None:
            raise _WrongLine(f"“{rest}” is no turn. Write it as in “{phase_words(draft.variant.start.turn)}”.")
        return
    section, power = _addressed(label, draft)
    draft.said.add(section)
    if section == RELATIONS:
        _relation(label, rest, draft)
        return
    items = [item.strip() for item in re.split(r"[,;]", rest) if item.strip().lower() not in NOTHING]
    if count is not None and section in (UNITS, CENTRES) and count != len(items):
        what = "unit" if section == UNITS else "supply centre"
        raise _WrongLine(f"The line says {count}, but lists {amount(len(items), what)}.")
    _items(section, power, items, number, draft)


def _addressed(label: str, draft: _Draft) -> tuple[str, str]:
    """The section that the line belongs to, and the power that it is about, if any."""
    low = label.lower()
    section = SECTION_OF.get(low)
    if section in ONE_LINE:
        return section, ""
    if section is not None:
        raise _WrongLine(f"Write “{label}:” on a line of its own, and below it one line for each power.")
    low, section = _of_power(low, draft)
    if section == RELATIONS:
        return section, ""
    return section, NEUTRAL if SECTION_OF.get(low) == MINORS else _power(low, draft.variant)


def _items(section: str, power: str, items: list[str], number: int, draft: _Draft) -> None:
    """All of them, even if one is wrong: the first mistake is told."""
    wrong: list[ValueError] = []
    for item in items:
        try:
            _item(section, power, item, number, draft)
        except (_WrongLine, NotationError) as error:
            wrong.append(error)
    if wrong:
        raise wrong[0]


def _of_power(label: str, draft: _Draft) -> tuple[str, str]:
    """A label such as "germany", "germany centres" or "centres of germany" as a power’s name and a section."""
    for name in HEADINGS[CENTRES]:
        for cut in (label.removesuffix(f" {name}"), label.removeprefix(f"{name} of ")):
            if cut != label:
                return cut.removesuffix("’s").removesuffix("'s"), CENTRES
    return label, draft.section if draft.section not in ONE_LINE else UNITS


def _item(section: str, power: str, item: str, number: int, draft: _Draft) -> None:
    match section:
        case "minors":
            _place_unit(NEUTRAL, item, number, draft)
        case "contested":
            draft.contested.append(province_of(_place(item, draft.variant)))
        case "disorder":
            draft.disordered.append(_power(item.lower(), draft.variant))
        case "centres":
            _own(power, item, number, draft)
        case "dislodged":
            unit, *origin = FROM.split(item)
            known = str(_unit(power, unit, draft.variant))
            by = {"by": province_of(_place(origin[0], draft.variant))} if origin else {}
            draft.dislodged.setdefault(power, []).append({"unit": known, **by})
        case "points":
            if not item.isdecimal():
                raise _WrongLine(f"“{item}” is no number of points.")
            draft.points[power] = (int(item), number)
        case _:
            _place_unit(power, item, number, draft)


def _place_unit(power: str, item: str, number: int, draft: _Draft) -> None:
    unit = _unit(power, item, draft.variant)
    _once(UNITS, unit.province, number, draft, "A province has at most one unit")
    draft.units[unit.province] = unit


def _own(power: str, item: str, number: int, draft: _Draft) -> None:
    ruleset = draft.variant.ruleset
    marked = FACTION.search(item) if ruleset.factions else None
    province = ruleset.board.provinces[province_of(_place(item[: marked.start()] if marked else item, draft.variant))]
    if not province.centre:
        raise _WrongLine(f"{province.name} is not a supply centre.")
    if power == NEUTRAL:
        return
    _once(CENTRES, province.id, number, draft, "A supply centre has one owner")
    draft.centres[province.id] = power
    if marked:
        draft.factions[province.id] = marked[1].upper()


def _once(what: str, province: str, number: int, draft: _Draft, rule: str) -> None:
    before = draft.told_at.setdefault((what, province), number)
    if (draft.units if what == UNITS else draft.centres).get(province):
        name = draft.variant.ruleset.board.name(province)
        raise _WrongLine(f"{rule}, but {name} is also on line {before}.")


def _change(place: str, what: str, value: str, number: int, draft: _Draft) -> None:
    """As in “MUN unit GERMANY A MUN”: of the position so far or, if there is none, of the start."""
    variant = draft.variant
    if not draft.said:
        draft.units, draft.centres = dict(variant.start.occupied()), dict(variant.start.centres)
        draft.factions = dict(variant.ruleset.control.factions(variant.start))
        draft.turn = draft.turn or variant.start.turn
        draft.said.add(CENTRES)
    province = province_of(_place(place, variant))
    (draft.units if what == "unit" else draft.centres).pop(province, None)
    if value in NOTHING:
        return
    power, _, rest = value.partition(" ")
    if what != "unit":
        _own(_power(power.lower(), variant), f"{province} ({rest})" if rest else province, number, draft)
        return
    owner = NEUTRAL if power == NEUTRAL else _power(power.lower(), variant)
    unit = _unit(owner, rest, variant)
    if unit.province != province:
        raise _WrongLine(f"{place} and {unit} are two places. Name the same one twice.")
    draft.units[province] = unit


def _turn(said: str, variant: Variant) -> Turn | None:
    """None if this names no turn at all."""
    if CODE.fullmatch(said):
        try:
            return _in_calendar(Turn.from_code(said.upper()), variant)
        except (ValueError, KeyError) as error:
            raise _WrongLine(f"“{said}” is no turn of this variant.") from error
    found = TURN.fullmatch(said.rstrip(".:"))
    if found is None:
        return None
    season = SEASONS[found[1].lower()] if found[1] else Season.YEAR
    usual = PhaseKind.ADJUSTMENT if season is Season.WINTER else PhaseKind.MOVEMENT
    return _in_calendar(Turn(int(found[2]), season, KIND_OF[found[3].lower()] if found[3] else usual), variant)


def _in_calendar(turn: Turn, variant: Variant) -> Turn:
    calendar, first = variant.ruleset.calendar, variant.start.turn.year
    if not first <= turn.year <= first + LATEST:
        raise _WrongLine(f"The year must be {first} or later, as this variant begins in {first}.")
    try:
        calendar.after(turn)
    except (ValueError, IndexError):
        turns = [Turn(turn.year, step.season, step.kind) for step in calendar.steps]
        known = listed([f"“{phase_words(one)}”" for one in turns[:6]], "or")
        raise _WrongLine(f"This variant has no turn “{phase_words(turn)}”. Write one such as {known}.") from None
    return turn


def _power(name: str, variant: Variant) -> str:
    name = re.sub(r"^the\s+", "", name.strip().lower()).replace("_", " ")
    called = {
        word.lower(): power.id
        for power in variant.powers
        for word in (power.id.replace("_", " "), power.adjective, power.name)
    }
    if name in called:
        return called[name]
    close = get_close_matches(name, called, n=1, cutoff=0.6)
    names = listed([power.name for power in variant.powers])
    hint = f" Did you mean {variant.power(called[close[0]]).name}?" if close else f" The powers are {names}."
    raise _WrongLine(f"There is no power “{name}” in this variant.{hint}")


def _unit(power: str, text: str, variant: Variant) -> Unit:
    ruleset = variant.ruleset
    letters = ruleset.factions_of.get(power, ())
    try:
        unit = parse_unit(text, power, ruleset.board, "".join(ruleset.factions))
    except NotationError as error:
        raise _WrongLine(f"“{text}”: {error.sentence}{_hint(words_of(text)[1:], variant)}") from error
    if unit.faction not in (letters or ("",)):
        allowed = listed([f"{letter}A" for letter in letters], "or") or "A"
        raise _WrongLine(f"“{text}”: write {allowed} for an army of this power.")
    return unit


def _place(text: str, variant: Variant) -> str:
    try:
        return parse_place(text, variant.ruleset.board)
    except NotationError as error:
        raise _WrongLine(f"{error.sentence}{_hint(words_of(text), variant)}") from error


def _hint(words: tuple[str, ...], variant: Variant) -> str:
    names = place_names_of(variant.ruleset.board)
    close = [] if not words or names.find(words, 0) else names.suggestions(words)
    return f" Did you mean {listed(close, 'or')}?" if close else ""


def _relation(label: str, stance: str, draft: _Draft) -> None:
    one, _, other = label.partition(" and ")
    draft.relations[f"{_power(one, draft.variant)} {_power(other, draft.variant)}"] = stance.lower()


def _missing(draft: _Draft) -> Iterator[str]:
    if draft.turn is None:
        yield f"The turn is missing. Begin with a line such as “{phase_words(draft.variant.start.turn)}”."
    if not draft.units:
        yield "No power has a unit. Write one line for each power with its units."
    elif CENTRES not in draft.said:
        yield "The supply centres are missing. Write “Centres:”, and below it one line for each power."


def _finished(draft: _Draft) -> ToldPosition:
    """By the same door as positions of other programs, which refuses what the rules cannot lead to."""
    variant, turn = draft.variant, draft.turn
    assert turn is not None, "a missing turn is a mistake"
    try:
        found = read_phase(_document(draft, turn), rulebook_of(variant)).position
    except BadPhase as error:
        raise WrongPosition((Mistake(0, "", str(error)),)) from error
    notices: list[Notice] = []
    for power in dict.fromkeys(draft.disordered):
        found, told = secede(found, power, variant.ruleset)
        notices += told
    wrong = [
        Mistake(number, str(points), _wrong_points(power, points, found, variant))
        for power, (points, number) in draft.points.items()
        if points != budget(power, found, variant.ruleset)
    ]
    if wrong:
        raise WrongPosition(tuple(wrong))
    return ToldPosition(found, tuple(notices))


def _wrong_points(power: str, points: int, position: Position, variant: Variant) -> str:
    due = budget(power, position, variant.ruleset)
    name = variant.power(power).name
    return f"{name} can’t have {points}: by the rules it gets {due} in this turn. Correct the number or its centres."


def _document(draft: _Draft, turn: Turn) -> dict[str, Any]:
    units: dict[str, list[str]] = {}
    for unit in draft.units.values():
        units.setdefault(unit.power, []).append(str(unit))
    centres: dict[str, list[str]] = {}
    for centre, power in draft.centres.items():
        centres.setdefault(power, []).append(centre)
    document: dict[str, Any] = {"phase": turn.code, "units": units, "centers": centres, "contested": draft.contested}
    if draft.dislodged:
        document["dislodged"] = draft.dislodged
    if draft.factions:
        document["factions"] = draft.factions
    if draft.relations:
        document["relations"] = draft.relations
    minors = _minors(draft)
    return {**document, "memory": {"minors": minors}} if minors else document


def _minors(draft: _Draft) -> Mapping[str, str]:
    """The minor powers that are rebuilt: those of the start, and those that have become minor powers since."""
    known: Mapping[str, str] = draft.variant.start.memory.get("minors", {})
    provinces = draft.variant.ruleset.board.provinces
    new = {
        place: str(unit.kind)
        for place, unit in draft.units.items()
        if unit.power == NEUTRAL and place not in known and provinces[place].centre
    }
    return dict(sorted({**known, **new}.items()))


def rulebook_of(variant: Variant) -> Rulebook:
    return Rulebook(variant.slug, variant.title, variant.ruleset, variant.start)
