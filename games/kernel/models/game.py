"""Games, their seats, and who played in them from when to when."""

import secrets
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Upper
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from adjudication.reasons import AS_WRITTEN
from adjudication.serialisation import verdict_from_json
from games.kernel.game_options import GameOptions
from games.kernel.languages import later, later_as
from variants.bots import Level
from variants.registry import UnknownVariant, find
from variants.variant import Variant
from variants.words import say


class Status(models.TextChoices):
    OPEN = "open", later("waiting for players")
    RUNNING = "running", later_as("a game", "running")
    PAUSED = "paused", later_as("a game", "paused")
    HELD = "held", later_as("a game", "on hold")
    FINISHED = "finished", later_as("a game", "finished")
    CLOSED = "closed", later("closed by the game master")


UNDER_WAY = (Status.RUNNING, Status.PAUSED, Status.HELD)
NOT_OVER = (Status.OPEN, *UNDER_WAY)
OVER = (Status.FINISHED, Status.CLOSED)
IN_ARCHIVE = Q(by_invitation=False, status__in=OVER)
"""The games that everyone can search."""
MODERATORS = "moderators"
"""The incident of a game that the moderators have put on hold."""


class Right(models.TextChoices):
    """A right that a game master can give to an assistant."""

    TALK = "talk", later_as("what an assistant is in charge of", "messages")
    CLOCK = "clock", later_as("what an assistant is in charge of", "clock")
    SEATS = "seats", later_as("what an assistant is in charge of", "seats")
    RESULTS = "results", later_as("what an assistant is in charge of", "results")


class Games(models.QuerySet["Game"]):
    def of_people(self) -> "Games":
        """The games without practice games, which are in no list, record or statistic."""
        return self.filter(practice=False)

    def of_this_site(self) -> "Games":
        """The games that were not played elsewhere."""
        return self.filter(elsewhere__isnull=True)


def new_invitation() -> str:
    """A new secret part for the link with which anyone can see a game and join it."""
    return secrets.token_urlsafe(24)


class Game(models.Model):
    """One game. `variant_*` pin the variant's data; `verdict` is set once it is over: {"winners": [...], "kind": ...,
    "facts": {...}}, with "void": true if it counts nowhere.

    `practice`: one person plays it against bots. No one else ever sees it, and no other game may be deleted.
    `assistants`: the rights of those who assist the game master now, by user id; the database keeps it with their rows.
    `elsewhere` is set if it was played elsewhere and only added to the archive: {"game": its name there, "players":
    {power: a name as text}, "differences": [sentences]}. No one plays, runs or rates it here.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    variant_slug = models.CharField(max_length=40)
    variant_version = models.CharField(max_length=20)
    variant_digest = models.CharField(max_length=64)
    stored_options = models.JSONField(db_column="options")
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    gm = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="games_mastered")
    assistants = models.JSONField(default=dict, db_default=Value({}, models.JSONField()), editable=False)
    by_invitation = models.BooleanField(default=False)
    practice = models.BooleanField(default=False)
    invitation = models.CharField(max_length=43, unique=True)
    incident = models.CharField(max_length=16, blank=True)
    verdict = models.JSONField(null=True, blank=True)
    elsewhere = models.JSONField(null=True, blank=True)
    created = models.DateTimeField()

    objects = Games.as_manager()

    class Meta:
        indexes = (
            models.Index(fields=("created",), condition=Q(practice=True), name="practice_games_by_age"),
            models.Index(
                fields=("status", "-created", "-id"), condition=Q(by_invitation=False), name="public_games_newest_first"
            ),
            models.Index(
                fields=("variant_slug", "-created"), condition=Q(by_invitation=False), name="public_games_of_a_variant"
            ),
            # A search that few games match is answered without reading the rows of the others, which are far wider.
            models.Index(
                fields=("-created", "-id"),
                include=("name", "variant_slug"),
                condition=IN_ARCHIVE,
                name="archive_newest_first",
            ),
            # Of all games: Postgres uses no statistics of an index of some.
            GinIndex(OpClass(Upper("name"), name="gin_trgm_ops"), name="games_by_parts_of_names"),
        )
        constraints = (
            models.CheckConstraint(condition=Q(status__in=Status.values), name="game_status_is_known"),
            models.CheckConstraint(
                condition=Q(status=Status.HELD, incident__gt="") | (~Q(status=Status.HELD) & Q(incident="")),
                name="game_held_has_incident",
            ),
            models.CheckConstraint(
                condition=Q(status__in=OVER, verdict__isnull=False) | (~Q(status__in=OVER) & Q(verdict__isnull=True)),
                name="game_over_has_verdict",
            ),
            models.CheckConstraint(
                condition=Q(practice=False) | Q(by_invitation=True), name="practice_game_is_not_public"
            ),
            models.CheckConstraint(
                condition=Q(elsewhere__isnull=True) | Q(status__in=OVER, practice=False),
                name="game_played_elsewhere_is_over",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def variant(self) -> Variant:
        """The variant in the version that the game began with or, before its start, in the newest. If the site has no
        such version, the newest one is good enough to show the game. Raises UnknownVariant."""
        return find(self.variant_slug, "" if self.status == Status.OPEN else self.variant_digest)

    @cached_property
    def options(self) -> GameOptions:
        """The game's options, as they are now."""
        return self.options_as(self.stored_options)

    def options_as(self, values: Mapping[str, Any]) -> GameOptions:
        """The game's options, if they were stored like this."""
        try:
            variant = self.variant
        except UnknownVariant:
            variant = None
        return GameOptions.from_stored(values, variant, by_invitation=self.by_invitation)

    def rights_of(self, user_id: int | None) -> frozenset[Right]:
        """What this user may do: the game master has every right, assistants have those given to them."""
        if user_id is not None and user_id == self.gm_id:
            return frozenset(Right)
        return frozenset(map(Right, self.assistants.get(str(user_id), ())))

    @property
    def variant_title(self) -> str:
        """The variant's title, with its version if that is not the newest, or its slug if the site no longer has it."""
        try:
            variant = self.variant
        except UnknownVariant:
            return self.variant_slug
        told = _("{variant}, version {version}")
        return variant.title if variant.is_newest else told.format(variant=variant.title, version=variant.version)

    @property
    def verdict_sentence(self) -> str:
        """How the game ended; "" before the end."""
        return self.sentence_of(self.verdict) if self.verdict else ""

    def sentence_of(self, stored_verdict: Mapping[str, Any]) -> str:
        """How the game ended with this verdict."""
        variant, verdict = self.options.variant, verdict_from_json(stored_verdict)
        if variant is None:
            return str(verdict.facts.get(AS_WRITTEN, _("The game is over.")))
        return say(verdict, variant.ruleset)

    def is_run_by(self, user_id: int | None) -> bool:
        """Is this user the game master, or an assistant?"""
        return bool(self.rights_of(user_id))

    def invites(self, token: str) -> bool:
        """Is this the secret part of the game's invitation link? Compared in constant time."""
        return secrets.compare_digest(token.encode(), self.invitation.encode())


class Seat(models.Model):
    """A power of one game. `disordered`: in permanent civil disorder, closed for good.

    `held`: it is played now, not by a bot that gives way, or is kept for a guest who is invited by email. The database
    keeps it with the occupancies and invitations, so that seats to take over have an index.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    power = models.CharField(max_length=40)
    disordered = models.BooleanField(default=False)
    held = models.BooleanField(default=False, editable=False)

    class Meta:
        indexes = (models.Index(fields=("game",), condition=Q(held=False, disordered=False), name="free_seats"),)
        constraints = (models.UniqueConstraint(fields=("game", "power"), name="seat_once_per_power"),)

    def __str__(self) -> str:
        return self.power


class Departure(models.TextChoices):
    """How a player abandoned a seat."""

    RESIGNED = "resigned"
    LAPSED = "lapsed"


class Occupancy(models.Model):
    """One player in one seat, from `since` until `until` (null if it still goes on).

    `owed`: how many phases with something to decide have closed, except those that a bot played; `missed`: in how many
    of these nothing was saved; `silent`: in how many without a break, up to now. `departure`: how the seat was
    abandoned, "" if it was not; `returned`: the player abandoned it and came back, which is allowed once.

    `bot`: the level of the bot that plays, "" if a person does. It plays for the user, who may be one of the accounts
    for bots. `gives_way`: a bot without a person plays, and any person may take over the seat as if it were vacant.
    `own_bot`: the user lets a program of their own play, which everyone is told. `gm_enters`: the user lets the game
    master see and enter their orders, which only those two know. `instead_of`: the occupancy to which the game master
    can give the seat back, because this user has not opened the game yet and the phase has not ended. Until then, what
    is saved for the seat is its former player's, and no one can read it.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="occupancies")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="occupancies")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="occupancies", db_index=False
    )
    bot = models.CharField(max_length=10, blank=True, choices=[(level.value, level.value) for level in Level])
    gives_way = models.BooleanField(default=False)
    own_bot = models.BooleanField(default=False)
    gm_enters = models.BooleanField(default=False)
    instead_of = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    owed = models.PositiveIntegerField(default=0)
    missed = models.PositiveIntegerField(default=0)
    silent = models.PositiveIntegerField(default=0)
    departure = models.CharField(max_length=10, blank=True)
    returned = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "occupancies"
        indexes = (models.Index(fields=("user", "game"), name="games_of_user"),)
        constraints = (
            models.UniqueConstraint(fields=("seat",), condition=Q(until__isnull=True), name="seat_held_by_one"),
            models.UniqueConstraint(
                fields=("game", "user"), condition=Q(until__isnull=True), name="one_seat_per_player"
            ),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")), name="occupancy_ends_after_it_began"
            ),
            models.CheckConstraint(condition=Q(bot__in=["", *Level]), name="occupancy_bot_is_a_level"),
        )

    def __str__(self) -> str:
        return f"{self.user} as {self.seat}"
