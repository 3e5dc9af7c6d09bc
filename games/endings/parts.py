"""How a game ends by agreement, and what is added when it is over."""

from dataclasses import dataclass
from datetime import datetime

from games.kernel.parts import PowerCard


@dataclass(frozen=True, slots=True)
class BallotView:
    """What a power that has a vote says to a proposal: yes, no or nothing yet."""

    power: PowerCard
    agrees: bool | None


@dataclass(frozen=True, slots=True)
class ProposalView:
    """An open proposal to end the game. `turn_title`: when it was made; it goes on from phase to phase.

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
    """How a game under way may end by agreement. `left`: who may be named; `voters`: whose votes count; `silent`
    says of each of the others why it has none. `draws`: "any", "all" or "none"; `enough`: may they end it now, or is
    half of the powers left vacant? `i_vote`: the viewer may vote now; `why_not_propose` is "" for who may."""

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
        """Is there a proposal to which the viewer has not said anything?"""
        return self.i_vote and any(proposal.my_vote is None for proposal in self.proposals)


@dataclass(frozen=True, slots=True)
class Counted:
    """What came of a vote: has it `ended` the game?"""

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
    """The last word of a player about the game; `player` is "" where names stay hidden."""

    power: PowerCard
    player: str
    written: datetime
    text: str


@dataclass(frozen=True, slots=True)
class FarewellView:
    """What is added to a game that is over. `may_state`: the viewer may write a statement, or `my_statement` anew."""

    winners: tuple[PowerCard, ...]
    scores: tuple[ScoreView, ...]
    statements: tuple[StatementView, ...]
    may_state: bool
    my_statement: str
