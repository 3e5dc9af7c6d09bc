"""What lets a program act for a person."""

from __future__ import annotations

from django.conf import settings
from django.db import models

LONGEST_TOKEN_NAME = 60
PREFIX_LENGTH = 8


class Scope(models.TextChoices):
    """What a program may do beside reading what the person may read."""

    ORDERS = "orders", "Save orders, propose and vote"
    PRESS = "press", "Write messages"
    SEAT = "seat", "Give up seats, and name or be a sitter"
    MASTER = "master", "Act as game master"


class ApiToken(models.Model):
    """One program of one person. `prefix` finds it, `digest` is the SHA-256 of the rest, which is kept nowhere."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=LONGEST_TOKEN_NAME)
    prefix = models.CharField(max_length=PREFIX_LENGTH, unique=True)
    digest = models.CharField(max_length=64)
    scopes = models.JSONField(default=list)
    made = models.DateTimeField()
    expires = models.DateTimeField()
    last_used = models.DateField(null=True)

    def __str__(self) -> str:
        return f"token {self.pk}"
