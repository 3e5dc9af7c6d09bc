"""Writing one's own sheet, and saying that one is ready."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from adjudication.words import phase_words
from games.deadlines.options import EarlyEnd
from games.deadlines.timing import settle_readiness
from games.kernel import clock, codec
from games.kernel.live import announce
from games.kernel.locking import lock_game
from games.kernel.members import begun
from games.kernel.models import Occupancy, Phase, Readiness
from games.kernel.queries import head_of
from games.kernel.refusals import NotAllowed, OpenedAgain, Refusal, WrongMoment
from games.orders.parts import ProblemView
from games.orders.receipts import receipt_of
from games.orders.sheets import SentSheet, read_once
from games.sealed import store
from games.sealed.crypto import BodyTooLarge

if TYPE_CHECKING:
    from games.kernel.models import Seat
    from games.orders.parts import Receipt
    from games.orders.sheets import ReadSheet


TOO_MUCH = "The sheet has too many characters that take much room. Make your remarks shorter."


class BadSheet(Refusal):
    """The sentence counts the mistakes and quotes none, so that it can stand in a log."""

    def __init__(self, sheet: ReadSheet) -> None:
        count = max(1, len(sheet.problems), len(sheet.misplaced))
        lines = "1 line has" if count == 1 else f"{count} lines have"
        super().__init__(f"Nothing was saved, because {lines} a mistake.")
        self.sheet = sheet


class TooLate(Refusal):
    def __init__(self, receipt: Receipt | None) -> None:
        super().__init__("Too late, not counted: the deadline of this phase has passed.")
        self.receipt = receipt


@transaction.atomic
def save_sheet(*, occupancy_id: int, sheet: SentSheet, sitting: int | None = None) -> Receipt:
    """Store what counts for this seat in the phase of this sheet, in place of what was saved before. `sitting`: by a
    sitter.

    It is read under the lock, because only there it is certain on which position. BadSheet if anything in it is wrong
    (nothing is stored), TooLate after the deadline (with what did count), OpenedAgain.
    """
    occupancy, phase = _writable(occupancy_id, sheet.ordinal, sitting)
    _require_as_seen(phase, sheet.mark)
    return _save(occupancy, phase, sheet)


@transaction.atomic
def save_if_blank(*, occupancy_id: int, sheet: SentSheet) -> bool:
    """As `save_sheet`, but only if nothing is saved yet, so that a bot never overwrites a person."""
    occupancy, phase = _writable(occupancy_id, sheet.ordinal)
    if not occupancy.bot or store.read_own(occupancy, phase).saved:
        return False
    _save(occupancy, phase, sheet)
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

    `seen`: the mark of the phase, as of a sheet. WrongMoment in a game without this option; TooLate, OpenedAgain.
    """
    occupancy, phase = _writable(occupancy_id, ordinal, sitting)
    _require_as_seen(phase, seen)
    game = phase.game
    if not game.options[EarlyEnd].all_ready:
        raise WrongMoment("In this game phases end at their deadline; nobody needs to say that he is ready.")
    if ready:
        Readiness.objects.get_or_create(phase=phase, seat_id=occupancy.seat_id)
    else:
        Readiness.objects.filter(phase=phase, seat_id=occupancy.seat_id).delete()
    if game.options[EarlyEnd].show_ready:
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
    return receipt_of(_read(SentSheet(body.lines), occupancy, phase), phase, body)


def _save(occupancy: Occupancy, phase: Phase, sent: SentSheet) -> Receipt:
    sheet = _read(sent, occupancy, phase)
    if not sheet.can_be_saved:
        raise BadSheet(sheet)
    at = clock.now().isoformat(timespec="seconds")
    body = store.Body(saved=True, typed=sheet.text, lines=sheet.canonical, at=at)
    try:
        written = store.write_own(occupancy, phase, body)
    except BodyTooLarge as full:
        raise BadSheet(replace(sheet, problems=(ProblemView(1, "", TOO_MUCH),))) from full
    return receipt_of(sheet, phase, written)


def _read(sent: SentSheet, occupancy: Occupancy, phase: Phase) -> ReadSheet:
    return read_once(sent, occupancy.seat.power, codec.position_of(phase), codec.variant_of(phase.game))
