"""Loads a variant by its slug, with its map and words, when it is first asked for."""

from functools import cache, lru_cache

from variants.loader import load as load_folder
from variants.rulebook import earlier_versions
from variants.rulebooks import FOLDERS, OFFERED, UnknownVariant, home_of
from variants.variant import Variant

__all__ = ["SLUGS", "UnknownVariant", "find", "load", "versions_by_digest"]

SLUGS: tuple[str, ...] = tuple(slug for slug, place in FOLDERS.items() if place.folder in OFFERED)
"""The variants that are offered for games, in the order in which they are offered."""


@lru_cache(maxsize=64)
def load(ref: str) -> Variant:
    """The newest version of the variant with this slug, as in "standard", or an earlier one, as in "standard@1.0".
    Raises UnknownVariant."""
    return load_folder(*home_of(ref))


def find(slug: str, digest: str = "") -> Variant:
    """The version of a variant with this digest: the newest one if there is none with it. Raises UnknownVariant."""
    newest = load(slug)
    if digest in {"", newest.digest}:
        return newest
    version = versions_by_digest(slug).get(digest)
    return load(f"{slug}@{version}") if version else newest


@cache
def versions_by_digest(slug: str) -> dict[str, str]:
    """Digest -> version, for those that are not the newest, the oldest first."""
    home = FOLDERS[slug]
    return {digest: version for version, digest in earlier_versions(home.variants / home.folder).items()}
