"""1926 uses the rules of its family, with at most three points a turn."""

from variants.families.diplomacy_points import rules

__all__ = ["rules"]
