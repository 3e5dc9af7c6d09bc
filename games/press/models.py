"""What players write to each other. Messages are numbered within a thread, so as to reveal nothing about others."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from games.kernel.models import Game, Occupancy, Outgoing
from games.kernel.models.numbered import Numbered

LONGEST_MESSAGE = 4_000
LONGEST_REPORT = 500
LONGEST_NOTES = 20_000
KEY_LENGTH = 64


class Thread(Numbered):
    """All messages between one set of powers. `powers` is sorted, and empty for the public thread."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="threads")
    powers = ArrayField(models.CharField(max_length=40), default=list, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "powers"), name="thread_once_per_set"),)


class Message(Numbered):
    """A message, which never changes. `power` wrote it, or the game master if that is empty; `assistant` is set if an
    assistant wrote it as the game master.

    `turn` is the code of the phase that was open; empty before the first and after the last. `key` is that of the form
    it was sent from, so that a form sent twice makes one message; null without one.
    """

    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="messages")
    number = models.PositiveIntegerField()
    power = models.CharField(max_length=40, blank=True)
    turn = models.CharField(max_length=12, blank=True)
    sent = models.DateTimeField()
    text = models.TextField(max_length=LONGEST_MESSAGE)
    key = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001 - null is never a twin
    assistant = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("thread", "number"), name="message_number_once_per_thread"),
            models.UniqueConstraint(fields=("thread", "power", "key"), name="message_once_per_form"),
            models.CheckConstraint(condition=Q(text__gt=""), name="message_has_words"),
        )


class Bookmark(Numbered):
    """How far a person has read in a thread: the number of the last message seen."""

    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="bookmarks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("thread", "user"), name="bookmark_once_per_reader"),)


class Mute(Numbered):
    """A power that one person has muted in one game."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    power = models.CharField(max_length=40)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "user", "power"), name="mute_once_per_power"),)


class AnyReport(Numbered):
    """Something that a user has reported to the site's moderators, and why. `dealt`: when they closed the report."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(max_length=LONGEST_REPORT)
    made = models.DateTimeField()
    dealt = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True


class Report(AnyReport):
    """A message that a reader has reported."""

    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="reports")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("message", "user"), name="report_once_per_reader"),)


class Notebook(Numbered):
    """A player's notes for their own use while they have a seat. `version` counts the saves; no times are kept."""

    occupancy = models.OneToOneField(Occupancy, on_delete=models.PROTECT, primary_key=True, related_name="+")
    text = models.TextField(max_length=LONGEST_NOTES, blank=True)
    version = models.PositiveIntegerField(default=0)


class Remark(Numbered):
    """A remark on a game that is over, by anyone with an account, whether they played or watched."""

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


class RemarkReport(AnyReport):
    """A remark that somebody has reported."""

    remark = models.ForeignKey(Remark, on_delete=models.PROTECT, related_name="reports")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("remark", "user"), name="remark_report_once_per_reader"),)


class PressLetter(Numbered, Outgoing):
    """An email that tells one person about new messages in a thread; deleted when that person has read the thread.

    It has a table of its own, because staff can see the list of ordinary emails and their numbers.
    """

    thread = models.ForeignKey(Thread, on_delete=models.PROTECT, related_name="letters")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("thread", "user"), name="one_press_letter_until_read"),)
        indexes = (models.Index(fields=("next_try",), condition=Q(sent__isnull=True), name="press_letters_to_send"),)


class AnnouncementLetter(Numbered, Outgoing):
    """An email with one of the game master's announcements in full, to one person."""

    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="letters")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("message", "user"), name="one_letter_per_announcement"),)
        indexes = (models.Index(fields=("next_try",), condition=Q(sent__isnull=True), name="announcements_to_send"),)


class Withheld(Numbered):
    """A private message not shown to this person, who had blocked its writer when it was sent."""

    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="withheld")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "withheld"
        constraints = (models.UniqueConstraint(fields=("message", "user"), name="withheld_once"),)
