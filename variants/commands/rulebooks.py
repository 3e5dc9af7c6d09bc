"""The rulebooks that a terminal may ask for; a board needs no map to be judged on."""

from collections.abc import Callable, Mapping
from functools import partial

from variants.balkan.rules import rules as balkan
from variants.balkan_three.rules import rules as balkan_three
from variants.corridor.rules import rules as corridor
from variants.dual_empire.rules import rules as dual_empire
from variants.formal.rules import rules as formal
from variants.locarno.rules import rules as locarno
from variants.rulebook import Rulebook, read_rulebook
from variants.standard.rules import rules as standard
from variants.y1926.rules import rules as y1926

RULEBOOKS: Mapping[str, Callable[[], Rulebook]] = {
    "standard": partial(read_rulebook, "standard", standard),
    "balkan-battle": partial(read_rulebook, "balkan", balkan),
    "three-way-balkan-battle": partial(read_rulebook, "balkan_three", balkan_three),
    "1926": partial(read_rulebook, "y1926", y1926),
    "locarno": partial(read_rulebook, "locarno", locarno),
    "collapse-of-the-dual-empire": partial(read_rulebook, "dual_empire", dual_empire),
    "formal-diplomacy": partial(read_rulebook, "formal", formal),
    "corridor": partial(read_rulebook, "corridor", corridor),
}
"""By slug."""
