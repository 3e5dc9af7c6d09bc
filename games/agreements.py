"""Proposals to end a game, and the votes on them, as one viewer sees them.

Where votes are secret, nothing is read here but the viewer's own: neither who has voted nor how many is known to
anybody else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudication.turns import Turn
from games.endings import Electorate, Holder, concession_words, draw_words, electorate, gone
from games.models import EndKind, Fate, Occupancy, Proposal, Vote
from games.phase_view import AgreementView, BallotView, ProposalView
from games.selectors import card_of_power
from variants.endings import survivors

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from adjudication.position import Position
    from games.models import Game
    from variants.variant import Variant

WORDS = {EndKind.DRAW: draw_words, EndKind.CONCESSION: concession_words}


def electorate_of(game: Game, position: Position, variant: Variant) -> Electorate:
    """Who is left on this position, and who of them has a vote now."""
    seated = Occupancy.objects.filter(game=game, until__isnull=True).select_related("seat")
    return electorate(survivors(position, variant), holders_of(seated))


def holders_of(seated: Iterable[Occupancy]) -> list[Holder]:
    """Present occupancies, with their seats, as endings know them."""
    return [Holder(occupancy.seat.power, occupancy.pk, occupancy.bot) for occupancy in seated]


def open_proposals(game: Game) -> list[Proposal]:
    """The oldest first."""
    return list(game.proposals.filter(fate=Fate.OPEN).order_by("number"))


def words_of_proposal(proposal: Proposal, variant: Variant) -> str:
    """As in "a draw among Britain and France"."""
    return WORDS[EndKind(proposal.kind)](proposal.powers, variant)


def agreement_of(game: Game, position: Position, variant: Variant, my_power: str | None) -> AgreementView:
    """What is proposed in a game under way, on the position of its open phase."""
    electors = electorate_of(game, position, variant)
    proposals = open_proposals(game)
    mine = electors.voters.get(my_power or "")
    secret = not game.options.open_votes
    own = () if mine is None else (mine,)
    votes = _votes(proposals, own if secret else electors.voters.values())
    cards = {power.id: card_of_power(power) for power in variant.powers}
    silent = {**electors.silent, **gone(position, variant)}
    return AgreementView(
        secret=secret,
        draws=game.options.draws,
        last_year=game.options.last_year,
        proposals=tuple(
            _proposal(proposal, variant, electors, votes, mine=mine, my_power=my_power, secret=secret)
            for proposal in proposals
        ),
        left=tuple(card for power, card in cards.items() if power in {*electors.voters, *electors.silent}),
        voters=tuple(card for power, card in cards.items() if power in electors.voters),
        silent=tuple(
            f"{card.name} has no vote: {silent[power]}." for power, card in cards.items() if power in silent
        ),
        i_vote=mine is not None,
        enough=electors.enough,
    )


def _votes(proposals: list[Proposal], counted: Collection[int]) -> Mapping[tuple[int, int], bool]:
    """(proposal, occupancy) -> what it says, of these occupancies only."""
    rows = Vote.objects.filter(proposal__in=proposals, occupancy__in=list(counted))
    return {
        (proposal, occupancy): agrees
        for proposal, occupancy, agrees in rows.values_list("proposal_id", "occupancy_id", "agrees")
    }


def _proposal(
    proposal: Proposal,
    variant: Variant,
    electors: Electorate,
    votes: Mapping[tuple[int, int], bool],
    *,
    mine: int | None,
    my_power: str | None,
    secret: bool,
) -> ProposalView:
    words = words_of_proposal(proposal, variant)
    ballots = () if secret else _ballots(proposal, variant, electors, votes)
    return ProposalView(
        number=proposal.number,
        kind=proposal.kind,
        title=words[0].upper() + words[1:],
        powers=tuple(card_of_power(power) for power in variant.powers if power.id in proposal.powers),
        proposer=card_of_power(variant.power(proposal.proposer)),
        made=proposal.made,
        turn_title=Turn.from_code(proposal.turn).title,
        ballots=ballots,
        my_vote=None if mine is None else votes.get((proposal.pk, mine)),
        mine=proposal.proposer == my_power,
    )


def _ballots(
    proposal: Proposal, variant: Variant, electors: Electorate, votes: Mapping[tuple[int, int], bool]
) -> tuple[BallotView, ...]:
    return tuple(
        BallotView(card_of_power(power), votes.get((proposal.pk, electors.voters[power.id])))
        for power in variant.powers
        if power.id in electors.voters
    )
