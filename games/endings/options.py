"""Which endings players may agree on, and who sees their votes."""

from enum import StrEnum

from games.kernel.forms import OneOf, Radio
from games.kernel.game_options import Heading, Options, Section, option


class Draws(StrEnum):
    """Which endings that several powers share may be agreed."""

    ANY = "any"
    ALL = "all"
    NONE = "none"


DRAW_TEXTS = {
    Draws.ANY: (
        "Any powers may share the end",
        "All who are left may agree on a draw among any of them, or concede the game to one power or to several.",
    ),
    Draws.ALL: (
        "Only all powers that are left may draw",
        "All who are left may agree on a draw among all of them, or concede the game to one power.",
    ),
    Draws.NONE: (
        "No draws by agreement",
        "Nobody shares the end by agreement. All who are left may concede the game to one power.",
    ),
}
"""Title and explanation of each."""


class Agreement(Options):
    section = Section.ENDING
    heading = Heading.ENDING
    title = "By agreement"

    draws: str = option(
        Draws.ANY.value,
        help_text="Which endings that several powers share may be agreed by all who are left.",
        allowed=tuple(Draws),
        wrong=f"The draws must be one of: {', '.join(Draws)}.",
        asked=OneOf(
            "Ending the game by agreement", tuple(Radio(draws.value, *texts) for draws, texts in DRAW_TEXTS.items())
        ),
    )
    open_votes: bool = option(
        False,
        help_text=(
            "Everybody sees who has agreed to which proposal. Without this nobody learns who has agreed, or how many."
        ),
        asked_as="end_votes",
        asked=OneOf(
            "Votes on such an end",
            (
                Radio("secret", "Secret", "Nobody learns who has agreed, or how many, until all have.", False),
                Radio("open", "Open", "Everybody sees who has agreed to what and who has refused.", True),
            ),
        ),
    )

    def sentence(self) -> str:
        votes = (
            "Everybody sees who agrees."
            if self.open_votes
            else "Votes are secret: nobody learns who agrees, or how many."
        )
        enough = "Nothing can be agreed while half of the powers that are left, or more, are vacant."
        return f"{DRAW_TEXTS[Draws(self.draws)][1]} {votes} {enough}"
