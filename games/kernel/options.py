"""Who the game master and the players are to each other: options that the kernel obeys."""

from games.kernel.forms import OneOf, Radio, Tick
from games.kernel.game_options import Heading, Options, Section, option


class Master(Options):
    section = Section.MASTER
    heading = Heading.MASTER
    title = "Part in the game"

    gm_plays: bool = option(
        False,
        help_text="The game master takes a seat like everybody else, and then may never look at bids.",
        asked_as="part",
        asked=OneOf(
            "You",
            (
                Radio("plays", "I play", "You take a seat like everybody else, and never see anybody's bids.", True),
                Radio(
                    "runs", "I only run it", "You start, extend, pause and find replacements, and do not play.", False
                ),
            ),
        ),
    )

    def sentence(self) -> str:
        return "The game master plays as well." if self.gm_plays else "The game master does not play."


ANONYMOUS = "No one is told who plays which power until the game is over."


class Names(Options):
    """The option about names; the terms tell it with the messages."""

    section = Section.TALK

    hidden_names: bool = option(
        False,
        help_text=f"{ANONYMOUS} Only a game master who does not play can see the names.",
        asked=Tick("Anonymous players, with any kind of press"),
        by_hand=True,
    )

    @property
    def seen_by_gm(self) -> bool:
        """Can the game master see who plays which power, even in an anonymous game?"""
        return not (self.hidden_names and self.whole[Master].gm_plays)
