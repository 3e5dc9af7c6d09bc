"""Locarno, the predecessor of 1926, uses the rules of its family; only the board is its own."""

from variants.families.diplomacy_points import rules

__all__ = ["rules"]
