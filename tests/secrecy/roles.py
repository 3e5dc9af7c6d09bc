"""The roles of the table, and the game in which each has its role."""

from __future__ import annotations

from dataclasses import dataclass

from tests.browsers import EVE
from tests.cast import CAROL, DAVE, PLAYERS, SAM

ALICE, BOB = PLAYERS[:2]
NORA, SID, ADA, BELLA, HAL, MONA, OSCAR = "nora", "sid", "ada", "bella", "hal", "mona", "oscar"
"""The former holder of a seat, a sitter, an assistant, two game masters, a moderator, and the master of games for
scenery."""

OPEN, BLIND, HIDDEN = "Locarno", "Stresa", "Rapallo"
"""Games: one with everything in it, one whose game master sees no bids of what was played so far, as all have agreed to
show them only later, one that is anonymous."""


@dataclass(frozen=True, slots=True)
class Role:
    """`game`: the one in which this user has the role; its addresses are the ones requested."""

    title: str
    name: str
    game: str = OPEN


ROLES = (
    Role("stranger", EVE),
    Role("observer", DAVE),
    Role("player", ALICE),
    Role("ally", BOB),
    Role("former", NORA),
    Role("sitter", SID),
    Role("gm", CAROL),
    Role("assistant", ADA),
    Role("blind gm", BELLA, BLIND),
    Role("playing gm", HAL, HIDDEN),
    Role("staff", SAM),
    Role("moderator", MONA),
)
"""The columns of the table. The ally shares private conversations with the powers whose secrets differ; the former
holder had one of their seats; the sitter writes for another; the game master may look at closed bids and at
previews, and so may the assistant, who has every right."""

TITLES = tuple(role.title for role in ROLES)
