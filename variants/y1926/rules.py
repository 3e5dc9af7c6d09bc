"""1926 plays by the rules of its family, with three points a turn at most."""

from variants.families.diplomacy_points import rules

__all__ = ["rules"]
