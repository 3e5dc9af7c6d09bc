"""Corridor plays by the rules of the family of Diplomacy Points, on a board that is learnt at a glance."""

from variants.families.diplomacy_points import rules

__all__ = ["rules"]
