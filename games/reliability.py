"""How reliably somebody plays: of the phases in which there was something to decide, how many were met."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, Sum

from games.models import OVER, Occupancy

ENOUGH_PHASES = 10
"""With fewer phases nothing can be said: such a player is new, not unreliable."""
WHOLE = 100


@dataclass(frozen=True, slots=True)
class Reliability:
    """`owed` phases in which something was to be decided, `missed` of them without a saved sheet."""

    owed: int
    missed: int

    @property
    def is_new(self) -> bool:
        return self.owed < ENOUGH_PHASES

    @property
    def percent(self) -> int:
        """Phases met out of a hundred, rounded down."""
        return WHOLE * (self.owed - self.missed) // self.owed if self.owed else WHOLE

    @property
    def words(self) -> str:
        return "new here" if self.is_new else f"{self.percent} % reliable"

    def reaches(self, least: int, *, newcomers_welcome: bool) -> bool:
        """May somebody like this join where `least` per cent are wanted? 0: everybody may."""
        if least == 0:
            return True
        return newcomers_welcome if self.is_new else self.percent >= least


def reliability_of(user_id: int) -> Reliability:
    """Over all games of this person, without those that still hide who plays: the figure must not tell it."""
    hidden = Q(game__stored_options__hidden_names=True) & ~Q(game__status__in=OVER)
    sums = Occupancy.objects.filter(user_id=user_id).exclude(hidden).aggregate(Sum("owed"), Sum("missed"))
    return Reliability(sums["owed__sum"] or 0, sums["missed__sum"] or 0)
