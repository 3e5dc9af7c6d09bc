"""What was done from which page, so that it is done once."""

from django.conf import settings
from django.db import models

from games.kernel.models.numbered import Numbered


class Act(Numbered):
    """A form that one page, known by its `key`, sent to this path, and the address to which it led. For a request of an
    app: hashes of its `Idempotency-Key` and, instead of an address, of its content, and the `answer`, encrypted with
    that key."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    path = models.CharField(max_length=300)
    key = models.CharField(max_length=36)
    to = models.CharField(max_length=500)
    at = models.DateTimeField()
    answer = models.BinaryField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "path", "key"), name="one_act_of_a_page"),)
        indexes = (models.Index(fields=("at",), name="acts_by_age"),)
