"""Days away, which move deadlines; reminders and calendars."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.kernel.models import Game, Outgoing, Phase
from games.kernel.models.numbered import Numbered


class Absence(Numbered):
    """Days that a player has booked, in the player's time zone at that time. Only the player sees the row; others see
    only that a deadline has moved. `moved`: they have moved a deadline, so they stay used up even if the booking is
    cancelled."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="absences")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    first = models.DateField()
    last = models.DateField()
    zone = models.CharField(max_length=64)
    begins = models.DateTimeField()
    ends = models.DateTimeField()
    moved = models.BooleanField(default=False)
    cancelled = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(last__gte=F("first"), ends__gt=F("begins")), name="absence_ends_after_it_begins"
            ),
        )

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


class Reminder(Numbered, Outgoing):
    """Tells a player who hasn't saved orders that the deadline is near. `due` is the moment of the reminder; `by_gm`:
    the game master asked for it.

    It is sent by email and to devices but isn't among the lines on the site, where even a line that was read would show
    that there was one.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="reminders")
    due = models.DateTimeField()
    by_gm = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "user", "due"), name="one_reminder_at_a_time"),)
        indexes = (models.Index(fields=("next_try",), condition=Q(sent__isnull=True), name="reminders_to_send"),)


class CalendarKey(Numbered):
    """The number in the address of a person's calendar; a new number makes the old address useless."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField(default=1)
