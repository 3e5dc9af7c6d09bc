"""Finds a variant's folder by its name or slug, and the rules in it."""

import importlib
from pathlib import Path

from variants.rulebook import VARIANTS, Rules, facts_in


class NoSuchVariant(LookupError):
    """No such folder; the message lists the existing ones."""


def folders(variants: Path = VARIANTS) -> tuple[str, ...]:
    """The folders that hold a variant, sorted."""
    return tuple(sorted(file.parent.name for file in variants.glob("*/variant.toml")))


def folder_of(name: str, variants: Path = VARIANTS) -> str:
    """The folder with this name or this variant slug; raises NoSuchVariant."""
    known = folders(variants)
    if name in known:
        return name
    for folder in known:
        if facts_in(folder, variants).get("slug") == name:
            return folder
    raise NoSuchVariant(f"There is no variant {name!r}; there are: {', '.join(known)}.")


def rules_in(folder: str) -> Rules:
    """`rules` from `variants/<folder>/rules.py`; raises ImportError or AttributeError if there is none."""
    rules: Rules = importlib.import_module(f"variants.{folder}.rules").rules
    return rules
