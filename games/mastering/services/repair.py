"""Correcting a game: going back to an earlier phase, changing the position, and undoing phases for any correction.

Every action here is public with its reason, and undoes only what it names. Undone results stay readable; undone orders
are destroyed unread unless they go back to the same players.
"""

from collections.abc import Sequence
from datetime import datetime
from functools import cache, partial
from typing import Annotated

from django.db.models import F, Q
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from adjudication.civil_disorder import disordered_powers
from adjudication.position import Position
from adjudication.possible import objection_to
from adjudication.resolution import Notice
from adjudication.units import NEUTRAL
from games.deadlines.models import Reminder
from games.deadlines.news import PHASE_OPENED
from games.deadlines.phases import (
    NextPhase,
    end_giving_seats_back,
    open_phases,
    phases_ended_early_by_gm,
    powers_owing_orders,
    was_ended_early_by_gm,
)
from games.deadlines.readiness import clear_readiness
from games.deadlines.timing import end_early_if_all_are_ready, stop_clock
from games.endings.services import end_if_all_agree
from games.kernel import codec
from games.kernel.acts import Asked, Ordinal, Reason, Seen, gm_act
from games.kernel.members import Participants, players_of
from games.kernel.models import Game, Letter, Occupancy, Phase, Readiness, Status, Undoing
from games.kernel.news import checked_reason, tell, write_letters
from games.kernel.queries import mark_of, phase_head
from games.kernel.refusals import BadRepair, WrongMoment
from games.kernel.standpoint import Standpoint
from games.mastering import news, rules
from games.mastering.editing import EditError, apply_edits, differences
from games.mastering.judging import corrected_lines
from games.sealed import store
from games.seating.news import CAME_BACK, PLAYER_SEATED
from games.seating.queries import users_who_may_come_back
from variants.kinds import PositionChange
from variants.words import say
from variants.words.orders import phase_words

Changes = Annotated[
    Sequence[str],
    Asked(says="As in “MUN unit -” (no unit), “MUN unit A GERMANY” or “MUN centre FRANCE”.", most=200, each=200),
]


@gm_act.locked("roll_back", rules.may_roll_back, counted=True)
def roll_back(here: Standpoint, by: int, *, ordinal: Ordinal, seen: Seen, reason: Reason) -> None:
    """Go back to an earlier phase, which opens again.

    `seen` is the mark of the open phase that the game master saw. Raises WrongMoment if the game has moved on since or
    the phase has no result, BadReason.
    """
    game, now, why = here.game, here.now, checked_reason(reason, needed=True)
    require_phase_seen(here, seen)
    old = judged_phase(game, ordinal)
    undone = undo_from(game, old, by=by, reason=why, now=now)
    phase = _reopen(game, old, now, reason=why)
    for undone_phase in undone:
        store.blank_sheets(undone_phase, game.seats.all())
    reinstate_seats(game, codec.position_of(phase))
    tell(news.ROLLED_BACK, game, at=now, by=by, turn=phase.turn, reason=why)
    to, about = readers_of_repair(phase), str(phase.pk)
    write_letters(news.ROLLED_BACK, game, to, about=about, at=now, by=by, ordinal=ordinal)


@gm_act.locked("change_position", rules.may_change_position, counted=True)
def change_position(here: Standpoint, by: int, *, changes: Changes, seen: Seen, reason: Reason) -> None:
    """Change the position by hand.

    `changes` are lines as in `games.mastering.editing`. Players keep their saved orders; those that are no longer
    possible do not count. Raises WrongMoment if the game has moved on or the time is up, BadRepair if nothing changes
    or a change is impossible, BadReason.
    """
    game, phase, now, why = here.game, here.phase, here.now, checked_reason(reason, needed=True)
    require_phase_seen(here, seen)
    before, variant = here.open_position, here.variant
    try:
        position = apply_edits(before, changes, variant)
    except EditError as error:
        raise BadRepair(error.sentence) from error
    if (objection := objection_to(position, variant.ruleset)) and not objection_to(before, variant.ruleset):
        raise BadRepair(say(objection, variant.ruleset))
    edits = differences(before, position, variant)
    if not edits:
        raise BadRepair(_("That changes nothing. Choose a province and what goes there."))
    notice = Notice(PositionChange.POSITION_CHANGED, None, None, {"edits": edits})
    phase.position = codec.position_to_row(position)
    phase.notices = [*phase.notices, *codec.notices_to_row([notice])]
    phase.save(update_fields=["position", "notices"])
    clear_readiness(game, phase)
    end_early_if_all_are_ready(game, phase, now)
    tell(news.POSITION_EDITED, game, at=now, by=by, turn=phase.turn, sentence="", edits=list(edits), reason=why)
    about = f"{phase.pk} {game.events.filter(kind=news.POSITION_EDITED.log).count()}"
    write_letters(news.POSITION_EDITED, game, players_of(game), about=about, at=now, by=by, ordinal=phase.ordinal)
    end_if_all_agree(game, now=now)


# What the game master saw, and what is there now.


def require_phase_seen(here: Standpoint, mark: str) -> None:
    phase_now = phase_head(here.open_phase or here.game.phases.latest("ordinal"))
    if mark_of(here.game, phase_now) != mark:
        raise WrongMoment(
            _(
                "The game has moved on since you opened this page: it is now {phase}. Nothing was undone. Check again"
                " before you decide."
            ).format(phase=phase_words(phase_now))
        )


def judged_phase(game: Game, ordinal: int) -> Phase:
    return game.phases.select_related("result").get(ordinal=ordinal)


# Undoing.


def undo_from(
    game: Game, first: Phase, *, by: int, reason: str, now: datetime, corrected: str = "", bids: bool = False
) -> list[Phase]:
    """Undo this phase and all later ones, so that they no longer count. Returns them, with their orders untouched."""
    act = Undoing.objects.create(
        game=game, at=now, by_id=by, back_to=first.turn, reason=reason, corrected=corrected, bids=bids
    )
    phases = list(game.phases.filter(ordinal__gte=first.ordinal).order_by("ordinal"))
    for phase in phases:
        if phase.closed is None:
            end_giving_seats_back(phase, Participants([game]))
        elif hasattr(phase, "result"):  # not one in which the players agreed on the end
            recount_missed(phase, game, -1)
        phase.undoing, phase.closed, phase.remaining = act, phase.closed or now, None
        phase.save(update_fields=["undoing", "closed", "remaining"])
    recount_silence(game)
    Readiness.objects.filter(phase__in=phases).delete()
    unsent = Letter.objects.filter(game=game, sent__isnull=True, ordinal__gte=first.ordinal)
    unsent.exclude(kind=PLAYER_SEATED.letter).delete()
    unsent.filter(kind=PLAYER_SEATED.letter).update(ordinal=None)  # those are still true
    Reminder.objects.filter(phase__game=game, phase__ordinal__gte=first.ordinal, sent__isnull=True).delete()
    return phases


def recount_missed(phase: Phase, game: Game, change: int) -> None:
    """Add `change` to the orders owed and missed in a closed phase, for the people who were its players."""
    if was_ended_early_by_gm(phase):
        return
    players_then = Occupancy.objects.filter(game=game, since__lte=phase.closed, bot="")
    players_then = players_then.filter(Q(until__isnull=True) | Q(until__gte=phase.closed))
    owing = powers_owing_orders(codec.position_of(phase), codec.variant_of(game))
    players_then.filter(seat__power__in=owing).update(owed=Greatest(F("owed") + change, 0))
    players_then.filter(seat__power__in=phase.result.missed).update(missed=Greatest(F("missed") + change, 0))


def recount_silence(game: Game) -> None:
    """Count again how many phases in a row each player has missed, among the phases that count."""
    variant = codec.variant_of(game)
    judged = game.phases.filter(result__isnull=False).select_related("result").order_by("-ordinal")
    ended_early = phases_ended_early_by_gm([game.pk])
    phases = list(judged)
    early = {number for number, phase in enumerate(phases) if (game.pk, phase.deadline, phase.turn) in ended_early}

    @cache
    def powers_owing(number: int) -> set[str]:
        return set(powers_owing_orders(codec.position_of(phases[number]), variant))

    for occupancy in game.occupancies.filter(until__isnull=True, bot="").select_related("seat"):
        power, joined = occupancy.seat.power, occupancy.since
        returns = game.events.filter(kind=CAME_BACK.log, facts__power=power, by=occupancy.user_id).order_by("at")
        if last := returns.last():  # they had lost the seat by missing phases
            joined = last.at
        sent_orders = [
            power not in phase.result.missed
            for number, phase in enumerate(phases)
            if phase.closed
            and phase.closed > joined
            and power in powers_owing(number)
            and not (number in early and power in phase.result.missed)
        ]
        occupancy.silent = sent_orders.index(True) if True in sent_orders else len(sent_orders)
        occupancy.save(update_fields=["silent"])


def _reopen(game: Game, undone_phase: Phase, now: datetime, *, reason: str) -> Phase:
    """Open the phase again, with a new clock and the orders of the players who still hold their seats, as corrected.
    Bots decide again, because everyone has seen their orders."""
    position, variant = codec.position_of(undone_phase), codec.variant_of(game)
    amendments = list(undone_phase.amendments.order_by("pk"))
    previous = game.phases.filter(ordinal=undone_phase.ordinal - 1).first()
    opening = NextPhase(game, variant, position, undone_phase.ordinal, previous)
    (phase,) = open_phases([opening], Participants([game]), now=now)
    notices = [notice for notice in codec.notices_of(undone_phase) if notice.kind != PositionChange.GONE_BACK]
    of_minors = {"case": "bids"} if any(it.power == NEUTRAL for it in amendments) else {}
    gone_back = Notice(PositionChange.GONE_BACK, None, None, {"reason": reason, **of_minors})
    phase.notices = codec.notices_to_row([*notices, gone_back])
    phase.narrow(undone_phase.reveals)
    phase.save(update_fields=["notices", "reveals"])
    players = Occupancy.objects.filter(game=game, until__isnull=True, user__is_bot=False).select_related("seat")
    corrected = partial(corrected_lines, undone_phase, variant, amendments=amendments)
    store.carry_over_sheets(undone_phase, phase, [it for it in players if store.is_own(it, undone_phase)], corrected)
    keep_paused(game, phase, now)
    return phase


def keep_paused(game: Game, phase: Phase, now: datetime) -> None:
    if game.status == Status.PAUSED:
        stop_clock(phase, now)


def reinstate_seats(game: Game, position: Position) -> None:
    """Make powers playable again that are not yet in permanent civil disorder in this position."""
    game.seats.filter(disordered=True).exclude(power__in=disordered_powers(position)).update(disordered=False)


def readers_of_repair(phase: Phase) -> list[int]:
    """The people who get one email about a repair, in place of the usual email about the opened phase."""
    game = phase.game
    about_opening = Letter.objects.filter(game=game, kind=PHASE_OPENED.letter, ordinal=phase.ordinal)
    about_opening.filter(sent__isnull=True).delete()
    return [*players_of(game), *users_who_may_come_back(game)]
