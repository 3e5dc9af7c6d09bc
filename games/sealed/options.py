"""Which orders and bids may be shown to anyone but the player who wrote them, and when."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from adjudication.auction import budget
from games.kernel.game_options import Fixed, Heading, Options, Section, option, problem_if
from games.kernel.languages import later
from games.kernel.options import Master
from games.kernel.parts import Term
from variants.variant import Variant

PREVIEWS = later(
    "Before a phase ends, the game master can preview the result of the orders saved so far, without bids. "
    "Each preview is recorded in the public log."
)
PREVIEWS_WITHOUT_MINORS = later(
    "Previews leave out what bids buy: they show no orders of minor powers, whose units hold in them."
)
LOOKS = later(
    "The game master can look at the bids from past phases. Each time they do so, it is recorded in the public log. "
    "Only those who enter orders for a player see that player’s bids for the current phase."
)
BLIND = later(
    "The game master can’t look at bids. Only those who enter orders for a player ever see that player’s bids."
)


ENTERED = later(
    "If a player agrees, the game master can see and enter that player’s orders for the current phase, as a sitter "
    "can. The player sees which orders the game master entered, and can withdraw the agreement at any time."
)


def has_bids(variant: Variant) -> bool:
    """Do players of this variant bid points? The start position tells us, because every power has an income then."""
    return any(budget(power.id, variant.start, variant.ruleset) for power in variant.powers)


class Previews(Options, section=Section.MASTER, heading=Heading.MASTER, title=later("Previews")):
    gm_previews: bool = option(False, shown="allowed", fixed=Fixed.NEVER, reveals=True)

    @property
    def allowed(self) -> bool:
        """Can the game master preview the result of an open phase?"""
        return self.gm_previews and not self.whole[Master].gm_plays

    def problems(self) -> Iterable[tuple[str, str]]:
        sentence = _("Only a game master who isn’t playing can preview results. Choose one or the other.")
        return problem_if(self.gm_previews and not self.allowed, "gm_previews", sentence)

    def sentence(self) -> str:
        if not self.allowed:
            return ""
        return f"{PREVIEWS} {PREVIEWS_WITHOUT_MINORS}" if self.whole[SeeingBids].blind else PREVIEWS


class EnteredOrders(Options, section=Section.MASTER, heading=Heading.MASTER, title=later("Entering orders")):
    gm_enters_orders: bool = option(False, shown="allowed")

    @property
    def allowed(self) -> bool:
        """Can the game master enter orders for players who agree?"""
        return self.gm_enters_orders and not self.whole[Master].gm_plays

    def problems(self) -> Iterable[tuple[str, str]]:
        sentence = _("Only a game master who isn’t playing can enter orders for players. Choose one or the other.")
        return problem_if(self.gm_enters_orders and not self.allowed, "gm_enters_orders", sentence)

    def sentence(self) -> str:
        return ENTERED if self.allowed else ""


SAVED = later(
    "While a phase is open, the game master sees which players have saved orders, yes or no and never what or how "
    "much, and which have read the last announcement. They can have the players who haven’t saved reminded."
)


class SeeingWhoSaved(Options, section=Section.MASTER, heading=Heading.MASTER, title=later("Missing orders")):
    gm_sees_saved: bool = option(False, shown="seen_by_gm", fixed=Fixed.NEVER, reveals=True)

    @property
    def seen_by_gm(self) -> bool:
        """Can the game master see who has saved orders for the open phase?"""
        return self.gm_sees_saved and not self.whole[Master].gm_plays

    def problems(self) -> Iterable[tuple[str, str]]:
        sentence = _("Only a game master who isn’t playing can see who has saved orders. Choose one or the other.")
        return problem_if(self.gm_sees_saved and not self.seen_by_gm, "gm_sees_saved", sentence)

    def sentence(self) -> str:
        return SAVED if self.seen_by_gm else ""


class SeeingBids(
    Options, section=Section.MASTER, heading=Heading.BIDS, title=later("During the game"), facts=("bids",)
):
    gm_sees_bids: bool = option(True, shown="allowed", fixed=Fixed.NEVER, reveals=True)

    @property
    def bids(self) -> bool:
        """Are points bid in this variant?"""
        return self.whole.variant is not None and has_bids(self.whole.variant)

    @property
    def allowed(self) -> bool:
        """Can the game master see the bids of closed phases?"""
        return self.gm_sees_bids and not self.whole[Master].gm_plays

    @property
    def blind(self) -> bool:
        """Are there bids, and does the game master never see them?"""
        return self.bids and not self.allowed

    def sentence(self) -> str:
        if not self.bids:
            return ""
        return BLIND if self.blind else LOOKS


CORRECTIONS = later(
    "The game master can correct the bids of a past phase together with its orders, and sees the bids first. The "
    "public log says each time whose bids were corrected and why, but not what they were."
)


class BidCorrections(Options, section=Section.MASTER, heading=Heading.BIDS, title=later("Corrections")):
    gm_corrects_bids: bool = option(False, shown="allowed")

    @property
    def allowed(self) -> bool:
        """Can the game master correct the bids of closed phases?"""
        return self.gm_corrects_bids and self.whole[SeeingBids].allowed

    def problems(self) -> Iterable[tuple[str, str]]:
        sentence = _(
            "Only a game master who isn’t playing and may look at bids can correct them. Allow both, or neither."
        )
        return problem_if(self.gm_corrects_bids and not self.allowed, "gm_corrects_bids", sentence)

    def sentence(self) -> str:
        return CORRECTIONS if self.allowed and self.whole[SeeingBids].bids else ""


class BidsAtEnd(
    Options, section=Section.MASTER, heading=Heading.BIDS, title=later("After the game"), facts=("published_at_end",)
):
    open_bids_at_end: bool = option(False, fixed=Fixed.NEVER, reveals=True)

    @property
    def published_at_end(self) -> str:
        """What becomes of saved orders and bids when the game ends, in a sentence; "" if there is nothing to tell."""
        bids = self.whole[SeeingBids].bids
        if self.open_bids_at_end:
            return (
                _("Everything saved for the phases played, including every bid, is published at the end of the game.")
                if bids
                else _("Everything saved for the phases played is published at the end of the game.")
            )
        return _("Bids are never published, not even after the game.") if bids else ""

    def sentence(self) -> str:
        return self.published_at_end

    def terms(self) -> Iterable[Term]:
        """The terms about bids; without bids, the sentence about saved orders, as a term about the end."""
        if self.whole[SeeingBids].bids:
            return super().terms()
        return (Term(Heading.ENDING, _("Saved orders"), str(self.sentence())),) if self.open_bids_at_end else ()
