"""Proposals to end a game, and the votes on them, as one viewer sees them.

If votes are secret, only the viewer's own are read here: no one else learns who has voted, or how many.
"""

from collections.abc import Collection, Mapping
from typing import Annotated

from django.db.models import Exists, OuterRef, Q

from adjudication.resolution import Verdict
from adjudication.turns import Turn
from games.deadlines.options import LastYear
from games.endings import rules
from games.endings.models import Fate, Proposal, Statement, Vote
from games.endings.options import Agreement
from games.endings.parts import AgreementView, BallotView, FarewellView, ProposalView, ScoreView, StatementView
from games.kernel import codec
from games.kernel.marks import InApi
from games.kernel.models import UNDER_WAY, Game, Occupancy
from games.kernel.page import Page, part
from games.kernel.queries import NOBODY, card_of_power, names_are_hidden
from games.kernel.rules import allowed, why_not
from games.kernel.standpoint import Standpoint
from games.press.unread import mutes_of
from variants.variant import Variant
from variants.words.orders import turn_words


def electorate_now(here: Standpoint) -> rules.Electorate:
    """The powers left in the open phase, and which of them have a vote."""
    return rules.electorate(here.left, here.seated.values())


def open_proposals(game: Game) -> list[Proposal]:
    """The open proposals, oldest first."""
    return list(game.proposals.filter(fate=Fate.OPEN).order_by("number"))


def open_or_new_proposals(here: Standpoint) -> list[Proposal]:
    """The open proposals and those made in the open phase, oldest first."""
    if not getattr(here.game, "has_proposals", True):
        return []
    turn = here.open_phase.turn if here.open_phase else ""
    return list(here.game.proposals.filter(Q(fate=Fate.OPEN) | Q(turn=turn)).order_by("number"))


def has_proposals() -> tuple[str, str]:
    """The attribute `has_proposals` and its SQL, for the hook `hints_that_nothing_is_there`."""
    return "has_proposals", "EXISTS (SELECT FROM endings_proposal WHERE game_id = kernel_game.id)"


def agreement_view(here: Standpoint) -> AgreementView:
    """How a running game may end by agreement, for the position of its open phase."""
    position, variant = here.open_position, here.variant
    electors, proposals_made = electorate_now(here), open_or_new_proposals(here)
    proposals = [proposal for proposal in proposals_made if proposal.fate == Fate.OPEN]
    own_seat = electors.voters.get(here.held.seat.power) if here.held else None
    is_secret = not here.options[Agreement].open_votes
    own_occupancy = () if own_seat is None else (own_seat,)
    votes = _votes_of(proposals, own_occupancy if is_secret else electors.voters.values())
    cards = {power.id: card_of_power(power) for power in variant.powers}
    all_reasons = {**electors.silent, **rules.why_eliminated_have_no_vote(position, variant)}
    reasons = {power: all_reasons[power] for power in cards if power in all_reasons}
    return AgreementView(
        secret=is_secret,
        draws=here.options[Agreement].draws,
        last_year=here.options[LastYear].last_year,
        proposals=tuple(_proposal_view(proposal, here, electors, votes, mine=own_seat) for proposal in proposals),
        left=tuple(card for power, card in cards.items() if power in {*electors.voters, *electors.silent}),
        voters=tuple(card for power, card in cards.items() if power in electors.voters),
        silent=tuple(
            why.sentence_about([power for power, its_own in reasons.items() if its_own is why], variant)
            for why in dict.fromkeys(reasons.values())
        ),
        i_vote=allowed(rules.may_vote_on_proposals, here),
        why_not_propose=why_not(rules.may_propose, here, proposals_made),
        enough=electors.enough,
    )


def _votes_of(proposals: list[Proposal], occupancies: Collection[int]) -> Mapping[tuple[int, int], bool]:
    """(proposal, occupancy) -> the vote, for only these occupancies."""
    if not proposals:
        return {}
    rows = Vote.objects.filter(proposal__in=proposals, occupancy__in=list(occupancies))
    return {
        (proposal, occupancy): agrees
        for proposal, occupancy, agrees in rows.values_list("proposal_id", "occupancy_id", "agrees")
    }


def _proposal_view(
    proposal: Proposal,
    here: Standpoint,
    electors: rules.Electorate,
    votes: Mapping[tuple[int, int], bool],
    *,
    mine: int | None,
) -> ProposalView:
    variant = here.variant
    end = (proposal.kind, proposal.powers, variant)
    return ProposalView(
        number=proposal.number,
        kind=proposal.kind,
        title=rules.end_in_words(*end),
        proposed=rules.proposal_in_words(*end),
        powers=tuple(card_of_power(power) for power in variant.powers if power.id in proposal.powers),
        proposer=card_of_power(variant.power(proposal.proposer)),
        made=proposal.made,
        turn_title=turn_words(Turn.from_code(proposal.turn)),
        ballots=tuple(
            BallotView(card_of_power(power), votes.get((proposal.pk, electors.voters[power.id])))
            for power in variant.powers
            if power.id in electors.voters and here.options[Agreement].open_votes
        ),
        my_vote=None if mine is None else votes.get((proposal.pk, mine)),
        mine=allowed(rules.may_withdraw_proposal, here, proposal),
    )


def last_seat_held_by(game: Game, user_id: int | None) -> Occupancy | None:
    """The seat that this user was the last to hold in a finished game, if any."""
    last = Occupancy.objects.filter(game=game).order_by("seat_id", "-since", "-pk").distinct("seat_id")
    seats = Occupancy.objects.filter(pk__in=last.values("pk"), user_id=user_id or NOBODY)
    return seats.select_related("seat").order_by("-since", "-pk").first()


def _score_views(centres: Mapping[str, int], variant: Variant, verdict: Verdict) -> tuple[ScoreView, ...]:
    """The powers' scores, highest first."""
    winners, won = verdict.winners, rules.is_win(verdict)
    equal, squares = rules.points_by_draw_size(centres, winners), rules.points_by_squares(centres, winners, won=won)
    highest_first = sorted(variant.powers, key=lambda power: (-equal[power.id], -squares[power.id]))
    return tuple(
        ScoreView(
            power=card_of_power(power),
            centres=centres[power.id],
            draw_size=f"{equal[power.id]:.1f}",
            squares=f"{squares[power.id]:.1f}",
        )
        for power in highest_first
    )


@part("agreement")
def agreement(
    page: Page,
) -> Annotated[AgreementView | None, InApi("How the game may end by agreement; null unless it is under way.")]:
    """How a game under way may end by agreement. Sitters don't vote, and nothing is agreed on with bots."""
    rows = page.rows
    is_under_way = rows.open_phase is not None and rows.game.status in UNDER_WAY and not rows.game.practice
    return agreement_view(rows) if is_under_way else None


@part("farewell")
def farewell(
    page: Page,
) -> Annotated[FarewellView | None, InApi("Winners, scores and statements; null before the end.")]:
    """What is added to the final position of a game that was started."""
    here = page.rows
    if not here.final or here.shown is None:
        return None
    game, variant = here.game, here.variant
    verdict = codec.verdict_of(game)
    winners = verdict.winners if verdict else ()
    own_seat = last_seat_held_by(game, here.user_id)
    statement = Statement.objects.filter(occupancy=own_seat).first() if own_seat else None
    centres = {power.id: len(here.position.centres_of(power.id)) for power in variant.powers}
    # The statements, in the order of the powers.
    rows = Statement.objects.filter(occupancy__game=game).select_related("occupancy__seat", "occupancy__user")
    rows = rows.annotate(muted=Exists(mutes_of(here.user_id, game).filter(power=OuterRef("occupancy__seat__power"))))
    are_hidden = names_are_hidden(game, here.user_id)
    powers = [power.id for power in variant.powers]
    statement_views = tuple(
        StatementView(
            power=card_of_power(variant.power(row.occupancy.seat.power)),
            player="" if are_hidden else row.occupancy.user.get_username(),
            written=row.written,
            text=row.text,
            muted=row.muted and row.occupancy.user_id != here.user_id,
        )
        for row in sorted(rows, key=lambda row: powers.index(row.occupancy.seat.power))
    )
    return FarewellView(
        about_me=rules.place_in_words(own_seat.seat.power, winners, centres, variant) if own_seat else "",
        winners=tuple(card_of_power(power) for power in variant.powers if power.id in winners),
        scores=_score_views(centres, variant, verdict) if verdict and winners else (),
        statements=statement_views,
        may_state=allowed(rules.may_write_statement, here, own_seat),
        my_statement=statement.text if statement else "",
    )
