"""Writing one's own sheet, and saying that one is ready."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from adjudication.words import phase_words
from games.deadlines.timing import settle_readiness
from games.kernel import clock
from games.kernel.live import announce
from games.kernel.locking import lock_game
from games.kernel.members import begun
from games.kernel.models import Occupancy, Phase, Readiness
from games.kernel.queries import head_of
from games.kernel.refusals import NotAllowed, OpenedAgain, WrongMoment
from games.orders.desk import read_text, receipt_for
from games.orders.parts import ProblemView, Receipt
from games.orders.refusals import BadSheet, TooLate
from games.sealed import store
from games.sealed.crypto import BodyTooLarge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.kernel.models import Seat


TOO_MUCH = "The sheet has too many characters that take much room. Make your remarks shorter."


def sheet_text(orders: Iterable[str], bids: Iterable[tuple[str, str]]) -> str:
    """The text of a sheet from form controls: orders, then (points, order) for each bid, without empty ones."""
    chosen = [order.strip() for order in orders]
    offered = [(points.strip(), order.strip()) for points, order in bids]
    lines = [order for order in chosen if order]
    lines += [f"{points or 0}: {order}" for points, order in offered if points or order]
    return "\n".join(lines)


@transaction.atomic
def save_sheet(
    *, occupancy_id: int, ordinal: int, text: str, seen: str | None = None, sitting: int | None = None
) -> Receipt:
    """Store what counts for this seat in this phase, in place of what was saved before. `sitting`: by a sitter.

    `seen` is the mark of the phase that the writer had before him, "" if he cannot tell; None takes the one that is
    open. BadSheet if any line has a mistake (nothing is stored), TooLate after the deadline (with what did count),
    OpenedAgain.
    """
    occupancy, phase = _writable(occupancy_id, ordinal, sitting)
    _require_as_seen(phase, seen)
    return _save(occupancy, phase, text)


@transaction.atomic
def save_if_blank(*, occupancy_id: int, ordinal: int, text: str) -> bool:
    """As `save_sheet`, but only if nothing is saved yet, so that a bot never overwrites a person."""
    occupancy, phase = _writable(occupancy_id, ordinal)
    if not occupancy.bot or store.read_own(occupancy, phase).saved:
        return False
    _save(occupancy, phase, text)
    return True


@transaction.atomic
def has_saved(*, occupancy_id: int, ordinal: int) -> bool:
    """Has the holder of this seat saved a sheet for the open phase? Raises as `save_sheet` does."""
    occupancy, phase = _writable(occupancy_id, ordinal)
    return store.read_own(occupancy, phase).saved


@transaction.atomic
def set_ready(
    *, occupancy_id: int, ordinal: int, ready: bool, seen: str | None = None, sitting: int | None = None
) -> None:
    """Say that this seat needs no more time, or take it back. Once all are ready the phase ends early.

    `seen` as in `save_sheet`. WrongMoment in a game without this option; TooLate after the deadline, OpenedAgain.
    """
    occupancy, phase = _writable(occupancy_id, ordinal, sitting)
    _require_as_seen(phase, seen)
    game = phase.game
    if not game.options.all_ready:
        raise WrongMoment("In this game phases end at their deadline; nobody needs to say that he is ready.")
    if ready:
        Readiness.objects.get_or_create(phase=phase, seat_id=occupancy.seat_id)
    else:
        Readiness.objects.filter(phase=phase, seat_id=occupancy.seat_id).delete()
    if game.options.show_ready:
        announce(game.pk)
    settle_readiness(game, phase, clock.now())


def destroy_unread(phase: Phase, seat: Seat) -> None:
    """Blank what a seat has written, without reading it. The caller holds the lock on the game."""
    store.destroy(phase, seat)


def _writable(occupancy_id: int, ordinal: int, sitting: int | None = None) -> tuple[Occupancy, Phase]:
    """The occupancy and the phase it may write for, both read under the lock on the game.

    A sitter whose time is over may not, and none is told what counted in a phase that is over.
    """
    game = lock_game(Occupancy.objects.get(pk=occupancy_id).game_id)
    occupancy = Occupancy.objects.select_related("seat", "game").get(pk=occupancy_id)
    if occupancy.until is not None:
        raise NotAllowed("You no longer have this seat.")
    if sitting is not None and not begun(clock.now()).filter(pk=sitting, occupancy=occupancy).exists():
        raise NotAllowed("Your time as a sitter is over.")
    phase = game.phases.filter(ordinal=ordinal).first()
    if phase is None:
        raise WrongMoment(
            "Not saved: the game has no such phase any more. Its game master has gone back to an earlier one."
            if Phase.every.filter(game=game, ordinal=ordinal).exists()
            else "The game has no such phase."
        )
    if phase.closed is not None or phase.time_left(clock.now()) <= timedelta(0):
        raise TooLate(_what_counts(occupancy, phase) if sitting is None else None)
    return occupancy, phase


def _require_as_seen(phase: Phase, seen: str | None) -> None:
    head = head_of(phase)
    if seen is None or seen == head.mark:
        return
    if seen:
        raise OpenedAgain(
            f"The game master has opened {phase_words(head)}, again since you opened the page. "
            "Look at the position and decide anew."
        )
    if Phase.every.filter(game=phase.game, ordinal=phase.ordinal, undoing__isnull=False).exists():
        raise OpenedAgain(
            f"The game master has opened {phase_words(head)}, again. Look at the position, and send the mark of the "
            "phase with your orders, as your sheet shows it now, so that none are taken that were meant for before."
        )


def _what_counts(occupancy: Occupancy, phase: Phase) -> Receipt | None:
    if not store.is_own(occupancy, phase):
        return None
    body = store.read_own(occupancy, phase)
    return receipt_for(occupancy.seat.power, phase, body)


def _save(occupancy: Occupancy, phase: Phase, text: str) -> Receipt:
    reading = read_text(occupancy.seat.power, phase, text)
    if reading.problems:
        raise BadSheet(reading.problems, text)
    at = clock.now().isoformat(timespec="seconds")
    body = store.Body(saved=True, typed=text, lines=reading.lines, at=at)
    try:
        written = store.write_own(occupancy, phase, body)
    except BodyTooLarge as full:
        raise BadSheet((ProblemView(1, "", TOO_MUCH),), text) from full
    return receipt_for(occupancy.seat.power, phase, written)
