"""The kernel's own options: whether the game master plays, whether players are anonymous, and bots in seats."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from games.kernel.fields import OneOf, Pick, Radio
from games.kernel.game_options import Fixed, Heading, Options, Section, option
from games.kernel.languages import later, later_as, later_by
from variants.bots import Level


class Master(Options, section=Section.MASTER, heading=Heading.MASTER, title=later("Playing")):
    gm_plays: bool = option(False, fixed=Fixed.JOINED)

    def sentence(self) -> str:
        return _("The game master is also a player.") if self.gm_plays else _("The game master does not play.")


ANONYMOUS = later("No one is told who plays which power until the game is over.")


class Names(Options, section=Section.TALK):
    """The option that hides players' names; the terms mention it with the messages."""

    hidden_names: bool = option(False)

    @property
    def seen_by_gm(self) -> bool:
        """Can the game master see who plays which power, even in an anonymous game?"""
        return not (self.hidden_names and self.whole[Master].gm_plays)


MOST_BOTS = 9
LEVELS = {
    Level.EASY: (later_as("a level of bots", "Easy"), later("Takes what is near: good for a first game.")),
    Level.MEDIUM: (later_as("a level of bots", "Medium"), later("Considers what the others may do.")),
    Level.STRONG: (later_as("a level of bots", "Strong"), later("Considers more, for a few seconds.")),
}
"""Title and explanation of each level of bots."""
PLAY = {
    Level.EASY: later_by(
        "{count} easy bot plays in this game; it takes its seat when people have taken the others.",
        "{count} easy bots play in this game; they take their seats when people have taken the others.",
        "count",
    ),
    Level.MEDIUM: later_by(
        "{count} medium bot plays in this game; it takes its seat when people have taken the others.",
        "{count} medium bots play in this game; they take their seats when people have taken the others.",
        "count",
    ),
    Level.STRONG: later_by(
        "{count} strong bot plays in this game; it takes its seat when people have taken the others.",
        "{count} strong bots play in this game; they take their seats when people have taken the others.",
        "count",
    ),
}
GIVE_WAY = later("Anyone who may join the game can take over a bot’s seat later, as if it were vacant.")
MANNERS = later("Bots read no messages, and agree to any end that all players with a vote agree on.")
STAY = later("Bots that play from the start keep their seats.")


class Bots(Options, section=Section.JOINING, heading=Heading.JOINING, title=later("Bots"), last_under_heading=True):
    bots: int = option(
        0,
        allowed=range(MOST_BOTS + 1),
        asked=Pick(
            later("Seats for bots"),
            [(0, later_as("bots", "None")), *((n, str(n)) for n in range(1, MOST_BOTS + 1))],
            0,
            required=False,
        ),
        fixed=Fixed.JOINED,
    )
    bot_level: str = option(
        Level.EASY.value,
        allowed=tuple(Level),
        asked=OneOf(later("How well bots play"), tuple(Radio(key.value, *texts) for key, texts in LEVELS.items())),
        fixed=Fixed.NEVER,
    )
    bots_leave: bool = option(True)

    def places(self, seats: int) -> int:
        """How many of this many seats are for people."""
        return seats - self.bots

    def problems(self) -> Iterable[tuple[str, str]]:
        variant = self.whole.variant
        if variant is not None and self.bots >= variant.players:
            told = _("{variant} has {count} powers, so bots can play at most {most}.")
            yield "bots", told.format(variant=variant.title, count=variant.players, most=variant.players - 1)

    def sentence(self) -> str:
        if not self.bots:
            return ""
        play = PLAY[Level(self.bot_level)].format(count=self.bots)
        return f"{play} {GIVE_WAY if self.bots_leave else STAY} {MANNERS}"


OWN_BOTS = later(
    "Players may let programs of their own play their seats. Everyone sees which seats these are, even if players are "
    "anonymous."
)


class OwnBots(
    Options, section=Section.JOINING, heading=Heading.JOINING, title=later("Players’ own bots"), last_under_heading=True
):
    own_bots: bool = option(False, fixed=Fixed.NEVER)

    def sentence(self) -> str:
        return OWN_BOTS if self.own_bots else ""
