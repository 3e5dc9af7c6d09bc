"""The variants that can be played, with their maps and words."""

from variants.loader import load
from variants.rulebooks import FOR_LEARNING, OFFERED
from variants.variant import Variant

ALL: tuple[Variant, ...] = tuple(load(folder, rules) for folder, rules in OFFERED.items())
TEACHING: tuple[Variant, ...] = tuple(load(folder, rules) for folder, rules in FOR_LEARNING.items())


class UnknownVariant(LookupError):
    """No variant has that slug; the message lists those that exist."""


def find(slug: str) -> Variant:
    """The variant with that slug; raises UnknownVariant."""
    for variant in (*ALL, *TEACHING):
        if variant.slug == slug:
            return variant
    raise UnknownVariant(f"There is no variant {slug!r}; there are: {', '.join(v.slug for v in ALL)}.")
