"""Under which licence each dependency is, and whether that is allowed (`licences.toml`)."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.supply.locks import ALL, IMAGE, pins

if TYPE_CHECKING:
    from collections.abc import Iterator

LIST: dict[str, Any] = tomllib.loads(Path(__file__).with_name("licences.toml").read_text())
EXPRESSION, FIELD, CLASSIFIER = "License-Expression", "License", "License :: "


def licence_of(name: str) -> str:
    """As the package states it, or as the list does; "" if neither does."""
    if name in LIST["read_by_hand"]:
        return str(LIST["read_by_hand"][name]["licence"])
    return stated_by(name) or str(LIST["elsewhere"].get(name, ""))


def stated_by(name: str) -> str:
    """What an installed package states; "" if it states nothing or is not installed."""
    try:
        facts = metadata(name)
    except PackageNotFoundError:
        return ""
    classes = [one.rpartition(" :: ")[2] for one in facts.get_all("Classifier", []) if one.startswith(CLASSIFIER)]
    forms = (facts.get_all(EXPRESSION, []), [" AND ".join(classes)], facts.get_all(FIELD, []))
    return next((form[0] for form in forms if any(form)), "")


def is_allowed(licence: str, allowed: set[str]) -> bool:
    """Of alternatives one must be allowed, of licences that apply together each."""
    return any(all(part in allowed for part in re.split(r" AND ", either)) for either in licence.split(" OR "))


def problems() -> Iterator[str]:
    """Dependencies whose licence is unknown or not allowed, and entries of the list that nothing needs."""
    everything, site = {pin.name for pin in pins(*ALL)}, {pin.name for pin in pins(*IMAGE)}
    for name in sorted(everything):
        licence = licence_of(name)
        allowed = {*LIST["allowed"], *(() if name in site else LIST["allowed_for_tools"])}
        if not licence:
            yield f"{name} states no licence. Read its files, and add it to licences.toml."
        elif not is_allowed(licence, allowed):
            yield f"{name} is under “{licence}”, which licences.toml doesn’t allow."
    for name in sorted({*LIST["read_by_hand"], *LIST["elsewhere"]} - everything):
        yield f"{name} is in licences.toml but in no lock. Remove it there."


def show() -> Iterator[str]:
    for pin in pins(*ALL):
        yield f"{pin}: {licence_of(pin.name) or 'unknown'}"
