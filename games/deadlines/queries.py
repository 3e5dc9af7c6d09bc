"""The next deadlines of a game, if no phase ends early and no deadline moves, and phases that are overdue."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from django.db.models import Q
from django.utils.translation import gettext as _

from adjudication.turns import Calendar, PhaseKind, Turn
from games.deadlines.options import EarlyEnd, PhaseLengths
from games.deadlines.timetable import Timetable
from games.kernel import clock, codec
from games.kernel.marks import InApi
from games.kernel.members import assistant_rows_of
from games.kernel.models import Game, Occupancy, Phase, Status
from games.kernel.page import Page, part
from games.kernel.phase_rows import PhaseRows
from games.kernel.wording import moment_words
from variants.words.orders import kind_words, turn_words


@dataclass(frozen=True, slots=True)
class ComingView:
    """A coming deadline, if no phase ends early and none is moved."""

    code: Annotated[str, InApi("The turn in short, as in “F1926M”.")]
    title: Annotated[str, InApi("The turn, as in “Autumn 1927”.")]
    kind_title: Annotated[str, InApi("What will be done in the phase.")]
    at: Annotated[datetime, InApi("When it ends.")]


@dataclass(frozen=True, slots=True)
class GameDeadlines:
    """A game's next deadlines, with the moments at which it was created and the deadlines may last have changed."""

    slug: str
    name: str
    created: datetime
    changed: datetime
    coming: tuple[ComingView, ...]


MOST_COMING = 5


def seats_shown_as_ready(rows: PhaseRows) -> frozenset[int] | None:
    """The seats that are ready in the open phase shown; None if no one can be, or the viewer can't see it."""
    option = rows.game.options[EarlyEnd]
    return rows.ready if option.all_ready and option.show_ready else None


@part("coming")
def coming(page: Page) -> Annotated[tuple[ComingView, ...], InApi("The next deadlines, if nothing is moved.")]:
    rows = page.rows
    return coming_deadlines_in(rows.game, rows.open_phase, rows.variant.ruleset.calendar)


def coming_deadlines_in(game: Game, phase: Phase | None, calendar: Calendar) -> tuple[ComingView, ...]:
    """The next deadlines from the game's open phase on; empty without one, or while its clock is stopped."""
    if phase is None or phase.deadline is None:
        return ()
    turn = Turn.from_code(phase.turn)
    return coming_deadlines_from(
        game.options[PhaseLengths].timetable, calendar, turn, phase.opened, deadline=phase.deadline
    )


def coming_deadlines_from(
    timetable: Timetable, calendar: Calendar, turn: Turn, start: datetime, *, deadline: datetime | None = None
) -> tuple[ComingView, ...]:
    """Five deadlines: that of the phase that opens at `start` (`deadline`, if it has one already) and the next ones.
    Later retreats are left out, because no one knows whether there will be any."""
    deadlines: list[ComingView] = []
    while len(deadlines) < MOST_COMING:
        if deadlines and turn.kind is PhaseKind.RETREAT:
            turn = calendar.after(turn)
            continue
        ends = deadline if deadline and not deadlines else timetable.next_deadline(start, turn.kind)
        deadlines.append(ComingView(turn.code, turn_words(turn), kind_words(turn.kind), ends))
        turn, start = calendar.after(turn), ends
    return tuple(deadlines)


def deadlines_of_user(user_id: int) -> tuple[GameDeadlines, ...]:
    """The next deadlines in all running games in which this person is a player, the game master or an assistant."""
    held = Occupancy.objects.filter(user_id=user_id, until__isnull=True).values("game_id")
    mine = Q(gm_id=user_id) | Q(pk__in=held) | Q(pk__in=assistant_rows_of(user_id).values("game_id"))
    games = Game.objects.of_people().filter(mine, status=Status.RUNNING).order_by("pk")
    return tuple(
        deadlines_of_game(game, phase)
        for game in games
        if (phase := game.phases.filter(closed__isnull=True).defer("position").first())
    )


def deadlines_of_game(game: Game, phase: Phase | None) -> GameDeadlines:
    """The next deadlines of a game with this open phase. What moves one writes a line in the log or opens a phase."""
    last_line = game.events.order_by("-pk").values_list("at", flat=True).first()
    changed = max(at for at in (game.created, last_line, phase.opened if phase else None) if at)
    coming = coming_deadlines_in(game, phase, codec.variant_of(game).ruleset.calendar)
    return GameDeadlines(game.slug, game.name, game.created, changed, coming)


# Phases that should have ended by now, for a watchdog, a health page and a metric.

LATE_SECONDS = 60
"""A phase adjudicated within this many seconds of its deadline is on time, even after a fault."""


@dataclass(frozen=True, slots=True)
class OverduePhase:
    """A phase of a running game that is still open after its deadline. `game` is the game's slug."""

    game: str
    phase: str
    since: datetime

    def sentence(self) -> str:
        return _("{game}: {phase} has been overdue since {moment}.").format(
            game=self.game, phase=self.phase, moment=moment_words(self.since)
        )


def overdue_phases(*, late_seconds: int = LATE_SECONDS) -> tuple[OverduePhase, ...]:
    """The phases of running games whose deadline passed more than `late_seconds` ago, oldest first.

    One query. It names games that only invited people may see, so it is for the people who run the site. Others may
    learn only how many phases are overdue, and since when.
    """
    moment = clock.now() - timedelta(seconds=late_seconds)
    late = Phase.objects.filter(closed__isnull=True, deadline__lt=moment, game__status=Status.RUNNING)
    rows = late.order_by("deadline", "pk").values_list("game__slug", "turn", "deadline")
    phases = [(game, Turn.from_code(code), since) for game, code, since in rows if since]
    return tuple(OverduePhase(game, f"{turn.title} ({turn.kind_title})", since) for game, turn, since in phases)
