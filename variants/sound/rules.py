"""The Sound uses the rules of the Diplomacy Points family on a board for two players."""

from variants.families.diplomacy_points import rules

__all__ = ["rules"]
