"""Saving orders for a seat, and saying that it is ready."""

from dataclasses import replace
from typing import Annotated

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from adjudication.errors import NotationError
from adjudication.reasons import Misreading
from games.deadlines.options import EarlyEnd
from games.deadlines.readiness import is_seat_ready, readiness_is_public, record_readiness
from games.deadlines.timing import end_early_if_all_are_ready
from games.kernel import clock, codec
from games.kernel.acts import LARGEST, Asked, Power, Seen, gm_act
from games.kernel.live import announce_change
from games.kernel.locking import lock_game_for, lock_game_for_holder
from games.kernel.members import sittings_under_way
from games.kernel.models import Occupancy, Phase, Seat
from games.kernel.queries import phase_head
from games.kernel.refusals import NotAllowed, OpenedAgain, Refusal, WrongMoment
from games.kernel.standpoint import Standpoint
from games.orders.parts import ProblemView, Receipt
from games.orders.receipts import receipt_of, replaced_orders, saved_code
from games.orders.rules import TooLate, may_enter_orders, may_save, may_say_ready
from games.orders.sheets import ReadSheet, SentSheet, read_once
from games.sealed import store
from games.sealed.crypto import BodyTooLarge
from variants.words import say
from variants.words.orders import phase_words

TOO_MUCH = NotationError(Misreading.TOO_LONG, case="remarks")


class BadSheet(Refusal):
    """The sentence counts the mistakes and quotes none, so it is safe in a log."""

    def __init__(self, sheet: ReadSheet) -> None:
        count = max(1, len(sheet.problems), len(sheet.misplaced))
        sentence = ngettext(
            "Nothing was saved: 1 line has a mistake.", "Nothing was saved: {count} lines have mistakes.", count
        )
        super().__init__(sentence.format(count=count))
        self.sheet = sheet


class NewerOrders(Refusal):
    """Other orders have been saved since their writer last looked. `sheet` is what was sent, `saved` is what counts,
    with its `receipt`; both are read."""

    def __init__(self, sheet: ReadSheet, saved_sheet: ReadSheet, receipt: Receipt) -> None:
        super().__init__(_("Nothing was saved: other orders have been saved for this seat since you looked at them."))
        self.sheet, self.saved, self.receipt = sheet, saved_sheet, receipt


@transaction.atomic
def save_sheet(*, occupancy_id: int, sheet: SentSheet, sitting: int | None = None, gm: int | None = None) -> Receipt:
    """Save the orders that count for this seat in their phase, in place of any saved before. `sitting`: the sitting
    under which a sitter saves; `gm`: the game master whom the player lets save.

    They are read under the lock, because only then is the position certain. Raises BadSheet if they have any mistake
    (nothing is stored), TooLate after the deadline (with what counted instead), OpenedAgain; NewerOrders if the saved
    orders are not those in `sheet.after`. If the same orders are saved again, they keep their receipt.
    """
    here, phase = _lock_seat_and_phase(occupancy_id, sheet.ordinal, sitting, gm)
    _require_phase_seen(phase, sheet.mark)
    return _store_sheet(here.occupancy, phase, sheet, by_gm=gm is not None)


OpenPhase = Annotated[int, Asked(says="The number of the open phase.", least=0, most=LARGEST)]
OrdersOfPower = Annotated[str, Asked(says="All orders and bids of that power, one in each line.", blank=True)]
After = Annotated[
    str | None,
    Asked(
        says="The receipt code of the orders that you saw saved, empty if nothing was: with it nothing is saved if "
        "others have been saved since. Without it your orders replace whatever is saved.",
        blank=True,
    ),
]


@gm_act("enter_orders", may_enter_orders)
@transaction.atomic
def enter_orders(
    *, game_id: int, by: int, power: Power, ordinal: OpenPhase, text: OrdersOfPower, seen: Seen, after: After = None
) -> Receipt:
    """Save orders for a player who lets you do so, in place of any saved before; the answer says what they replaced.
    The player sees that you did.

    `seen` is the mark of the phase, `after` as in SentSheet. Raises as `save_sheet`, and NotAllowed without the
    player's agreement.
    """
    holder = may_enter_orders(lock_game_for(game_id, by), power)
    return save_sheet(occupancy_id=holder.pk, sheet=SentSheet(text, ordinal, seen, after), gm=by)


@transaction.atomic
def save_if_blank(*, occupancy_id: int, sheet: SentSheet) -> bool:
    """As `save_sheet`, but only if nothing is saved yet, so that a bot never overwrites a person's orders."""
    here, phase = _lock_seat_and_phase(occupancy_id, sheet.ordinal)
    if not here.occupancy.bot or store.read_own(here.occupancy, phase).saved:
        return False
    _store_sheet(here.occupancy, phase, sheet)
    return True


@transaction.atomic
def has_saved(*, occupancy_id: int, ordinal: int) -> bool:
    """Has the holder of this seat saved orders for the open phase? Raises as `save_sheet` does."""
    here, phase = _lock_seat_and_phase(occupancy_id, ordinal)
    return store.read_own(here.occupancy, phase).saved


@transaction.atomic
def set_ready(
    *, occupancy_id: int, ordinal: int, ready: bool, seen: str | None = None, sitting: int | None = None
) -> None:
    """Say that this seat needs no more time, or take that back. Once all seats are ready, the phase ends early.

    `seen`: the mark of the phase. Raises WrongMoment in a game without this option; TooLate, OpenedAgain.
    """
    here, phase = _lock_seat_and_phase(occupancy_id, ordinal, sitting)
    _require_phase_seen(phase, seen)
    may_say_ready(here, here.held, phase)
    game = here.game
    record_readiness(game, here.occupancy, phase, ready=ready)
    if readiness_is_public(game):
        announce_change(game.pk)
    end_early_if_all_are_ready(game, phase, here.now)


def delete_orders_unread(phase: Phase, seat: Seat) -> None:
    """Delete what a seat has saved, without reading it. The caller holds the lock on the game."""
    store.blank_sheets(phase, [seat])


def confirm_newcomer(newcomer: Occupancy, phase: Phase) -> None:
    """Confirm that the new player of a seat has arrived: it can't be given back any more, and what the former player
    had saved is deleted unread. The caller holds the lock on the game."""
    if newcomer.instead_of_id is not None:
        store.blank_what_predecessors_left(phase, [newcomer])


def _lock_seat_and_phase(
    occupancy_id: int, ordinal: int, sitting: int | None = None, gm: int | None = None
) -> tuple[Standpoint, Phase]:
    """The holder of the seat and the phase to write for, both read under the lock on the game.

    Sitters whose time is over are refused, and so is a game master whom the player doesn't let enter orders. They are
    not told what counted in a phase that has ended.
    """
    here = lock_game_for_holder(occupancy_id)
    if gm is not None:
        may_enter_orders(Standpoint(here.game, gm), here.occupancy.seat.power)
    if sitting is not None and not sittings_under_way(here.now).filter(pk=sitting, occupancy=occupancy_id).exists():
        raise NotAllowed(_("You’re no longer sitting for this player."))
    phase = here.game.phases.filter(ordinal=ordinal).first()
    if phase is None:
        raise WrongMoment(
            _("Not saved: this phase no longer exists, because the game master has gone back to an earlier one.")
            if Phase.every.filter(game=here.game, ordinal=ordinal).exists()
            else _("The game has no such phase.")
        )
    try:
        may_save(here, here.held, phase)
    except TooLate as late:
        receipt = None
        if sitting is None and gm is None and store.is_own(here.occupancy, phase):
            body = store.read_own(here.occupancy, phase)
            receipt = receipt_of(_read_sheet(SentSheet(body.lines), here.occupancy, phase), phase, body)
        raise TooLate(receipt) from late
    confirm_newcomer(here.occupancy, phase)
    return here, phase


def _require_phase_seen(phase: Phase, mark: str | None) -> None:
    phase_now = phase_head(phase)
    if mark is None or mark == phase_now.mark:
        return
    if mark:
        raise OpenedAgain(
            _(
                "The game master has reopened {phase}, since you opened this page. Check the position and decide again."
            ).format(phase=phase_words(phase_now))
        )
    if Phase.every.filter(game=phase.game, ordinal=phase.ordinal, undoing__isnull=False).exists():
        raise OpenedAgain(
            _(
                "The game master has reopened {phase}. Check the position, and send the current mark of the phase "
                "with your orders, so that orders meant for the old position are not accepted."
            ).format(phase=phase_words(phase_now))
        )


def _store_sheet(occupancy: Occupancy, phase: Phase, sent_sheet: SentSheet, *, by_gm: bool = False) -> Receipt:
    sheet = _read_sheet(sent_sheet, occupancy, phase)
    if not sheet.can_be_saved(by_gm=by_gm):
        raise BadSheet(sheet)
    at = clock.now().isoformat(timespec="seconds")
    typed = sheet.canonical if sheet.controls else sheet.text
    body = store.Body(saved=True, typed=typed, lines=sheet.canonical, at=at, by_gm=by_gm)

    def keeps_saved(before: store.Body) -> bool:
        if sheet.after is None or not before.saved or sheet.after == saved_code(phase, sheet.power, before):
            return False
        adds_no_remark = "#" not in body.typed or body.typed == before.typed
        if before.saved and body.lines == before.lines and adds_no_remark:
            return True
        saved = replace(_read_sheet(SentSheet(before.lines), occupancy, phase), text=before.typed)
        raise NewerOrders(sheet, saved, _receipt_to_show(receipt_of(saved, phase, before), by_gm=by_gm))

    try:
        before, body_now = store.write_own(occupancy, phase, body, keeps_saved)
    except BodyTooLarge as full:
        raise BadSheet(
            replace(sheet, problems=(ProblemView(1, "", say(TOO_MUCH, sheet.variant.ruleset), TOO_MUCH),))
        ) from full
    receipt = replace(
        receipt_of(sheet, phase, body_now),
        replaced=None if body_now is before else replaced_orders(phase, sheet.power, before),
        ready=is_seat_ready(occupancy, phase, before) if phase.game.options[EarlyEnd].all_ready else None,
    )
    return _receipt_to_show(receipt, by_gm=by_gm)


def _receipt_to_show(receipt: Receipt, *, by_gm: bool) -> Receipt:
    """The receipt without what the saver may not see: the player's salt and readiness, for a game master."""
    return replace(receipt, file="", ready=None) if by_gm else receipt


def _read_sheet(sent_sheet: SentSheet, occupancy: Occupancy, phase: Phase) -> ReadSheet:
    return read_once(sent_sheet, occupancy.seat.power, codec.position_of(phase), codec.variant_of(phase.game))
