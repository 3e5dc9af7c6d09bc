"""The next deadlines of a game, if nothing ends early and nothing is put off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudication.turns import PhaseKind, Turn
from games.phase_view import ComingView

if TYPE_CHECKING:
    from datetime import datetime

    from adjudication.turns import Calendar
    from games.models import Game, Phase
    from games.timetable import Timetable

MOST_COMING = 5


def coming_in(game: Game, phase: Phase | None, calendar: Calendar) -> tuple[ComingView, ...]:
    """From the open phase of a game on; nothing without one, or while its clock is stopped."""
    if phase is None or phase.deadline is None:
        return ()
    turn = Turn.from_code(phase.turn)
    return coming_deadlines(game.options.timetable, calendar, turn, phase.opened, deadline=phase.deadline)


def coming_deadlines(
    timetable: Timetable,
    calendar: Calendar,
    turn: Turn,
    opened: datetime,
    *,
    deadline: datetime | None = None,
) -> tuple[ComingView, ...]:
    """Five deadlines: of the phase that opens then, with `deadline` if it has one already, and of those after it.

    Retreats are left out after it, because nobody knows whether anybody must retreat.
    """
    found: list[ComingView] = []
    while len(found) < MOST_COMING:
        if found and turn.kind is PhaseKind.RETREAT:
            turn = calendar.after(turn)
            continue
        ends = deadline if deadline and not found else timetable.next_deadline(opened, turn.kind)
        found.append(ComingView(turn.code, turn.title, turn.kind_title, ends))
        turn, opened = calendar.after(turn), ends
    return tuple(found)
