"""What the game master may do, and the people for the seats."""

from collections.abc import Mapping
from dataclasses import dataclass

from games.kernel.parts import PhaseHead
from games.seating.parts import GmMarket, RequestView


@dataclass(frozen=True, slots=True)
class GmPowers:
    """What the game master may do now, by the names of `games.mastering.rules`: `seats` says to which powers, `phases`
    with which closed phases, the newest first."""

    may: tuple[str, ...]
    seats: Mapping[str, tuple[str, ...]]
    phases: Mapping[str, tuple[PhaseHead, ...]]
    requests: tuple[RequestView, ...]
    invitation: str


@dataclass(frozen=True, slots=True)
class GmPeople:
    """`successor` is asked to be the next game master, "" if nobody is or this cannot be taken back."""

    market: GmMarket
    successor: str
    may_hand_over: bool
