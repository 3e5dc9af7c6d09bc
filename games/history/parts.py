"""The position and what has happened in a game: powers, units, centres, relations and results."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from adjudication.orders import Hold, Waive
from adjudication.resolution import Notice, OrderOutcome
from games.kernel.marks import InApi
from games.kernel.parts import Explained, PhaseHead, WithFacts
from variants.words.english import listed
from variants.words.messages import term


@dataclass(frozen=True, slots=True)
class PowerPosition:
    """The units and centres of a power in words, for display.

    With factions a centre names its own, as in "Vienna (communist)".
    """

    power: Annotated[str, InApi("The id of the power; “NEUTRAL” for the minor powers.")]
    name: Annotated[str, InApi("Its name for display.")]
    letter: Annotated[str, InApi("The letter on its units; empty for minor powers.")]
    colour: Annotated[str, InApi("Its colour on the map.")]
    units: Annotated[tuple[str, ...], InApi("As in “A Mun”.")]
    centres: Annotated[tuple[str, ...], InApi("As in “Munich”.")]
    homes: Annotated[tuple[str, ...], InApi("Where it can build, as long as it owns them.")]


@dataclass(frozen=True, slots=True)
class StanceView:
    """A relation that two powers can have."""

    stance: Annotated[str, InApi("As in “war”.")]
    symbol: Annotated[str, InApi("How it is shown.")]


@dataclass(frozen=True, slots=True)
class RelationCell:
    """How a power stands to another."""

    other: Annotated[str, InApi("The id of the other power.")]
    other_name: Annotated[str, InApi("Its name for display.")]
    stance: Annotated[str, InApi("As in “war”; empty for a power to itself.")]
    symbol: Annotated[str, InApi("How it is shown.")]


@dataclass(frozen=True, slots=True)
class RelationRow:
    """How a power stands to all."""

    power: Annotated[str, InApi("The id of the power.")]
    name: Annotated[str, InApi("Its name for display.")]
    letter: Annotated[str, InApi("The letter on its units.")]
    colour: Annotated[str, InApi("Its colour on the map.")]
    cells: Annotated[tuple[RelationCell, ...], InApi("Its relation to every power.")]


@dataclass(frozen=True, slots=True)
class StanceLine:
    """The powers to which yours stands in one way."""

    stance: Annotated[str, InApi("As in “war”.")]
    symbol: Annotated[str, InApi("How it is shown.")]
    names: Annotated[tuple[str, ...], InApi("The names of the powers.")]


@dataclass(frozen=True, slots=True)
class RelationsView:
    """The relations of all powers, in variants that have declarations."""

    stances: Annotated[tuple[StanceView, ...], InApi("Those there are; first the one that all begin with.")]
    powers: Annotated[tuple[str, ...], InApi("The ids of the powers in the order of the rows.")]
    rows: Annotated[tuple[RelationRow, ...], InApi("One row for each power.")]
    mine: Annotated[
        tuple[StanceLine, ...], InApi("Those of your power, without the first stance; empty if you play none.")
    ]


@dataclass(frozen=True, slots=True)
class OutcomeView(Explained):
    """An order and what came of it.

    `order` may also be as in "BUILD CA VIE" or "DECLARE WAR FRANCE".
    """

    power: Annotated[str, InApi("The id of the power; “NEUTRAL” for minor powers.")]
    power_name: Annotated[str, InApi("Its name for display.")]
    text: Annotated[str, InApi("The order for people, as in “A Mun–Cze”.")]
    order: Annotated[str, InApi("The order for programs, as in “A MUN - CZE”.")]
    results: Annotated[
        tuple[str, ...],
        InApi(
            "What happened, in the words of the DATC: succeeds or fails (a move that bounces fails); given or "
            "cut, for a support; available or disrupted, for a convoy; stands or dislodged; destroyed; "
            "illegal or invalid, for an order that does not count. `sentence` says why."
        ),
    ]
    succeeded: Annotated[bool, InApi("It did what it was meant to do.")]
    sentence: Annotated[str, InApi("The reason in a sentence; empty if there is nothing to say.")]
    told: OrderOutcome

    @property
    def results_in_words(self) -> str:
        return "" if isinstance(self.told.order, Waive) else listed(map(term, self.results), ",")

    @property
    def held(self) -> bool:
        return self.succeeded and isinstance(self.told.order, Hold)


@dataclass(frozen=True, slots=True)
class NoticeView(WithFacts):
    """Something that happened without an order."""

    kind: Annotated[str, InApi("What kind of thing.")]
    power: Annotated[str | None, InApi("The id of the power it concerns; null for none.")]
    province: Annotated[str | None, InApi("The id of the province it concerns; null for none.")]
    sentence: Annotated[str, InApi("What happened.")]
    told: Notice


@dataclass(frozen=True, slots=True)
class SideResult:
    """What happened to a power, or to the minor powers (`power` "NEUTRAL"), in a closed phase. `mine`: it is the
    viewer's. `won` and `lost` supply centres, as in "Warsaw (from Poland)" and "Kiel (to France)". `notices`: what else
    happened to it without an order. `missed`: it had orders to enter but saved none. `bot`: the level of the
    bot that played it then and still does."""

    power: str
    name: str
    called: str
    letter: str
    colour: str
    mine: bool
    bot: str
    outcomes: tuple[OutcomeView, ...]
    won: tuple[str, ...]
    lost: tuple[str, ...]
    notices: tuple[str, ...]
    missed: bool

    @property
    def had_part(self) -> bool:
        """Did anything happen to this side?"""
        return bool(self.outcomes or self.won or self.lost or self.notices or self.missed)

    @property
    def tally(self) -> str:
        """How many orders were carried out, as in "2 of 3 carried out, 1 held". Units without orders hold, too, and a
        waived build is no deed, so neither is counted as carried out."""
        held_units = sum(it.held for it in self.outcomes)
        waived = sum(isinstance(it.told.order, Waive) for it in self.outcomes)
        done = [it.succeeded for it in self.outcomes if not isinstance(it.told.order, Hold | Waive)]
        counts = [
            _("{done} of {count} carried out").format(done=sum(done), count=len(done)) if done else "",
            _("{count} held").format(count=held_units) if held_units else "",
            ngettext("{count} build waived", "{count} builds waived", waived).format(count=waived) if waived else "",
        ]
        return ": ".join(filter(None, (", ".join(filter(None, counts)), _("no orders") if self.missed else "")))

    @property
    def failures_first(self) -> tuple[OutcomeView, ...]:
        return tuple(sorted(self.outcomes, key=lambda outcome: outcome.succeeded))


@dataclass(frozen=True, slots=True)
class ResultView:
    """What happened in a closed phase.

    `sides`: the same by power, the viewer's first and minor powers last; `quiet`: other powers to which nothing
    happened; `general`: the notices that concern no
    power.
    """

    head: Annotated[PhaseHead, InApi("The phase.")]
    outcomes: Annotated[tuple[OutcomeView, ...], InApi("Every order with its result.")]
    sides: tuple[SideResult, ...]
    quiet: tuple[SideResult, ...]
    general: tuple[str, ...]
    notices: Annotated[tuple[NoticeView, ...], InApi("What else happened.")]
    missed: Annotated[tuple[str, ...], InApi("The names of the powers that had something to order and saved nothing.")]
    relations: Annotated[RelationsView | None, InApi("The relations after declarations; else null.")]
    verdict: Annotated[str, InApi("How the game ended with it, in a sentence; empty if it didn’t.")]
    amendments: Annotated[tuple[str, ...], InApi("Which orders the game master has corrected, in sentences.")]
    sealed_record: Annotated[
        str, InApi("The code that commits the site to all orders, bids included; empty in old phases.")
    ]


@dataclass(frozen=True, slots=True)
class UndoneView:
    """One action that undid phases, with their results, which were public and no longer count. `unjudged`: the titles
    of those that had no result yet."""

    at: datetime
    by: str
    back_to: str
    reason: str
    results: tuple[ResultView, ...]
    unjudged: tuple[str, ...]
