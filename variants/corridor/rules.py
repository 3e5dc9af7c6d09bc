"""Corridor uses the rules of the Diplomacy Points family on a very small board."""

from variants.families.diplomacy_points import rules

__all__ = ["rules"]
