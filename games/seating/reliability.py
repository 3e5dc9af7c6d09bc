"""How reliably a user plays: in how many of the phases with orders to enter they saved some."""

from dataclasses import dataclass

from django.db.models import Count, Q, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kernel.models import OVER, Occupancy

ENOUGH_PHASES = 10
"""With fewer phases there is nothing to judge by: the player is new, not unreliable."""

PHASES_PER_ABANDONED_GAME = 5
"""The number of missed phases that an abandoned game counts as."""

WHOLE = 100

IN_ANONYMOUS_GAME = Q(game__stored_options__hidden_names=True) & ~Q(game__status__in=OVER)
"""Seats in games that don't show yet who plays in them."""

IN_VOID_GAME = Q(game__verdict__contains={"void": True})
"""Seats in games that their game master has declared void."""

COUNTED_SEATS = Q(bot="", game__practice=False) & ~IN_ANONYMOUS_GAME & ~IN_VOID_GAME
"""Seats of people in games of people: all that anyone's record is made of. It must not give away who plays where."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """`owed` phases with orders to enter, `missed` of them without saved orders; `abandoned` games."""

    owed: int
    missed: int
    abandoned: int = 0

    @property
    def phases(self) -> int:
        """The number of phases on which the percentage is based."""
        return self.owed + PHASES_PER_ABANDONED_GAME * self.abandoned

    @property
    def is_new(self) -> bool:
        return self.phases < ENOUGH_PHASES

    @property
    def percent(self) -> int:
        """The percentage of phases with saved orders, rounded down."""
        return WHOLE * (self.owed - self.missed) // self.phases if self.phases else WHOLE

    @property
    def words(self) -> str:
        if not self.abandoned:
            return _("new here") if self.is_new else _("{percent}% reliable").format(percent=self.percent)
        message = (
            ngettext("new here, 1 game abandoned", "new here, {count} games abandoned", self.abandoned)
            if self.is_new
            else ngettext(
                "{percent}% reliable, 1 game abandoned", "{percent}% reliable, {count} games abandoned", self.abandoned
            )
        )
        return message.format(percent=self.percent, count=self.abandoned)

    def reaches(self, least_percent: int, *, newcomers_welcome: bool) -> bool:
        """May this player join a game that asks for at least `least_percent` per cent? With 0, everybody may."""
        if least_percent == 0:
            return True
        return newcomers_welcome if self.is_new else self.percent >= least_percent


def reliability_of(user_id: int) -> Reliability:
    """The reliability of this user over all of their games that are COUNTED."""
    seats = Occupancy.objects.filter(COUNTED_SEATS, user_id=user_id)
    sums = seats.aggregate(owed=Sum("owed"), missed=Sum("missed"), abandoned=Count("pk", filter=~Q(departure="")))
    return Reliability(sums["owed"] or 0, sums["missed"] or 0, sums["abandoned"])
