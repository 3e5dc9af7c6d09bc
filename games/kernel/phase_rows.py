"""The rows behind one view, all of them public or the viewer's own."""

from functools import cached_property
from typing import Any

from django.db.models import Case, QuerySet, When
from django.http import Http404

from adjudication.position import Position
from adjudication.resolution import Public
from games.kernel import codec
from games.kernel.access import GameAccess
from games.kernel.models import OVER, Occupancy, Phase, Readiness, Result
from games.kernel.queries import brought_to, names_are_hidden
from games.kernel.standpoint import Standpoint


def _with_open_position(phases: QuerySet[Phase]) -> list[Phase]:
    """All of them, with the position of the open one only."""
    found: list[Any] = list(phases.defer("position").annotate(kept=Case(When(closed__isnull=True, then="position"))))
    for phase in found:
        if phase.closed is None:
            phase.position = phase.kept
    return found


class Gathered(Standpoint):
    """One phase of one game for one viewer, as rows: each is read from the database once.

    Without an ordinal the open phase is shown, or the last one if none is open. `result` is that of the phase shown or,
    until it has one, of the previous phase.
    """

    def __init__(self, access: GameAccess, ordinal: int | None) -> None:
        self.access = access
        super().__init__(access.game, access.user_id, token=access.token)
        self.phases = _with_open_position(self.game.phases.order_by("ordinal"))
        self.open_phase = next((phase for phase in self.phases if phase.closed is None), None)
        self.has_begun = bool(self.phases)
        self.shown = self._shown(ordinal)
        self.final = ordinal is None and self.game.status in OVER
        self.result = self._result()
        self.public: Public | None = codec.public_of(self.result) if self.result else None
        self.position = self._position()
        self.hidden = names_are_hidden(self.game, access.user_id)

    def _shown(self, ordinal: int | None) -> Phase | None:
        if ordinal is None:
            return self.phases[-1] if self.phases else None
        phase = next((phase for phase in self.phases if phase.ordinal == ordinal), None)
        if phase is None:
            raise Http404
        return phase

    def _result(self) -> Result | None:
        if self.shown is None:
            return None
        wanted = [self.shown.ordinal - 1, self.shown.ordinal]
        results = Result.objects.filter(phase__game=self.game, phase__ordinal__in=wanted).select_related(
            "phase__commitment"
        )
        return results.order_by("-phase__ordinal").first()

    def _position(self) -> Position:
        if self.shown is None:
            return codec.opening_of(brought_to(self.game), self.variant)
        if self.final and self.public is not None and self.shows_its_result:
            return self.public.next
        if self.result is not None and self.shows_its_result:
            self.shown.position = self.result.phase.position
        return codec.position_of(self.shown)

    @cached_property
    def open_position(self) -> Position:
        return self.position if self.open_phase is self.shown else codec.position_of(self.phase)

    @property
    def shows_its_result(self) -> bool:
        """Does the result belong to the phase shown?"""
        return self.result is not None and self.shown is not None and self.result.phase_id == self.shown.pk

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
