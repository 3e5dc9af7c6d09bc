"""The variants that can be played, with their maps and words."""

from variants.by_slug import SLUGS, UnknownVariant, load
from variants.rulebooks import FOLDERS
from variants.variant import Variant

__all__ = ["ALL", "TEACHING", "UnknownVariant", "find", "playable"]

ALL: tuple[Variant, ...] = tuple(load(slug) for slug in SLUGS)
TEACHING: tuple[Variant, ...] = tuple(load(slug) for slug in FOLDERS if slug not in SLUGS)
find = load


def playable(slug: str | None) -> Variant | None:
    """The variant with this slug; None if there is none, or if it is only for teaching."""
    return next((variant for variant in ALL if variant.slug == slug), None)
