"""Reading files that anyone may have made: limits, and what is wrong where."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from variants.registry import ALL
from variants.variant import Variant

MOST_CHARACTERS = 4_000_000
MOST_PHASES = 300
DEEPEST = 20
LONGEST_TEXT = 600
LONGEST_SHOWN = 60
MOST_THINGS = 250
"""More units, centres or orders than any position has; what takes time is checked against it first."""
LONGEST_NAME = 80
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
SPACE = re.compile(r"\s*")
MOST_DIGITS = 15
WORDS = {str: "text", list: "a list", dict: "an object", bool: "true or false", int: "a whole number"}

T = TypeVar("T")


class WrongFile(ValueError):
    """A file that is refused: `place` says where it is wrong, `reason` why."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


def documents(text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The JSON objects that follow each other in the text, each with the line on which it begins. WrongFile."""
    if len(text) > MOST_CHARACTERS:
        raise WrongFile("The file", f"it has {len(text):,} characters; at most {MOST_CHARACTERS:,} are allowed.")
    before, at, line = 0, _skipped(text, 0), 1
    if at == len(text):
        raise WrongFile("The file", "it is empty.")
    while at < len(text):
        before, line = at, line + text.count("\n", before, at)
        value, at = _value(text, at, line)
        if not isinstance(value, dict):
            raise WrongFile(f"Line {line}", "a game is a JSON object, which begins with “{”.")
        _check(value, f"Line {line}", 0)
        yield line, value
        at = _skipped(text, at)


def _skipped(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, line: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        place = f"Line {error.lineno}, column {error.colno}"
        why = error.msg.removesuffix(" starting at")
        raise WrongFile(place, f"this is not JSON: {why[:1].lower()}{why[1:]}.") from error
    except RecursionError as error:
        raise WrongFile(f"Line {line}", f"it is nested more than {DEEPEST} deep.") from error


def _no_number(text: str) -> NoReturn:
    raise WrongFile("The file", f"{text[:LONGEST_SHOWN]} is not a number that a game can have.")


def _whole(text: str) -> int:
    return int(text) if len(text) <= MOST_DIGITS else _no_number(text)


_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_int=_whole)


def _check(value: object, place: str, depth: int) -> None:
    """Nothing nested too deeply, and no text that can be neither stored nor shown."""
    if depth > DEEPEST:
        raise WrongFile(place, f"it is nested more than {DEEPEST} deep.")
    if isinstance(value, str):
        if UNPRINTABLE.search(value):
            raise WrongFile(place, "a text has a character that cannot be shown.")
    elif isinstance(value, dict):
        for key, each in value.items():
            _check(key, place, depth)
            _check(each, f"{place}, {shown(key)}" if depth < 1 else place, depth + 1)
    elif isinstance(value, list):
        for each in value:
            _check(each, place, depth + 1)


def shown(value: object) -> str:
    """The beginning of what was found, for a sentence."""
    text = f"“{value}”" if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


class Fields:
    """One JSON object of a file; what is missing or of another kind is refused at its `place`."""

    def __init__(self, value: object, place: str) -> None:
        if not isinstance(value, dict):
            raise WrongFile(place, f"{shown(value)} was found where an object is expected.")
        self.value: dict[str, Any] = value
        self.place = place

    def wrong(self, reason: str) -> NoReturn:
        raise WrongFile(self.place, reason)

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """The value of this kind; the default if it is missing or null, and WrongFile if there is none."""
        found = self.value.get(key)
        if found is None:
            if default is None:
                self.wrong(f"“{key}” is missing.")
            return default
        if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
            self.wrong(f"“{key}” must be {WORDS[kind]}, not {shown(found)}.")
        return found

    def text(self, key: str, default: str | None = None, most: int = LONGEST_TEXT) -> str:
        found = self.get(key, str, default)
        if len(found) > most:
            self.wrong(f"“{key}” has {len(found):,} characters; at most {most:,} are allowed.")
        return found

    def object(self, key: str, default: dict[str, Any] | None = None) -> "Fields":
        return Fields(self.get(key, dict, default), f"{self.place}, “{key}”")

    def texts(self, key: str, default: list[Any] | None = None) -> list[str]:
        return texts(self.get(key, list, default), f"{self.place}, “{key}”")

    def only(self, *keys: str) -> dict[str, Any]:
        """These entries, as far as they are there."""
        return {key: self.value[key] for key in keys if self.value.get(key) is not None}

    def phases(self) -> list[Any]:
        found = self.get("phases", list)
        if len(found) > MOST_PHASES:
            self.wrong(f"it has {len(found):,} phases; at most {MOST_PHASES} are allowed.")
        return found


def texts(value: object, place: str) -> list[str]:
    if not isinstance(value, list):
        raise WrongFile(place, f"{shown(value)} was found where a list is expected.")
    for each in value:
        if not isinstance(each, str) or len(each) > LONGEST_TEXT:
            raise WrongFile(place, f"{shown(each)} was found where a short text is expected.")
    return value


def check_size(document: Mapping[str, Any]) -> None:
    """WrongFile if a position has more units, dislodged units or centres than any board has places for."""
    for key in ("units", "dislodged", "centers"):
        lists = document.get(key)
        count = sum(len(some) for some in lists.values() if isinstance(some, list)) if isinstance(lists, dict) else 0
        if count > MOST_THINGS or (isinstance(lists, dict) and len(lists) > MOST_THINGS):
            phase = shown(document.get("phase"))
            raise WrongFile(f"The position of {phase}", f"“{key}” lists {count}; at most {MOST_THINGS} are allowed.")


def one_line(text: str, most: int) -> str:
    """The text without line breaks, as far as it fits."""
    return " ".join(text.split())[:most].strip()


def variant_called(slug: str, place: str) -> Variant:
    """WrongFile if it is not played here."""
    found = next((variant for variant in ALL if variant.slug == slug), None)
    if found is None:
        slugs = ", ".join(variant.slug for variant in ALL)
        raise WrongFile(place, f"no variant here is called {shown(slug)}; there are {slugs}.")
    return found


def players_in(value: Mapping[str, Any], variant: Variant, place: str) -> dict[str, str]:
    """Power -> a player's name, from any mapping; powers that the variant does not have are refused."""
    known = [power.id for power in variant.powers]
    for power, name in value.items():
        if power not in known:
            raise WrongFile(place, f"there is no power {shown(power)}; there are {', '.join(known)}.")
        if not isinstance(name, str):
            raise WrongFile(place, f"a player’s name is text, not {shown(name)}.")
    return {power: one_line(value[power], LONGEST_NAME) for power in known if value.get(power)}
