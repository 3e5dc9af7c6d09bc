"""Letters to be sent: written in the transaction of what they tell, delivered at least once."""

from django.conf import settings
from django.db import models

from games.models.game import Game


class LetterKind(models.TextChoices):
    GAME_STARTED = "game started"
    MUSTER_CALLED = "muster called"
    PLACE_LOST = "place lost"
    REQUEST_MADE = "request made"
    REQUEST_ACCEPTED = "request accepted"
    REQUEST_DECLINED = "request declined"
    NEW_PHASE = "new phase"
    SEATED = "seated"
    GAME_HELD = "game held"
    GAME_OVER = "game over"
    ROLLED_BACK = "rolled back"
    JUDGED_AGAIN = "judged again"
    POSITION_CHANGED = "position changed"
    PROPOSED = "end proposed"
    SEAT_VACANT = "seat vacant"
    SEAT_LAPSED = "seat lapsed"
    SEAT_ASKED_FOR = "seat asked for"
    SEAT_OFFERED = "seat offered"
    SEAT_REFUSED = "seat refused"
    SEAT_DECLINED = "seat declined"
    SITTER_ASKED = "sitter asked"
    SITTER_ANSWERED = "sitter answered"
    MASTER_ASKED = "master asked"
    MASTER_ANSWERED = "master answered"
    CLOCK_MOVED = "clock moved"
    SEAT_LOST = "seat lost"
    SEAT_TAKEN = "seat taken"


OUTSIDE = (
    LetterKind.REQUEST_DECLINED,
    LetterKind.SEAT_LOST,
    LetterKind.SEAT_REFUSED,
    LetterKind.SEAT_TAKEN,
)
"""What is told also to those who may see the game no more, where it is by invitation: that it is over for them."""


class Outgoing(models.Model):
    """Something that waits until it can be sent by e-mail, and is tried again when the mail server refuses.

    Without a next try it waits for the letter of the day, if it is `for_the_day`, or is not wanted by e-mail.
    It is `pushed` when nothing is to be told on devices any more, and tried there at `next_push` if not at once.
    On the site it is a line among the reader's notices, new until it is `seen`.
    """

    written = models.DateTimeField()
    next_try = models.DateTimeField(null=True, blank=True)
    for_the_day = models.BooleanField(default=False)
    tries = models.PositiveIntegerField(default=0)
    sent = models.DateTimeField(null=True, blank=True)
    seen = models.DateTimeField(null=True, blank=True)
    next_push = models.DateTimeField(null=True, blank=True)
    pushed = models.BooleanField(default=False)

    class Meta:
        abstract = True


class Letter(Outgoing):
    """One letter to one person. `key` says what it is about, so that no letter is written twice."""

    key = models.CharField(max_length=120, unique=True)
    kind = models.CharField(max_length=30)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="letters")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="letters")
    ordinal = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        indexes = (
            models.Index(fields=("next_try",), condition=models.Q(sent__isnull=True), name="letters_to_send"),
        )

    def __str__(self) -> str:
        return self.key
