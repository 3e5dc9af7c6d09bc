"""Every variant, listed by hand: nothing is discovered by magic."""

from collections.abc import Callable, Mapping
from functools import partial

from variants.ambition.rules import rules as ambition
from variants.balkan.rules import rules as balkan
from variants.balkan_three.rules import rules as balkan_three
from variants.corridor.rules import rules as corridor
from variants.dual_empire.rules import rules as dual_empire
from variants.formal.rules import rules as formal
from variants.locarno.rules import rules as locarno
from variants.rulebook import Rulebook, Rules, facts_in, read_rulebook
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
FOLDERS: Mapping[str, tuple[str, Rules]] = {
    facts_in(folder)["slug"]: (folder, rules) for folder, rules in {**OFFERED, **FOR_LEARNING}.items()
}
"""Slug -> folder and rules."""
RULEBOOKS: Mapping[str, Callable[[], Rulebook]] = {slug: partial(read_rulebook, *FOLDERS[slug]) for slug in FOLDERS}
"""By slug, without maps."""
