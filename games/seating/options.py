"""Who may join a game, how the powers are given, when it starts, and what becomes of a silent player's seat."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from games.deadlines.options import LONGEST_SECONDS
from games.kernel.days import DAY, HOUR, MINUTE
from games.kernel.forms import OneOf, Pick, Radio
from games.kernel.game_options import Heading, Options, Section, ZeroOr, option
from games.kernel.parts import Term
from games.kernel.wording import length_in_words
from games.seating.reliability import WHOLE
from variants.variant import Variant


class Seats(StrEnum):
    """How the powers are given to the players."""

    CHOICE = "choice"
    RANDOM = "random"
    PREFERENCES = "preferences"


SEAT_TEXTS = {
    Seats.CHOICE: ("Seats by choice", "Everybody takes a power that is free; who comes first chooses first."),
    Seats.RANDOM: ("Seats by lot", "The powers are drawn by lot before the first turn."),
    Seats.PREFERENCES: (
        "Seats by wish lists",
        "Everybody may rank the powers, and nobody else ever sees the list. Before the first turn the powers are dealt "
        "so that all together come as near to their wishes as can be; among equally good deals the lot decides.",
    ),
}
"""Title and explanation of each."""

PERCENTAGES = (50, 75, 90, 95)
NEWCOMERS = "A player with few phases so far is new, not unreliable, and may join all the same."
MOST_MISSES = 5
SLOW_SECONDS, SLOW_ROLL_CALL_SECONDS = 12 * HOUR, 3 * DAY


class Entrance(Options):
    section = Section.JOINING
    heading = Heading.JOINING
    title = "Who may join"

    approval: bool = option(
        False,
        help_text="Who wants to join asks the game master first. Only the two of them see the request.",
        asked_as="entrance",
        asked=OneOf(
            "Who may join",
            (
                Radio(
                    "open",
                    "Everybody",
                    "The game stands in the lobby; anybody may watch it and take a seat.",
                    {"by_invitation": False, "approval": False},
                ),
                Radio(
                    "approval",
                    "Whoever you let in",
                    "The game stands in the lobby and anybody may watch it. Who wants to play asks you first.",
                    {"by_invitation": False, "approval": True},
                ),
                Radio(
                    "invitation",
                    "By invitation link",
                    "Only people with the link see the game and may join it.",
                    {"by_invitation": True},
                ),
            ),
        ),
    )

    def sentence(self) -> str:
        if self.whole.by_invitation:
            sentence = "Only people with the invitation link see the game and may join it."
        elif self.approval:
            return "Everybody may watch the game. Who wants to play asks the game master, who says yes or no."
        else:
            sentence = "Everybody may watch the game and join it while there is room."
        return f"{sentence} The game master must say yes as well." if self.approval else sentence


class Reliable(Options):
    section = Section.JOINING
    heading = Heading.JOINING
    title = "Reliability"
    last_in_section = True

    least_reliability: int = option(
        0,
        help_text=(
            "Of all phases in which a player had something to decide, how many in a hundred were met, over all games "
            "here."
        ),
        allowed=range(WHOLE + 1),
        wrong=f"The least reliability must be between 0 and {WHOLE} per cent.",
        asked=Pick(
            "Least reliability",
            [(0, "None"), *((figure, f"{figure} % of phases met") for figure in PERCENTAGES)],
            0,
            required=False,
        ),
    )
    newcomers_welcome: bool = option(
        True,
        help_text=NEWCOMERS,
        asked_as="newcomers",
        asked=OneOf(
            "New players, where reliability is wanted",
            (
                Radio("welcome", "Welcome", NEWCOMERS, True),
                Radio("not", "Not in this game", "Only players who have shown that they keep up.", False),
            ),
        ),
    )

    def sentence(self) -> str:
        if not self.least_reliability:
            return ""
        new = "New players are welcome." if self.newcomers_welcome else "New players cannot join."
        return f"Players who have met at least {self.least_reliability} % of their phases, over all games here. {new}"


class Dealing(Options):
    section = Section.JOINING
    heading = Heading.JOINING
    facts = ("seats_title",)

    seats: str = option(
        Seats.CHOICE.value,
        help_text="How the powers are given to the players.",
        allowed=tuple(Seats),
        wrong=f"The seats must be one of: {', '.join(Seats)}.",
        asked=OneOf("How the powers are given", tuple(Radio(key.value, *texts) for key, texts in SEAT_TEXTS.items())),
    )

    @property
    def seats_title(self) -> str:
        """How the powers are given to the players, in a few words."""
        return SEAT_TEXTS[Seats(self.seats)][0]

    def terms(self) -> Iterable[Term]:
        yield Term(self.heading, *SEAT_TEXTS[Seats(self.seats)])


def _by_pace(values: Mapping[str, Any], _variant: Variant | None) -> int:
    """A slow game calls the roll, a live one starts when it is full."""
    return SLOW_ROLL_CALL_SECONDS if values["movement_seconds"] >= SLOW_SECONDS else 0


class Start(Options):
    section = Section.JOINING
    heading = Heading.JOINING
    title = "The start"

    roll_call_seconds: int = option(
        0,
        help_text=(
            "When the game is full, everybody must say in this time that they are there; then it starts. Who does not "
            "say so loses the place, and it is open again. 0: the game starts as soon as it is full."
        ),
        allowed=ZeroOr(range(5 * MINUTE, LONGEST_SECONDS + 1)),
        wrong="The time to confirm must be between 5 minutes and 14 days.",
        left_empty=_by_pace,
        asked_as="roll_call",
        asked=OneOf(
            "Before the first turn",
            (
                Radio(
                    "pace",
                    "As the pace says",
                    "In a slow game everybody has 3 days to confirm. A live evening starts as soon as it is full.",
                    None,
                ),
                Radio("day", "Everybody has 1 day to confirm", means=DAY),
                Radio("three", "Everybody has 3 days to confirm", means=3 * DAY),
                Radio("week", "Everybody has a week to confirm", means=7 * DAY),
                Radio("none", "Start as soon as the game is full", "Nobody is asked once more.", 0),
            ),
        ),
    )

    def sentence(self) -> str:
        """What happens between the last one joining and the first turn."""
        if not self.roll_call_seconds:
            return "The game starts as soon as it is full, or when the game master starts it."
        return (
            f"When the game is full, everybody has {length_in_words(self.roll_call_seconds)} to confirm, and it starts "
            "when all have. Who does not confirm loses the place, and it is open again."
        )


class Vacancies(Options):
    section = Section.VACANCIES
    heading = Heading.JOINING
    title = "Vacant seats"

    vacant_after: int = option(
        0,
        help_text=(
            "Who has something to decide and saves nothing, so many phases in a row, loses the seat. It is vacant "
            "then, and anybody who may join the game may take it. 0: nobody loses a seat like that."
        ),
        allowed=range(MOST_MISSES + 1),
        wrong=f"A seat may become vacant after 1 to {MOST_MISSES} phases, or never (0).",
        asked=OneOf(
            "Who saves nothing loses the seat",
            (
                Radio(
                    "2",
                    "After 2 phases in a row",
                    "The seat is vacant then. Anybody who may join the game may take it, with a full phase to write.",
                    2,
                ),
                Radio("1", "After 1 phase", means=1),
                Radio("3", "After 3 phases in a row", means=3),
                Radio("never", "Never by itself", "You may still take a player out and ask somebody else in.", 0),
            ),
        ),
    )

    def sentence(self) -> str:
        if not self.vacant_after:
            return ""
        return (
            f"Who has something to decide and saves nothing {misses_in_words(self.vacant_after)} loses the seat, which "
            "counts as abandoning the game. It is vacant then, and anybody who may join the game may take it."
        )


def misses_in_words(phases: int) -> str:
    return "in one phase" if phases == 1 else f"in {phases} phases in a row"
