"""What came of a phase, and what has happened in a game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games.phase_view.board import RelationsView
from games.phase_view.turns import PhaseHead


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


@dataclass(frozen=True, slots=True)
class EventView:
    at: datetime
    kind: str
    sentence: str
