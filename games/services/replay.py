"""Judging closed phases once more, to see that nothing in them or in the rules' code has changed."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from games import codec
from games.models import Game
from games.sealed import store
from games.services import commitments
from games.services.judging import judge_again

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.models import Result


def replay(*, game_id: int) -> tuple[str, ...]:
    """The turns whose sheets or result are no longer what they were; () if all is as it was. Shows no sheet.

    VariantChanged if the game cannot be judged any more.
    """
    game = Game.objects.get(pk=game_id)
    variant = codec.variant_to_judge(game)
    phases = game.phases.filter(result__isnull=False).select_related("result").order_by("ordinal")
    changed = []
    for phase in phases:
        bodies = store.read_closed(phase)
        written = {power: body.lines for power, body in bodies.items()}
        public = judge_again(phase, variant, written, phase.amendments.order_by("pk"))
        if codec.public_to_row(public) != phase.result.public:
            changed.append(f"{phase.turn}: another result")
        elif not is_digest_of(phase.result, codec.keyed_digests(phase, written)):
            changed.append(f"{phase.turn}: other inputs")
        if commitments.changed(phase, bodies):
            changed.append(f"{phase.turn}: other sheets than the sealed record stands by")
    return tuple(changed)


def is_digest_of(result: Result, digests: Iterable[str]) -> bool:
    return any(hmac.compare_digest(result.inputs_hmac, digest) for digest in digests)
