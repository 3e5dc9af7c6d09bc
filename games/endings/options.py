"""Which endings players may agree on, whether their votes are secret, and how the game master may end a game."""

from collections.abc import Iterable
from enum import StrEnum

from django.utils.translation import gettext as _

from games.kernel.fields import OneOf, Radio
from games.kernel.game_options import Fixed, Heading, Options, Section, option, problem_if
from games.kernel.languages import later
from games.kernel.options import Master


class Draws(StrEnum):
    """Which draws players may agree on."""

    ANY = "any"
    ALL = "all"
    NONE = "none"


DRAW_TEXTS = {
    Draws.ANY: (
        later("Any powers may share the result"),
        later(
            "The remaining powers may agree on a draw between any of them or concede the game to one or more powers."
        ),
    ),
    Draws.ALL: (
        later("Draws only among all remaining powers"),
        later("The remaining powers may agree on a draw between all of them or concede the game to one power."),
    ),
    Draws.NONE: (
        later("No draws by agreement"),
        later("Players can’t agree on a draw, but the remaining powers may concede the game to one power."),
    ),
}
"""Title and explanation of each."""

OPEN_VOTES = later("Votes are open: everyone sees who agrees and who refuses.")
HIDDEN_VOTES = later("Votes are secret: no one learns who has agreed, or how many have, until all have.")


class Agreement(Options, section=Section.ENDING, heading=Heading.ENDING, title=later("By agreement")):
    draws: str = option(
        Draws.ANY.value,
        allowed=tuple(Draws),
        asked=OneOf(
            later("Ending the game by agreement"),
            tuple(Radio(draws.value, *texts) for draws, texts in DRAW_TEXTS.items()),
        ),
        fixed=Fixed.NEVER,
    )
    open_votes: bool = option(False)

    def sentence(self) -> str:
        votes = OPEN_VOTES if self.open_votes else HIDDEN_VOTES
        enough = _("No proposal can pass while at least half of the remaining powers have no player.")
        return f"{DRAW_TEXTS[Draws(self.draws)][1]} {votes} {enough}"


class Outcome(StrEnum):
    """How a game ends if the game master closes it while it is under way."""

    DRAW = "draw"
    SOLO = "solo"
    CONCESSION = "concession"
    VOID = "void"


OUTCOMES = later(
    "A game master who closes the game says how it ends: a win for one power, a draw, a concession, or void. A void "
    "game counts for no one, not even in anyone’s reliability."
)
DRAW_OF_ALL = later("If the game master closes the game, it ends in a draw between all powers that have a unit.")


class Closing(Options, section=Section.ENDING, heading=Heading.MASTER, title=later("Closing the game")):
    gm_outcomes: bool = option(False, fixed=Fixed.NEVER)

    def problems(self) -> Iterable[tuple[str, str]]:
        sentence = _("A game master who plays can’t say how the game ends. Untick this, or only run the game.")
        return problem_if(self.gm_outcomes and self.whole[Master].gm_plays, "gm_outcomes", sentence)

    def sentence(self) -> str:
        return OUTCOMES if self.gm_outcomes else DRAW_OF_ALL
