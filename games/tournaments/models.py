"""Tournaments and series, their directors, entrants, rounds and tables, and what was changed in them."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.kernel.languages import later, later_as
from games.kernel.models import Game, new_invitation
from games.kernel.models.numbered import Numbered
from games.kernel.news import LONGEST_REASON

LONGEST_NAME, LONGEST_TEXT, LONGEST_TEAM, LONGEST_MESSAGE = 80, 5_000, 40, 1_000


class Tournament(models.Model):
    """A tournament, whose people are seated at tables round by round; or a series (`is_series`): a club's league or
    season, whose directors put games into it.

    Until it is `published`, only its directors see it, and it has no games. `terms`: as `Terms` stores them. `closes`:
    until then people can enter and withdraw; None for a series. `invitation`: the secret part of the link by which
    people enter if the terms ask for one; None for a series. `notes` are for the directors alone. `hidden`: moderators
    show it to its directors only; `shut`: they let nobody enter, be seated or change anything. `finished`: a director
    has announced the winners.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=LONGEST_NAME)
    text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    terms = models.JSONField()
    is_series = models.BooleanField(default=True)
    closes = models.DateTimeField(null=True, blank=True)
    invitation = models.CharField(max_length=43, unique=True, null=True, blank=True)
    notes = models.TextField(max_length=LONGEST_TEXT, blank=True)
    created = models.DateTimeField()
    published = models.DateTimeField(null=True, blank=True)
    hidden = models.DateTimeField(null=True, blank=True)
    shut = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (
            models.Index(
                fields=("-published", "-id"), condition=Q(published__isnull=False), name="tournaments_newest_first"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Director(Numbered):
    """`plays`: they have said so. No right follows from that: see `rights.py`."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="directors")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="directs")
    plays = models.BooleanField(default=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tournament", "user"), name="director_once"),)


class Look(Numbered):
    """A director has asked to see what entrants keep from each other, and never plays in this tournament. The row stays
    when they no longer direct it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="looks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tournament", "user"), name="look_once"),)


class Place(models.TextChoices):
    """What an entrant has. People on the waiting list get the places that become free before entry closes."""

    IN = "in", later_as("an entrant", "entered")
    WAITING = "waiting", later("on the waiting list")
    SUBSTITUTE = "substitute", later("substitute")
    OUT = "out", later_as("an entrant", "withdrawn")


class Entrant(Numbered):
    """A person who has entered a tournament. `turn`: their number on the waiting list, or among the substitutes: the
    lowest is next. `second_seat`: they offer to sit at two tables where people are missing."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entrants")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="entered")
    place = models.CharField(max_length=10, choices=Place)
    turn = models.PositiveIntegerField(default=0)
    team = models.CharField(max_length=LONGEST_TEAM, blank=True)
    second_seat = models.BooleanField(default=False)
    entered = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tournament", "user"), name="enter_once"),)


class Wishes(Numbered):
    """What an entrant keeps from the others, deleted once the last round is seated. `powers`: variant -> powers, the
    favourite first. `variants`: slugs, the favourite first. `refused`: the users they won't play with."""

    entrant = models.OneToOneField(Entrant, on_delete=models.CASCADE, related_name="wishes")
    powers = models.JSONField(default=dict, blank=True)
    variants = models.JSONField(default=list, blank=True)
    refused = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name_plural = "wishes"


class Round(Numbered):
    """Tables that are played side by side. A series has one round, which has no meaning.

    `terms`: as `RoundTerms` stores them. `check_in_until`: until then entrants say that they play; None if all of them
    do. `present`: the users who have said so. `tables_of_each`: how many tables of each variant the next plan has; []
    leaves it to the site. `due`: when the site acts by the terms; `hindrance`: why it could not, a key of the texts.
    `plan_wanted`: make a plan with this seed. `plan`: as `StoredPlan` stores it, for the
    directors who have looked until the round is `seated`, and then for everyone.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField(default=1)
    terms = models.JSONField(default=dict, blank=True)
    check_in_until = models.DateTimeField(null=True, blank=True)
    present = models.JSONField(default=list, blank=True)
    tables_of_each = models.JSONField(default=list, blank=True)
    plan_wanted = models.BigIntegerField(null=True, blank=True)
    plan = models.JSONField(null=True, blank=True)
    seated = models.DateTimeField(null=True, blank=True)
    due = models.DateTimeField(null=True, blank=True)
    hindrance = models.CharField(max_length=10, blank=True, default="", db_default="")

    class Meta:
        indexes = (models.Index(fields=("due",), condition=Q(due__isnull=False), name="rounds_by_hour"),)
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="round_number_once"),)


MAY_BE_EMPTY: dict[str, Any] = {"null": True}
"""For the type checker, each table has a game: one that was played elsewhere is read with a stand-in."""


class Table(Numbered):
    """A game of a round. `number`: from 1 in a tournament, 0 in a series. `outcome`: how it ended, as `outcome_of`
    stores it; null before the end, and for a game that ended before it began.

    A table that was played elsewhere has no game in its row: `tables_in` gives it a stand-in. Its `outcome` also has
    the "variant", its "digest", the "verdict" and the table's "name"; the "holders": power -> a user, or the name of
    somebody without an account; and the "text" as a director typed it."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveIntegerField(default=0)
    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="table", **MAY_BE_EMPTY)
    added = models.DateTimeField()
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    outcome = models.JSONField(null=True, blank=True)


class Ruling(Numbered):
    """A director's decision about an entrant's points: those of a `table` instead of what the system gives, or, without
    a table, points added to the total, below 0 for a penalty."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rulings")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    points = models.DecimalField(max_digits=9, decimal_places=2)
    reason = models.CharField(max_length=LONGEST_REASON)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("table", "user"), name="rule_once_on_a_game"),)


class Claim(Numbered):
    """A user says that they are the player of this name, who has no account. It waits for a director."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="claims")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=LONGEST_NAME)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tournament", "user"), name="claim_one_name"),)


class TournamentLetter(Numbered):
    """An email about a tournament, to an entrant or (`email`) to an address that a director wrote on the roster. Then
    the row is the invitation: it stays until it is used or entry closes, and keeps the `team`, `powers` and `name` that
    the director wrote in `facts`. `next_try`: when to send it; None once it is sent. An entrant's is also a line among
    their notifications, new until it is `seen`."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="letters")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    email = models.EmailField(blank=True)
    token = models.CharField(max_length=43, unique=True, default=new_invitation)
    kind = models.CharField(max_length=20)
    facts = models.JSONField(default=dict, blank=True)
    written = models.DateTimeField()
    next_try = models.DateTimeField(null=True, blank=True)
    seen = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (
            models.Index(fields=("next_try",), condition=Q(next_try__isnull=False), name="tournament_letters_to_send"),
        )
        constraints = (
            models.UniqueConstraint(fields=("tournament", "email"), condition=~Q(email=""), name="invited_once"),
        )


class Change(Numbered):
    """A line of the public list of changes since the tournament was published. Its `kind` is a key of CHANGES. It may
    be about a game, or about a user who became a director."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="changes")
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20)
    facts = models.JSONField(default=dict, blank=True)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
