"""Judging closed phases once more, to see that nothing in them or in the rules' code has changed."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from games import codec
from games.models import Game
from games.sealed import store
from games.services.judging import judge_again

if TYPE_CHECKING:
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
        written = {power: body.lines for power, body in store.read_closed(phase).items()}
        public = judge_again(phase, variant, written, phase.amendments.order_by("pk"))
        if codec.public_to_row(public) != phase.result.public:
            changed.append(f"{phase.turn}: another result")
        elif not _same_inputs(phase.result, codec.keyed_digest(phase, written)):
            changed.append(f"{phase.turn}: other inputs")
    return tuple(changed)


def _same_inputs(result: Result, digest: str) -> bool:
    return hmac.compare_digest(result.inputs_hmac, digest)
