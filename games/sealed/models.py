"""The sealed sheets: one row for every phase, whether or not anything is saved."""

from django.db import models

from games.kernel.models import Phase


class Sheets(models.Model):
    """Everything that the seats of one phase save: an encrypted and padded slot for each.

    Each save seals all slots again and keeps nothing else, because it is also secret which player has saved, and how
    much. No relation leads here (`related_name="+"`).
    """

    phase = models.OneToOneField(Phase, on_delete=models.PROTECT, primary_key=True, related_name="+")
    sealed = models.BinaryField()

    rows = models.Manager()

    class Meta:
        verbose_name_plural = "sheets"

    def __str__(self) -> str:
        return "Sheets(sealed)"

    def __repr__(self) -> str:
        return "Sheets(sealed)"
