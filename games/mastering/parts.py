"""What the game master may do, and players for the seats."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from games.history.parts import OutcomeView
from games.kernel.marks import InApi
from games.kernel.parts import AssistantView, PhaseHead
from games.seating.parts import GmMarket, RequestView


@dataclass(frozen=True, slots=True)
class GmPowers:
    """What you may do as the game master at this moment.

    Acts have the names that they have in `games.mastering.rules`.
    """

    may: Annotated[tuple[str, ...], InApi("The names of acts, as in “pause”.")]
    seats: Annotated[Mapping[str, tuple[str, ...]], InApi("By act: the powers it can be done to.")]
    phases: Annotated[
        Mapping[str, tuple[PhaseHead, ...]], InApi("By act: the closed phases it can be done to, newest first.")
    ]
    requests: Annotated[tuple[RequestView, ...], InApi("Those who ask to join.")]
    invitation: Annotated[str, InApi("The token of the invitation link; empty without one.")]


@dataclass(frozen=True, slots=True)
class Member:
    """A player who has joined a game that has not started; `power` is the name of theirs, "" if it is not assigned."""

    name: str
    power: str


@dataclass(frozen=True, slots=True)
class SideToCorrect:
    """A power whose orders for a closed phase can be corrected, or the minor powers, with what was published."""

    power: str
    name: str
    outcomes: tuple[OutcomeView, ...]


@dataclass(frozen=True, slots=True)
class GmPeople:
    """`members`: those whom the game master may remove before the start. `successor` has been asked to be the next game
    master; "" if no one has, or the request can't be withdrawn."""

    market: GmMarket
    members: tuple[Member, ...]
    successor: str
    may_hand_over: bool
    assistants: tuple[AssistantView, ...]
    may_name_assistant: bool
    may_dismiss: bool
    may_step_down: bool
