"""People on their way into a seat: requests to join, roll calls, the standby list, requests and invitations."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.kernel.models import Game, Seat, new_invitation
from games.kernel.models.numbered import Numbered


class JoinRequest(Numbered):
    """A request to join, to the game master. `accepted` is None until there is an answer."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked = models.DateTimeField()
    accepted = models.BooleanField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "user"), name="ask_once"),)


class RollCall(Numbered):
    """The roll call before the first turn. `incomplete`: the game master called it while seats were free."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="roll_call")
    called = models.DateTimeField()
    deadline = models.DateTimeField()
    incomplete = models.BooleanField(default=False)

    class Meta:
        indexes = (models.Index(fields=("deadline",), name="roll_calls_by_deadline"),)


class Confirmation(Numbered):
    """One person's confirmation in a roll call."""

    roll_call = models.ForeignKey(RollCall, on_delete=models.CASCADE, related_name="confirmations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("roll_call", "user"), name="confirm_once"),)


class Standby(Numbered):
    """A user on the standby list. `variants`: slugs, none for any; `pace`: "live", "slow", or "" for any."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    variants = models.JSONField(default=list, blank=True)
    pace = models.CharField(max_length=10, blank=True)
    since = models.DateTimeField()


class Approach(Numbered):
    """A request or an invitation: the game master or an assistant (`inviter`) invites a user to a seat (`invited`), or
    a user asks for a vacant seat.

    `accepted` is None until there is an answer; it is also False if another player has got the seat.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="approaches")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    invited = models.BooleanField()
    inviter = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", null=True)
    made = models.DateTimeField()
    accepted = models.BooleanField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "approaches"
        constraints = (
            models.UniqueConstraint(
                fields=("game", "user"), condition=Q(accepted__isnull=True), name="one_approach_at_a_time"
            ),
        )


class MailedInvitation(Numbered):
    """An invitation to a seat, sent to an email address; without a `seat`, to a game that has not assigned its powers
    yet. The row, with its address, is deleted once it is used, withdrawn or expired. Until then the seat, or a place,
    is kept for the guest. `next_try`: when to send the email; None once it is sent."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="mailed_invitations")
    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="+", null=True)
    email = models.EmailField()
    token = models.CharField(max_length=43, unique=True, default=new_invitation)
    expires = models.DateTimeField()
    next_try = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (
            models.Index(fields=("expires",), name="mailed_by_expiry"),
            models.Index(fields=("next_try",), condition=Q(next_try__isnull=False), name="mailed_to_send"),
        )
        constraints = (models.UniqueConstraint(fields=("game", "email"), name="mailed_once_per_game"),)


class UnwantedAddress(Numbered):
    """An email address, as a digest, whose owner wants no more invitations."""

    digest = models.CharField(max_length=64, unique=True)

    class Meta:
        verbose_name_plural = "unwanted addresses"


class Rematch(Numbered):
    """A game that is played again by the same people."""

    first = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="rematch")
    second = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="rematch_of")
