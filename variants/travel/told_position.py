"""A position as a game master reports it: units and supply centres by power, read line by line.

    Fall 1901, Movement
    France: A Paris, F Brest
    Centres:
    France: Paris, Brest

More sections: `Minor powers:` (their units), `Homes:` (those won), `Dislodged:`, `Contested:`, `In disorder:`,
`Relations:` and `DP:`. A line such as `PAR unit FRANCE A PAR` or `PAR centre FRANCE` changes one place, and `-` in it
leaves nothing there.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from adjudication.auction import budget
from adjudication.board import Province, province_of
from adjudication.errors import NotationError
from adjudication.judge import put_in_civil_disorder
from adjudication.line_words import KINDS, check_item_length, check_line_length, words_of
from adjudication.place_names import place_names_of
from adjudication.position import Position
from adjudication.power_names import power_names_of
from adjudication.resolution import Notice
from adjudication.serialisation import lists_by_key
from adjudication.situation import Situation
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, Unit
from variants.phase_json import BadPhase, read_phase
from variants.travel.report_lines import TITLE, cells_of, lines_of
from variants.travel.told_words import (
    COMING,
    TURN,
    OrderFound,
    WrongLine,
    is_order,
    place_in,
    power_in,
    side_in,
    turn_in,
    unit_in,
)
from variants.travel.written_position import unit_text
from variants.variant import Variant
from variants.words import say
from variants.words.english import amount, listed
from variants.words.orders import phase_words

MOST_CHARACTERS, MOST_LINES = 100_000, 600
MOST_MISTAKES, MOST_SENTENCES = 200, 8
UNITS, CENTRES, HOMES, MINORS, DISLODGED, CONTESTED, DISORDER, RELATIONS, POINTS = (
    "units", "centres", "homes", "minors", "dislodged", "contested", "disorder", "relations", "points",
)  # fmt: skip
HEADINGS = {
    UNITS: ("units", "positions", "unit locations", "unit positions", "current position", "units on the board"),
    CENTRES: (
        *("centres", "centers", "supply centres", "supply centers", "ownership", "scs", "centre", "center", "sc"),
        *("ownership of supply centers", "ownership of supply centres", "supply center ownership"),
    ),
    HOMES: ("homes", "home centres", "home centers", "homes won", "homes chosen"),
    MINORS: ("minor powers", "minors", "neutrals", "neutral", "minor power units"),
    DISLODGED: ("dislodged", "dislodged units", "retreats due"),
    CONTESTED: ("contested", "stand-offs", "standoffs"),
    DISORDER: ("in disorder", "disorder", "civil disorder", "in civil disorder", "permanent civil disorder"),
    RELATIONS: ("relations", "stances"),
    POINTS: ("dp", "points", "diplomacy points", "dp left"),
}
SECTION_OF = {name: section for section, names in HEADINGS.items() for name in names}
WITH_UNITS = (UNITS, MINORS, DISLODGED)
ONE_LINE = (MINORS, CONTESTED, DISORDER)
"""Sections whose line needs no power in front."""

TURN_LABELS = ("turn", "phase", "position", "date", "season")
CHANGE = re.compile(r"(\S+) (unit|centre|center) (.+)")
COUNTED = re.compile(r"(.+?) ?(?<!\d)\(?(\d{1,3})\)?")
"""A label with a number. Like all patterns here it takes linear time, as spaces are single and numbers short."""
SUMMARY = re.compile(
    r"\d{1,3} supply cent(?:er|re)s?, ?\d{1,3} units?(?:: ?(?:builds|removes) \d{1,3} units?)?", re.IGNORECASE
)
"""How judges sum up a power, which says nothing more."""
STARRED = re.compile(r"^\*|\*$| ?\(?\*?\bdislodged\b\*?\)?", re.IGNORECASE)
RESULTS = re.compile(r"(?:\w{1,20} )?(?:results|orders|moves)\b", re.IGNORECASE)
RETREATING = " can retreat to "
AS_AT_START = ("as at the start", "others as at the start", "all others as at the start")
COLUMNS = {
    **dict.fromkeys(("power", "powers", "country", "nation", "side"), "power"),
    **dict.fromkeys(("unit", "type", "kind"), "mark"),
    **dict.fromkeys(("province", "location", "place"), "place"),
    **dict.fromkeys(("player", "players", "count", "number", "notes", ""), "remark"),
    **{name: section for name, section in SECTION_OF.items() if section in (UNITS, CENTRES)},
}
"""What is in the column of a table, by its title."""
IN_TABLES = (UNITS, CENTRES, HOMES, MINORS, DISLODGED)
FACTION = re.compile(r" ?\((\w)\)$")
MARKED = re.compile(r"\*?(?:[A-Z]?[AF]|Army|Fleet)\b", re.IGNORECASE)
BEFORE_A_UNIT = re.compile(r" (?:and )?(?=\*?(?:[AF]|[CDI]A|Army|Fleet|army|fleet)\b[ (])")
FROM = re.compile(" from ", re.IGNORECASE)
NOTHING = ("", "-", "–", "—", "none", "no units", "nothing")


class PositionMistake(NamedTuple):
    """A mistake on some lines, with the text of the first; without lines, a mistake in the position as a whole."""

    lines: tuple[int, ...]
    text: str
    sentence: str

    @property
    def place(self) -> str:
        """The lines in words, as in "Lines 3, 5 and 7"."""
        return f"{'Line' if len(self.lines) == 1 else 'Lines'} {listed(map(str, self.lines))}" if self.lines else ""


class WrongPosition(ValueError):
    """A text that is not a position; `mistakes` are in the order of its lines."""

    def __init__(self, mistakes: tuple[PositionMistake, ...]) -> None:
        super().__init__(" ".join(mistake.sentence for mistake in mistakes))
        self.mistakes = mistakes


@dataclass(frozen=True, slots=True)
class ToldPosition:
    """`notices`: immediate effects of the rules, for powers in permanent civil disorder. `asks_for_minors`: the text
    doesn't mention minor powers, so they are as at the start until someone says otherwise."""

    position: Position
    notices: tuple[Notice, ...]
    asks_for_minors: bool = False


@dataclass
class _ToldDraft:
    """The content of the lines read so far. `told_at`: (subject, province) -> the line that told it; `continued`: the
    section and power to which a line without a label belongs; `columns`: what those of a table hold."""

    variant: Variant
    turn: Turn | None = None
    units: dict[str, Unit] = field(default_factory=dict)
    centres: dict[str, str] = field(default_factory=dict)
    factions: dict[str, str] = field(default_factory=dict)
    homes: dict[str, list[str]] = field(default_factory=dict)
    dislodged: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    contested: list[str] = field(default_factory=list)
    disordered: list[str] = field(default_factory=list)
    relations: dict[str, str] = field(default_factory=dict)
    points: dict[str, tuple[int, int]] = field(default_factory=dict)
    told_at: dict[tuple[str, str], int] = field(default_factory=dict)
    section: str = UNITS
    continued: tuple[str, str] | None = None
    columns: tuple[str, ...] = ()
    minors_stay: bool = False
    mistakes: int = 0
    sections: set[str] = field(default_factory=set)


def read_position(text: str, variant: Variant) -> ToldPosition:
    """The position in this text. Raises WrongPosition, which names every line with a mistake."""
    _check_size(text)
    draft, errors = _ToldDraft(variant), dict[str, list[tuple[int, str]]]()
    orders: list[int] = []
    for number, line in lines_of(text):
        title = TITLE.match(line)
        words = line[title.end() :] if title else line
        if line.startswith("#") and not (title and _is_title(words, variant)):
            if title is None or side_in(words.rstrip(":"), variant) is None:
                draft.continued = None
                continue
            words = f"{words.rstrip(':')}:"
        try:
            check_line_length(words)
            _read_line(words, number, draft)
        except (WrongLine, NotationError) as error:
            orders += [number] if isinstance(error, OrderFound) else []
            sentence = say(error, variant.ruleset) if isinstance(error, NotationError) else str(error)
            errors.setdefault(sentence, []).append((number, words[:80]))
    if orders and not draft.units:
        example = unit_text(variant.start.units[0], variant)
        raise _wrong_position(f"This text has orders but no position. Write where each unit is now, as in “{example}”.")
    mistakes = [
        PositionMistake(tuple([number for number, _ in places]), places[0][1], sentence)
        for sentence, places in errors.items()
    ]
    mistakes += (PositionMistake((), "", sentence) for sentence in _sentences_on_missing(draft))
    if mistakes:
        raise WrongPosition(_first_mistakes(mistakes))
    return _checked_position(draft)


def _first_mistakes(mistakes: list[PositionMistake]) -> tuple[PositionMistake, ...]:
    """The first mistakes, up to a limit, including those about the position as a whole."""
    in_order = sorted(mistakes, key=lambda mistake: bool(mistake.lines))
    if len(in_order) <= MOST_SENTENCES:
        return tuple(mistakes)
    first, rest = in_order[: MOST_SENTENCES - 1], in_order[MOST_SENTENCES - 1 :]
    lines = tuple([line for mistake in rest for line in mistake.lines])
    return (*first, PositionMistake(lines, rest[0].text, "There are more mistakes here. Correct the others first."))


def _wrong_position(sentence: str) -> WrongPosition:
    return WrongPosition((PositionMistake((), "", sentence),))


def _check_size(text: str) -> None:
    sizes = (len(text), MOST_CHARACTERS, "characters"), (len(text.splitlines()), MOST_LINES, "lines")
    for count, limit, noun in sizes:
        if count > limit:
            raise _wrong_position(
                f"The text has {count:,} {noun}, but at most {limit:,} are allowed. Put reports in their own field."
            )


def _is_title(words: str, variant: Variant) -> bool:
    """Is this the turn or a section, written as a title?"""
    return words.rstrip(":").lower() in SECTION_OF or TURN.fullmatch(words.rstrip(".:")) is not None


def _read_line(text: str, number: int, draft: _ToldDraft) -> None:
    """Read one line, without its spaces at both ends."""
    variant = draft.variant
    turn = turn_in(text, variant)
    if turn is not None:
        if draft.turn not in (None, turn) and not COMING.fullmatch(text):
            raise WrongLine("The text names two turns. Leave the one in which the orders are still to be given.")
        draft.turn, draft.section, draft.continued = turn, UNITS, None
        return
    if change := CHANGE.fullmatch(text):
        place, kind, value = change.groups()
        _apply_change(place, kind, value, number, draft)
        return
    if (title := text.rstrip(":;| ").lower()) in SECTION_OF:
        draft.section = SECTION_OF[title]
        draft.sections.add(draft.section)
        draft.continued = (draft.section, "") if draft.section in ONE_LINE else None
        draft.columns = ()
        return
    if ":" not in text and _read_without_label(text, number, draft):
        return
    label, colon, rest = text.partition(":")
    if not label or not colon:
        unit_match = BEFORE_A_UNIT.search(text)
        if unit_match is None or side_in(text[: unit_match.start()], variant) is None:
            raise _error_if_unreadable(text, variant)
        label, rest = text[: unit_match.start()], text[unit_match.end() :]
    count_match = COUNTED.fullmatch(label := label.strip())
    label, count = (count_match[1], int(count_match[2])) if count_match else (label, None)
    _read_labelled_line(label, count, rest.strip().rstrip("."), number, draft)


def _read_without_label(words: str, number: int, draft: _ToldDraft) -> bool:
    """Read a retreat, a row of a table or a continuation of the power before; False for any other line."""
    if RETREATING in words:
        _read_retreat(words.partition(RETREATING)[0], draft)
        return True
    if _read_row(cells_of(words), number, draft):
        return True
    if _power_in_heading(words, draft):
        _read_labelled_line(words, None, "", number, draft)
        return True
    if side_in(words, draft.variant):
        raise WrongLine(f"“{words}” could be a power or a place. Write a colon after the name of a power.")
    if draft.continued and (MARKED.match(words) or draft.continued[0] not in WITH_UNITS):
        _add_items(*draft.continued, _split_items(words, draft.continued[0]), number, draft)
        return True
    return False


def _error_if_unreadable(words: str, variant: Variant) -> WrongLine:
    if is_order(words) or RESULTS.match(words):
        return OrderFound()
    example = f"{variant.powers[0].name}: {unit_text(variant.start.units[0], variant)}"
    return WrongLine(f"This can’t be read. Write a power, a colon and its units, as in “{example}”.")


def _read_retreat(unit: str, draft: _ToldDraft) -> None:
    """Read a line such as "The Austrian Army in Serbia can retreat to Albania"."""
    words = words_of(unit.removeprefix("The "))
    match = power_names_of(draft.variant.ruleset).find(words, 0)
    power = power_in(" ".join(words[: match[1]] if match else words), draft.variant)
    _add_dislodged(power, " ".join(words[match[1] if match else 0 :]), draft)


def _read_row(cells: list[str], number: int, draft: _ToldDraft) -> bool:
    """Read a row of a table: with a power in its first column, with a title or a power in every column, or below such
    powers; False for any other line."""
    powers = [_power_in_heading(cell, draft) or "" for cell in cells]
    is_titled = "" in powers[:1] and COLUMNS.get(cells[0].lower()) in ("power", "remark")
    if len(set(powers)) == len(cells) > 1 and all(powers[is_titled:]):
        draft.columns = tuple(powers)
        return True
    if {NEUTRAL, *draft.variant.ruleset.powers}.intersection(draft.columns):
        _read_columns(cells, number, draft)
        return True
    if len(cells) > 1 and COLUMNS.get(cells[0].lower()) == "power":
        draft.columns = tuple(map(_column_called, cells))
        return True
    power = _power_in_heading(cells[0], draft) if len(cells) > 1 else None
    if power is None:
        return False
    columns = draft.columns or ("power", "mark" if cells[1].lower() in KINDS else draft.section)
    items: dict[str, list[str]] = {}
    for at, cell in enumerate(cells):
        column = columns[min(at, len(columns) - 1)]
        items.setdefault(UNITS if column in {"mark", "place"} else column, []).append(cell)
    for section in [it for it in IN_TABLES if it in items]:
        text = (" " if section == UNITS and "mark" in columns else ", ").join(items[section])
        _add_items_of_power(section, power, _split_items(text, section), number, draft)
    return True


def _read_columns(cells: list[str], number: int, draft: _ToldDraft) -> None:
    """Read a row with the units or centres of one power in each column; one without a power may name the section."""
    if len(cells) > len(draft.columns):
        raise WrongLine(f"This row has {len(cells)} columns, but there are {len(draft.columns)} above it.")
    for power, cell in zip(draft.columns, cells, strict=False):
        if power:
            _add_items_of_power(draft.section, power, _split_items(cell, draft.section), number, draft)
        elif cell.lower() in SECTION_OF:
            draft.section = SECTION_OF[cell.lower()]
        elif cell:
            raise WrongLine(f"The row “{cell}” can’t be read. Call the rows Units and Centres.")


def _power_in_heading(text: str, draft: _ToldDraft) -> str | None:
    """The power with this name, unless the name could mean a place too."""
    is_place = not draft.columns and place_names_of(draft.variant.ruleset.board).find(words_of(text), 0)
    return None if is_place else side_in(text, draft.variant)


def _column_called(title: str) -> str:
    column = COLUMNS.get(title.lower())
    if column is None:
        raise WrongLine(f"The column “{title}” can’t be read. Call the columns Power, Units and Centres.")
    return column


def _add_items_of_power(section: str, power: str, items: list[str], number: int, draft: _ToldDraft) -> None:
    draft.sections.update({section, MINORS} if power == NEUTRAL and section == UNITS else {section})
    _add_items(section, power, items, number, draft)


def _read_labelled_line(label: str, count: int | None, rest: str, number: int, draft: _ToldDraft) -> None:
    if label.lower() in TURN_LABELS:
        draft.turn = turn_in(rest, draft.variant)
        if draft.turn is None:
            raise WrongLine(f"“{rest}” is no turn. Write it as in “{phase_words(draft.variant.start.turn)}”.")
        return
    section, power = _section_and_power(label, rest, draft)
    if SUMMARY.fullmatch(rest):
        return
    draft.sections.add(section)
    if section == RELATIONS:
        first, _, other = label.partition(" and ")
        pair = f"{power_in(first, draft.variant)} {power_in(other, draft.variant)}"
        draft.relations[pair] = rest.lower()
        return
    draft.continued = None if rest and section not in WITH_UNITS else (section, power)
    items = _split_items(rest, section)
    if count is not None and items and section in (UNITS, CENTRES) and count != len(items):
        noun = "unit" if section == UNITS else "supply centre"
        raise WrongLine(f"The line says {count}, but lists {amount(len(items), noun)}.")
    _add_items_of_power(section, power, items, number, draft)


def _split_items(text: str, section: str) -> list[str]:
    """The items between commas; units may also follow each other without commas."""
    items = re.split(r"[,;]", text)
    if section in WITH_UNITS:
        items = [item for part in items for item in BEFORE_A_UNIT.split(part)]
    return [item.strip() for item in items if item.strip().lower() not in NOTHING]


def _is_about_units(section: str | None, rest: str) -> bool:
    """Is this about the units of minor powers, although the section is about centres?"""
    return section == MINORS and (MARKED.match(rest) is not None or rest.lower() in (*AS_AT_START, *NOTHING))


def _section_and_power(label: str, rest: str, draft: _ToldDraft) -> tuple[str, str]:
    """The section that the line belongs to, and the power that it is about, if any."""
    key = label.lower()
    section = SECTION_OF.get(key)
    if draft.section == CENTRES and side_in(label, draft.variant) == NEUTRAL and not _is_about_units(section, rest):
        return CENTRES, NEUTRAL
    if section in ONE_LINE:
        return section, ""
    if section is not None:
        raise WrongLine(f"Write “{label}:” on a line of its own, and below it one line for each power.")
    label, section = _power_and_section(label, draft)
    if section == RELATIONS:
        return section, ""
    is_neutral = side_in(label, draft.variant) == NEUTRAL
    return section, NEUTRAL if is_neutral else power_in(label, draft.variant)


def _add_items(section: str, power: str, items: list[str], number: int, draft: _ToldDraft) -> None:
    """Add all of these items, even if one is wrong, and then raise the first mistake. After very many mistakes in the
    whole text, no more items are read."""
    errors: list[ValueError] = []
    for item in items:
        try:
            _add_item(section, power, item, number, draft)
        except (WrongLine, NotationError) as error:
            errors.append(error)
            draft.mistakes += 1
            if draft.mistakes >= MOST_MISTAKES:
                break
    if errors:
        raise errors[0]


def _power_and_section(label: str, draft: _ToldDraft) -> tuple[str, str]:
    """The power and section in a label such as "germany", "germany centres" or "centres of germany"."""
    for name in HEADINGS[CENTRES]:
        for pattern in (f" {name}$", f"^{name} of "):
            rest = re.sub(pattern, "", label, flags=re.IGNORECASE)
            if rest != label:
                return rest.removesuffix("’s").removesuffix("'s"), CENTRES
    return label, draft.section if draft.section not in ONE_LINE else UNITS


def _add_item(section: str, power: str, item: str, number: int, draft: _ToldDraft) -> None:
    check_item_length(item)
    unmarked_item = STARRED.sub("", item) if section == UNITS else item
    match section if unmarked_item == item else DISLODGED:
        case "contested":
            draft.contested.append(province_of(place_in(item, draft.variant)))
        case "disorder":
            draft.disordered.append(power_in(item, draft.variant))
        case "centres":
            _add_centre(power, item, number, draft)
        case "homes":
            _add_home(power, item, draft)
        case "dislodged":
            _add_dislodged(power, unmarked_item, draft)
        case "points":
            if not item.isdecimal():
                raise WrongLine(f"“{item}” is no number of points.")
            draft.points[power] = (int(item), number)
        case _:
            _add_unit(NEUTRAL if section == MINORS else power, item, number, draft)


def _add_dislodged(power: str, item: str, draft: _ToldDraft) -> None:
    unit, *origin = FROM.split(item)
    origin_entry = {"by": province_of(place_in(origin[0], draft.variant))} if origin else {}
    draft.dislodged.setdefault(power, []).append({"unit": str(unit_in(power, unit, draft.variant)), **origin_entry})


def _add_unit(power: str, item: str, number: int, draft: _ToldDraft) -> None:
    if power == NEUTRAL and item.lower() in AS_AT_START:
        draft.minors_stay = True
        return
    unit = unit_in(power, item, draft.variant)
    _check_not_told_before(UNITS, unit.province, number, draft, "A province has at most one unit")
    draft.units[unit.province] = unit


def _add_centre(power: str, item: str, number: int, draft: _ToldDraft) -> None:
    match = FACTION.search(item) if draft.variant.ruleset.factions else None
    province = _centre_in(item[: match.start()] if match else item, draft)
    if power == NEUTRAL:
        return
    _check_not_told_before(CENTRES, province.id, number, draft, "A supply centre has one owner")
    draft.centres[province.id] = power
    if match:
        draft.factions[province.id] = match[1].upper()


def _centre_in(item: str, draft: _ToldDraft) -> Province:
    province = draft.variant.ruleset.board.provinces[province_of(place_in(item, draft.variant))]
    if not province.centre:
        raise WrongLine(f"{province.name} is not a supply centre.")
    return province


def _add_home(power: str, item: str, draft: _ToldDraft) -> None:
    """Add a home that the power has won or chosen; homes that it begins with may be named, too."""
    rules, home = draft.variant.ruleset, _centre_in(item, draft).id
    if power == NEUTRAL:
        raise WrongLine("Minor powers have no homes. Write those of the powers only.")
    first, new_homes = rules.homes[power], draft.homes.setdefault(power, [])
    if home in (*first, *new_homes):
        return
    new_homes.append(home)
    limit = rules.builds.most_homes(power, Situation(draft.variant.start, rules))
    if len(first) + len(new_homes) > limit:
        name = draft.variant.power(power).name
        raise WrongLine(f"{name} can have at most {amount(limit, 'home')}, and begins with {len(first)} of them.")


def _check_not_told_before(section: str, province: str, number: int, draft: _ToldDraft, rule: str) -> None:
    before = draft.told_at.setdefault((section, province), number)
    if (draft.units if section == UNITS else draft.centres).get(province):
        name = draft.variant.ruleset.board.name(province)
        raise WrongLine(f"{rule}, but {name} is also on line {before}.")


def _apply_change(place: str, kind: str, value: str, number: int, draft: _ToldDraft) -> None:
    """Apply a line such as “MUN unit GERMANY A MUN” to the position so far or, if there is none, to the start."""
    variant = draft.variant
    if not draft.sections:
        draft.sections.add(MINORS)
        draft.units, draft.centres = dict(variant.start.units_by_province()), dict(variant.start.centres)
        draft.factions = dict(variant.ruleset.control.factions(variant.start))
        draft.turn = draft.turn or variant.start.turn
        draft.sections.add(CENTRES)
    province = province_of(place_in(place, variant))
    (draft.units if kind == "unit" else draft.centres).pop(province, None)
    if value in NOTHING:
        return
    power, _, rest = value.partition(" ")
    if kind != "unit":
        _add_centre(power_in(power.lower(), variant), f"{province} ({rest})" if rest else province, number, draft)
        return
    owner = NEUTRAL if power == NEUTRAL else power_in(power.lower(), variant)
    unit = unit_in(owner, rest, variant)
    if unit.province != province:
        raise WrongLine(f"{place} and {unit} are two places. Name the same one twice.")
    draft.units[province] = unit


def _sentences_on_missing(draft: _ToldDraft) -> Iterator[str]:
    if draft.turn is None:
        yield f"The turn is missing. Begin with a line such as “{phase_words(draft.variant.start.turn)}”."
    if not draft.units:
        yield "No power has a unit. Write one line for each power with its units."
    elif CENTRES not in draft.sections:
        yield "The supply centres are missing. Write “Centres:”, and below it one line for each power."


def _checked_position(draft: _ToldDraft) -> ToldPosition:
    """The position, checked like positions of other programs, so that the rules can lead to it."""
    variant, turn = draft.variant, draft.turn
    assert turn is not None, "a missing turn is a mistake"
    is_silent = MINORS not in draft.sections and bool(variant.start.units_of(NEUTRAL))
    if is_silent or draft.minors_stay:
        for unit in variant.start.units_of(NEUTRAL):
            if unit.province not in draft.units and unit.province not in draft.centres:
                draft.units[unit.province] = unit
    try:
        position = read_phase(_phase_document(draft, turn), variant.rulebook).position
    except BadPhase as error:
        raise _wrong_position(str(error)) from error
    notices: list[Notice] = []
    for power in dict.fromkeys(draft.disordered):
        position, more_notices = put_in_civil_disorder(position, power, variant.ruleset)
        notices += more_notices
    mistakes = [
        PositionMistake((number,), str(points), _wrong_points(power, points, position, variant))
        for power, (points, number) in draft.points.items()
        if points != budget(power, position, variant.ruleset)
    ]
    if mistakes:
        raise WrongPosition(tuple(mistakes))
    return ToldPosition(position, tuple(notices), is_silent)


def _wrong_points(power: str, points: int, position: Position, variant: Variant) -> str:
    income = budget(power, position, variant.ruleset)
    name = variant.power(power).name
    return f"{name} can’t have {points}: by the rules it gets {income} in this turn. Correct the number or its centres."


def _phase_document(draft: _ToldDraft, turn: Turn) -> dict[str, Any]:
    homes = {power: own_homes for power, own_homes in sorted(draft.homes.items()) if own_homes}
    memory = {name: value for name, value in (("minors", _minors_rebuilt(draft)), ("homes", homes)) if value}
    extras = {"dislodged": draft.dislodged, "factions": draft.factions, "relations": draft.relations, "memory": memory}
    return {
        "phase": turn.code,
        "units": lists_by_key((unit.power, str(unit)) for unit in draft.units.values()),
        "centers": lists_by_key((power, centre) for centre, power in draft.centres.items()),
        "contested": draft.contested,
        **{name: entry for name, entry in extras.items() if entry},
    }


def _minors_rebuilt(draft: _ToldDraft) -> Mapping[str, str]:
    """The minor powers that are rebuilt: those of the start, and those that have become minor powers since."""
    minors: Mapping[str, str] = draft.variant.start.memory.get("minors", {})
    provinces = draft.variant.ruleset.board.provinces
    new_minors = {
        place: str(unit.kind)
        for place, unit in draft.units.items()
        if unit.power == NEUTRAL and place not in minors and provinces[place].centre
    }
    return dict(sorted({**minors, **new_minors}.items()))
