"""Rows that have nothing but their number to tell them apart."""

from django.db import models


class Numbered(models.Model):
    """A row that staff see as, for example, “mailed invitation 3”."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
