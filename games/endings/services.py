"""Does a proposal end the game? Checked after every vote, and whenever the powers with a vote change."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Annotated

from django import forms
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from adjudication.position import Position
from adjudication.resolution import Verdict
from games.deadlines.phases import close_without_result, finish_game
from games.endings import news, rules
from games.endings.models import LONGEST_STATEMENT, EndKind, Fate, Proposal, Statement, Vote
from games.endings.options import Agreement, Draws
from games.endings.queries import electorate_now, last_seat_held_by, open_or_new_proposals, open_proposals
from games.kernel import codec, hooks
from games.kernel.acts import Agrees, Asked, player_act
from games.kernel.languages import later
from games.kernel.limits import count_vote
from games.kernel.locking import lock_game_for, lock_game_for_holder
from games.kernel.members import players_of
from games.kernel.models import MODERATORS, UNDER_WAY, Game, Status
from games.kernel.news import tell, write_letters
from games.kernel.refusals import BadMessage, BadProposal, NotAllowed, WrongMoment
from games.kernel.rules import unless
from variants.survivors import survivors


def verdict_all_agree_on(game: Game, position: Position, now: datetime) -> Verdict | None:
    """The ending on which all powers with a vote agree in this position; if there are several, the one proposed first.
    Proposals that name an eliminated power lapse. The caller holds the lock on the game."""
    variant = codec.variant_of(game)
    seated = game.occupancies.filter(until__isnull=True).select_related("seat")
    electors = rules.electorate(survivors(position, variant), seated)
    left = {*electors.voters, *electors.silent}
    for proposal in open_proposals(game):
        if not left.issuperset(proposal.powers):
            set_fate(proposal, Fate.FALLEN)
            tell(news.PROPOSAL_FELL, game, at=now, kind=proposal.kind, powers=" ".join(proposal.powers), what="")
        elif electors.agrees(dict(proposal.votes.values_list("occupancy_id", "agrees"))):
            set_fate(proposal, Fate.AGREED)
            return rules.verdict_by_agreement(proposal.kind, proposal.powers, variant)
    return None


def verdicts_agreed_on(games: Sequence[tuple[Game, Position]], now: datetime) -> dict[int, Verdict]:
    """`verdict_all_agree_on` for many games, by game. Games without an open proposal are skipped."""
    proposed = Proposal.objects.filter(game__in=[game.pk for game, _ in games], fate=Fate.OPEN)
    voting = set(proposed.values_list("game_id", flat=True))
    verdicts = {game.pk: verdict_all_agree_on(game, position, now) for game, position in games if game.pk in voting}
    return {game: verdict for game, verdict in verdicts.items() if verdict is not None}


def lapse_proposals(game: Game) -> None:
    """Let undecided proposals lapse, because the game is over."""
    game.proposals.filter(fate=Fate.OPEN).update(fate=Fate.LAPSED)


def set_fate(proposal: Proposal, fate: Fate) -> None:
    proposal.fate = fate
    proposal.save(update_fields=["fate"])


Kind = Annotated[str, Asked(says="draw or concession.", choices=EndKind.choices)]
Winners = Annotated[Sequence[str], Asked(says="The ids of the powers that share or win.")]
Text = Annotated[
    str,
    Asked(
        says="What everyone can read; empty to withdraw it.",
        label=later("Your statement"),
        help_text=later("For example, what you planned and what you would do differently. Plain text only."),
        most=LONGEST_STATEMENT,
        blank=True,
        trimmed=False,
        tells_limit=True,
        widget=forms.Textarea(attrs={"class": "input", "rows": 6}),
    ),
]


@player_act("propose", seated=True)
@transaction.atomic
def propose_end(*, occupancy_id: int, kind: Kind, powers: Winners) -> bool:
    """Propose a draw or a concession, and agree to it.

    True if that ended the game. Raises BadProposal for an ending this game does not allow, NotAllowed without a vote.
    """
    here = lock_game_for_holder(occupancy_id)
    proposals = open_or_new_proposals(here)
    rules.may_propose(here, proposals)
    count_vote(here.occupancy.user_id)
    game, voter, phase, now = here.game, here.occupancy, here.phase, here.now
    power, winners, electors = voter.seat.power, sorted(set(powers)), electorate_now(here)
    _require_allowed_end(game, kind, winners, {*electors.voters, *electors.silent})
    if any((it.fate, it.kind, it.powers) == (Fate.OPEN, kind, winners) for it in proposals):
        raise BadProposal(_("This has already been proposed. You can agree to it."))
    proposal = Proposal.objects.create(
        game=game,
        number=(game.proposals.aggregate(last=Max("number"))["last"] or 0) + 1,
        kind=kind,
        powers=winners,
        proposer=power,
        turn=phase.turn,
        made=now,
    )
    Vote.objects.create(proposal=proposal, occupancy=voter, agrees=True)
    named = " ".join(winners)
    tell(news.END_PROPOSED, game, at=now, by=voter.user_id, power=power, kind=kind, powers=named, what="")
    is_ended = end_if_all_agree(game, now=now)
    if not is_ended:
        others = players_of(game, set(electors.voters) - {power})
        write_letters(news.END_PROPOSED, game, others, about=str(proposal.number), at=now, by=voter.user_id)
    return is_ended


@player_act("vote", rules.may_vote_on_proposals, seated=True)
@transaction.atomic
def vote_on_proposal(*, occupancy_id: int, number: int, agrees: Agrees) -> bool:
    """Agree to an open proposal or refuse it, in place of any earlier vote.

    True if that ended the game. If votes are secret, only the vote itself is written, unless the game ends.
    """
    here = lock_game_for_holder(occupancy_id)
    rules.may_vote_on_proposals(here)
    count_vote(here.occupancy.user_id)
    game, voter, now = here.game, here.occupancy, here.now
    proposal = _open_proposal(game, number)
    before = proposal.votes.filter(occupancy=voter).first()
    if before is not None and before.agrees == agrees:
        return False
    Vote.objects.update_or_create(proposal=proposal, occupancy=voter, defaults={"agrees": agrees})
    if game.options[Agreement].open_votes:
        answer = news.PROPOSAL_AGREED if agrees else news.PROPOSAL_REFUSED
        power, kind, named = voter.seat.power, proposal.kind, " ".join(proposal.powers)
        tell(answer, game, at=now, by=voter.user_id, power=power, kind=kind, powers=named, what="")
    return end_if_all_agree(game, now=now)


@player_act("withdraw_proposal", done=later("Your proposal has been withdrawn."), to="games:proposals", seated=True)
@transaction.atomic
def withdraw_proposal(*, occupancy_id: int, number: int) -> None:
    """Withdraw a proposal of yours."""
    here = lock_game_for_holder(occupancy_id)
    proposal = _open_proposal(here.game, number)
    rules.may_withdraw_proposal(here, proposal)
    set_fate(proposal, Fate.WITHDRAWN)
    game, voter, kind, named = here.game, here.occupancy, proposal.kind, " ".join(proposal.powers)
    power = voter.seat.power
    tell(news.PROPOSAL_WITHDRAWN, game, at=here.now, by=voter.user_id, power=power, kind=kind, powers=named, what="")


def end_if_all_agree(game: Game, *, now: datetime) -> bool:
    """Count all votes again and end the game if a proposal is agreed; return whether it was. Call this when the powers
    with a vote change. The caller holds the lock on the game."""
    hooks.players_changed(game, now)
    if game.status not in UNDER_WAY or game.incident == MODERATORS or not open_proposals(game):
        return False
    phase = game.phases.get(closed__isnull=True)
    verdict = verdict_all_agree_on(game, codec.position_of(phase), now)
    if verdict is None:
        return False
    close_without_result(phase, now)
    finish_game(game, verdict, status=Status.FINISHED, by=None, now=now)
    return True


@player_act("write_statement")
@transaction.atomic
def write_statement(*, game_id: int, user_id: int, text: Text) -> None:
    """Publish your statement about a finished game, in place of any earlier one.

    An empty one withdraws it. Raises NotAllowed unless the user was the last to hold a seat; BadMessage if it is too
    long.
    """
    here = lock_game_for(game_id, user_id)
    seat = last_seat_held_by(here.game, user_id)
    rules.may_write_statement(here, seat)
    text = text.replace("\r\n", "\n").strip()
    told = _("A statement can have at most {most} characters; this one has {count}. Nothing was saved.")
    unless(len(text) <= LONGEST_STATEMENT, BadMessage(told.format(most=LONGEST_STATEMENT, count=len(text))))
    if text:
        Statement.objects.update_or_create(occupancy=seat, defaults={"text": text, "written": here.now})
    else:
        Statement.objects.filter(occupancy=seat).delete()


def _open_proposal(game: Game, number: int) -> Proposal:
    proposal = game.proposals.filter(number=number).first()
    if proposal is None:
        raise NotAllowed(_("This game has no such proposal."))
    if proposal.fate != Fate.OPEN:
        raise WrongMoment(
            _("This proposal is no longer open: it was withdrawn, or a power it names has been eliminated.")
        )
    return proposal


def _require_allowed_end(game: Game, kind: str, winners: Collection[str], powers_left: set[str]) -> None:
    """Raises BadProposal unless the game allows this end."""
    are_left = winners and powers_left.issuperset(winners)
    unless(are_left, BadProposal(rules.CHOOSE_SURVIVORS))
    draws, is_shared, everybody = game.options[Agreement].draws, len(winners) > 1, powers_left == set(winners)
    if kind == EndKind.DRAW:
        no_draws = _("This game has no draws by agreement. You can concede it to one power.")
        unless(draws != Draws.NONE, BadProposal(no_draws))
        among_all = _("In this game, a draw must include all remaining powers.")
        unless(everybody or draws != Draws.ALL, BadProposal(among_all))
        two_powers = _("A draw needs at least two powers. To give the game to one power, propose a concession.")
        unless(is_shared, BadProposal(two_powers))
    elif kind == EndKind.CONCESSION:
        one_winner = _("In this game, you can only concede to one power.")
        unless(not is_shared or draws == Draws.ANY, BadProposal(one_winner))
        no_losers = _("These are all the remaining powers. Propose a draw between all instead.")
        unless(not is_shared or not everybody, BadProposal(no_losers))
    else:
        raise BadProposal(_("Propose a draw or a concession."))
