"""How a game may end by agreement, and end-of-game statements."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from games.kernel.models import Game, Occupancy
from games.kernel.models.numbered import Numbered

LONGEST_STATEMENT = 2_000


class EndKind(models.TextChoices):
    """What is proposed: that the named powers share a draw, or that all others concede to them."""

    DRAW = "draw"
    CONCESSION = "concession"


class Fate(models.TextChoices):
    """The outcome of a proposal. `FALLEN`: it named an eliminated power. `LAPSED`: the game ended in another way."""

    OPEN = "open"
    AGREED = "agreed"
    WITHDRAWN = "withdrawn"
    FALLEN = "fallen"
    LAPSED = "lapsed"


class Proposal(Numbered):
    """A power's proposal to end the game. It belongs to no phase: `turn` only says when it was made.

    `number` counts within the game from 1; `powers`: the powers that it names, sorted.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="proposals")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=EndKind)
    powers = ArrayField(models.CharField(max_length=40))
    proposer = models.CharField(max_length=40)
    turn = models.CharField(max_length=12)
    made = models.DateTimeField()
    fate = models.CharField(max_length=10, choices=Fate, default=Fate.OPEN)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="proposal_number_once_per_game"),
            models.UniqueConstraint(
                fields=("game", "kind", "powers"), condition=Q(fate=Fate.OPEN), name="proposal_open_once"
            ),
            models.CheckConstraint(condition=~Q(powers=[]), name="proposal_names_powers"),
        )


class Vote(Numbered):
    """The current seat holder's answer to a proposal. It never passes to the next holder."""

    proposal = models.ForeignKey(Proposal, on_delete=models.PROTECT, related_name="votes")
    occupancy = models.ForeignKey(Occupancy, on_delete=models.PROTECT, related_name="votes")
    agrees = models.BooleanField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("proposal", "occupancy"), name="vote_once_per_holder"),)


class Statement(Numbered):
    """A player's statement about a finished game; its author may rewrite it."""

    occupancy = models.OneToOneField(Occupancy, on_delete=models.PROTECT, related_name="statement")
    text = models.TextField(max_length=LONGEST_STATEMENT)
    written = models.DateTimeField()

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(text__gt=""), name="statement_has_words"),)
