"""Permanent civil disorder among powers that declare war, neutrality and alliance."""

from dataclasses import dataclass

from adjudication.civil_disorder import CivilDisorder


@dataclass(frozen=True, slots=True)
class Silence(CivilDisorder):
    """A power that no one plays declares nothing (D1, D12)."""

    for_good = (
        *CivilDisorder.for_good,
        "It declares nothing any more. Others can still declare war on it, or end their alliance with it. No one can "
        "make peace or an alliance with it, because that takes two.",
    )
