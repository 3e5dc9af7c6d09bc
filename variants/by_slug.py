"""Loads one variant by its slug, with its map and words, when it is first asked for."""

from functools import cache

from variants.loader import load as load_folder
from variants.rulebooks import FOLDERS, OFFERED, UnknownVariant, known_slug
from variants.variant import Variant

__all__ = ["SLUGS", "UnknownVariant", "load"]

SLUGS: tuple[str, ...] = tuple(slug for slug, place in FOLDERS.items() if place.folder in OFFERED)
"""The variants that are offered for games, in the order in which they are offered."""


@cache
def load(slug: str) -> Variant:
    """The variant with this slug, as in "standard"; raises UnknownVariant."""
    return load_folder(*FOLDERS[known_slug(slug)])
