"""Correcting a game: going back to an earlier phase, amending a published order, changing the position.

Every action here is public with its reason, and undoes only what it names. Undone results stay readable; undone orders
are destroyed unread unless they go back to the same players.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cache

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Greatest

from adjudication.board import province_of
from adjudication.civil_disorder import players, seceded
from adjudication.corrections import ONE_ORDER_EACH
from adjudication.errors import NotationError
from adjudication.legality import check
from adjudication.notation import parse_order, write_order
from adjudication.orders import Hold, Order, where
from adjudication.position import Position
from adjudication.resolution import Notice, OrderOutcome
from adjudication.situation import Situation
from adjudication.units import NEUTRAL
from adjudication.words import phase_words
from games.deadlines.models import Reminder
from games.deadlines.news import PHASE_OPENED
from games.deadlines.phases import (
    Judged,
    NextPhase,
    cuts_of,
    go_on,
    open_phases,
    owing_orders,
    stop_clock,
    was_cut_short,
)
from games.deadlines.readiness import forget_readiness
from games.deadlines.timing import settle_readiness
from games.endings.services import recount
from games.history.results import words_of_amendment
from games.kernel import codec
from games.kernel.limits import count_news
from games.kernel.locking import lock
from games.kernel.members import Company, people_of
from games.kernel.models import Amendment, Game, Letter, Occupancy, Phase, Readiness, Result, Status, Undoing
from games.kernel.news import reason_of, tell, write_letters
from games.kernel.queries import head_of
from games.kernel.refusals import BadRepair, WrongMoment
from games.kernel.standpoint import Standpoint
from games.mastering import news, rules
from games.mastering.editing import EditError, differences, edited
from games.mastering.judging import judge_again
from games.orders.receipts import commit
from games.sealed import store
from games.seating.news import CAME_BACK, PLAYER_SEATED
from games.seating.queries import those_with_a_way_back
from variants.variant import Variant

GONE_BACK = "gone back"

PLAY_AGAIN = (
    "The game master took the game back to this phase, and it is played again. Players who played it before get "
    "back the orders they saved, and can change them. Reason:"
)


@transaction.atomic
def roll_back(*, game_id: int, by: int, ordinal: int, seen: str, reason: str) -> None:
    """Open a closed phase again, with the orders that the same players had saved, and undo it and all after it.

    `seen` is the mark of the open phase that the game master saw. WrongMoment if the game has moved on since or the
    phase has no result, BadReason.
    """
    here = lock(game_id, by)
    rules.may_roll_back(here, ordinal)
    count_news(game_id, by)
    game, now, why = here.game, here.now, reason_of(reason, needed=True)
    _require_as_seen(here, seen)
    again = _judged_phase(game, ordinal)
    undone = _undo(game, again, by=by, reason=why, now=now)
    phase = _opened_again(game, again, now, reason=why)
    for gone in undone:
        store.destroy(gone, game.seats.all())
    _reinstate_seats(game, codec.position_of(phase))
    tell(news.ROLLED_BACK, game, at=now, by=by, turn=phase.turn, reason=why)
    to, about = _told_of(phase), str(phase.pk)
    write_letters(news.ROLLED_BACK, game, to, about=about, at=now, ordinal=ordinal)


@transaction.atomic
def amend(*, game_id: int, by: int, ordinal: int, power: str, order: str, instead: str, seen: str, reason: str) -> None:
    """Replace one published order ("" for none), and adjudicate its phase again from the same sealed orders.

    `order` is the canonical text of the published one, `instead` what counts. All after the phase is undone.
    WrongMoment as in `roll_back`, BadRepair if there is no such order or the other is not lawful, BadReason.
    """
    here = lock(game_id, by)
    rules.may_amend(here, ordinal)
    count_news(game_id, by)
    game, now, why = here.game, here.now, reason_of(reason, needed=True)
    _require_as_seen(here, seen)
    old, variant = _judged_phase(game, ordinal), here.variant
    amendment = _amendment(old, variant, power=power, order=order, instead=instead, reason=why)
    sentence = words_of_amendment(amendment, codec.position_of(old), variant)
    amendments = [*old.amendments.order_by("pk"), amendment]
    bodies = store.read_closed(old)
    written = store.lines_of(bodies)
    public = judge_again(old, variant, written, amendments)
    sheets = codec.sheets_of(written, codec.position_of(old), variant)
    undone = _undo(game, old, by=by, reason=f"{sentence} {why}", now=now)
    new = _closed_again(old, amendments)
    Result.objects.create(
        phase=new,
        public=codec.public_to_row(public),
        missed=old.result.missed,
        engine_version=codec.ENGINE_VERSION,
        inputs_hmac=codec.keyed_digest(new, written),
    )
    commit([(new, bodies)])
    _count_again(new, game, +1)
    _count_silence_again(game)
    for gone in undone:
        store.destroy(gone, game.seats.all())
    _reinstate_seats(game, public.next)
    tell(news.ORDER_AMENDED, game, at=now, by=by, turn=new.turn, sentence=sentence, reason=why)
    ahead = {power: sheet.ahead for power, sheet in sheets.items()}
    go_on([Judged(game, variant, public, new, ahead)], Company([game]), now=now)
    game.refresh_from_db()
    following = game.phases.filter(closed__isnull=True).first()
    if following is not None:
        _keep_paused(game, following, now)
        to, about = _told_of(following), str(following.pk)
        write_letters(news.ORDER_AMENDED, game, to, about=about, at=now, ordinal=following.ordinal)


@transaction.atomic
def change_position(*, game_id: int, by: int, changes: Sequence[str], seen: str, reason: str) -> None:
    """Change the units and the owners of centres in the open phase.

    `changes` are lines as in `games.mastering.editing`. Players keep their saved orders; those that are no longer
    possible do not count. WrongMoment if the game has moved on or the time is up, BadRepair if nothing changes or a
    change is impossible, BadReason.
    """
    here = lock(game_id, by)
    rules.may_change_position(here)
    count_news(game_id, by)
    game, phase, now, why = here.game, here.phase, here.now, reason_of(reason, needed=True)
    _require_as_seen(here, seen)
    before, variant = here.open_position, here.variant
    try:
        after = edited(before, changes, variant)
    except EditError as error:
        raise BadRepair(error.sentence) from error
    sentence = " ".join(each.sentence for each in differences(before, after, variant))
    if not sentence:
        raise BadRepair("That changes nothing. Choose a province and what goes there.")
    notice = Notice("position changed", None, None, f"The game master changed the position. {sentence}")
    phase.position = codec.position_to_row(after)
    phase.notices = [*phase.notices, *codec.notices_to_row([notice])]
    phase.save(update_fields=["position", "notices"])
    forget_readiness(game, phase)
    settle_readiness(game, phase, now)
    tell(news.POSITION_EDITED, game, at=now, by=by, turn=phase.turn, sentence=sentence, reason=why)
    about = f"{phase.pk} {game.events.filter(kind=news.POSITION_EDITED.log).count()}"
    write_letters(news.POSITION_EDITED, game, people_of(game), about=about, at=now, ordinal=phase.ordinal)
    recount(game, now=now)


# What the game master saw, and what is there now.


def _require_as_seen(here: Standpoint, seen: str) -> None:
    head = head_of(here.phase)
    if head.mark != seen:
        raise WrongMoment(
            f"The game has moved on since you opened this page: it is now {phase_words(head)}. "
            "Nothing was undone. Check again before you decide."
        )


def _judged_phase(game: Game, ordinal: int) -> Phase:
    return game.phases.select_related("result").get(ordinal=ordinal)


# Undoing.


def _undo(game: Game, first: Phase, *, by: int, reason: str, now: datetime) -> list[Phase]:
    """Make this phase and all after it no longer count. Returns them, with their orders untouched."""
    undoing = Undoing.objects.create(game=game, at=now, by_id=by, back_to=first.turn, reason=reason)
    phases = list(game.phases.filter(ordinal__gte=first.ordinal).order_by("ordinal"))
    for phase in phases:
        if phase.closed is not None:
            _count_again(phase, game, -1)
        phase.undoing, phase.closed, phase.remaining = undoing, phase.closed or now, None
        phase.save(update_fields=["undoing", "closed", "remaining"])
    _count_silence_again(game)
    Readiness.objects.filter(phase__in=phases).delete()
    _recall_letters(game, first.ordinal)
    return phases


def _count_again(phase: Phase, game: Game, change: int) -> None:
    """Count, for the players of that time, the orders owed and missed in a closed phase."""
    if was_cut_short(phase):
        return
    then = Occupancy.objects.filter(game=game, since__lte=phase.closed, bot="")
    then = then.filter(Q(until__isnull=True) | Q(until__gte=phase.closed))
    owing = owing_orders(codec.position_of(phase), codec.variant_of(game))
    then.filter(seat__power__in=owing).update(owed=Greatest(F("owed") + change, 0))
    then.filter(seat__power__in=phase.result.missed).update(missed=Greatest(F("missed") + change, 0))


def _count_silence_again(game: Game) -> None:
    """Count again how many phases in a row each player has missed, among the phases that count."""
    variant = codec.variant_of(game)
    judged = game.phases.filter(result__isnull=False).select_related("result").order_by("-ordinal")
    cuts = cuts_of([game.pk])
    closed = [phase for phase in judged if (game.pk, phase.deadline, phase.turn) not in cuts]

    @cache
    def owing(number: int) -> set[str]:
        return set(owing_orders(codec.position_of(closed[number]), variant))

    for occupancy in game.occupancies.filter(until__isnull=True, bot="").select_related("seat"):
        power, since = occupancy.seat.power, _here_since(occupancy)
        met = [
            power not in phase.result.missed
            for number, phase in enumerate(closed)
            if phase.closed and phase.closed > since and power in owing(number)
        ]
        occupancy.silent = met.index(True) if True in met else len(met)
        occupancy.save(update_fields=["silent"])


def _here_since(occupancy: Occupancy) -> datetime:
    """When the player joined or, after losing the seat by missing phases, came back."""
    back = occupancy.game.events.filter(kind=CAME_BACK.log, facts__power=occupancy.seat.power)
    last = back.filter(by=occupancy.user_id).order_by("at").last()
    return last.at if last else occupancy.since


def _recall_letters(game: Game, ordinal: int) -> None:
    """Unsent emails about undone phases are dropped; that a player has a seat stays true."""
    waiting = Letter.objects.filter(game=game, sent__isnull=True, ordinal__gte=ordinal)
    waiting.exclude(kind=PLAYER_SEATED.letter).delete()
    waiting.filter(kind=PLAYER_SEATED.letter).update(ordinal=None)
    Reminder.objects.filter(phase__game=game, phase__ordinal__gte=ordinal, sent__isnull=True).delete()


def _opened_again(game: Game, undone: Phase, now: datetime, *, reason: str) -> Phase:
    """The phase again, with a new clock and the orders of the players who still hold their seats. Bots, whose orders
    everyone has seen, decide again."""
    position = codec.position_of(undone)
    before = game.phases.filter(ordinal=undone.ordinal - 1).first()
    opening = NextPhase(game, codec.variant_of(game), position, undone.ordinal, before)
    (phase,) = open_phases([opening], Company([game]), now=now)
    notices = [notice for notice in codec.notices_of(undone) if notice.kind != GONE_BACK]
    phase.notices = codec.notices_to_row([*notices, Notice(GONE_BACK, None, None, f"{PLAY_AGAIN} {reason}")])
    phase.save(update_fields=["notices"])
    here = Occupancy.objects.filter(game=game, until__isnull=True, user__is_bot=False).select_related("seat")
    store.carry_over(undone, phase, [it for it in here if store.is_own(it, undone)])
    _keep_paused(game, phase, now)
    return phase


def _closed_again(old: Phase, amendments: list[Amendment]) -> Phase:
    """The same closed phase, to be adjudicated again: its orders stay sealed for their authors."""
    new = Phase.objects.create(
        game=old.game,
        ordinal=old.ordinal,
        turn=old.turn,
        position=old.position,
        notices=old.notices,
        opened=old.opened,
        deadline=old.deadline,
        closed=old.closed,
    )
    store.reseal(old, new)
    for amendment in amendments:
        amendment.pk, amendment.phase = None, new
        amendment.save()
    return new


def _keep_paused(game: Game, phase: Phase, now: datetime) -> None:
    if game.status == Status.PAUSED:
        stop_clock(phase, now)


def _reinstate_seats(game: Game, position: Position) -> None:
    """A power not yet in permanent civil disorder in this position can be played again."""
    game.seats.filter(disordered=True).exclude(power__in=seceded(position)).update(disordered=False)


def _told_of(phase: Phase) -> list[int]:
    """The people who get one email about this; it replaces the usual one about the phase that opens."""
    game = phase.game
    usual = Letter.objects.filter(game=game, kind=PHASE_OPENED.letter, ordinal=phase.ordinal)
    usual.filter(sent__isnull=True).delete()
    return [*people_of(game), *those_with_a_way_back(game)]


# Amending.


def _amendment(phase: Phase, variant: Variant, *, power: str, order: str, instead: str, reason: str) -> Amendment:
    position = codec.position_of(phase)
    public = codec.public_of(phase.result)
    outcome = next(
        (it for it in public.outcomes if it.power == power and write_order(it.order, position) == order), None
    )
    if outcome is None:
        raise BadRepair("No such order was published in this phase. Choose one from the list.")
    if power != NEUTRAL and power not in players(position, variant.ruleset):
        raise BadRepair("This power can no longer be played, so it has no orders to correct.")
    other = _lawful(instead, outcome, position, variant) if instead.strip() else None
    canonical = "" if other is None else write_order(other, position)
    is_nothing = isinstance(outcome.order, Hold) and not outcome.sentence
    if canonical == order or (other is None and is_nothing):
        raise BadRepair("That order already counts. Choose another one.")
    place = province_of(where(outcome.order))
    return Amendment(power=power, place=place, was=order, instead=canonical, reason=reason)


def _lawful(text: str, outcome: OrderOutcome, position: Position, variant: Variant) -> Order:
    """The order written instead, if that power may give it in that position."""
    try:
        order = parse_order(text, position, variant.ruleset, "" if outcome.power == NEUTRAL else outcome.power)
    except NotationError as error:
        raise BadRepair(error.sentence) from error
    same_unit = province_of(where(order)) == province_of(where(outcome.order))
    if position.turn.kind in ONE_ORDER_EACH and not same_unit:
        raise BadRepair("That order is for another unit. Enter one for this unit, or leave it empty.")
    refusal = check(order, outcome.power, Situation(position, variant.ruleset))
    if refusal is not None:
        raise BadRepair(refusal.sentence)
    return order
