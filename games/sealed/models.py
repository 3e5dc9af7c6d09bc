"""The sealed sheet: one row for every seat in every phase, whether or not anything is saved."""

import uuid

from django.db import models

from games.kernel.models import Phase, Seat


class Sheet(models.Model):
    """Everything that one seat saves for one phase, encrypted and padded.

    No relation leads here (`related_name="+"`), the key is random and nothing shows when the row was written, because
    it is also secret whether and when a player has saved.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="+")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    sealed = models.BinaryField()

    rows = models.Manager()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "seat"), name="one_sheet_per_seat_and_phase"),)

    def __str__(self) -> str:
        return "Sheet(sealed)"

    def __repr__(self) -> str:
        return "Sheet(sealed)"
