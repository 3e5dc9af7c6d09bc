"""Before a game starts: who waits for a power, who asks to be let in, and who has said that he is there."""

from django.conf import settings
from django.db import models

from games.models.game import Game


class Joiner(models.Model):
    """Somebody in a game whose seats are dealt once it is full. `wishes`: powers, the dearest first.

    The wishes are for nobody else, so the row goes when the seats are dealt.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="joiners")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="joined")
    wishes = models.JSONField(default=list, blank=True)
    joined = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "user"), name="join_once"),)

    def __str__(self) -> str:
        return f"{self.user_id} in {self.game_id}"


class JoinRequest(models.Model):
    """Somebody asks the game master to be let in. `accepted` is None until there is an answer."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="requests")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    asked = models.DateTimeField()
    accepted = models.BooleanField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "user"), name="ask_once"),)

    def __str__(self) -> str:
        return f"{self.user_id} asks for {self.game_id}"


class Muster(models.Model):
    """The roll call before the first turn. `incomplete`: the game master called it although seats are free."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="muster")
    called = models.DateTimeField()
    deadline = models.DateTimeField()
    incomplete = models.BooleanField(default=False)

    class Meta:
        indexes = (models.Index(fields=("deadline",), name="musters_by_deadline"),)

    def __str__(self) -> str:
        return f"muster of {self.game_id}"


class Confirmation(models.Model):
    """Somebody has said in a muster that he is there."""

    muster = models.ForeignKey(Muster, on_delete=models.CASCADE, related_name="confirmations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("muster", "user"), name="confirm_once"),)

    def __str__(self) -> str:
        return f"{self.user_id} in {self.muster_id}"
