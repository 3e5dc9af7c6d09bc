"""The kernel's own options: whether the game master plays, and whether players are anonymous."""

from games.kernel.forms import OneOf, Radio, Tick
from games.kernel.game_options import Heading, Options, Section, option


class Master(Options):
    section = Section.MASTER
    heading = Heading.MASTER
    title = "Playing"

    gm_plays: bool = option(
        False,
        help_text="The game master takes a seat like everyone else, and can never see other players’ bids.",
        asked_as="part",
        asked=OneOf(
            "You",
            (
                Radio(
                    "plays", "I play", "You take a seat like everyone else, and never see other players’ bids.", True
                ),
                Radio(
                    "runs",
                    "I only run the game",
                    "You start and pause the game, extend deadlines and find replacements.",
                    False,
                ),
            ),
        ),
    )

    def sentence(self) -> str:
        return "The game master is also a player." if self.gm_plays else "The game master does not play."


ANONYMOUS = "No one is told who plays which power until the game is over."


class Names(Options):
    """The option about names; the terms mention it with the messages."""

    section = Section.TALK

    hidden_names: bool = option(
        False,
        help_text=f"{ANONYMOUS} Only a game master who isn’t playing can see the names.",
        asked=Tick("Anonymous players"),
        by_hand=True,
    )

    @property
    def seen_by_gm(self) -> bool:
        """Can the game master see who plays which power, even in an anonymous game?"""
        return not (self.hidden_names and self.whole[Master].gm_plays)
