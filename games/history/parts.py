"""The position and who plays it: powers, units, centres, relations, and what draws the map."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from games.kernel.parts import PhaseHead
from variants.drawing import Arrow, CentreMark, UnitMark


@dataclass(frozen=True, slots=True)
class PowerView:
    """A power and who plays it: `player` is "" where nobody is `seated`, and where names are hidden from the
    viewer. `ready` is None unless the game shows readiness.

    `missed` counts closed phases in which the present player had something to decide and sent nothing.
    """

    id: str
    name: str
    adjective: str
    letter: str
    colour: int
    player: str
    seated: bool
    bot: bool
    disordered: bool
    units: int
    centres: int
    mine: bool
    ready: bool | None
    missed: int


@dataclass(frozen=True, slots=True)
class PowerPosition:
    """Units ("A Mun") and centres ("Munich", "Vienna (communist)") of a power, or of the minors (power "NEUTRAL",
    letter ""). `homes`: where it builds as long as it holds them."""

    power: str
    name: str
    letter: str
    colour: str
    units: tuple[str, ...]
    centres: tuple[str, ...]
    homes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StanceView:
    """What two powers may be to each other, as in "war", with the symbol that stands for it."""

    stance: str
    symbol: str


@dataclass(frozen=True, slots=True)
class RelationCell:
    """What a power is to the power `other`; no stance towards itself."""

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
    """The powers to which the viewer's power is this."""

    stance: str
    symbol: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RelationsView:
    """Relations of all powers to each other, in the variant's sequence. `stances`: first what all are at the start.
    `mine`: every other stance, with those to whom the viewer's power is it; empty for who plays none."""

    stances: tuple[StanceView, ...]
    powers: tuple[str, ...]
    rows: tuple[RelationRow, ...]
    mine: tuple[StanceLine, ...]


@dataclass(frozen=True, slots=True)
class FactionView:
    """As in "C", "communist"; `form` counts the outlines on the map from 1."""

    letter: str
    adjective: str
    form: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """What `variants.drawing.draw_board` needs besides the map itself. `owners`: province -> colour slot. `holders`:
    centres that belong to a faction of their power. `contested`: where a stand-off keeps retreats out. `homes`: those
    won in play, and by whom."""

    owners: Mapping[str, str]
    units: tuple[UnitMark, ...]
    dislodged: tuple[UnitMark, ...]
    arrows: tuple[Arrow, ...]
    holders: tuple[CentreMark, ...]
    title: str
    contested: tuple[str, ...] = ()
    homes: tuple[tuple[str, str], ...] = ()


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
class ResultView:
    """What happened in a closed phase. `missed`: powers that had something to decide and sent nothing. `relations`:
    what the powers are to each other after declarations, else None. `amendments` say which orders were put right.
    `sealed_record`: the code by which the site stands by all sheets, "" for a phase from before there were codes."""

    head: PhaseHead
    outcomes: tuple[OutcomeView, ...]
    notices: tuple[NoticeView, ...]
    missed: tuple[str, ...]
    relations: RelationsView | None
    verdict: str
    amendments: tuple[str, ...]
    sealed_record: str


@dataclass(frozen=True, slots=True)
class UndoneView:
    """One act that undid phases, with what had come of them: public once, and counting no more. `unjudged`: the
    titles of those that had no result yet."""

    at: datetime
    by: str
    back_to: str
    reason: str
    results: tuple[ResultView, ...]
    unjudged: tuple[str, ...]
