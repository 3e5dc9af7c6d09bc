"""The variants that can be played, with their maps and words."""

from variants.by_slug import SLUGS, UnknownVariant, load
from variants.rulebooks import FOLDERS
from variants.variant import Variant

__all__ = ["ALL", "TEACHING", "UnknownVariant", "find"]

ALL: tuple[Variant, ...] = tuple(load(slug) for slug in SLUGS)
TEACHING: tuple[Variant, ...] = tuple(load(slug) for slug in FOLDERS if slug not in SLUGS)
find = load
