"""Which seats are ready: rows if everyone sees it, otherwise part of what each seat has sealed.

So nothing in the database shows who said so in secret. The caller always holds the lock on the game.
"""

from games.deadlines.options import EarlyEnd
from games.kernel.models import Game, Occupancy, Phase, Readiness
from games.sealed import store


def readiness_is_public(game: Game) -> bool:
    return game.options[EarlyEnd].show_ready


def record_readiness(game: Game, occupancy: Occupancy, phase: Phase, *, ready: bool) -> None:
    if not readiness_is_public(game):
        store.seal_readiness(occupancy, phase, ready=ready)
    elif ready:
        Readiness.objects.get_or_create(phase=phase, seat_id=occupancy.seat_id)
    else:
        Readiness.objects.filter(phase=phase, seat_id=occupancy.seat_id).delete()


def ready_seats_shown_or_not(game: Game, phase: Phase) -> set[int]:
    """All seats that are ready in the open phase, shown or not; only for the clock."""
    if not readiness_is_public(game):
        return store.sealed_ready_seats(phase)
    return set(Readiness.objects.filter(phase=phase).values_list("seat_id", flat=True))


def is_seat_ready(occupancy: Occupancy, phase: Phase, body: store.Body) -> bool:
    """Has this seat said that it is ready? `body`: what it has sealed."""
    if not readiness_is_public(phase.game):
        return body.ready
    return Readiness.objects.filter(phase=phase, seat_id=occupancy.seat_id).exists()


def hide_readiness(occupancy: Occupancy, phase: Phase) -> None:
    """When a player loses a seat that can be given back, seal with their orders that they were ready, as all saw."""
    if readiness_is_public(phase.game) and Readiness.objects.filter(phase=phase, seat_id=occupancy.seat_id).exists():
        store.seal_readiness(occupancy, phase, ready=True)


def show_readiness_again(occupancy: Occupancy, phase: Phase) -> None:
    """When the player gets the seat back, show again that they were ready."""
    if readiness_is_public(phase.game) and store.read_own(occupancy, phase).ready:
        store.seal_readiness(occupancy, phase, ready=False)
        record_readiness(phase.game, occupancy, phase, ready=True)


def clear_readiness(game: Game, phase: Phase) -> None:
    """Let no seat be ready any more."""
    if game.options[EarlyEnd].all_ready:
        store.clear_sealed_readiness(phase)
    Readiness.objects.filter(phase=phase).delete()
