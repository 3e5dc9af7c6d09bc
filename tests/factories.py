"""Games in the state a test starts with, made through the services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from games.kernel import clock
from games.kernel.models import Game, Occupancy, Phase, Status
from games.seating.services.new_game import create_game, take_seat
from tests.cast import CAROL, PLAYERS, person
from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Sequence

HOUR = 3_600
VARIANT = "1926"


def waiting_game(*, name: str = "Locarno", variant: str = VARIANT, **options: Any) -> Game:
    """A game that Carol has created and no one has joined."""
    choices = {"movement_seconds": 24 * HOUR, **options}
    return Game.objects.get(slug=create_game(by=person(CAROL).pk, name=name, variant=variant, **choices))


def running_game(*, players: Sequence[str] = PLAYERS, **options: Any) -> Game:
    """A game that has just started, Alice playing the first power by alphabet."""
    game = waiting_game(**options)
    for name, power in zip(players, powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power, token=game.invitation)
    game.refresh_from_db()
    return game


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
