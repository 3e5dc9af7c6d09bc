"""Sessions and tokens, and what moderators do and look at: suspensions, the log of their actions, and sign-ins."""

from typing import ClassVar

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession, BaseSessionManager
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.languages import later
from games.kernel.models import Game, new_invitation
from games.kernel.models.numbered import Numbered
from games.press.models import AnyReport

LONGEST_PURPOSE = 100


class ActKind(models.TextChoices):
    SUSPENDED = "suspended", later("suspended")
    READMITTED = "suspension lifted", later("suspension lifted")
    STOPPED = "game stopped", later("game stopped")
    RELEASED = "game resumed", later("game resumed")
    DEALT = "dealt with a report", later("dealt with a report")
    MASTER_ASKED = "asked a new game master", later("asked a new game master")
    LOOKED = "looked at sign-ins", later("looked at sign-ins")
    APPROVED = "approved", later("approved")
    DELETED = "account deleted", later("account deleted")
    HIDDEN = "tournament hidden", later("tournament hidden")
    SHOWN = "tournament shown again", later("tournament shown again")
    SHUT = "tournament closed", later("tournament closed")
    OPENED = "tournament opened again", later("tournament opened again")
    RENAMED = "tournament renamed", later("tournament renamed")
    EMPTIED = "tournament’s text emptied", later("tournament’s text emptied")


class ModerationAct(models.Model):
    """One line of the moderators' log, about one user or one game; a trigger refuses changes. `series`: the slug of the
    tournament or series that the user directs and that it is about.

    `by` is empty if a suspension ended automatically.
    """

    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=30)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    series = models.SlugField(max_length=60, blank=True, default="", db_default="")
    reason = models.CharField(max_length=300)

    class Meta:
        permissions = (("moderate", "Can suspend accounts, stop games and look at sign-ins"),)
        constraints = (
            models.CheckConstraint(
                condition=Q(user__isnull=True) ^ Q(game__isnull=True), name="act_is_about_one_thing"
            ),
        )

    def __str__(self) -> str:
        return str(ActKind(self.kind).label)


class SeriesReport(AnyReport):
    """The name, the text and a director of a tournament or series as they were when somebody reported it."""

    series = models.SlugField(max_length=60)
    name = models.CharField(max_length=80)
    text = models.TextField(blank=True)
    director = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("series", "user"), name="series_report_once_per_reader"),)


class Suspension(Numbered):
    """A user can't sign in until this moment or, if it is empty, until a moderator ends the suspension."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="suspensions")
    reason = models.CharField(max_length=300)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user",), condition=Q(ended__isnull=True), name="suspended_once_at_a_time"),
        )


class SignUpLink(Numbered):
    """A link that lets people sign up although the site isn't open, as long as it isn't `withdrawn`."""

    secret = models.CharField(max_length=43, unique=True, default=new_invitation)
    purpose = models.CharField(max_length=LONGEST_PURPOSE)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made = models.DateTimeField()
    used = models.PositiveIntegerField(default=0)
    withdrawn = models.DateTimeField(null=True, blank=True)


class Approval(Numbered):
    """An email to a user whom a moderator has approved. The row is deleted once it is sent."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    next_try = models.DateTimeField()


class SignIn(Numbered):
    """A sign-in. `address` and `browser` are keyed digests, which can be compared but not read."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()
    address = models.CharField(max_length=64)
    browser = models.CharField(max_length=64)

    class Meta:
        indexes = (
            models.Index(fields=("user", "-at"), name="sign_ins_of_one"),
            models.Index(fields=("address",), name="sign_ins_from_one_place"),
            models.Index(fields=("at",), name="sign_ins_by_age"),
        )


class SessionsWithUsers(BaseSessionManager["Session"]):
    """Sessions read together with their users, as every page of someone who has signed in needs both."""

    def get_queryset(self) -> models.QuerySet["Session"]:
        return super().get_queryset().select_related("user")


class Session(AbstractBaseSession):
    """One browser; `user` is empty if nobody has signed in."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.DO_NOTHING, null=True, db_constraint=False, related_name="+"
    )

    objects: ClassVar[SessionsWithUsers] = SessionsWithUsers()

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        from games.people.sessions import SessionStore  # noqa: PLC0415 - the store is made of this model

        return SessionStore


LONGEST_TOKEN_NAME = 60
PREFIX_LENGTH = 8


class Scope(models.TextChoices):
    """What an app may do besides reading what its user may read."""

    ORDERS = "orders", later("Save orders, propose and vote")
    PRESS = "press", later("Write messages")
    SEAT = "seat", later("Join and leave games, give up seats, book days away, and name or be a sitter")
    MASTER = "master", later("Create games and act as game master")
    NEWS = "news", later("Mark notifications as read, and manage webhooks")


class TokenKind(models.TextChoices):
    """An app does what its user decides; a bot plays by itself, and only in seats that are labelled."""

    APP = "app", later("An app of mine")
    BOT = "bot", later("A bot")


class ApiToken(Numbered):
    """A user's token for one app or one bot. `prefix` finds it, `digest` is the SHA-256 of the rest, which isn't
    stored."""

    kind = models.CharField(max_length=3, choices=TokenKind, default=TokenKind.APP)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=LONGEST_TOKEN_NAME)
    prefix = models.CharField(max_length=PREFIX_LENGTH, unique=True)
    digest = models.CharField(max_length=64)
    scopes = models.JSONField(default=list)
    made = models.DateTimeField()
    expires = models.DateTimeField()
    last_used = models.DateField(null=True)

    @property
    def is_bot(self) -> bool:
        return self.kind == TokenKind.BOT

    @property
    def has_expired(self) -> bool:
        return self.expires <= clock.now()

    @property
    def beginning(self) -> str:
        """The characters by which the owner recognises it."""
        return f"dip_{self.prefix}"

    @property
    def allows(self) -> list[str]:
        """What an app may do with this token, in words."""
        return [_("Read everything you can read"), *(str(Scope(scope).label) for scope in self.scopes)]
