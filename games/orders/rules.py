"""The rules on saving orders, saying "ready" and looking at bids."""

from datetime import timedelta

from django.utils.translation import gettext as _

from adjudication.options import must_decide
from adjudication.turns import PhaseKind, Turn
from games.deadlines.options import EarlyEnd
from games.kernel.models import UNDER_WAY, Occupancy, Phase, Right
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.kernel.rules import only_gm, only_in_a_phase, only_while, unless
from games.kernel.standpoint import Standpoint
from games.orders.parts import Receipt
from games.sealed.options import EnteredOrders, SeeingBids


class TooLate(Refusal):
    """The phase has ended. `receipt`: the orders that counted instead, if the person may know them."""

    def __init__(self, receipt: Receipt | None) -> None:
        super().__init__(_("Too late: the deadline has passed, so these orders don’t count."))
        self.receipt = receipt


def may_save(here: Standpoint, writer: Occupancy | None, phase: Phase | None) -> None:
    unless(writer and writer.until is None, NotAllowed(_("You no longer have this seat.")))
    unless(phase and phase.closed is None and phase.time_left(here.now) > timedelta(0), TooLate(None))


def may_say_ready(here: Standpoint, writer: Occupancy | None, phase: Phase | None) -> None:
    """Allow saying that the seat is ready, and taking that back."""
    may_save(here, writer, phase)
    no_need = _("In this game every phase runs until its deadline, so there is no need to say you’re ready.")
    unless(here.options[EarlyEnd].all_ready, WrongMoment(no_need))
    decides = writer and writer.seat.power in must_decide(here.open_position, here.variant.ruleset)
    unless(decides, WrongMoment(_("You have nothing to decide in this phase, so no one is waiting for you.")))


def may_enter_orders(here: Standpoint, power: str) -> Occupancy:
    """Allow the game master to enter orders for the player of this power. Returns that player's occupancy."""
    only_gm(here, Right.RESULTS)
    allowed = here.options[EnteredOrders].allowed and not here.has_had_a_seat
    unless(allowed, NotAllowed(_("In this game only players and their sitters can enter orders.")))
    unless(power in here.seats, NotAllowed(_("This game has no such power.")))
    only_while(here, UNDER_WAY, _("The game has not started."))
    only_in_a_phase(here)
    holder = here.holder(power)
    if holder is None or not holder.gm_enters:
        raise NotAllowed(_("The player of this seat hasn’t agreed that you enter their orders."))
    return holder


def may_look_at_bids(here: Standpoint, ordinal: int) -> None:
    _only_where_gm_sees_bids(here)
    unless(ordinal in here.judged, WrongMoment(_("You can see the bids of a phase only after it has ended.")))
    private = _("These bids were made under terms that show them only to the player who made them.")
    unless(here.judged_phases[ordinal].shows(SeeingBids), NotAllowed(private))
    is_movement = ordinal in phases_with_bids(here)
    unless(is_movement, WrongMoment(_("Bids are only made in movement phases. Choose one of those.")))


def may_look_at_all_bids(here: Standpoint) -> None:
    """Allow a look at the bids of all phases so far."""
    _only_where_gm_sees_bids(here)
    unless(phases_with_bids(here), WrongMoment(_("You can see the bids of a phase only after it has ended.")))


def phases_with_bids(here: Standpoint) -> list[int]:
    """The closed phases with bids, if the terms of the time let the game master see them."""
    movements = (it for it in here.judged_phases.values() if Turn.from_code(it.turn).kind is PhaseKind.MOVEMENT)
    return [phase.ordinal for phase in movements if phase.shows(SeeingBids)]


def _only_where_gm_sees_bids(here: Standpoint) -> None:
    only_gm(here, Right.RESULTS)
    seeing = here.options[SeeingBids]
    is_open_to_gm = seeing.allowed and seeing.bids and not here.has_had_a_seat
    unless(is_open_to_gm, NotAllowed(_("In this game only the player who made a bid can see it.")))
