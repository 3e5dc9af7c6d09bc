"""People around a game: players waiting for a power, blocks, sitters, assistants, and game masters handing over."""

from collections.abc import Iterable

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from games.kernel.models.game import Game, Occupancy, Right
from games.kernel.models.numbered import Numbered
from variants.words.english import listed


class Joiner(Numbered):
    """A player in a game whose powers are assigned once it is full. `wishes`: the powers they would like, the favourite
    first; `own_bot` as in `Occupancy`.

    No one else may see the wishes, so the row is deleted when the powers are assigned.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="joiners")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="joined")
    wishes = models.JSONField(default=list, blank=True)
    own_bot = models.BooleanField(default=False)
    joined = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "user"), name="join_once"),)


class Block(Numbered):
    """`by` wants no private messages from `whom`, and does not want them in games that `by` runs. Only `by` sees it."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    whom = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("by", "whom"), name="block_once"),
            models.CheckConstraint(condition=~Q(by=F("whom")), name="nobody_blocks_himself"),
        )


class Following(Numbered):
    """A user follows a public game without taking part in it: it is among their lists, and they get the news of its
    start, results and end. Only they see the row."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="followings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "game"), name="follow_once"),)


class Sitting(Numbered):
    """A sitter plays for a player from `begins` to `ends`, if they have accepted and the player has not `ended` it.

    `talks`: the sitter may read and write the seat's messages. Only the two of them see the row.
    """

    occupancy = models.ForeignKey(Occupancy, on_delete=models.PROTECT, related_name="sittings")
    sitter = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    begins = models.DateTimeField()
    ends = models.DateTimeField()
    talks = models.BooleanField(default=False)
    accepted = models.BooleanField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(ends__gt=F("begins")), name="sitting_ends_after_it_begins"),
            models.UniqueConstraint(
                fields=("occupancy",), condition=Q(ended__isnull=True) & ~Q(accepted=False), name="one_sitter_at_a_time"
            ),
        )


class Handover(Numbered):
    """The `giver`, or the moderators if the giver is gone, ask the `taker` to be the game master.

    `accepted` is None until the taker answers; a withdrawn offer counts as a no. No one else sees the row.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="handovers")
    giver = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    taker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    by_moderators = models.BooleanField(default=False)
    made = models.DateTimeField()
    accepted = models.BooleanField(null=True, blank=True)
    answered = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("game",), condition=Q(accepted__isnull=True), name="one_handover_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(accepted__isnull=True) ^ Q(answered__isnull=False), name="handover_answered_when"
            ),
        )


class Assistant(Numbered):
    """The game master asks a user to be an assistant with these `rights`, until it is `ended`.

    `accepted` is None until the user answers; a withdrawn request counts as a no. While one is accepted and not ended,
    the database keeps it in `Game.assistants`.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    rights = ArrayField(models.CharField(max_length=10, choices=Right))
    made = models.DateTimeField()
    accepted = models.BooleanField(null=True, blank=True)
    answered = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("game", "user"),
                condition=Q(ended__isnull=True) & ~Q(accepted=False),
                name="assists_a_game_once_at_a_time",
            ),
            models.CheckConstraint(
                condition=Q(accepted__isnull=True) ^ Q(answered__isnull=False), name="assistant_answered_when"
            ),
            models.CheckConstraint(
                condition=Q(ended__isnull=True) | Q(accepted=True), name="assistant_ends_after_accepting"
            ),
        )


def rights_words(rights: Iterable[str]) -> str:
    """The rights in words, as in "clock and seats"."""
    return listed([str(Right(right).label) for right in rights])
