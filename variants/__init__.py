"""Variants of Diplomacy: boards, rules, maps and bots. `load` gives a variant, `Game` plays one."""

from variants.by_slug import SLUGS, UnknownVariant, load
from variants.game import Game, UnlawfulOrder
from variants.variant import PowerInfo, Variant
from variants.words import say

__all__ = ["SLUGS", "Game", "PowerInfo", "UnknownVariant", "UnlawfulOrder", "Variant", "load", "say"]
