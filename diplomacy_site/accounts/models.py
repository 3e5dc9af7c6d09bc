"""The user: an account with its own email address and a time zone for showing deadlines."""

from datetime import date
from typing import Any
from zoneinfo import available_timezones

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Upper
from django.utils import timezone
from django.utils.translation import gettext as _

from diplomacy_site.accounts.looks import looks_of
from games.kernel.languages import later
from games.kernel.models.numbered import Numbered


def validate_time_zone(name: str) -> None:
    """Raises ValidationError unless this is an IANA time zone, such as Europe/London."""
    if name not in available_timezones():
        raise ValidationError(_("{name} is not a time zone. Enter one such as UTC or Europe/London.").format(name=name))


def today() -> date:
    """Today's date in UTC."""
    return timezone.now().date()


class User(AbstractUser):
    """`is_bot`: the account of a bot, which only fills a seat: no one signs in with it, and no list of people shows it.

    `is_guest`: made at a tap for someone who plays against bots without an account; `joins` is the account that they
    signed up for later; it gets their games when its owner first signs in.

    `awaits_approval`: signed up, and not approved by a moderator yet; until then it is not active.

    `last_seen`: the last day on which they opened a page while signed in; not the hour, which would tell when someone
    entered orders.
    """

    email = models.EmailField(later("email address"), unique=True)
    time_zone = models.CharField(max_length=64, default="UTC", validators=[validate_time_zone])
    last_seen = models.DateField(null=True, default=today, editable=False)
    awaits_approval = models.BooleanField(default=False, editable=False)
    is_bot = models.BooleanField(default=False, editable=False)
    is_guest = models.BooleanField(default=False, editable=False)
    joins = models.ForeignKey(
        "self", on_delete=models.SET_NULL, null=True, blank=True, editable=False, related_name="guests"
    )

    class Meta(AbstractUser.Meta):
        constraints = (
            models.CheckConstraint(
                condition=models.Q(is_guest=True) | models.Q(joins__isnull=True), name="only_guests_join_an_account"
            ),
            models.CheckConstraint(
                condition=models.Q(awaits_approval=False) | models.Q(is_active=False), name="waits_to_be_active"
            ),
            models.UniqueConstraint(
                Upper("username"),
                name="users_by_name_in_any_case",
                violation_error_message="This username is already taken. Choose another.",
            ),
        )

    def save(self, *args: Any, update_fields: Any = None, **options: Any) -> None:
        super().save(*args, update_fields=update_fields, **options)
        if not (self.is_bot or self.is_guest) and (update_fields is None or "username" in update_fields):
            looks = looks_of(self.username)
            TakenLook.objects.filter(user=self).exclude(look__in=looks).delete()
            TakenLook.objects.bulk_create([TakenLook(look=look, user=self) for look in looks], ignore_conflicts=True)


class TakenLook(Numbered):
    """What a user's name looks like; no new name may look the same. If several names looked alike before this was
    checked, only one of their users has the row."""

    look = models.CharField(max_length=600, primary_key=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="looks")


def looks_taken(name: str, except_for: User | None = None) -> bool:
    """Does the name of an account, other than this one, look like this name?"""
    return TakenLook.objects.filter(look__in=looks_of(name)).exclude(user=except_for).exists()


class RetiredName(Numbered):
    """The keyed digest of a name that an account no longer has, or of what it looked like, so that no one else can play
    under it. `user`: whose it was until the moment `since`, if they still have an account."""

    digest = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="former_names")
    since = models.DateTimeField(null=True, blank=True)
