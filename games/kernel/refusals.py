"""Why a service refuses, each with a sentence for the person who asked.

Refusal
├── NotAllowed       it is not this person's right
├── WrongMoment      the game or the phase is not in a state for it
│   └── OpenedAgain  the phase that was meant was undone, and opened anew since
├── SeatTaken        somebody sits there, or the person sits elsewhere in the game
├── UnknownPlayer    no account of that name
├── BadGame          a game cannot be created like that; `problems` by field
├── BadMessage       a message that cannot be sent as it is
├── TooOften         too many of them in too short a time
├── BadReason        an act that everybody is told the reason of has none, or too long a one
├── BadRepair        an order or a position cannot be put right like that
├── BadProposal      an end that this game does not allow, or that is proposed already
├── BadSheet         the sheet has mistakes; nothing was stored; `sheet` is what was sent, with its `problems` by line
└── TooLate          the deadline has passed; `receipt` says what did count
"""

from collections.abc import Mapping


class Refusal(Exception):
    """`sentence` says what is wrong and what is allowed."""

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


class BadGame(Refusal):
    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = dict(problems)


class BadMessage(Refusal):
    pass


class TooOften(Refusal):
    pass


class BadReason(Refusal):
    pass


class BadRepair(Refusal):
    pass


class BadProposal(Refusal):
    pass
