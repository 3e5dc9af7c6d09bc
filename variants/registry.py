"""The variants that can be played, with their maps and words."""

from variants.by_slug import SLUGS, UnknownVariant, find, load
from variants.rulebooks import FOLDERS
from variants.variant import Variant

__all__ = ["SLUGS", "UnknownVariant", "find", "offered", "playable", "teaching"]


def offered() -> tuple[Variant, ...]:
    """Those offered for games, in their order, each in its newest version."""
    return tuple(map(load, SLUGS))


def teaching() -> tuple[Variant, ...]:
    """Those for lessons alone."""
    return tuple(load(slug) for slug in FOLDERS if slug not in SLUGS)


def playable(slug: str | None) -> Variant | None:
    """The variant with this slug; None if there is none, or if it is only for teaching."""
    return load(slug) if slug in SLUGS else None
