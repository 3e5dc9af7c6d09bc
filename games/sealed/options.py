"""Which sheets may be opened to others than their writers, and when."""

from collections.abc import Iterable

from adjudication.auction import budget
from games.kernel.forms import OneOf, Radio, Tick
from games.kernel.game_options import Heading, Options, Section, option
from games.kernel.options import Master
from games.kernel.parts import Term
from variants.variant import Variant


def has_bids(variant: Variant) -> bool:
    """Do players of this variant bid points? The start position tells, where everybody has an income."""
    return any(budget(power.id, variant.start, variant.ruleset) for power in variant.powers)


class Previews(Options):
    section = Section.MASTER
    heading = Heading.MASTER
    title = "Previews"

    gm_previews: bool = option(
        False,
        help_text=(
            "A game master who does not play may look at what the orders saved so far would lead to, before the phase "
            "ends. Each look stands in the public log. Without this nobody knows anything of them beforehand."
        ),
        shown="allowed",
        asked=Tick("Let me look beforehand", legend="Looking beforehand"),
        asked_help=(
            "Only if you do not play. Before a phase ends you may look at what the orders saved so far would lead to. "
            "Each look stands in the public log, and everybody knows this before joining."
        ),
    )

    @property
    def allowed(self) -> bool:
        """May the game master see what an open phase would come to?"""
        return self.gm_previews and not self.whole[Master].gm_plays

    def problems(self) -> Iterable[tuple[str, str]]:
        if self.gm_previews and not self.allowed:
            yield ("gm_previews", "Only a game master who does not play may look beforehand. Choose one of the two.")

    def sentence(self) -> str:
        if not self.allowed:
            return ""
        return (
            "The game master may look at what the orders saved so far would lead to, before the phase ends. "
            "Each look stands in the public log."
        )


class Looks(Options):
    section = Section.MASTER
    heading = Heading.BIDS
    title = "During the game"
    facts = ("bids",)

    gm_sees_bids: bool = option(
        True,
        help_text=(
            "A game master who does not play may look at the bids of closed phases; every look is written "
            "into the public log. Without this the game master is blind to bids."
        ),
        shown="allowed",
        asked_as="bids_for_gm",
        asked=OneOf(
            "Bids during the game, where the variant has Diplomacy Points",
            (
                Radio(
                    "sees",
                    "The game master may look at the bids of closed phases",
                    "Only if the game master does not play. Each look is written into the game's public log. "
                    "Bids of the open phase stay closed to everybody.",
                    True,
                ),
                Radio("blind", "Blind game master", "Nobody ever sees another's bids, you neither.", False),
            ),
        ),
    )

    @property
    def bids(self) -> bool:
        """Are points bid in this variant?"""
        return self.whole.variant is not None and has_bids(self.whole.variant)

    @property
    def allowed(self) -> bool:
        """May the game master see bids of closed phases?"""
        return self.gm_sees_bids and not self.whole[Master].gm_plays

    def sentence(self) -> str:
        if not self.bids:
            return ""
        if self.allowed:
            return "The game master may look at the bids of closed phases; every look is in the public log."
        return "Nobody but their owners sees bids, also not the game master."


class BidsAtEnd(Options):
    section = Section.MASTER
    heading = Heading.BIDS
    title = "After the end"

    open_bids_at_end: bool = option(
        False,
        help_text=(
            "All sheets of the phases played are published whole when the game ends, with every bid on them. Without "
            "this they stay sealed for ever."
        ),
        asked_as="bids_at_end",
        asked=OneOf(
            "Sheets and bids after the end",
            (
                Radio("sealed", "Sealed for ever", "Who paid for what stays a secret when the game is over.", False),
                Radio(
                    "opened",
                    "Opened when the game ends",
                    "All sheets are published whole at the end: every bid on them, and every line that came to "
                    "nothing. Everybody can then check each result.",
                    True,
                ),
            ),
        ),
    )

    def sentence(self) -> str:
        if not self.open_bids_at_end:
            return "Bids stay sealed for ever."
        return "All sheets of the phases played are published whole when the game ends, with all that stands on them."

    def terms(self) -> Iterable[Term]:
        """Where no points are bid, there is only to say of sheets that they are opened."""
        if self.whole[Looks].bids:
            return super().terms()
        return (Term(Heading.ENDING, "Sheets", self.sentence()),) if self.open_bids_at_end else ()
