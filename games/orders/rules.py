"""Who may write a sheet, say "ready", and look at bids."""

from __future__ import annotations

from datetime import timedelta

from adjudication.options import must_decide
from adjudication.turns import PhaseKind, Turn
from games.deadlines.options import EarlyEnd
from games.kernel.models import Occupancy, Phase
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.kernel.rules import only_gm, unless
from games.kernel.standpoint import Standpoint
from games.orders.parts import Receipt
from games.sealed.options import Looks


class TooLate(Refusal):
    """`receipt`: what does count, where that may be said."""

    def __init__(self, receipt: Receipt | None) -> None:
        super().__init__("Too late, not counted: the deadline of this phase has passed.")
        self.receipt = receipt


def may_save(here: Standpoint, writer: Occupancy | None, phase: Phase) -> Refusal | None:
    """Write for this seat in this phase."""
    if writer is None or writer.until is not None:
        return NotAllowed("You no longer have this seat.")
    is_open = phase.closed is None and phase.time_left(here.now) > timedelta(0)
    return unless(is_open, TooLate(None))


def may_say_ready(here: Standpoint, writer: Occupancy | None, phase: Phase) -> Refusal | None:
    """Or take it back."""
    return (
        may_save(here, writer, phase)
        or unless(
            here.options[EarlyEnd].all_ready,
            WrongMoment("In this game phases end at their deadline; nobody needs to say that he is ready."),
        )
        or unless(
            writer and writer.seat.power in must_decide(here.open_position, here.variant.ruleset),
            WrongMoment("You have nothing to decide in this phase, so nobody waits for you."),
        )
    )


def may_look_at_bids(here: Standpoint, ordinal: int) -> Refusal | None:
    """Look at those of this closed phase."""
    theirs = NotAllowed("In this game nobody but their owners sees bids.")
    return (
        only_gm(here)
        or unless(here.options[Looks].allowed and here.options[Looks].bids, theirs)
        or unless(not here.has_had_a_seat, theirs)
        or unless(ordinal in here.judged, WrongMoment("Bids can be looked at only when their phase has closed."))
        or unless(
            Turn.from_code(here.judged[ordinal]).kind is PhaseKind.MOVEMENT,
            WrongMoment("Bids are made for movement only. Choose a phase of movement."),
        )
    )
