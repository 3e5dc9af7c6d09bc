"""Correcting what a power ordered in a closed phase, and what it bid.

The phase is adjudicated again from the same sealed sheets and from its corrections, and everything after it is undone.
Corrected orders are public. Corrected bids are sealed in place of the old ones. A new record has their code, and the
old record stays.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Annotated

from django import forms
from django.utils.translation import gettext as _

from adjudication.board import province_of
from adjudication.civil_disorder import playable_powers
from adjudication.conditional import is_written_ahead
from adjudication.corrections import ONE_ORDER_EACH, REFUSED
from adjudication.notation import write_order, write_sheet
from adjudication.orders import NOTHING_AHEAD, Disband, Hold, Order, OrderSheet, location_of
from adjudication.position import Position
from adjudication.resolution import Public
from adjudication.serialisation import position_to_json
from adjudication.units import NEUTRAL
from games.deadlines.phases import JudgedPhase, continue_after_results, verdict_by_rules, withdraw_end
from games.history.results import MINORS_NAME, words_of_amendment
from games.kernel import clock, codec
from games.kernel.acts import Asked, Ordinal, Power, Reason, Seen, gm_act
from games.kernel.languages import later
from games.kernel.marks import InApi
from games.kernel.members import Participants
from games.kernel.models import OVER, Amendment, Phase, Result
from games.kernel.news import checked_reason, tell, write_letters
from games.kernel.refusals import BadRepair
from games.kernel.rules import unless
from games.kernel.standpoint import Standpoint
from games.mastering import news, rules
from games.mastering.editing import differences, edit_words
from games.mastering.judging import Preview, judge_again, preview_of
from games.mastering.services import repair
from games.orders.bids import log_look_at_bids
from games.orders.choices import bid_views
from games.orders.parts import BidView
from games.orders.receipts import record_commitments
from games.orders.services import BadSheet
from games.orders.sheets import SentSheet, read_once
from games.sealed import store
from variants.variant import Variant
from variants.words import say
from variants.words.english import listed
from variants.words.orders import phase_words

JOIN = "+"
"""Between the ids of several powers."""


@dataclass(frozen=True, slots=True, repr=False)
class Corrected:
    """A closed phase with a correction: the changed orders, the new result, and the sheets that it follows from.
    `rewritten`: the powers whose bids are sealed again."""

    phase: Phase
    amendments: list[Amendment]
    public: Public
    bodies: dict[str, store.Body]
    rewritten: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class CorrectionPreview(Preview):
    """A closed phase as it would be published after a correction."""

    orders: Annotated[tuple[str, ...], InApi("The orders that change, in sentences.")] = ()
    changes: Annotated[tuple[str, ...], InApi("What changes in the position that follows, in sentences.")] = ()
    bids: Annotated[tuple[BidView, ...], InApi("The bids of that power then, if they are corrected.")] = field(
        default=()
    )
    bids_before: Annotated[tuple[BidView, ...], InApi("Those that count now.")] = field(default=())


Corrections = Annotated[
    str,
    Asked(
        says="All orders of that power, or of NEUTRAL for the minor powers, one in each line.",
        label=later("Orders"),
        blank=True,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
    ),
]
WithBids = Annotated[
    bool,
    Asked(says="The text has all bids of that power too, and they replace those it made.", widget=forms.HiddenInput),
]


@gm_act.locked("correct_sheet", rules.may_correct_orders, counted=True)
def correct_sheet(
    here: Standpoint,
    by: int,
    *,
    ordinal: Ordinal,
    power: Power,
    text: Corrections,
    seen: Seen,
    reason: Reason,
    bids: WithBids = False,
) -> None:
    """Correct all published orders of a power in one act, and its bids where the terms allow that; its phase is
    adjudicated again.

    `text`: all orders of the power as they count from now on; a unit without one holds. Everything after the phase is
    undone, and so is the end of a game that is over: it goes on or ends again. Several powers are joined by "+", and
    the orders of each follow its name and a colon. Raises WrongMoment as in `roll_back`, BadSheet if a line has a
    mistake, BadRepair if nothing changes, BadReason.
    """
    why = checked_reason(reason, needed=True)
    repair.require_phase_seen(here, seen)
    new = _correct_phase(here, ordinal, power, text, why, bids=bids)
    game, turn = here.game, new.phase.turn
    if game.status in OVER:
        withdraw_end(game, by=by, now=here.now)
    is_one_order = len(new.amendments) == 1 and not new.rewritten
    kind = news.ORDER_CORRECTED if is_one_order else news.SHEET_CORRECTED
    tell(
        kind, game, at=here.now, by=by, turn=turn, what="", whose="", sentence="", board="", reason=why,
        of=power.replace(JOIN, " "), bids=bids,
        orders=[[each.was, each.instead, each.power] for each in new.amendments],
        position=position_to_json(_units_named(new)),
        edits=list(differences(codec.public_result_of(new.phase.result).next, new.public.next, here.variant)),
    )  # fmt: skip
    next_phase = _close_again(here, by, new, why, one_power="" if JOIN in power else power, bids=bids)
    if next_phase is not None:
        to, about = repair.readers_of_repair(next_phase), str(next_phase.pk)
        write_letters(kind, game, to, about=about, at=here.now, by=by, ordinal=next_phase.ordinal)


@gm_act.locked("preview_correction", rules.may_correct_orders, offered=False)
def preview_correction(
    here: Standpoint, _by: int, *, ordinal: Ordinal, power: Power, text: Corrections, bids: WithBids = False
) -> CorrectionPreview:
    """What such a correction would change. If it corrects bids, the log tells everyone that you looked at them.

    With `bids`, first record in the public log that the bids were looked at.
    """
    variant = here.variant
    corrected = _correct_phase(here, ordinal, power, text, "", bids=bids)
    position = codec.position_of(corrected.phase)
    before, position_now = codec.public_result_of(corrected.phase.result).next, corrected.public.next
    changes = [edit_words(each, variant) for each in differences(before, position_now, variant)]
    if before.turn != position_now.turn:
        told = _("The next phase is {phase} instead of {former}.")
        changes.append(told.format(phase=phase_words(position_now.turn), former=phase_words(before.turn)))
    preview = preview_of(corrected.public, position, variant)
    verdict = verdict_by_rules(here.game, corrected.public)
    correction = CorrectionPreview(
        **{name: getattr(preview, name) for name in Preview.__slots__ if name != "verdict"},
        verdict=say(verdict, variant.ruleset) if verdict else "",
        orders=tuple([words_of_amendment(each, position, variant) for each in corrected.amendments]),
        changes=tuple(changes),
    )
    if not bids:
        return correction
    log_look_at_bids(here, corrected.phase)
    old_lines = store.read_closed(corrected.phase)[power].lines
    bids_before, bids_now = (
        bid_views(codec.read_order_sheets({power: lines}, position, variant)[power], position, variant)
        for lines in (old_lines, corrected.bodies[power].lines)
    )
    return replace(correction, bids=bids_now, bids_before=bids_before)


@gm_act.locked("look_at_sheet", rules.may_correct_bids)
def look_at_sheet(here: Standpoint, _by: int, *, ordinal: Ordinal, power: Power) -> str:
    """The published orders of a power and its bids, to correct both, where the terms allow that. The log tells everyone
    that you looked at the bids."""
    _only_correctable(here, ordinal, power, bids=True)
    phase = repair.judged_phase(here.game, ordinal)
    log_look_at_bids(here, phase)
    return "\n".join((*published_orders(phase, power), *_bid_lines(store.read_closed(phase)[power].lines)))


def text_to_correct(phase: Phase, power: str) -> str:
    """The published orders of a power or, in the format of `correct_sheet`, of several powers."""
    if JOIN not in power:
        return "\n".join(published_orders(phase, power))
    variant = codec.variant_of(phase.game)
    parts = ((f"{side_name(side, variant)}:", *published_orders(phase, side)) for side in power.split(JOIN))
    return "\n\n".join(map("\n".join, parts))


def published_orders(phase: Phase, power: str) -> tuple[str, ...]:
    """The canonical orders that this power, or the minor powers, were published to have given in a closed phase."""
    position, public = codec.position_of(phase), codec.public_result_of(phase.result)
    accepted = (it for it in public.outcomes if it.power == power and REFUSED.isdisjoint(it.results))
    return tuple(write_order(it.order, position) for it in accepted)


# From a correction to a result.


def _only_correctable(here: Standpoint, ordinal: int, power: str, *, bids: bool) -> None:
    rules.may_correct_orders(here, ordinal)
    if bids:
        rules.may_correct_bids(here, ordinal)
    playable = {*playable_powers(codec.position_of(repair.judged_phase(here.game, ordinal)), here.variant.ruleset)}
    if power not in playable and (power != NEUTRAL or bids):
        raise BadRepair(_("This power could not be played in that phase, so it has no orders to correct."))


def _correct_phase(here: Standpoint, ordinal: int, power: str, text: str, reason: str, *, bids: bool) -> Corrected:
    """The phase with these sheets in place of the old orders of those powers."""
    powers = tuple(dict.fromkeys(power.split(JOIN)))
    unless(len(powers) == 1 or not bids, BadRepair(_("Correct the bids of one power at a time.")))
    for one_power in powers:
        _only_correctable(here, ordinal, one_power, bids=bids)
    phase, variant = repair.judged_phase(here.game, ordinal), here.variant
    position = codec.position_of(phase)
    amendments, bodies, bids_change = list[Amendment](), store.read_closed(phase), False
    for one_power, part in _orders_by_power(text, powers, variant):
        sheet = _read_correction(part, one_power, position, variant, bids=bids)
        amendments += [
            Amendment(power=one_power, place=place, was=was, instead=instead, reason=reason)
            for place, was, instead in _changes(phase, one_power, sheet.orders, position)
        ]
        if bids:
            before = bodies[one_power].lines
            ahead = [line for line in before.splitlines() if is_written_ahead(line)]
            orders = [line for line in before.splitlines() if line not in {*_bid_lines(before), *ahead}]
            bids_now = write_sheet(OrderSheet((), sheet.bids), position)
            lines = "\n".join(filter(None, (*orders, bids_now, *ahead)))
            bodies[one_power] = bodies[one_power].corrected(lines, clock.now())
            bids_change |= sorted(_bid_lines(before)) != sorted(_bid_lines(lines))
    if not amendments and not bids_change:
        raise BadRepair(_("That changes nothing. Change an order first."))
    all_amendments = [*phase.amendments.order_by("pk"), *amendments]
    public = judge_again(phase, variant, store.lines_of(bodies), all_amendments)
    return Corrected(phase, amendments, public, bodies, powers if bids else ())


def _orders_by_power(text: str, powers: Sequence[str], variant: Variant) -> Iterable[tuple[str, str]]:
    """The orders of each of these powers, from the lines after its name. Raises BadRepair. Lines keep their numbers."""
    if len(powers) == 1:
        return [(powers[0], text)]
    powers_by_heading = {f"{side_name(power, variant)}:".casefold(): power for power in powers}
    lines_of: dict[str, list[str]] = {}
    lines: list[str] | None = None
    for number, line in enumerate(text.splitlines()):
        power = powers_by_heading.get(line.strip().casefold())
        if power:
            lines = lines_of[power] = [""] * (number + 1)
        elif lines is not None:
            lines.append(line)
        elif line.strip():
            break
    if names := [side_name(power, variant) for power in powers if power not in lines_of]:
        told = _("Write the name and a colon above the orders of each power. Missing: {missing}.")
        raise BadRepair(told.format(missing=listed(names)))
    return [(power, "\n".join(lines_of[power])) for power in powers]


def side_name(power: str, variant: Variant) -> str:
    return MINORS_NAME if power == NEUTRAL else variant.power(power).name


def _read_correction(text: str, power: str, position: Position, variant: Variant, *, bids: bool) -> OrderSheet:
    sheet = read_once(SentSheet(text), power, position, variant)
    if sheet.lawful.bids and not bids:
        raise BadRepair(_("Bids can’t be corrected here. Remove the lines that begin with points."))
    if sheet.lawful.ahead != NOTHING_AHEAD:
        raise BadRepair(_("What was written for later phases can’t be corrected. Write only orders for this phase."))
    if not sheet.can_be_saved():
        raise BadSheet(sheet)
    return sheet.lawful


def _close_again(
    here: Standpoint, by: int, correction: Corrected, reason: str, *, one_power: str, bids: bool
) -> Phase | None:
    """Close the phase again with the correction and continue. Returns the next phase, or None if the game ends."""
    game, now, old, public = here.game, here.now, correction.phase, correction.public
    amendments = [*old.amendments.order_by("pk"), *correction.amendments]
    undone_phases = repair.undo_from(game, old, by=by, reason=reason, now=now, corrected=one_power, bids=bids)
    copy = _copy_closed_phase(old, amendments, {power: correction.bodies[power] for power in correction.rewritten})
    Result.objects.create(
        phase=copy,
        public=codec.public_to_row(public),
        missed=old.result.missed,
        engine_version=codec.ENGINE_VERSION,
        inputs_hmac=codec.keyed_digest(copy, store.lines_of(correction.bodies)),
    )
    record_commitments([(copy, store.read_closed(copy))])
    repair.recount_missed(copy, game, +1)
    repair.recount_silence(game)
    for phase in undone_phases:
        store.blank_sheets(phase, game.seats.all())
    repair.reinstate_seats(game, public.next)
    sheets = codec.read_order_sheets(store.lines_of(correction.bodies), codec.position_of(copy), here.variant)
    ahead = {power: sheet.ahead for power, sheet in sheets.items()}
    continue_after_results([JudgedPhase(game, here.variant, public, copy, ahead)], Participants([game]), now=now)
    game.refresh_from_db()
    next_phase = game.phases.filter(closed__isnull=True).first()
    if next_phase is not None:
        repair.keep_paused(game, next_phase, now)
    return next_phase


def _copy_closed_phase(old_phase: Phase, amendments: Sequence[Amendment], bodies: dict[str, store.Body]) -> Phase:
    """A copy of the closed phase to be adjudicated again. Its orders stay sealed for their authors."""
    new_phase = Phase.objects.create(
        game=old_phase.game,
        ordinal=old_phase.ordinal,
        turn=old_phase.turn,
        position=old_phase.position,
        notices=old_phase.notices,
        opened=old_phase.opened,
        deadline=old_phase.deadline,
        closed=old_phase.closed,
        reveals=old_phase.reveals,
    )
    store.copy_to_corrected_phase(old_phase, new_phase, bodies)
    for amendment in amendments:
        amendment.pk, amendment.phase = None, new_phase
        amendment.save()
    return new_phase


def _units_named(correction: Corrected) -> Position:
    """The position with only the units that the corrected orders name."""
    position = codec.position_of(correction.phase)
    places = {word.partition("/")[0] for it in correction.amendments for word in f"{it.was} {it.instead}".split()}
    return Position(
        turn=position.turn,
        units=tuple(unit for unit in position.units if unit.province in places),
        dislodged=tuple(beaten for beaten in position.dislodged if beaten.unit.province in places),
        centres={},
    )


# Bids.


def _bid_lines(lines: str) -> list[str]:
    return [line for line in lines.splitlines() if line.partition(":")[0].isdigit()]


# Orders.


def _changes(phase: Phase, power: str, orders: Iterable[Order], position: Position) -> Iterable[tuple[str, str, str]]:
    """Province, published order and its replacement ("" for none) for everything that changes."""
    public = codec.public_result_of(phase.result)
    own = [it for it in public.outcomes if it.power == power]
    if position.turn.kind in ONE_ORDER_EACH:
        order_at = {province_of(location_of(order)): order for order in orders}
        outcome_at = {province_of(location_of(it.order)): it for it in reversed(own)}
        for place in sorted({*order_at, *outcome_at}):
            was, now = outcome_at.get(place), order_at.get(place)
            texts = [write_order(order, position) if order else "" for order in (was and was.order, now)]
            as_unordered = was and (isinstance(was.order, Hold | Disband) or not REFUSED.isdisjoint(was.results))
            if texts[0] != texts[1] and not (now is None and as_unordered):
                yield place, texts[0], texts[1]
        return
    published = Counter(write_order(it.order, position) for it in own if REFUSED.isdisjoint(it.results))
    order_texts = Counter(write_order(order, position) for order in orders)
    places = {
        write_order(order, position): province_of(location_of(order)) for order in (*orders, *(it.order for it in own))
    }
    removed, added = sorted((published - order_texts).elements()), sorted((order_texts - published).elements())
    for was_text, now_text in zip_longest(removed, added, fillvalue=""):
        yield places[was_text or now_text], was_text, now_text
