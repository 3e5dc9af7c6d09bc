"""Rows that nothing but their number tells apart."""

from django.db import models


class Numbered(models.Model):
    """Staff see it as in “mailed invitation 3”."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
