"""How reliably somebody plays: of the phases in which there was something to decide, how many were met."""

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from adjudication.english import amount
from games.kernel.models import OVER, Occupancy

ENOUGH_PHASES = 10
"""With fewer phases nothing can be said: such a player is new, not unreliable."""

AN_ABANDONED_GAME = 5
"""So many missed phases a game counts for that was abandoned."""

WHOLE = 100


@dataclass(frozen=True, slots=True)
class Reliability:
    """`owed` phases in which something was to be decided, `missed` of them without a saved sheet; `abandoned` games."""

    owed: int
    missed: int
    abandoned: int = 0

    @property
    def phases(self) -> int:
        """All that the figure is made of."""
        return self.owed + AN_ABANDONED_GAME * self.abandoned

    @property
    def is_new(self) -> bool:
        return self.phases < ENOUGH_PHASES

    @property
    def percent(self) -> int:
        """Phases met out of a hundred, rounded down."""
        return WHOLE * (self.owed - self.missed) // self.phases if self.phases else WHOLE

    @property
    def words(self) -> str:
        figure = "new here" if self.is_new else f"{self.percent} % reliable"
        if not self.abandoned:
            return figure
        return f"{figure}, {amount(self.abandoned, 'game')} abandoned"

    def reaches(self, least: int, *, newcomers_welcome: bool) -> bool:
        """May somebody like this join where `least` per cent are wanted? 0: everybody may."""
        if least == 0:
            return True
        return newcomers_welcome if self.is_new else self.percent >= least


def reliability_of(user_id: int) -> Reliability:
    """Over all games of this person, without those that still hide who plays: the figure must not tell it."""
    hidden = Q(game__stored_options__hidden_names=True) & ~Q(game__status__in=OVER)
    seats = Occupancy.objects.filter(user_id=user_id, bot=False).exclude(hidden)
    sums = seats.aggregate(owed=Sum("owed"), missed=Sum("missed"), abandoned=Count("pk", filter=~Q(departure="")))
    return Reliability(sums["owed"] or 0, sums["missed"] or 0, sums["abandoned"])
