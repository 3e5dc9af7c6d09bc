"""Phases and their results."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q, Value

from games.kernel.game_options import Options, declared_options
from games.kernel.models.game import Game, Seat
from games.kernel.models.numbered import Numbered
from games.kernel.models.packed import PackedJSONField

NO_CLOCK = timedelta(days=36_500)
"""The time that remains in a phase of a game without a clock: as long as nobody minds."""


class Undoing(Numbered):
    """One action that undid phases; all of it is public. `back_to`: the turn that was played or adjudicated again.

    `corrected`: the power whose orders were corrected; `bids`: were its bids corrected, too?
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="undoings")
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    back_to = models.CharField(max_length=12)
    reason = models.CharField(max_length=600)
    corrected = models.CharField(max_length=20, default="", db_default="", blank=True)
    bids = models.BooleanField(default=False, db_default=False)


class StandingPhases(models.Manager["Phase"]):
    """Finds only phases that count: those that weren't undone."""

    def get_queryset(self) -> models.QuerySet[Phase]:
        return super().get_queryset().filter(undoing__isnull=True)


class StandingResults(models.Manager["Result"]):
    """Finds only results of phases that count."""

    def get_queryset(self) -> models.QuerySet[Result]:
        return super().get_queryset().filter(phase__undoing__isnull=True)


class Phase(models.Model):
    """One phase. `position` is the one in which orders are given; it is never rewritten after the phase has closed.

    While its clock runs an open phase has a `deadline`; while the clock is stopped, it has the time `remaining`
    instead, which is NO_CLOCK in a game without one, and `announced` is the deadline from before the stop. `graced`: it
    has had its automatic extension. Once all are ready it ends at `window_ends`, unless a player takes "ready" back:
    then the deadline `before_window` applies again. `reminded` is the moment that the last reminders belong to.
    `notices` are the public notices that belong to its opening (a power seceded). An undone phase is closed and no
    longer counts: only `every` finds it. `without_absences`: the deadline that would hold if no player had booked days
    away, if that is another one. `extended`: by how much it has been extended, automatically and by the game master.
    `reveals`: the revealing options that have been chosen for as long as it has been open, and since anything written
    ahead for it was written. Only `shows` reads them.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="phases")
    ordinal = models.PositiveIntegerField()
    turn = models.CharField(max_length=12)
    position = PackedJSONField()
    notices = models.JSONField(default=list, blank=True)
    opened = models.DateTimeField()
    deadline = models.DateTimeField(null=True, blank=True)
    remaining = models.DurationField(null=True, blank=True)
    announced = models.DateTimeField(null=True, blank=True)
    closed = models.DateTimeField(null=True, blank=True)
    graced = models.BooleanField(default=False)
    window_ends = models.DateTimeField(null=True, blank=True)
    before_window = models.DateTimeField(null=True, blank=True)
    without_absences = models.DateTimeField(null=True, blank=True)
    extended = models.DurationField(default=timedelta(0), db_default=timedelta(0))
    reminded = models.DateTimeField(null=True, blank=True)
    undoing = models.ForeignKey(Undoing, on_delete=models.PROTECT, null=True, blank=True, related_name="phases")
    reveals = models.JSONField(default=list, db_default=Value([], models.JSONField()), blank=True)

    objects = StandingPhases()
    every = models.Manager["Phase"]()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("game", "ordinal"), condition=Q(undoing__isnull=True), name="phase_ordinal_once"
            ),
            models.CheckConstraint(
                condition=Q(undoing__isnull=True) | Q(closed__isnull=False), name="undone_phase_is_closed"
            ),
            models.UniqueConstraint(fields=("game",), condition=Q(closed__isnull=True), name="one_open_phase"),
            models.CheckConstraint(
                condition=Q(closed__isnull=False)
                | Q(deadline__isnull=False, remaining__isnull=True)
                | Q(deadline__isnull=True, remaining__isnull=False),
                name="open_phase_has_one_clock",
            ),
        )
        indexes = (
            models.Index(fields=("deadline",), condition=Q(closed__isnull=True), name="open_phases_by_deadline"),
            models.Index(fields=("closed",), condition=Q(closed__isnull=False), name="phases_by_closing"),
        )

    def __str__(self) -> str:
        return self.turn

    def shows(self, kind: type[Options]) -> bool:
        """Do these terms show what is saved for this phase? They do if they did all the time it has been open."""
        name, it = next((name, it) for name, (owner, it) in declared_options().items() if owner is kind and it.reveals)
        return name in self.reveals and bool(getattr(self.game.options[kind], it.shown or name))

    def narrow(self, to: Iterable[str]) -> None:
        """Limit what the phase reveals to these options, which are chosen now or were when something was written ahead
        for it. Not saved."""
        self.reveals = sorted({*self.reveals}.intersection(to))

    @property
    def ended_as_it_opened(self) -> bool:
        """Did it end as soon as it opened, because all had written ahead for it?"""
        return self.deadline is not None and self.deadline <= self.opened

    @property
    def in_window(self) -> bool:
        """Will it end early unless a player takes "ready" back? Moving the deadline ends this."""
        return self.closed is None and self.deadline is not None and self.deadline == self.window_ends

    @property
    def is_untimed(self) -> bool:
        """Does it end only once all are ready?"""
        return self.remaining == NO_CLOCK

    def time_left(self, now: datetime) -> timedelta:
        """The time left on the clock of an open phase; zero or less once it has run out."""
        if self.remaining is not None:
            return self.remaining
        assert self.deadline is not None, "open_phase_has_one_clock"
        return self.deadline - now


class Result(Numbered):
    """What everyone may know about a closed phase. `missed`: powers that had something to decide and saved nothing.

    `inputs_hmac` is keyed because a few small bids could be guessed from a plain digest, and depends on the phase, so
    that the same orders in another phase have another digest; it is never shown.
    """

    phase = models.OneToOneField(Phase, on_delete=models.PROTECT, related_name="result")
    public = PackedJSONField()
    missed = models.JSONField(default=list, blank=True)
    engine_version = models.CharField(max_length=20)
    inputs_hmac = models.CharField(max_length=64)

    objects = StandingResults()
    every = models.Manager["Result"]()


class OpenedBids(Numbered):
    """All bids of one phase, published when the game ends: power -> list of [points, canonical order]. `sheets`: the
    orders in the phase's sealed record: power -> {"salt", "saved", "lines"}."""

    phase = models.OneToOneField(Phase, on_delete=models.PROTECT, related_name="opened_bids")
    bids = models.JSONField()
    sheets = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "opened bids"


class Readiness(Numbered):
    """A seat says that it needs no more time, where everyone sees this. It is never derived from saved orders."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="readiness")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="readiness")

    class Meta:
        verbose_name_plural = "readiness"
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="ready_once_per_phase"),)


class Amendment(models.Model):
    """A correction of one published order of a closed phase: `was` and `instead` are canonical orders, or "".

    `power` owns the unit; `place` is the province of the unit or of the build.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="amendments")
    power = models.CharField(max_length=40)
    place = models.CharField(max_length=12)
    was = models.CharField(max_length=80)
    instead = models.CharField(max_length=80, blank=True)
    reason = models.CharField(max_length=300)

    def __str__(self) -> str:
        return f"{self.was} -> {self.instead}"
