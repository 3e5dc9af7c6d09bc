"""The position and its players: powers, units, centres, relations, and the contents of the map."""

from dataclasses import dataclass
from datetime import datetime

from games.kernel.parts import PhaseHead


@dataclass(frozen=True, slots=True)
class PowerView:
    """A power and its player: `player` is "" if no person has the seat or if names are hidden from the viewer. `bot` is
    the level of the bot that plays, for the `person` or alone; `own_bot`: the person lets a program of their own play.
    `ready` is None unless the game shows readiness.

    `missed` counts closed phases in which the current player had orders to enter but saved none. `elsewhere`: who
    played it elsewhere, which is only text.
    """

    id: str
    name: str
    called: str
    adjective: str
    letter: str
    colour: str
    player: str
    seated: bool
    person: bool
    bot: str
    own_bot: bool
    disordered: bool
    units: int
    centres: int
    mine: bool
    ready: bool | None
    missed: int
    elsewhere: str = ""


@dataclass(frozen=True, slots=True)
class PowerPosition:
    """Units ("A Mun") and centres ("Munich", "Vienna (communist)") of a power, or of the minors (power "NEUTRAL",
    letter ""). `homes`: where it builds as long as it owns them."""

    power: str
    name: str
    letter: str
    colour: str
    units: tuple[str, ...]
    centres: tuple[str, ...]
    homes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StanceView:
    """A relation that two powers can have, as in "war", with its symbol."""

    stance: str
    symbol: str


@dataclass(frozen=True, slots=True)
class RelationCell:
    """A power's stance towards the power `other`; none towards itself."""

    other: str
    other_name: str
    stance: str
    symbol: str


@dataclass(frozen=True, slots=True)
class RelationRow:
    power: str
    name: str
    letter: str
    colour: str
    cells: tuple[RelationCell, ...]


@dataclass(frozen=True, slots=True)
class StanceLine:
    """The powers with which the viewer's power has this stance."""

    stance: str
    symbol: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelationsView:
    """Relations of all powers to each other, in the variant's order. `stances`: the one that all start with comes
    first. `mine`: every other stance with its powers, from the viewer's power; empty for viewers who play none."""

    stances: tuple[StanceView, ...]
    powers: tuple[str, ...]
    rows: tuple[RelationRow, ...]
    mine: tuple[StanceLine, ...]


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """`text` is for people ("A Mun–Cze"), `order` canonical ("A MUN - CZE", "BUILD CA VIE", "DECLARE WAR FRANCE")."""

    power: str
    power_name: str
    text: str
    order: str
    results: tuple[str, ...]
    succeeded: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class NoticeView:
    kind: str
    power: str | None
    province: str | None
    sentence: str


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
    def carried_out(self) -> int:
        return sum(outcome.succeeded for outcome in self.outcomes)

    @property
    def failures_first(self) -> tuple[OutcomeView, ...]:
        return tuple(sorted(self.outcomes, key=lambda outcome: outcome.succeeded))


@dataclass(frozen=True, slots=True)
class ResultView:
    """What happened in a closed phase. `sides`: the same by power, the viewer's first and minor powers last; `general`:
    the notices that concern no power. `missed`: powers that had orders to enter but saved none. `relations`: those
    after declarations, else None. `amendments` say which orders were corrected. `sealed_record`: the code that commits
    the site to all orders, "" for a phase from before there were codes."""

    head: PhaseHead
    outcomes: tuple[OutcomeView, ...]
    sides: tuple[SideResult, ...]
    general: tuple[str, ...]
    notices: tuple[NoticeView, ...]
    missed: tuple[str, ...]
    relations: RelationsView | None
    verdict: str
    amendments: tuple[str, ...]
    sealed_record: str


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
