"""Users' choices of notifications, and the other places where the news of a game is posted."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.kernel.languages import later, later_as
from games.kernel.models import Game
from games.kernel.models.numbered import Numbered
from games.kernel.news import Topic


class Mail(models.TextChoices):
    """When an email is sent."""

    AT_ONCE = "at once", later("Straight away")
    DAILY = "daily", later("In a daily digest")
    OFF = "off", later("Never")


class Push(models.TextChoices):
    """Whether devices are notified."""

    ON = "on", later_as("notify devices", "Yes")
    OFF = "off", later_as("notify devices", "No")


USUAL_MAIL = dict.fromkeys(Topic, Mail.AT_ONCE)
"""The default for users who have chosen nothing."""

USUAL_HOUR = 8


class NotificationChoice(Numbered):
    """A user's choice for one topic, in all games or in one `game`; empty: the same as for all games.

    `push` is about devices, and is chosen here for one game only.
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


class PostForm(models.TextChoices):
    """What is posted to a webhook."""

    CHAT = "chat", later("A message for Discord")
    JSON = "json", later("JSON for a program")


class Webhook(Numbered):
    """An address to which a user has the news of a game posted. Everything up to `told_until` has arrived. Without a
    `next_try` it has stopped. `seed` and the site's key make the secret that signs the posts. A test post is due at
    `next_test`. With `reminded_until`, reminders for later moments are posted as well."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=400)
    form = models.CharField(max_length=10, choices=PostForm, default=PostForm.CHAT)
    seed = models.CharField(max_length=32)
    told_until = models.DateTimeField()
    next_try = models.DateTimeField(null=True, blank=True)
    next_test = models.DateTimeField(null=True, blank=True)
    reminded_until = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "game", "address"), name="one_webhook_per_address"),)


class Delivery(Numbered):
    """One attempt to post to a webhook: the status and the beginning of the answer, or why there was none."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    at = models.DateTimeField()
    test = models.BooleanField(default=False)
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.CharField(max_length=200, blank=True)


class DailyLetter(Numbered):
    """The hour (0 to 23, in the user's zone) of the daily digest, and when the next one is due if anything waits.

    `with_map`: emails with a result that are sent at once carry the picture of the map.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    hour = models.PositiveSmallIntegerField(default=USUAL_HOUR)
    with_map = models.BooleanField(default=False)
    due = models.DateTimeField(null=True, blank=True, db_index=True)

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(hour__lt=24), name="daily_letter_hour_exists"),)


class PushDevice(Numbered):
    """A browser that shows notifications. `endpoint` is its address at the browser's maker. `key` and `auth`, in
    URL-safe base64, encrypt its notifications."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    endpoint = models.CharField(max_length=400, unique=True)
    key = models.CharField(max_length=100)
    auth = models.CharField(max_length=30)
    since = models.DateTimeField()


class PushSilence(Numbered):
    """A topic about which a user wants no notifications on any device."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    topic = models.CharField(max_length=20)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "topic"), name="one_push_silence_per_topic"),)
