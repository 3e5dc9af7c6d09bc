"""The people in a game: its game masters and assistants, its players, their sitters, and players waiting for a seat."""

from collections.abc import Collection, Iterable
from datetime import datetime
from functools import cached_property
from typing import TypeVar

from django.contrib.auth.models import AbstractUser
from django.db.models import Q, QuerySet
from django.db.models.expressions import Combinable

from games.kernel import clock, hooks
from games.kernel.models import UNDER_WAY, Assistant, Following, Game, Handover, Joiner, Occupancy, Right, Seat, Sitting
from games.kernel.options import Master


def may_know_secrets(game: Game, user_id: int) -> bool:
    """Was this user once a game master without the right to play, or such a game master's assistant, or have they
    looked at the plans of its tournament? Once they may have seen what players may not, they never play."""
    if hooks.has_looked(game, user_id):
        return True
    if game.options[Master].gm_plays:
        return False
    handovers = Handover.objects.filter(game=game, giver_id=user_id, accepted=True)
    return handovers.exists() or Assistant.objects.filter(game=game, user_id=user_id, accepted=True).exists()


def is_assistant(game: Game, user_id: int) -> bool:
    return user_id != game.gm_id and game.is_run_by(user_id)


def has_ever_run_a_game(user_id: int) -> bool:
    """Is this user the game master of any game, or an assistant, or have they ever been?"""
    handovers = Handover.objects.filter(giver_id=user_id, accepted=True)
    assisted = Assistant.objects.filter(user_id=user_id, accepted=True)
    return Game.objects.filter(gm_id=user_id).exists() or handovers.exists() or assisted.exists()


def masters_of(game: Game, right: Right | None = None) -> list[int]:
    """The game master and the assistants, or only those with this right."""
    users = [game.gm_id, *map(int, game.assistants)]
    return [user_id for user_id in users if right is None or right in game.rights_of(user_id)]


def assistant_rows_of(user_id: int | None) -> QuerySet[Assistant]:
    """The rows in which this user is an assistant now."""
    return Assistant.objects.filter(user_id=user_id or 0, accepted=True, ended__isnull=True)


def is_member(game: Game, user_id: int) -> bool:
    """Does this user have a seat in the game, or are they waiting for one?"""
    return user_id in members_of(game)


def master_at(game: Game, moment: datetime) -> AbstractUser:
    later = Handover.objects.filter(game=game, accepted=True, answered__gt=moment)
    row = later.select_related("giver").order_by("answered").first()
    return row.giver if row else game.gm


def periods_as_master(user_id: int) -> list[tuple[int, datetime | None, datetime | None]]:
    """The game, beginning and end of every period in which this user was a game master. None as a beginning is the
    game's start, and as an end means that it still is."""
    handovers = Handover.objects.filter(giver_id=user_id, accepted=True).values_list("game_id", "answered")
    times: list[tuple[int, datetime | None, datetime | None]] = [
        (game_id, _last_handover(game_id, until), until) for game_id, until in handovers
    ]
    mastered = Game.objects.filter(gm_id=user_id).values_list("pk", flat=True)
    return times + [(game_id, _last_handover(game_id, None), None) for game_id in mastered]


def when_became_master(game: Game, user_id: int) -> datetime:
    """When this user became the game master or an assistant, which they are now."""
    if user_id == game.gm_id:
        return _last_handover(game.pk, None) or game.created
    answered = assistant_rows_of(user_id).filter(game=game).values_list("answered", flat=True).get()
    assert answered is not None, "they have accepted"
    return answered


def _last_handover(game_id: int, before: datetime | None) -> datetime | None:
    """When the game last got a new game master, if given `before` that moment."""
    rows = Handover.objects.filter(Q() if before is None else Q(answered__lt=before))
    taken = rows.filter(game_id=game_id, accepted=True).order_by("-answered")
    return taken.values_list("answered", flat=True).first()


def sittings_under_way(now: datetime | Combinable) -> QuerySet[Sitting]:
    """The sittings that have been accepted and are under way at this moment."""
    return Sitting.objects.filter(
        occupancy__until__isnull=True, ended__isnull=True, ends__gt=now, accepted=True, begins__lte=now
    )


def sitting_now(game: Game, user_id: int | None) -> Sitting | None:
    """The sitting under way by which this user, who has no seat in the game, may write orders there; None for the game
    master and assistants."""
    if user_id is None or game.is_run_by(user_id):
        return None
    mine = sittings_under_way(clock.now_in_sql()).filter(occupancy__game=game, sitter=user_id)
    return mine.select_related("occupancy__seat").first()


def seats_lent_to(user_id: int | None) -> dict[int, Occupancy]:
    """The seats whose players this user sits for at this moment, by game."""
    if user_id is None:
        return {}
    rows = sittings_under_way(clock.now_in_sql()).filter(sitter=user_id, occupancy__game__status__in=UNDER_WAY)
    return {row.occupancy.game_id: row.occupancy for row in rows.select_related("occupancy__seat")}


class Participants:
    """The people who take part in some games, each table read once for all of them."""

    def __init__(self, games: Iterable[Game]) -> None:
        self.games = [game.pk for game in games]

    @cached_property
    def seats(self) -> dict[int, list[Seat]]:
        """The seats by game, in alphabetical order of their powers."""
        return _by_game(self.games, Seat.objects.filter(game__in=self.games).order_by("power"))

    @cached_property
    def seated(self) -> dict[int, list[Occupancy]]:
        """The current occupancies by game, with their seats."""
        rows = Occupancy.objects.filter(game__in=self.games, until__isnull=True)
        return _by_game(self.games, rows.select_related("seat", "user").order_by("seat__power"))

    @cached_property
    def _sittings(self) -> list[Sitting]:
        present = Sitting.objects.filter(occupancy__until__isnull=True, ended__isnull=True, accepted=True)
        return list(present.filter(occupancy__game__in=self.games).select_related("occupancy__seat"))

    @cached_property
    def _waiting(self) -> list[tuple[int, int]]:
        return list(Joiner.objects.filter(game__in=self.games).values_list("game_id", "user_id"))

    @cached_property
    def _following(self) -> list[tuple[int, int]]:
        return list(Following.objects.filter(game__in=self.games).values_list("game_id", "user_id"))

    def followers(self, game: Game) -> list[int]:
        """The users who follow this game without taking part in it."""
        return [user for it, user in self._following if it == game.pk]

    def people(self, game: Game, powers: Collection[str] | None = None) -> list[int]:
        """The users who play now, or only those of these powers, except where a bot plays for them. Without `powers`,
        this includes users who are waiting for a power."""
        players = (each for each in self.seated[game.pk] if not each.bot and not each.seat.disordered)
        if powers is not None:
            return sorted({each.user_id for each in players if each.seat.power in powers})
        return sorted({*(each.user_id for each in players), *(user for it, user in self._waiting if it == game.pk)})

    def sittings(self, game: Game, users: Iterable[int], moment: datetime) -> list[Sitting]:
        """The sittings for these players that are under way at that moment."""
        user_ids = set(users)
        here = (it for it in self._sittings if it.occupancy.game_id == game.pk and it.occupancy.user_id in user_ids)
        return [it for it in here if it.begins <= moment < it.ends]

    def sitting_now(self, game: Game, user_id: int | None) -> Sitting | None:
        """As the function `sitting_now`, for one of these games."""
        now = clock.when_read(game)
        mine = (it for it in self._sittings if it.occupancy.game_id == game.pk and it.sitter_id == user_id)
        begun = (it for it in mine if it.begins <= now < it.ends)
        return None if game.is_run_by(user_id) else next(begun, None)

    def sitters(self, game: Game, users: Iterable[int], now: datetime) -> list[int]:
        """The people who are sitting for these players at this moment."""
        return [it.sitter_id for it in self.sittings(game, users, now)]

    def everyone(self, game: Game, now: datetime) -> set[int]:
        """The game master, assistants, players and their sitters at this moment."""
        players = self.people(game)
        return {*players, *self.sitters(game, players, now), *masters_of(game)}

    def without_those_sat_for(self, game: Game, users: Iterable[int], moment: datetime) -> list[int]:
        """The players among these who have no sitter at that moment."""
        users = set(users)
        return sorted(users - {it.occupancy.user_id for it in self.sittings(game, users, moment)})


Row = TypeVar("Row", Seat, Occupancy)


def _by_game(games: Iterable[int], rows: Iterable[Row]) -> dict[int, list[Row]]:
    rows_by_game: dict[int, list[Row]] = {game: [] for game in games}
    for row in rows:
        rows_by_game[row.game_id].append(row)
    return rows_by_game


def players_of(game: Game, powers: Collection[str] | None = None) -> list[int]:
    """The users who play now; see `Participants.people`."""
    return Participants([game]).people(game, powers)


def members_of(game: Game) -> list[int]:
    seated = Occupancy.objects.filter(game=game, until__isnull=True).values_list("user_id", flat=True)
    waiting = Joiner.objects.filter(game=game).values_list("user_id", flat=True)
    return sorted({*seated, *waiting})


def open_sittings_for(game: Game, user_id: int | None, now: datetime) -> QuerySet[Sitting]:
    """The sittings in this game that are not over, and for which a player has asked this user."""
    open_ones = Sitting.objects.filter(
        occupancy__game=game, sitter=user_id or 0, occupancy__until__isnull=True, ended__isnull=True, ends__gt=now
    )
    return open_ones.exclude(accepted=False)
