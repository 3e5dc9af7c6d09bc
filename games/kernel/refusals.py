"""Why a service refuses, with a sentence for the user who asked.

Refusal
├── NotAllowed       this user has no right to it
├── WrongMoment      the game or the phase is not in a state for it
│   └── OpenedAgain  the phase in question was undone and has been opened again
├── SeatTaken        the seat is taken, or the user has another in the game
├── UnknownPlayer    there is no account with that name
├── BadInput         what was sent is not as it may be; `problems` by field
│   └── BadGame      a game cannot be created in this way
├── BadMessage       a message that cannot be sent as it is
├── Unconfirmed      it has consequences that the user has not confirmed: they are `effect`, and `mark` confirms them
├── TooOften         too many requests in too short a time; `wait` so many seconds
├── BadReason        an action with a public reason has none, or one that is too long
├── BadRepair        an order or a position cannot be corrected in this way
├── BadFile          a file that is not a game we can add; nothing was stored
├── BadProposal      an end that this game does not allow, or that is already proposed
├── BadSheet         the orders have mistakes; nothing was stored; `sheet` is what was sent, with `problems` by line
├── NewerOrders      other orders have been saved since their writer looked; nothing was stored; `receipt` is of those
└── TooLate          the deadline has passed; `receipt` says what counted instead
"""

from collections.abc import Mapping
from typing import Any


class Refusal(Exception):
    """A service refuses. `sentence` says what is wrong and what is allowed."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class NotAllowed(Refusal):
    pass


class WrongMoment(Refusal):
    pass


class OpenedAgain(WrongMoment):
    pass


class SeatTaken(Refusal):
    pass


class UnknownPlayer(Refusal):
    pass


class BadInput(Refusal):
    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(map(str, problems.values())))
        self.problems = dict(problems)


class BadGame(BadInput):
    pass


class BadMessage(Refusal):
    pass


class Unconfirmed(Refusal):
    def __init__(self, sentence: str, mark: str, effect: Any) -> None:
        super().__init__(sentence)
        self.mark, self.effect = mark, effect


class TooOften(Refusal):
    def __init__(self, sentence: str, wait: int = 60) -> None:
        super().__init__(sentence)
        self.wait = wait


class BadReason(Refusal):
    pass


class BadRepair(Refusal):
    pass


class BadProposal(Refusal):
    pass
