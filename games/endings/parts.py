"""How a game ends by agreement, and what its pages add when it is over."""

from dataclasses import dataclass
from datetime import datetime

from games.kernel.parts import PowerCard


@dataclass(frozen=True, slots=True)
class BallotView:
    """The vote of a power on a proposal: yes, no or nothing yet."""

    power: PowerCard
    agrees: bool | None


@dataclass(frozen=True, slots=True)
class ProposalView:
    """An open proposal to end the game. `turn_title`: when it was made; it stays open from phase to phase.

    `ballots` are empty where votes are secret. `my_vote` is the viewer's own; `mine`: the viewer may withdraw it.
    """

    number: int
    kind: str
    title: str
    powers: tuple[PowerCard, ...]
    proposer: PowerCard
    made: datetime
    turn_title: str
    ballots: tuple[BallotView, ...]
    my_vote: bool | None
    mine: bool


@dataclass(frozen=True, slots=True)
class AgreementView:
    """How a game under way may end by agreement. `left`: the powers that may be named; `voters`: those whose votes
    count; `silent`: why each of the others has no vote. `draws`: "any", "all" or "none"; `enough`: fewer than half of
    the remaining powers are vacant. `i_vote`: the viewer may vote now; `why_not_propose` is "" if they may."""

    secret: bool
    draws: str
    last_year: int | None
    proposals: tuple[ProposalView, ...]
    left: tuple[PowerCard, ...]
    voters: tuple[PowerCard, ...]
    silent: tuple[str, ...]
    i_vote: bool
    why_not_propose: str
    enough: bool

    @property
    def waiting(self) -> bool:
        """Is there a proposal on which the viewer has yet to vote?"""
        return self.i_vote and any(proposal.my_vote is None for proposal in self.proposals)


@dataclass(frozen=True, slots=True)
class Counted:
    """The effect of a vote: has it `ended` the game?"""

    ended: bool


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The centres of a power at the end, and its points of 100 in two usual systems, as in "33.3"."""

    power: PowerCard
    centres: int
    draw_size: str
    squares: str


@dataclass(frozen=True, slots=True)
class StatementView:
    """A player's end-of-game statement; `player` is "" if players stay anonymous. `muted`: the reader has muted the
    power."""

    power: PowerCard
    player: str
    written: datetime
    text: str
    muted: bool


@dataclass(frozen=True, slots=True)
class FarewellView:
    """What is added to a finished game. `may_state`: the viewer may write a statement, or rewrite `my_statement`."""

    winners: tuple[PowerCard, ...]
    scores: tuple[ScoreView, ...]
    statements: tuple[StatementView, ...]
    may_state: bool
    my_statement: str
