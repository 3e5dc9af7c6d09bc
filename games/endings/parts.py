"""The parts of a game's pages about agreeing on an end, and about the end."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from games.kernel.marks import InApi
from games.kernel.parts import PowerCard


@dataclass(frozen=True, slots=True)
class BallotView:
    """The vote of a power."""

    power: Annotated[PowerCard, InApi("The power.")]
    agrees: Annotated[bool | None, InApi("Yes or no; null if it hasn’t voted.")]


@dataclass(frozen=True, slots=True)
class ProposalView:
    """An open proposal to end the game. It stays open from phase to phase."""

    number: Annotated[int, InApi("Names it in addresses.")]
    kind: Annotated[str, InApi("draw or concession.")]
    title: Annotated[str, InApi("As in “A draw between Austria and Turkey”.")]
    proposed: str
    """The same as a sentence."""
    powers: Annotated[tuple[PowerCard, ...], InApi("Those who would share the draw or win.")]
    proposer: Annotated[PowerCard, InApi("The power that proposed it.")]
    made: Annotated[datetime, InApi("When it was proposed.")]
    turn_title: Annotated[str, InApi("In which turn.")]
    ballots: Annotated[tuple[BallotView, ...], InApi("The votes so far; empty where votes are secret.")]
    my_vote: Annotated[bool | None, InApi("Your own vote; null if you have none yet.")]
    mine: Annotated[bool, InApi("You proposed it, and may withdraw it.")]


@dataclass(frozen=True, slots=True)
class AgreementView:
    """How a game under way may end by agreement."""

    secret: Annotated[bool, InApi("Votes are secret until all agree.")]
    draws: Annotated[str, InApi("any, all (only all who are left) or none.")]
    last_year: Annotated[int | None, InApi("The year after which the game ends in any case; null for none.")]
    proposals: Annotated[tuple[ProposalView, ...], InApi("The open proposals.")]
    left: Annotated[tuple[PowerCard, ...], InApi("The powers that may be named in a proposal.")]
    voters: Annotated[tuple[PowerCard, ...], InApi("Those whose votes count.")]
    silent: Annotated[tuple[str, ...], InApi("Why each of the others has no vote, in sentences.")]
    i_vote: Annotated[bool, InApi("You may vote now.")]
    why_not_propose: Annotated[str, InApi("Why you may not propose anything now; empty if you may.")]
    enough: Annotated[bool, InApi("Fewer than half of the remaining powers are vacant.")]

    @property
    def waiting(self) -> bool:
        """Is there a proposal on which the viewer has yet to vote?"""
        return self.i_vote and any(proposal.my_vote is None for proposal in self.proposals)


@dataclass(frozen=True, slots=True)
class Counted:
    """The effect of a vote."""

    ended: Annotated[bool, InApi("The game has ended with it.")]


@dataclass(frozen=True, slots=True)
class ScoreView:
    """A power at the end, in two usual systems of 100 points."""

    power: Annotated[PowerCard, InApi("The power.")]
    centres: Annotated[int, InApi("Its centres at the end.")]
    draw_size: Annotated[str, InApi("Its points by the size of the draw, as in “33.3”.")]
    squares: Annotated[str, InApi("Its points by the squares of centres.")]


@dataclass(frozen=True, slots=True)
class StatementView:
    """A player’s statement after the end."""

    power: Annotated[PowerCard, InApi("The power.")]
    player: Annotated[str, InApi("The player; empty if players stay anonymous.")]
    written: Annotated[datetime, InApi("When it was written.")]
    text: Annotated[str, InApi("What it says.")]
    muted: Annotated[bool, InApi("You have muted the power.")]


@dataclass(frozen=True, slots=True)
class FarewellView:
    """What is added to a game that is over."""

    about_me: Annotated[str, InApi("What your power achieved, in a sentence; empty without one, and if no one won.")]
    winners: Annotated[tuple[PowerCard, ...], InApi("The winners.")]
    scores: Annotated[tuple[ScoreView, ...], InApi("Every power’s score.")]
    statements: Annotated[tuple[StatementView, ...], InApi("What players say about the game.")]
    may_state: Annotated[bool, InApi("You may write a statement.")]
    my_statement: Annotated[str, InApi("Yours; empty without one.")]
