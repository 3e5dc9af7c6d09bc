"""Corridor plays by the rules of the family of Diplomacy Points, on a very small board."""

from variants.families.diplomacy_points import rules

__all__ = ["rules"]
