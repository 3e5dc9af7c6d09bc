"""Variants of Diplomacy: boards, rules, maps and bots. `load` gives a variant, `Game` plays one."""

from variants.by_slug import SLUGS, UnknownVariant, load
from variants.game import Game, UnlawfulOrder, push_all, read_games
from variants.switches import UnknownRule
from variants.travel import WrongFile
from variants.variant import PowerInfo, Variant
from variants.words import say

__version__ = "0.3.0"

__all__ = [
    "SLUGS",
    "Game",
    "PowerInfo",
    "UnknownRule",
    "UnknownVariant",
    "UnlawfulOrder",
    "Variant",
    "WrongFile",
    "load",
    "push_all",
    "read_games",
    "say",
]
