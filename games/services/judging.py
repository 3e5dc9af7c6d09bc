"""Judging a closed phase once more: its sealed sheets, and the orders that a game master has amended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudication.corrections import Correction, adjudicate_corrected
from games import codec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adjudication.resolution import Public
    from games.models import Amendment, Phase
    from variants.variant import Variant


def judge_again(
    phase: Phase, variant: Variant, written: Mapping[str, str], amendments: Iterable[Amendment]
) -> Public:
    """The result of a phase from the canonical lines written for it and from its amendments, in their sequence."""
    position = codec.position_of(phase)
    sheets = codec.sheets_of(written, position, variant)
    corrections = [Correction(it.power, it.place, it.was, it.instead) for it in amendments]
    return adjudicate_corrected(position, sheets, corrections, variant.ruleset)
