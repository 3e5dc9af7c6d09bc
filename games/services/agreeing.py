"""Does a proposal end the game? Asked whenever a vote is given, and whenever it changes who has a vote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games import codec
from games.agreements import electorate_of, open_proposals, words_of_proposal
from games.endings import agreed_concession, agreed_draw
from games.models import EndKind, EventKind, Fate
from games.services.ledger import record

if TYPE_CHECKING:
    from datetime import datetime

    from adjudication.position import Position
    from adjudication.resolution import Verdict
    from games.models import Game, Proposal

VERDICTS = {EndKind.DRAW: agreed_draw, EndKind.CONCESSION: agreed_concession}


def agreed(game: Game, position: Position, *, now: datetime) -> Verdict | None:
    """The ending to which all who have a vote on this position agree, of several the one proposed first.

    Proposals that name a power which is no longer there fall away. The caller holds the lock on the game.
    """
    variant = codec.variant_of(game)
    electors = electorate_of(game, position, variant)
    left = {*electors.voters, *electors.silent}
    for proposal in open_proposals(game):
        if not left.issuperset(proposal.powers):
            settle(proposal, Fate.FALLEN)
            what = words_of_proposal(proposal, variant)
            record(game, EventKind.PROPOSAL_FELL, at=now, what=what)
        elif electors.agrees(dict(proposal.votes.values_list("occupancy_id", "agrees"))):
            settle(proposal, Fate.AGREED)
            return VERDICTS[EndKind(proposal.kind)](proposal.powers, variant)
    return None


def settle(proposal: Proposal, fate: Fate) -> None:
    """Say what became of a proposal."""
    proposal.fate = fate
    proposal.save(update_fields=["fate"])
