"""The kernel's own options: whether the game master plays, whether players are anonymous, and bots in seats."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from games.kernel.fields import OneOf, Pick, Radio
from games.kernel.game_options import Fixed, Heading, Options, Section, option
from games.kernel.languages import later
from variants.bots import Level
from variants.words.english import amount


class Master(Options, section=Section.MASTER, heading=Heading.MASTER, title="Playing"):
    gm_plays: bool = option(False, fixed=Fixed.JOINED)

    def sentence(self) -> str:
        return _("The game master is also a player.") if self.gm_plays else _("The game master does not play.")


ANONYMOUS = later("No one is told who plays which power until the game is over.")


class Names(Options, section=Section.TALK):
    """The option about names; the terms mention it with the messages."""

    hidden_names: bool = option(False)

    @property
    def seen_by_gm(self) -> bool:
        """Can the game master see who plays which power, even in an anonymous game?"""
        return not (self.hidden_names and self.whole[Master].gm_plays)


MOST_BOTS = 9
LEVELS = {
    Level.EASY: ("Easy", later("They take what is near. Good opponents for a first game.")),
    Level.MEDIUM: ("Medium", later("They consider what the others may do.")),
    Level.STRONG: ("Strong", later("They consider more, for a few seconds each.")),
}
"""Title and explanation of each level of bots."""
GIVE_WAY = later("Anyone who may join the game can take over a bot’s seat later, as if it were vacant.")
MANNERS = later("Bots read no messages, and agree to any end that all players with a vote agree on.")
STAY = later("Bots that play from the start keep their seats.")


class Bots(Options, section=Section.JOINING, heading=Heading.JOINING, title="Bots", last_under_heading=True):
    bots: int = option(
        0,
        allowed=range(MOST_BOTS + 1),
        asked=Pick(
            later("Seats for bots"), [(0, "None"), *((n, str(n)) for n in range(1, MOST_BOTS + 1))], 0, required=False
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
        """How many of so many seats are for people."""
        return seats - self.bots

    def problems(self) -> Iterable[tuple[str, str]]:
        variant = self.whole.variant
        if variant is not None and self.bots >= variant.players:
            yield (
                "bots",
                _("{variant} has {players} powers, so bots can play at most {players_2}.").format(
                    variant=variant.title, players=variant.players, players_2=variant.players - 1
                ),
            )

    def sentence(self) -> str:
        if not self.bots:
            return ""
        verb, them = ("plays", _("it takes its seat")) if self.bots == 1 else ("play", _("they take their seats"))
        return (
            f"{amount(self.bots, f'{self.bot_level} bot').capitalize()} {verb} in this game; {them} when people have "
            f"taken the others. {GIVE_WAY if self.bots_leave else STAY} {MANNERS}"
        )


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
