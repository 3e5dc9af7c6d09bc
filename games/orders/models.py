"""The site's commitment to the orders of a closed phase, which does not show them."""

from django.db import models

from games.kernel.models import Phase
from games.kernel.models.numbered import Numbered


class Commitment(Numbered):
    """The sealed record of one phase, even of an undone one: it is public, and a trigger refuses changes.

    `codes`: power -> code of its orders, for every seat, saved or not; `previous`: the code of the game's record
    before, "" for the first; `code` covers both. All codes are 64 hex digits (`variants.receipts`).
    """

    phase = models.OneToOneField(Phase, on_delete=models.PROTECT, related_name="commitment")
    codes = models.JSONField()
    previous = models.CharField(max_length=64, blank=True)
    code = models.CharField(max_length=64)
