"""How games end if no power wins by the rules: which powers have a vote and may propose an end, and two common scoring
systems."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from adjudication.civil_disorder import playable_powers
from adjudication.position import Position
from adjudication.resolution import Verdict
from games.endings.models import EndKind, Fate, Proposal
from games.endings.options import Outcome
from games.kernel.languages import later, later_as, later_by
from games.kernel.models import MODERATORS, OVER, UNDER_WAY, Occupancy
from games.kernel.refusals import BadProposal, NotAllowed, WrongMoment
from games.kernel.rules import only_in_a_phase, only_outside_practice, only_while, only_with_seat, unless
from games.kernel.standpoint import Standpoint
from variants.kinds import Ending
from variants.survivors import listed_powers, survivors
from variants.variant import Variant

ALL_POINTS = 100.0
CHOOSE_SURVIVORS = later("Choose powers that still have a unit or a supply centre.")
PLACES = (
    later_as("a player’s place in the end", "first"),
    later_as("a player’s place in the end", "second"),
    later_as("a player’s place in the end", "third"),
    later_as("a player’s place in the end", "fourth"),
    later_as("a player’s place in the end", "fifth"),
    later_as("a player’s place in the end", "sixth"),
    later_as("a player’s place in the end", "seventh"),
    later_as("a player’s place in the end", "eighth"),
    later_as("a player’s place in the end", "ninth"),
    later_as("a player’s place in the end", "tenth"),
)
MOST_OPEN, MOST_IN_A_PHASE = 3, 6
"""How many open proposals a power may have, and how many it may make per phase: each means an email to all others."""


def may_vote_on_proposals(here: Standpoint) -> Occupancy:
    """Refuse users who have no vote on proposals; return the seat that has the vote."""
    only_while(here, UNDER_WAY, _("The game has not started yet."))
    stopped = _("Nothing was changed: the site’s moderators have put this game on hold. Only they can resume it.")
    unless(here.game.incident != MODERATORS, WrongMoment(stopped))
    voter = only_with_seat(here)
    only_outside_practice(here)
    only_in_a_phase(here)
    unless(not voter.bot, NotAllowed(_("A bot is playing for you, so you have no vote. Stop the bot first.")))
    eliminated = _("You have neither a unit nor a supply centre left, so you have no vote.")
    unless(voter.seat.power in here.left, NotAllowed(eliminated))
    return voter


def may_propose(here: Standpoint, proposals: Collection[Proposal]) -> None:
    """Allow proposing how the game ends. `proposals`: the open proposals and those of this phase."""
    power = may_vote_on_proposals(here).seat.power
    own_proposals = [proposal for proposal in proposals if proposal.proposer == power]
    in_this_phase = sum(proposal.turn == here.phase.turn for proposal in own_proposals)
    too_many = _("You’ve made {most} proposals in this phase. Wait for the next one.").format(most=MOST_IN_A_PHASE)
    unless(in_this_phase < MOST_IN_A_PHASE, BadProposal(too_many))
    still_open = sum(proposal.fate == Fate.OPEN for proposal in own_proposals)
    told = _("You have {most} open proposals. Withdraw one first.")
    unless(still_open < MOST_OPEN, BadProposal(told.format(most=MOST_OPEN)))


def may_withdraw_proposal(here: Standpoint, proposal: Proposal) -> None:
    is_mine = proposal.proposer == may_vote_on_proposals(here).seat.power
    unless(is_mine, NotAllowed(_("Only the power that made a proposal can withdraw it.")))


def may_write_statement(here: Standpoint, seat: Occupancy | None) -> None:
    """Allow a statement by someone who was the last to hold this `seat`; None for anyone else."""
    unless(here.game.status in OVER, WrongMoment(_("You can write a statement once the game is over.")))
    only_outside_practice(here)
    unless(seat and here.has_begun, NotAllowed(_("Only players who held a seat at the end can write a statement.")))


class WhyNoVote(Enum):
    VACANT = auto()
    BOT = auto()
    DISORDER = auto()
    GONE = auto()

    def sentence_about(self, powers: Collection[str], variant: Variant) -> str:
        return capfirst(NO_VOTE[self].format(count=len(powers), powers=listed_powers(powers, variant)))


NO_VOTE = {
    WhyNoVote.VACANT: later_by(
        "{powers} has no vote: it is vacant.", "{powers} have no vote: they are vacant.", "count"
    ),
    WhyNoVote.BOT: later_by(
        "{powers} has no vote: a bot is playing it and accepts anything the others agree on.",
        "{powers} have no vote: bots are playing them and accept anything the others agree on.",
        "count",
    ),
    WhyNoVote.DISORDER: later_by(
        "{powers} has no vote: it is in permanent civil disorder.",
        "{powers} have no vote: they are in permanent civil disorder.",
        "count",
    ),
    WhyNoVote.GONE: later_by(
        "{powers} has no vote: it has neither a unit nor a supply centre left.",
        "{powers} have no vote: they have neither a unit nor a supply centre left.",
        "count",
    ),
}


@dataclass(frozen=True, slots=True)
class Electorate:
    """`voters`: power -> occupancy, `silent`: power -> why it has no vote; together they are all powers left."""

    voters: Mapping[str, int]
    silent: Mapping[str, WhyNoVote]

    @property
    def enough(self) -> bool:
        """Are more than half of the remaining powers played? Otherwise a few players could take the game."""
        vacant = sum(why is WhyNoVote.VACANT for why in self.silent.values())
        return 2 * vacant < len(self.voters) + len(self.silent)

    def agrees(self, votes: Mapping[int, bool]) -> bool:
        """Do all powers with a vote agree, and are there enough of them? `votes`: occupancy -> its vote."""
        agree = all(votes.get(occupancy, False) for occupancy in self.voters.values())
        return bool(self.voters) and self.enough and agree


def why_eliminated_have_no_vote(position: Position, variant: Variant) -> dict[str, WhyNoVote]:
    playable, remaining = playable_powers(position, variant.ruleset), survivors(position, variant)
    return {
        power.id: WhyNoVote.GONE if power.id in playable else WhyNoVote.DISORDER
        for power in variant.powers
        if power.id not in remaining
    }


def electorate(powers: Iterable[str], rows: Iterable[Occupancy]) -> Electorate:
    """The remaining powers with a vote, which are those played by people, and why the others have none."""
    occupancies = {occupancy.seat.power: occupancy for occupancy in rows}
    voters, reasons = dict[str, int](), dict[str, WhyNoVote]()
    for power in powers:
        if power not in occupancies:
            reasons[power] = WhyNoVote.VACANT
        elif occupancies[power].bot:
            reasons[power] = WhyNoVote.BOT
        else:
            voters[power] = occupancies[power].pk
    return Electorate(voters, reasons)


def end_in_words(kind: str, powers: Collection[str], variant: Variant) -> str:
    """The end in words, as in "A draw between Britain and France"."""
    title = _("A draw between {powers}") if kind == EndKind.DRAW else _("A concession to {powers}")
    return title.format(powers=listed_powers(powers, variant))


def proposal_in_words(kind: str, powers: Collection[str], variant: Variant) -> str:
    message = (
        _("A draw between {powers} has been proposed.")
        if kind == EndKind.DRAW
        else _("A concession to {powers} has been proposed.")
    )
    return message.format(powers=listed_powers(powers, variant))


def verdict_by_agreement(kind: str, powers: Collection[str], variant: Variant) -> Verdict:
    winners = tuple(power.id for power in variant.powers if power.id in powers)
    if kind == EndKind.DRAW:
        return Verdict(winners, Ending.DRAW_AGREED, {"powers": winners})
    case = {"case": "together"} if len(winners) > 1 else {}
    return Verdict(winners, Ending.CONCESSION_AGREED, {"powers": winners, **case})


def verdict_by_master(outcome: str, powers: Collection[str], powers_left: Collection[str], variant: Variant) -> Verdict:
    """The end that a game master has chosen, naming some of `powers_left`. Raises BadProposal."""
    if outcome == Outcome.VOID:
        unless(not powers, BadProposal(_("A void game names no powers. Untick them, or choose another outcome.")))
        return Verdict((), Ending.VOID)
    unless(powers and set(powers_left).issuperset(powers), BadProposal(CHOOSE_SURVIVORS))
    if outcome == Outcome.DRAW:
        unless(len(powers) > 1, BadProposal(_("A draw needs at least two powers. For one power, choose a win.")))
    elif outcome in {Outcome.SOLO, Outcome.CONCESSION}:
        unless(len(powers) == 1, BadProposal(_("Choose exactly one power as the winner. For several, choose a draw.")))
    else:
        raise BadProposal(_("Choose how the game ends: a win, a draw, a concession or void."))
    winners = tuple(power.id for power in variant.powers if power.id in powers)
    return Verdict(winners, Ending.CLOSED, {"case": str(outcome), "powers": winners})


def place_in_words(power: str, winners: Collection[str], centres: Mapping[str, int], variant: Variant) -> str:
    """The first sentences for the player of `power` at the end, as in “Austria won. You came second with 5 centres.”
    Empty if no one won; `centres`: power -> how many it holds. Of two powers, the one that lost has no place."""
    other_winners, own = [winner for winner in winners if winner != power], centres[power]
    if power in winners:
        message = _("You share first place with {powers}.") if other_winners else _("You won.")
        return message.format(powers=listed_powers(other_winners, variant))
    if not winners:
        return ""
    winners_sentence = ngettext("{powers} won.", "{powers} share first place.", len(other_winners)).format(
        powers=listed_powers(winners, variant)
    )
    counts_behind = [count for other, count in centres.items() if other not in winners and other != power]
    if not own:
        words = _("You have no centre left.")
    elif not counts_behind and len(winners) == 1:
        words = ngettext("You have 1 centre left.", "You have {count} centres left.", own)
    elif own in counts_behind:
        words = ngettext("You came joint {place} with 1 centre.", "You came joint {place} with {count} centres.", own)
    else:
        words = ngettext("You came {place} with 1 centre.", "You came {place} with {count} centres.", own)
    place = PLACES[len(winners) + sum(count > own for count in counts_behind)]
    return f"{capfirst(winners_sentence)} {words.format(place=place, count=own)}"


def points_by_draw_size(powers: Iterable[str], winners: Collection[str]) -> dict[str, float]:
    """100 points, shared equally by the winners."""
    share = ALL_POINTS / len(winners) if winners else 0.0
    return {power: share if power in winners else 0.0 for power in powers}


def is_win(verdict: Verdict) -> bool:
    """Did one power or several win, rather than draw?"""
    return len(verdict.winners) == 1 or verdict.facts.get("case") in {"own land", "together"}


def is_concession(verdict: Verdict) -> bool:
    return verdict.kind == Ending.CONCESSION_AGREED or verdict.facts.get("case") == Outcome.CONCESSION


def points_by_squares(centres: Mapping[str, int], winners: Collection[str], *, won: bool) -> dict[str, float]:
    """100 points, shared by the squares of each power's final `centres`; if the winners have `won`, only they share."""
    if len(winners) == 1:
        return points_by_draw_size(centres, winners)
    squares = {power: count * count if power in winners or not won else 0 for power, count in centres.items()}
    total = sum(squares.values())
    return {power: ALL_POINTS * square / total if total else 0.0 for power, square in squares.items()}
