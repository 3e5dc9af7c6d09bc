"""What players write to each other. Numbers count within a thread, so that no number tells of another thread."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from games.kernel.models import Game, Occupancy, Outgoing

LONGEST_MESSAGE = 4_000
LONGEST_REPORT = 500
LONGEST_NOTES = 20_000
KEY_LENGTH = 64


class Thread(models.Model):
    """Everything that one set of powers has written to each other; `powers` is sorted, and empty for all."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="threads")
    powers = ArrayField(models.CharField(max_length=40), default=list, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "powers"), name="thread_once_per_set"),)

    def __str__(self) -> str:
        return f"thread {self.pk}"


class Message(models.Model):
    """One message, never changed. `power` wrote it, or the game master where that is empty.

    `turn` is the code of the phase that was open, and empty before the first and after the last. `key` came with the
    form it was sent by, so that a form sent twice writes once; null without one.
    """

    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="messages")
    number = models.PositiveIntegerField()
    power = models.CharField(max_length=40, blank=True)
    turn = models.CharField(max_length=12, blank=True)
    sent = models.DateTimeField()
    text = models.TextField(max_length=LONGEST_MESSAGE)
    key = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001 - null is never a twin

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("thread", "number"), name="message_number_once_per_thread"),
            models.UniqueConstraint(fields=("thread", "power", "key"), name="message_once_per_form"),
            models.CheckConstraint(condition=Q(text__gt=""), name="message_has_words"),
        )

    def __str__(self) -> str:
        return f"message {self.pk}"


class Bookmark(models.Model):
    """How far one person has read in a thread: the number of the last message seen."""

    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="bookmarks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("thread", "user"), name="bookmark_once_per_reader"),)

    def __str__(self) -> str:
        return f"bookmark {self.pk}"


class Mute(models.Model):
    """One person wants to hear nothing of a power in one game."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    power = models.CharField(max_length=40)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "user", "power"), name="mute_once_per_power"),)

    def __str__(self) -> str:
        return f"mute {self.pk}"


class Report(models.Model):
    """One message that one reader shows to the moderators of the site, and why; `dealt`: when they were done."""

    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="reports")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(max_length=LONGEST_REPORT)
    made = models.DateTimeField()
    dealt = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("message", "user"), name="report_once_per_reader"),)

    def __str__(self) -> str:
        return f"report {self.pk}"


class Notebook(models.Model):
    """What a player notes for himself while he sits in one seat. `version` counts the saves, without times."""

    occupancy = models.OneToOneField(Occupancy, on_delete=models.PROTECT, primary_key=True, related_name="+")
    text = models.TextField(max_length=LONGEST_NOTES, blank=True)
    version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"notebook {self.pk}"


class Remark(models.Model):
    """What somebody with an account, whether he played or watched, has written about a game that is over."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="remarks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    sent = models.DateTimeField()
    text = models.TextField(max_length=LONGEST_MESSAGE)
    key = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001 - null is never a twin

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "user", "key"), name="remark_once_per_form"),
            models.CheckConstraint(condition=Q(text__gt=""), name="remark_has_words"),
        )

    def __str__(self) -> str:
        return f"remark {self.pk}"


class RemarkReport(models.Model):
    """One remark of a gallery that somebody shows to the moderators of the site, as a `Report` does a message."""

    remark = models.ForeignKey(Remark, on_delete=models.PROTECT, related_name="reports")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(max_length=LONGEST_REPORT)
    made = models.DateTimeField()
    dealt = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("remark", "user"), name="remark_report_once_per_reader"),)

    def __str__(self) -> str:
        return f"remark report {self.pk}"


class PressLetter(Outgoing):
    """Says to one person that something new stands in a thread; taken away when that person reads it.

    A table of its own, because the numbers and the list of ordinary letters are seen by the staff.
    """

    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="letters")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("thread", "user"), name="one_press_letter_until_read"),)
        indexes = (models.Index(fields=("next_try",), condition=Q(sent__isnull=True), name="press_letters_to_send"),)

    def __str__(self) -> str:
        return f"press letter {self.pk}"


class Withheld(models.Model):
    """A private message that this person is not shown, because he had blocked its writer when it was sent."""

    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="withheld")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "withheld"
        constraints = (models.UniqueConstraint(fields=("message", "user"), name="withheld_once"),)

    def __str__(self) -> str:
        return f"withheld {self.pk}"
