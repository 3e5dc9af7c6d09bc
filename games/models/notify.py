"""What people want to be told, and how: a choice for each kind of news, for all games or for one."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game
from games.models.outbox import LetterKind


class Topic(models.TextChoices):
    """The kinds of news among which people choose."""

    DUE = "due", "The deadline is near and I have saved nothing"
    PHASE = "phase", "A new phase in which I must decide"
    TIMETABLE = "timetable", "A deadline moves, or the clock is stopped"
    MESSAGE = "message", "Messages that I have not read"
    GAME = "game", "A game begins or ends, and its roll call"
    PROPOSAL = "proposal", "A proposal to end a game"
    SEAT = "seat", "Seats that I am given, offered or refused"
    REPAIR = "repair", "The game master puts something right"
    MASTER = "master", "What I must see to as a game master"


class Mail(models.TextChoices):
    """When a letter leaves."""

    AT_ONCE = "at once", "At once"
    DAILY = "daily", "In one letter a day"
    OFF = "off", "Never"


class Push(models.TextChoices):
    """Whether something is told on devices."""

    ON = "on", "Yes"
    OFF = "off", "No"


TOPICS = {
    LetterKind.NEW_PHASE: Topic.PHASE,
    LetterKind.CLOCK_MOVED: Topic.TIMETABLE,
    LetterKind.PROPOSED: Topic.PROPOSAL,
    LetterKind.SEATED: Topic.SEAT,
    LetterKind.REQUEST_ACCEPTED: Topic.SEAT,
    LetterKind.REQUEST_DECLINED: Topic.SEAT,
    LetterKind.SEAT_OFFERED: Topic.SEAT,
    LetterKind.SEAT_REFUSED: Topic.SEAT,
    LetterKind.SEAT_LAPSED: Topic.SEAT,
    LetterKind.SEAT_LOST: Topic.SEAT,
    LetterKind.SEAT_TAKEN: Topic.SEAT,
    LetterKind.SITTER_ASKED: Topic.SEAT,
    LetterKind.SITTER_ANSWERED: Topic.SEAT,
    LetterKind.ROLLED_BACK: Topic.REPAIR,
    LetterKind.JUDGED_AGAIN: Topic.REPAIR,
    LetterKind.POSITION_CHANGED: Topic.REPAIR,
    LetterKind.REQUEST_MADE: Topic.MASTER,
    LetterKind.SEAT_VACANT: Topic.MASTER,
    LetterKind.SEAT_ASKED_FOR: Topic.MASTER,
    LetterKind.GAME_HELD: Topic.MASTER,
    LetterKind.MASTER_ASKED: Topic.SEAT,
    LetterKind.MASTER_ANSWERED: Topic.SEAT,
}
"""The topic of each kind of letter; all others are about the game."""

USUAL_MAIL = dict.fromkeys(Topic, Mail.AT_ONCE)
"""What holds for those who have chosen nothing."""

USUAL_HOUR = 8


class NotificationChoice(models.Model):
    """What one person has chosen for one topic: in all games, or (with a game) in that one; empty: as in all games.

    `push` is about devices, and chosen here for one game only.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    topic = models.CharField(max_length=20)
    mail = models.CharField(max_length=10, blank=True)
    push = models.CharField(max_length=10, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("user", "game", "topic"), nulls_distinct=False, name="one_choice_per_topic_and_game"
            ),
            models.CheckConstraint(condition=Q(game__isnull=False) | Q(mail__gt=""), name="choice_is_made"),
        )

    def __str__(self) -> str:
        return f"choice {self.pk}"


class Webhook(models.Model):
    """Where the news of a game are posted. All up to `told_until` has arrived; without a next try it has stopped."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="webhook")
    address = models.CharField(max_length=400)
    told_until = models.DateTimeField()
    next_try = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"webhook {self.pk}"


class DailyLetter(models.Model):
    """The hour (0 to 23, in the person's zone) of the one letter a day, and when the next is due, if one waits."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    hour = models.PositiveSmallIntegerField(default=USUAL_HOUR)
    due = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(hour__lt=24), name="daily_letter_hour_exists"),)

    def __str__(self) -> str:
        return f"daily letter {self.pk}"
