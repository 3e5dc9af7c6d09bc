"""One variant by its slug, with its map and words, loaded when it is first asked for."""

from functools import cache

from variants.loader import load as load_folder
from variants.rulebooks import FOLDERS, OFFERED
from variants.variant import Variant

SLUGS: tuple[str, ...] = tuple(slug for slug, (folder, _) in FOLDERS.items() if folder in OFFERED)
"""The variants that are offered for games, in the order in which they are offered."""


class UnknownVariant(LookupError):
    """No variant has that slug; the message lists those that exist."""


@cache
def load(slug: str) -> Variant:
    """The variant with that slug, as in "standard"; raises UnknownVariant."""
    if slug not in FOLDERS:
        raise UnknownVariant(f"There is no variant {slug!r}; there are: {', '.join(SLUGS)}.")
    return load_folder(*FOLDERS[slug])
