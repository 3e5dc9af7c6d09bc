"""Games in the state a test starts with, made through the services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from games.kernel import clock
from games.kernel.after_commit import merging_calls
from games.kernel.models import Game, Occupancy, Phase, Status
from games.kernel.news import tell
from games.seating.news import SEAT_TAKEN
from games.seating.services.new_game import create_game, take_seat
from tests.cast import CAROL, PLAYERS, people, person
from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOUR = 3_600
VARIANT = "1926"


def waiting_game(*, name: str = "Locarno", variant: str = VARIANT, **options: Any) -> Game:
    """A game that Carol has created and no one has joined."""
    choices = {"movement_seconds": 24 * HOUR, **options}
    return Game.objects.get(slug=create_game(by=person(CAROL).pk, name=name, variant=variant, **choices))


def running_game(*, players: Sequence[str] = PLAYERS, **options: Any) -> Game:
    """A game that has just started, Alice playing the first power by alphabet. Most of the tests begin with one, so
    only the last player takes the seat through the service."""
    people([CAROL, *players])
    game = waiting_game(**options)
    *first, (last, power) = zip(players, powers_of(game), strict=True)
    seat_at_once(game, dict(first))
    take_seat(game_id=game.pk, user_id=person(last).pk, power=power, token=game.invitation)
    game.refresh_from_db()
    return game


@transaction.atomic
def seat_at_once(game: Game, players: Mapping[str, str]) -> None:
    """Leave the rows that `take_seat` leaves, without its questions. `players`: name -> power."""
    now, seats = clock.now(), {seat.power: seat for seat in game.seats.all()}
    accounts = {user.username: user for user in people(list(players))}
    taken = [Occupancy(game=game, seat=seats[power], user=accounts[name], since=now) for name, power in players.items()]
    Occupancy.objects.bulk_create(taken)
    with merging_calls():
        for each in taken:
            tell(SEAT_TAKEN, game, at=now, by=each.user_id, power=each.seat.power)


def powers_of(game: Game) -> list[str]:
    return sorted(power.id for power in find(game.variant_slug).powers)


def occupancy_of(game: Game, power: str) -> Occupancy:
    return Occupancy.objects.get(game=game, seat__power=power, until__isnull=True)


def open_phase(game: Game) -> Phase:
    return game.phases.get(closed__isnull=True)


def due_phases() -> list[int]:
    """The open phases of running games whose deadline has passed, the oldest first."""
    due = Phase.objects.filter(closed__isnull=True, deadline__lte=clock.now(), game__status=Status.RUNNING)
    return list(due.order_by("deadline", "pk").values_list("pk", flat=True))
