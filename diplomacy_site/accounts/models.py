"""The user: an account with an e-mail address of its own and a time zone to read deadlines in."""

from zoneinfo import available_timezones

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models


def validate_time_zone(name: str) -> None:
    """ValidationError unless the name is one of the IANA zones, such as Europe/London."""
    if name not in available_timezones():
        raise ValidationError(f"{name} is not a time zone. Write one such as UTC or Europe/London.")


class User(AbstractUser):
    email = models.EmailField("e-mail address", unique=True)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])


class RetiredName(models.Model):
    """The keyed digest of a name whose account is deleted, so that nobody else plays under it."""

    digest = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"retired name {self.pk}"
