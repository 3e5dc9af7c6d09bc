"""The sealed record of a phase, published in the transaction that closes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.models import Commitment
from games.receipts import code_of_record, codes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from games.models import Phase
    from games.receipts import Written


def commit(phase: Phase, bodies: Mapping[str, Written]) -> None:
    """Stand by these sheets for ever, after all records of the game before. The caller holds the lock on the game.

    Sheets from before there were receipts have no record.
    """
    codes = codes_of(phase, bodies)
    if not codes:
        return
    before = Commitment.objects.filter(phase__game=phase.game_id).order_by("-pk").first()
    previous = before.code if before else ""
    code = code_of_record(phase, codes, previous)
    Commitment.objects.create(phase=phase, codes=codes, previous=previous, code=code)


def changed(phase: Phase, bodies: Mapping[str, Written]) -> bool:
    """Are these other sheets than those that the record of this phase stands by, or is the record another?"""
    record = Commitment.objects.filter(phase=phase).first()
    if record is None:
        return False
    return record.codes != codes_of(phase, bodies) or record.code != code_of_record(
        phase, record.codes, record.previous
    )
