"""The variants that can be played, listed by hand: nothing is discovered by magic."""

from variants.balkan.rules import rules as balkan
from variants.balkan_three.rules import rules as balkan_three
from variants.corridor.rules import rules as corridor
from variants.dual_empire.rules import rules as dual_empire
from variants.formal.rules import rules as formal
from variants.loader import load
from variants.locarno.rules import rules as locarno
from variants.standard.rules import rules as standard
from variants.variant import Variant
from variants.y1926.rules import rules as y1926

ALL: tuple[Variant, ...] = (
    load("y1926", y1926),
    load("locarno", locarno),
    load("standard", standard),
    load("dual_empire", dual_empire),
    load("formal", formal),
    load("balkan", balkan),
    load("balkan_three", balkan_three),
)
"""In the order in which they are offered; the demonstration plays the first."""

TEACHING: tuple[Variant, ...] = (load("corridor", corridor),)
"""To learn on: found by slug, but not offered for games."""


class UnknownVariant(LookupError):
    """No variant has that slug; the message lists those that there are."""


def find(slug: str) -> Variant:
    """The variant with that slug; raises UnknownVariant."""
    for variant in (*ALL, *TEACHING):
        if variant.slug == slug:
            return variant
    raise UnknownVariant(f"There is no variant {slug!r}; there are: {', '.join(v.slug for v in ALL)}.")
