"""The rows behind one page of a game, all of them public or the viewer's own."""

from functools import cached_property
from typing import Any

from django.db.models import Case, QuerySet, When
from django.http import Http404

from adjudication.position import Position
from adjudication.resolution import Public
from games.kernel import codec
from games.kernel.access import GameAccess
from games.kernel.models import OVER, Occupancy, Phase, Readiness, Result
from games.kernel.prepared import GAME, PreparedQuery
from games.kernel.queries import brought_row_of, names_are_hidden
from games.kernel.standpoint import Standpoint


def _phases_with_open_position(game_id: int) -> QuerySet[Phase]:
    """The game's phases, of which only the open one is read with its position."""
    phases = Phase.objects.filter(game=game_id).order_by("ordinal").defer("position")
    return phases.annotate(kept=Case(When(closed__isnull=True, then="position")))


PHASES_OF_GAME = PreparedQuery(_phases_with_open_position, GAME)


class PhaseRows(Standpoint):
    """One phase of one game for one viewer, as rows: each is read from the database once, when it is needed.

    Without an ordinal the open phase is shown, or the last one if none is open; Http404 for an unknown ordinal.
    """

    def __init__(self, access: GameAccess, ordinal: int | None) -> None:
        self.access = access
        self.ordinal = ordinal
        self.shared: dict[object, Any] = {}
        super().__init__(access.game, access.user_id, token=access.token)
        self.final = ordinal is None and self.game.status in OVER
        if ordinal is not None:
            self.shown = next((phase for phase in self.phases if phase.ordinal == ordinal), None)
            if self.shown is None:
                raise Http404

    @cached_property
    def phases(self) -> list[Phase]:
        phases: list[Any] = PHASES_OF_GAME(self.game.pk)
        for phase in phases:
            phase.game = self.game
            if phase.closed is None:
                phase.position = phase.kept
        return phases

    @cached_property
    def open_phase(self) -> Phase | None:
        return next((phase for phase in self.phases if phase.closed is None), None)

    @cached_property
    def has_begun(self) -> bool:
        return bool(self.phases)

    @cached_property
    def shown(self) -> Phase | None:
        """The phase shown; None before the start."""
        return self.phases[-1] if self.phases else None

    @cached_property
    def result(self) -> Result | None:
        """The result of the phase shown or, until it has one, of the phase before."""
        if self.shown is None:
            return None
        wanted = [self.shown.ordinal - 1, self.shown.ordinal]
        results = Result.objects.filter(phase__game=self.game, phase__ordinal__in=wanted)
        return results.select_related("phase__commitment").order_by("-phase__ordinal").first()

    @cached_property
    def public(self) -> Public | None:
        """The content of that result."""
        return codec.public_result_of(self.result) if self.result else None

    @cached_property
    def position(self) -> Position:
        """The position shown."""
        if self.shown is None:
            return codec.opening_position(brought_row_of(self.game), self.variant)
        if self.shown.closed is None:
            return codec.position_of(self.shown)
        if self.final and self.public is not None and self.shows_its_result:
            return self.public.next
        if self.result is not None and self.shows_its_result:
            self.shown.position = self.result.phase.position
        return codec.position_of(self.shown)

    @cached_property
    def hidden(self) -> bool:
        return names_are_hidden(self.game, self.access.user_id)

    @cached_property
    def open_position(self) -> Position:
        return self.position if self.open_phase is self.shown else codec.position_of(self.phase)

    @property
    def shows_its_result(self) -> bool:
        """Is the result that of the phase shown?"""
        if self.shown is None or self.shown.closed is None:
            return False
        return self.result is not None and self.result.phase_id == self.shown.pk

    @property
    def mine(self) -> Occupancy | None:
        """The holder of the seat for which the viewer may write."""
        return self.seated.get(self.access.sheet.seat_id) if self.access.sheet else None

    @property
    def my_power(self) -> str | None:
        return self.access.sheet.power if self.access.sheet else None

    @cached_property
    def ready(self) -> frozenset[int] | None:
        """The seats that have said they are ready; None if the phase shown is closed."""
        if self.shown is None or self.shown.closed is not None:
            return None
        return frozenset(Readiness.objects.filter(phase=self.shown).values_list("seat_id", flat=True))
