"""The turns, powers, units and places of a variant, as people write them in a line of a report."""

import re
from difflib import get_close_matches

from adjudication.errors import NotationError
from adjudication.line_words import KINDS, VERBS, words_of
from adjudication.parser import parse_place, parse_unit
from adjudication.place_names import place_names_of
from adjudication.power_names import power_names_of
from adjudication.turns import PhaseKind, Season, Turn
from adjudication.units import NEUTRAL, Unit
from variants.phase_json import LATEST
from variants.variant import Variant
from variants.words import say, words_for
from variants.words.english import listed
from variants.words.orders import phase_words

SEASONS = {season.name.lower(): season for season in Season if season is not Season.YEAR} | {"autumn": Season.FALL}
PHASES = {
    PhaseKind.MOVEMENT: ("movement", "moves", "orders"),
    PhaseKind.RETREAT: ("retreats", "retreat"),
    PhaseKind.ADJUSTMENT: ("adjustments", "adjustment", "builds"),
    PhaseKind.DEPLOYMENT: ("deployment",),
    PhaseKind.DECLARATION: ("declarations", "declaration"),
}
KIND_OF = {word: kind for kind, words in PHASES.items() for word in words}
TURN = re.compile(
    rf"(?:(?:starting position|position|status)(?: for| in| of| at|:) ?)?(?:({'|'.join(SEASONS)})(?: of|,)? )?"
    rf"(\d{{4}})(?:[\s,:–—-]+\(?({'|'.join(KIND_OF)})(?: phase)?\)?)?",
    re.IGNORECASE,
)
COMING = re.compile(
    rf"The next phase of \S{{1,40}} will be ({'|'.join(KIND_OF)}) for ({'|'.join(SEASONS)}) of (\d{{4}})\.?",
    re.IGNORECASE,
)
"""How judges announce the next phase."""
CODE = re.compile(r"[A-Za-z]{1,3}\d{4}[A-Za-z]")
PLAYER = re.compile(r" ?\([^()]{1,80}\)$")
"""A name after that of a power."""


class WrongLine(ValueError):
    """A wrong line; the message is a sentence about the mistake."""


class OrderFound(WrongLine):
    """A line that is an order, not a unit."""

    def __init__(self) -> None:
        super().__init__("This is an order. A position says only where each unit is now: take the orders out.")


def turn_in(words: str, variant: Variant) -> Turn | None:
    """The turn that these words name; None if they don't name any."""
    if CODE.fullmatch(words):
        try:
            return _checked_turn(Turn.from_code(words.upper()), variant)
        except (ValueError, KeyError) as error:
            raise WrongLine(f"“{words}” is no turn of this variant.") from error
    if coming := COMING.fullmatch(words):
        return _checked_turn(Turn(int(coming[3]), SEASONS[coming[2].lower()], KIND_OF[coming[1].lower()]), variant)
    match = TURN.fullmatch(words.rstrip(".:"))
    if match is None:
        return None
    season = SEASONS[match[1].lower()] if match[1] else Season.YEAR
    default_kind = PhaseKind.ADJUSTMENT if season is Season.WINTER else PhaseKind.MOVEMENT
    return _checked_turn(Turn(int(match[2]), season, KIND_OF[match[3].lower()] if match[3] else default_kind), variant)


def _checked_turn(turn: Turn, variant: Variant) -> Turn:
    calendar, first = variant.ruleset.calendar, variant.start.turn.year
    if not first <= turn.year <= first + LATEST:
        raise WrongLine(f"The year must be from {first}, in which this variant begins, to {first + LATEST}.")
    try:
        calendar.after(turn)
    except (ValueError, IndexError):
        turns = [Turn(turn.year, step.season, step.kind) for step in calendar.steps]
        examples = listed([f"“{phase_words(it)}”" for it in turns[:6]], "or")
        raise WrongLine(f"This variant has no turn “{phase_words(turn)}”. Write one such as {examples}.") from None
    return turn


def side_in(name: str, variant: Variant) -> str | None:
    """The power with this name or letter, NEUTRAL for minor powers; None for any other text."""
    name = PLAYER.sub("", name.strip()).removeprefix("the ").removeprefix("The ")
    lettered = [power.id for power in variant.powers if power.letter == name]
    return lettered[0] if len(lettered) == 1 else power_names_of(variant.ruleset).power_called(name)


def power_in(name: str, variant: Variant) -> str:
    side = side_in(name, variant)
    if side and side != NEUTRAL:
        return side
    proper_names = {power.name.lower(): power.name for power in variant.powers}
    close = get_close_matches(name.strip().lower(), proper_names, n=1, cutoff=0.6)
    names = listed([power.name for power in variant.powers])
    hint = f" Did you mean {proper_names[close[0]]}?" if close else f" The powers are {names}."
    raise WrongLine(f"There is no power “{name}” in this variant.{hint}")


def unit_in(power: str, text: str, variant: Variant) -> Unit:
    ruleset = variant.ruleset
    letters = ruleset.factions_of.get(power, ())
    try:
        unit = parse_unit(text, power, ruleset.board, "".join(ruleset.factions))
    except NotationError as error:
        if is_order(text):
            raise OrderFound from error
        sentence = say(error, variant.ruleset)
        prefix = "" if text in sentence else f"“{text}”: "
        raise WrongLine(f"{prefix}{sentence}{_did_you_mean(words_of(text)[1:], variant)}") from error
    if unit.faction not in (letters or ("",)):
        marks = listed([f"{letter}A" for letter in letters], "or") or "A"
        raise WrongLine(f"“{text}”: write {marks} for an army of this power.")
    return unit


def is_order(text: str) -> bool:
    words = words_of(text)
    return words[:1] != () and words[0] in KINDS and any(word in VERBS for word in words[2:])


def place_in(text: str, variant: Variant) -> str:
    try:
        return parse_place(text, variant.ruleset.board)
    except NotationError as error:
        if is_order(text):
            raise OrderFound from error
        raise WrongLine(f"{say(error, variant.ruleset)}{_did_you_mean(words_of(text), variant)}") from error


def _did_you_mean(words: tuple[str, ...], variant: Variant) -> str:
    names = place_names_of(variant.ruleset.board)
    close = names.suggestions(words) if words and not names.find(words, 0) else ()
    return f" {words_for(variant.ruleset).fill('did you mean', {'suggestions': close})}" if close else ""
