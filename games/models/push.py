"""The devices on which people are told at once, and what they do not want to be told there."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class PushDevice(models.Model):
    """A browser that shows notices. `endpoint` is its address at the browser's maker, `key` and `auth` what a notice
    is encrypted with, both in base64 for addresses."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    endpoint = models.CharField(max_length=400, unique=True)
    key = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"device {self.pk}"


class PushSilence(models.Model):
    """Of this topic one person wants to hear nothing on any device."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    topic = models.CharField(max_length=20)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "topic"), name="one_push_silence_per_topic"),)

    def __str__(self) -> str:
        return f"push silence {self.pk}"
