"""Reading files that anyone may have made: the limits, and where a file is wrong."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from variants.by_slug import SLUGS, find
from variants.variant import Variant

MOST_CHARACTERS = 8_000_000
MOST_PHASES = 300
DEEPEST = 20
LONGEST_TEXT = 600
LONGEST_SHOWN = 60
MOST_THINGS = 250
"""More units, centres or orders than any position has; what takes time is checked against it first."""
LONGEST_NAME = 80
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
LINE = "\n"
SPACE = re.compile(r"\s*")
TEXT_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
MOST_DIGITS = 15
WORDS = {str: "text", list: "a list", dict: "an object", bool: "true or false", int: "a whole number"}

T = TypeVar("T")


class WrongFile(ValueError):
    """A file that is refused: `place` says where it is wrong, `reason` why."""

    def __init__(self, place: str, reason: str) -> None:
        self.place = printable(place)
        self.reason = printable(reason)
        super().__init__(f"{self.place}: {self.reason}")


def printable(text: str) -> str:
    """The text without characters that can't be stored or shown."""
    return UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def json_objects(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects that follow each other in the text, each with the line on which it begins. Raises WrongFile.
     Entries that we don't use may contain anything, so numbers that a game cannot have are kept as fractions, and
    deeply nested values are left out.
    """
    if len(text) > MOST_CHARACTERS:
        raise WrongFile("The file", f"it has {len(text):,} characters; at most {MOST_CHARACTERS:,} are allowed.")
    text = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
    before, at, line = 0, _after_space(text, 0), 1
    if at == len(text):
        raise WrongFile("The file", "it is empty.")
    while at < len(text):
        before, line = at, line + text.count(LINE, before, at)
        try:
            value, at = _json_value(text, at)
        except RecursionError:
            text, before = _without_the_deepest(text[at:]), 0
            value, at = _json_value(text, 0)
        if not isinstance(value, dict):
            raise WrongFile(f"Line {line}", "a game is a JSON object, which begins with “{”.")
        yield line, value
        at = _after_space(text, at)


def _after_space(text: str, at: int) -> int:
    match = SPACE.match(text, at)
    return match.end() if match else at


def _json_value(text: str, at: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        place = f"Line {error.lineno}, column {error.colno}"
        why = error.msg.removesuffix(" starting at")
        raise WrongFile(place, f"this is not JSON: {why[:1].lower()}{why[1:]}.") from error


def _without_the_deepest(text: str) -> str:
    """The text with null for each list or object that is nested more than DEEPEST levels deep."""
    pieces, depth, start = list[str](), 0, 0
    for sign in TEXT_OR_BRACKET.finditer(text):
        if sign[0] in "[{":
            depth += 1
            if depth == DEEPEST + 1:
                pieces.append(text[start : sign.start()])
                start = sign.start()
        elif sign[0] in "]}":
            if depth == DEEPEST + 1:
                pieces.append(f"null{text.count(LINE, start, sign.end()) * LINE}")
                start = sign.end()
            depth -= 1
    return "".join([*pieces, text[start:] if depth <= DEEPEST else ""])


_DECODER = json.JSONDecoder(parse_int=lambda text: int(text) if len(text) <= MOST_DIGITS else float(text), strict=False)


def shorten(value: object) -> str:
    """The beginning of a value, for a sentence."""
    if isinstance(value, list | dict):
        return WORDS[type(value)]
    text = f"“{value[: LONGEST_SHOWN + 1]}”" if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


class Fields:
    """One JSON object of a file. A value that is missing or of the wrong type is refused with its `place`."""

    def __init__(self, value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise WrongFile(place, f"{shorten(value)} was found where an object is expected.")
        self.value: dict[str, Any] = value
        self.place = place

    def refuse(self, reason: str) -> NoReturn:
        raise WrongFile(self.place, reason)

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """The value, if it is of this type; the default for a missing one or null. Raises WrongFile without one."""
        value = self.value.get(key)
        if value is None:
            if default is None:
                self.refuse(f"“{key}” is missing.")
            return default
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.refuse(f"“{key}” must be {WORDS[kind]}, not {shorten(value)}.")
        return value

    def text(self, key: str, default: str | None = None, most: int = LONGEST_TEXT) -> str:
        text = self.get(key, str, default)
        if UNPRINTABLE.search(text):
            self.refuse(f"“{key}” has a character that cannot be shown.")
        if len(text) > most:
            self.refuse(f"“{key}” has {len(text):,} characters; at most {most:,} are allowed.")
        return text

    def object(self, key: str, default: dict[str, Any] | None = None) -> "Fields":
        return Fields(self.get(key, dict, default), f"{self.place}, “{key}”")

    def texts(self, key: str, default: list[Any] | None = None) -> list[str]:
        value: list[Any] = self.get(key, list, default)
        for each in value:
            if not isinstance(each, str) or len(each) > LONGEST_TEXT:
                raise WrongFile(f"{self.place}, “{key}”", f"{shorten(each)} was found where a short text is expected.")
        return value

    def only(self, *keys: str) -> dict[str, Any]:
        """Those of these entries that exist."""
        return {key: self.value[key] for key in keys if self.value.get(key) is not None}

    def phases(self) -> list[Any]:
        phases = self.get("phases", list)
        if len(phases) > MOST_PHASES:
            self.refuse(f"it has {len(phases):,} phases; at most {MOST_PHASES} are allowed.")
        return phases


def check_size(document: Mapping[str, Any]) -> None:
    """Raises WrongFile if a position has more units, dislodged units or centres than any board has places for."""
    for key in ("units", "dislodged", "centers"):
        lists = document.get(key)
        count = sum(len(items) for items in lists.values() if isinstance(items, list)) if isinstance(lists, dict) else 0
        if count > MOST_THINGS or (isinstance(lists, dict) and len(lists) > MOST_THINGS):
            phase = shorten(document.get("phase"))
            raise WrongFile(f"The position of {phase}", f"“{key}” lists {count}; at most {MOST_THINGS} are allowed.")


def one_line(text: str, most: int) -> str:
    """The text on one line, cut to this length."""
    return " ".join(printable(text).split())[:most].strip()


def variant_called(slug: str, place: str, digest: str = "") -> Variant:
    """The variant with this slug, in the version with this digest if any; raises WrongFile if it isn't played here."""
    if slug not in SLUGS:
        raise WrongFile(place, f"no variant here is called {shorten(slug)}; there are {', '.join(SLUGS)}.")
    return find(slug, digest)


def players_in(value: Mapping[str, Any], variant: Variant, place: str) -> dict[str, str]:
    """Power -> a player's name, from any mapping. Raises WrongFile for a power that the variant does not have."""
    powers = [power.id for power in variant.powers]
    for power, name in value.items():
        if power not in powers:
            raise WrongFile(place, f"there is no power {shorten(power)}; there are {', '.join(powers)}.")
        if not isinstance(name, str):
            raise WrongFile(place, f"a player’s name is text, not {shorten(name)}.")
    return {power: one_line(value[power], LONGEST_NAME) for power in powers if value.get(power)}
