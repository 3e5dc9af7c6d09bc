"""The rules of a variant that can be set, each by its name and value, as in "victory.centres=20".

They are the numbers and yes-or-no entries of variant.toml that decide results, and these: `via_fallback` (see
`Ruleset`), `removals` (whether the units first removed by the rules are those farthest from the power's own centres or
from its homes) and, where minor powers have units, whether these convoy and make sorties.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from adjudication.civil_disorder import CivilDisorder
from adjudication.neutrals import SortieRule
from adjudication.ruleset import Ruleset
from variants.rulebook import Rulebook, board_path, facts_in, rulebook_of
from variants.rulebooks import home_of
from variants.variant import Variant
from variants.words.english import listed

Value: TypeAlias = bool | int | str
NEVER = "never"
WORDS = {"minors.sorties": (NEVER, *map(str, SortieRule)), "removals": ("centres", "homes")}
BOOLEANS = {"true": True, "false": False}
BOARD = "counts"
"""The entries that say what is on the board."""
MOST = 9999


class UnknownRule(ValueError):
    """A rule that cannot be set like this; the message says which rules can, and how."""


def rulebook_with(slug: str, settings: Iterable[str]) -> Rulebook:
    """The rulebook of a variant with some of its rules set. Raises UnknownRule."""
    folder, rules, variants = home_of(slug)
    facts = facts_in(folder, variants)
    board_text = board_path(folder, facts, "board.json", variants).read_text(encoding="utf-8")
    plain_book = rulebook_of(folder, facts, board_text, rules)
    switches = dict(switches_of(facts, plain_book.ruleset))
    values = dict(_switch_in(setting, switches) for setting in settings)
    if not values:
        return plain_book
    for name, value in values.items():
        if "." in name:
            facts = _facts_with(facts, name.split("."), value)
    book = rulebook_of(folder, facts, board_text, rules)
    ruleset = replace(book.ruleset, via_fallback=bool(values.get("via_fallback", book.ruleset.via_fallback)))
    if "removals" in values and isinstance(ruleset.disorder, CivilDisorder):
        ruleset = replace(ruleset, disorder=replace(ruleset.disorder, from_homes=values["removals"] == "homes"))
    return replace(book, ruleset=ruleset)


def variant_with(variant: Variant, settings: Collection[str]) -> Variant:
    """The variant with some of its rules set. Raises UnknownRule."""
    return replace(variant, ruleset=rulebook_with(variant.ref, settings).ruleset) if settings else variant


def settings_of(rules: Mapping[str, Value]) -> list[str]:
    """{"victory.centres": 20} as ["victory.centres=20"]."""
    return [f"{name}={_value_as_text(value)}" for name, value in rules.items()]


def switches_of(facts: Mapping[str, Any], ruleset: Ruleset) -> Iterator[tuple[str, Value]]:
    """Name and value of every rule that can be set, as they are in this variant."""
    yield "via_fallback", ruleset.via_fallback
    if isinstance(ruleset.disorder, CivilDisorder):
        yield "removals", "homes" if ruleset.disorder.from_homes else "centres"
    if "minors" in facts:
        yield "minors.convoys", facts["minors"].get("convoys", False)
        yield "minors.sorties", facts["minors"].get("sorties", NEVER)
    for table, entries in facts.items():
        if isinstance(entries, dict) and table not in {BOARD, "minors"}:
            yield from _numeric_switches(table, entries)


def _numeric_switches(path: str, entries: Mapping[str, Any]) -> Iterator[tuple[str, Value]]:
    for key, entry in entries.items():
        if isinstance(entry, dict):
            yield from _numeric_switches(f"{path}.{key}", entry)
        elif isinstance(entry, int):
            yield f"{path}.{key}", entry


def _switch_in(setting: str, switches: Mapping[str, Value]) -> tuple[str, Value]:
    name, _, text = setting.partition("=")
    if name not in switches:
        known_values = ", ".join(f"{each}={_value_as_text(value)}" for each, value in switches.items())
        raise UnknownRule(f"There is no rule {name!r} to set here; there are {known_values}.")
    if name in WORDS and text in WORDS[name]:
        return name, text
    if isinstance(switches[name], bool) and text in BOOLEANS:
        return name, BOOLEANS[text]
    is_number = type(switches[name]) is int and text.isascii() and text.isdecimal()
    if is_number and int(text[: len(str(MOST)) + 1]) <= MOST:
        return name, int(text)
    choices = WORDS.get(name) or (BOOLEANS if isinstance(switches[name], bool) else (f"a number up to {MOST}",))
    raise UnknownRule(f"{name} is {listed([*choices], 'or')}, as in {name}={_value_as_text(switches[name])}.")


def _value_as_text(value: Value) -> str:
    return str(value).lower()


def _facts_with(facts: Mapping[str, Any], path: list[str], value: Value) -> dict[str, Any]:
    """The facts with one entry changed. A rule with the value "never" has no entry."""
    first, *rest = path
    if rest:
        return {**facts, first: _facts_with(facts[first], rest, value)}
    other_facts = {key: entry for key, entry in facts.items() if key != first}
    return other_facts if value == NEVER else {**other_facts, first: value}
