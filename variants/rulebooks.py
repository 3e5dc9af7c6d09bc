"""Every variant, listed explicitly: nothing is discovered by magic."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from variants.ambition.rules import rules as ambition
from variants.balkan.rules import rules as balkan
from variants.balkan_three.rules import rules as balkan_three
from variants.corridor.rules import rules as corridor
from variants.dual_empire.rules import rules as dual_empire
from variants.formal.rules import rules as formal
from variants.locarno.rules import rules as locarno
from variants.rulebook import VARIANTS, VERSIONS, Rulebook, Rules, earlier_versions, facts_in, read_rulebook, rules_in
from variants.sound.rules import rules as sound
from variants.standard.rules import rules as standard
from variants.y1926.rules import rules as y1926

OFFERED: Mapping[str, Rules] = {
    "y1926": y1926,
    "locarno": locarno,
    "ambition": ambition,
    "standard": standard,
    "dual_empire": dual_empire,
    "formal": formal,
    "balkan": balkan,
    "balkan_three": balkan_three,
    "sound": sound,
}
"""Folder -> rules, in the order in which they are offered; the demonstration plays the first."""
FOR_LEARNING: Mapping[str, Rules] = {"corridor": corridor}
"""Found by slug, but not offered for games."""


class Home(NamedTuple):
    """Where a variant is, with the rules in its folder."""

    folder: str
    rules: Rules
    variants: Path = VARIANTS


class UnknownVariant(LookupError):
    """No variant has that slug; the message lists those that exist."""


FOLDERS: dict[str, Home] = {
    facts_in(folder)["slug"]: Home(folder, rules) for folder, rules in {**OFFERED, **FOR_LEARNING}.items()
}
"""By slug, with the folders of one's own that `slug_of` has found in this process."""
RULEBOOKS: Mapping[str, Callable[[], Rulebook]] = {slug: partial(read_rulebook, *FOLDERS[slug]) for slug in FOLDERS}
"""By slug, without maps."""


def slug_of(slug_or_path: str) -> str:
    """The slug of a variant, given by its slug, perhaps with an earlier version as in "standard@1.0", or by the path of
    a folder of your own. Such a folder is registered in FOLDERS, and its rules.py executed, so the path must not come
    from someone else. Raises UnknownVariant."""
    name, at, version = slug_or_path.partition("@")
    home = Path(name).resolve()
    if name in FOLDERS or not (home / "variant.toml").is_file():
        home_of(slug_or_path)
        return slug_or_path
    slug: str = facts_in(home.name, home.parent)["slug"]
    folder = FOLDERS.get(slug)
    if folder is None:
        FOLDERS[slug] = Home(home.name, rules_in(home.name, home.parent), home.parent)
    elif folder.variants / folder.folder != home:
        raise UnknownVariant(f"The slug {slug} of {home} belongs to {folder.variants / folder.folder}; choose another.")
    return slug + at + version


def home_of(ref: str) -> Home:
    """Where a variant is, by its slug, or an earlier version of it, as in "standard@1.0". Raises UnknownVariant."""
    slug, _, version = ref.partition("@")
    if slug not in FOLDERS:
        slugs = (each for each, place in FOLDERS.items() if place.folder not in FOR_LEARNING)
        raise UnknownVariant(f"There is no variant {slug!r}; there are: {', '.join(slugs)}.")
    newest = FOLDERS[slug]
    if not version:
        return newest
    known = [*earlier_versions(newest.variants / newest.folder)]
    if version not in known:
        listed = ", ".join(known) or "none but the newest"
        raise UnknownVariant(f"There is no version {version} of {slug}; there are: {listed}.")
    folder = f"{newest.folder}/{VERSIONS}/{version}"
    return Home(folder, rules_in(folder, newest.variants), newest.variants)
