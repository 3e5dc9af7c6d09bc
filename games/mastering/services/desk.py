"""The game master's actions. `by` is always the acting user; NotAllowed for anyone but the game master."""

from collections.abc import Collection
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.translation import gettext as _

from adjudication.judge import put_in_civil_disorder
from adjudication.resolution import Verdict
from games.consent.news import HOLIDAY
from games.consent.services import change_options, deadline_of
from games.deadlines import timing
from games.deadlines.news import DEADLINE_MOVED, PAUSED, RESUMED
from games.deadlines.options import LONGEST_SECONDS, PhaseLengths
from games.deadlines.phases import close_without_result, finish_game
from games.deadlines.timetable import LONGEST_HOLIDAY_NAME, BadTimetable, Holiday
from games.endings.options import DRAW_OF_ALL, Closing, Outcome
from games.endings.rules import verdict_by_master
from games.endings.services import end_if_all_agree
from games.kernel import codec
from games.kernel.acts import Asked, NewDeadline, Power, Reason, ReasonIfReplaced, Username, gm_act
from games.kernel.after_commit import start_task_after_commit
from games.kernel.days import DAY, SECOND
from games.kernel.fields import LENGTHS
from games.kernel.languages import later
from games.kernel.limits import count_public_change
from games.kernel.locking import account_named, lock_game_for
from games.kernel.members import members_of
from games.kernel.models import UNDER_WAY, Game, Occupancy, Phase, Status
from games.kernel.news import News, checked_reason, tell
from games.kernel.options import Master
from games.kernel.refusals import BadInput, NotAllowed, SeatTaken, WrongMoment
from games.kernel.rules import only_while, unless
from games.kernel.standpoint import Standpoint
from games.kernel.wording import duration_in_words, one_line
from games.mastering import news, rules
from games.seating.news import SEAT_EMPTIED, SEAT_GIVEN_BACK
from games.seating.options import Start
from games.seating.rules.seats import only_invitable
from games.seating.services.joining import abandon_roll_call, start_by_gm, start_with_confirmed
from games.seating.services.new_game import LONGEST_NAME, objection_to_name
from games.seating.services.seats import VACANT, announce_vacant_seat, give_seat, give_seat_back, remove_from_seat
from variants.kinds import Ending

MOVED, STARTED = later("The deadline has moved."), later("The game has started.")
CALLED = later("The roll call has started. The game starts when everyone has confirmed.")
ASKED_TO_CONFIRM = later(
    "The game starts when everyone has confirmed. We’ve asked those who have abandoned another game since they joined."
)
Longer = Annotated[
    int,
    Asked(
        says="How much later the deadline will be.",
        label=later("Extend by"),
        least=1,
        most=LONGEST_SECONDS,
        offers=LENGTHS,
        initial=DAY,
        wrong=later("Choose a length from the list."),
    ),
]
HowItEnds = Annotated[
    str,
    Asked(
        says="How the game ends, in a game under way whose terms let the game master choose.",
        label=later("How the game ends"),
        choices=(
            (Outcome.DRAW.value, later("A draw between the powers chosen below")),
            (Outcome.SOLO.value, later("A win for the power chosen below")),
            (Outcome.CONCESSION.value, later("A concession to the power chosen below")),
            (Outcome.VOID.value, later("Void: the game counts for no one")),
        ),
        missing=later("Choose how the game ends."),
    ),
]
Winners = Annotated[
    Collection[str],
    Asked(
        says="The powers that win or draw; none if it is void.",
        each_says="The id of a power, as in GERMANY.",
        label=later("Powers"),
    ),
]


UNSTARTED = Verdict((), Ending.CLOSED, {"case": "unstarted"})


def _said_at_start(game: Game) -> str:
    """Those who have abandoned another game since they joined are asked again, with or without a roll call."""
    if game.status != Status.OPEN:
        return STARTED
    return CALLED if game.options[Start].roll_call_seconds else ASKED_TO_CONFIRM


NewName = Annotated[
    str, Asked(says="The new name.", label=later("New name"), most=LONGEST_NAME, missing=later("Enter the new name."))
]
RENAMED = News(log="game renamed", line=later("{who} renamed the game. It was called “{before}”."), to_the_world=True)


@gm_act.locked(
    "rename",
    rules.may_rename,
    done=later("The game has its new name."),
    button=later("Rename the game"),
    replaces=lambda here: here.game.name,
)
def rename_game(here: Standpoint, by: int, *, name: NewName) -> None:
    """Give the game a new name. Its address stays."""
    name, before = one_line(name), here.game.name
    if objection := objection_to_name(name):
        raise BadInput({"name": objection})
    here.game.name = name
    here.game.save(update_fields=["name"])
    tell(RENAMED, here.game, at=here.now, by=by, before=before)


@gm_act.locked("start", rules.may_start, done=_said_at_start)
def start_game(here: Standpoint, by: int) -> None:
    """Start the game with the players there are, or its roll call if it has one.

    The units of vacant seats hold until the seats are filled.
    """
    start_by_gm(here.game, by, here.now)


@gm_act.locked("start_anyway", rules.may_start_anyway, done=STARTED)
def start_anyway(here: Standpoint, by: int) -> None:
    """Start with the players who have confirmed; the others lose their place."""
    start_with_confirmed(here.game, by, here.now)


@gm_act.locked(
    "cancel_roll_call",
    rules.may_cancel_roll_call,
    done=later("The roll call is cancelled. Everyone keeps their place."),
    counted=True,
)
def cancel_roll_call(here: Standpoint, by: int) -> None:
    """Cancel the roll call. Everyone keeps their place."""
    abandon_roll_call(here.game, by, here.now)


@gm_act.locked("extend", rules.may_extend, done=MOVED, counted=True, replaces=deadline_of)
def extend_deadline(here: Standpoint, by: int, *, seconds: Longer, reason: Reason = "") -> None:
    """Give everyone more time for the open phase.

    If all players are ready, the time is added to the deadline that applies again when one of them is no longer ready.
    """
    game, phase, now, why = here.game, here.phase, here.now, checked_reason(reason, needed=False)
    if not 0 < seconds <= LONGEST_SECONDS:
        raise WrongMoment(_("Extend the deadline by between one second and 14 days."))
    _require_extension_left(phase, seconds * SECOND)
    timing.leave_window(phase)
    timing.extend_phase(phase, seconds * SECOND, timing.absences_booked_in(game, now), now)
    timing.save_clock(phase)
    timing.end_early_if_all_are_ready(game, phase, now)
    timing.tell_of_clock(
        DEADLINE_MOVED, game, phase, now, by=by, except_for=[by], turn=phase.turn, seconds=seconds, reason=why
    )


@gm_act.locked("set_deadline", rules.may_set_deadline, done=MOVED, counted=True, replaces=deadline_of)
def set_deadline(here: Standpoint, by: int, *, until: NewDeadline, reason: Reason = "") -> None:
    """Move the deadline to a moment up to 14 days later."""
    game, phase, why = here.game, here.phase, checked_reason(reason, needed=False)
    timing.leave_window(phase)
    assert phase.deadline is not None, "the clock of a running game runs"
    if not phase.deadline < until <= phase.deadline + LONGEST_SECONDS * SECOND:
        raise WrongMoment(_("Choose a moment after the current deadline, at most 14 days later."))
    timing.refuse_moment_on_day_off(game, until)
    more = game.options[PhaseLengths].timetable.open_time(phase.deadline, until)
    _require_extension_left(phase, more)
    phase.extended += more
    _put_off_deadline(here, until, by, why)


def _put_off_deadline(here: Standpoint, until: datetime, by: int, reason: str) -> None:
    """Move the deadline of the open phase, which is in no window, to this moment, and tell everyone of it."""
    game, phase, now = here.game, here.phase, here.now
    timing.put_off_to(phase, until, timing.absences_booked_in(game, now), now)
    timing.save_clock(phase)
    timing.end_early_if_all_are_ready(game, phase, now)
    moment = (phase.before_window or phase.deadline or until).isoformat()
    timing.tell_of_clock(
        news.DEADLINE_SET,
        game,
        phase,
        now,
        by=by,
        except_for=[by],
        turn=phase.turn,
        until="",
        moment=moment,
        reason=reason,
    )


@transaction.atomic
def add_holiday(*, game_id: int, by: int, first: date, last: date, reason: str = "") -> None:
    """No deadline falls on these days, by the game's clocks: all get more time, so nobody has to agree. A deadline that
    does is moved to the same time of the first day after them on which it may fall. `reason`: what they are called."""
    here = lock_game_for(game_id, by)
    rules.may_add_holiday(here)
    count_public_change(game_id, by)
    game, now = here.game, here.now
    lengths, stored_before = game.options[PhaseLengths], game.stored_options
    today = now.astimezone(ZoneInfo(lengths.week.zone)).date()
    to_come = tuple(it for it in lengths.week.holidays if it.last >= today)
    holiday = Holiday(first, last, reason[:LONGEST_HOLIDAY_NAME])
    unless(not (problem := holiday.problem()), WrongMoment(problem))
    unless(first <= last, WrongMoment(_("The last day is before the first day. Choose the same day or a later one.")))
    unless(last >= today, WrongMoment(_("These days are over. Choose a last day from today on.")))
    try:
        week = replace(lengths.week, holidays=(*to_come, holiday))
    except BadTimetable as bad:
        raise WrongMoment(" ".join(bad.problems.values())) from None
    choices = {"week": week.to_json()}
    change_options(game, choices, here.open_phase, now)
    to = [user for user in members_of(game) if user != by]
    tell(HOLIDAY, game, at=now, by=by, to=to, changes="", before=stored_before, chosen=choices)
    if game.status == Status.RUNNING and here.phase.deadline is not None:
        end = here.phase.before_window or here.phase.deadline
        if game.options[PhaseLengths].timetable.same_time_from(end) != end:
            timing.leave_window(here.phase)
            _put_off_deadline(here, end, by, "")


def _require_extension_left(phase: Phase, extension: timedelta) -> None:
    """Raises WrongMoment if all extensions of the phase would come to more than the terms allow."""
    most = timing.extension_left(phase)
    if most is not None and extension > most:
        message = (
            _(
                "By the game’s terms, this phase can be extended by {length} more. If players need longer, pause the "
                "game, or ask them to agree to other terms."
            )
            if most >= SECOND
            else _(
                "By the game’s terms, this phase can be extended no further. If players need longer, pause the game, "
                "or ask them to agree to other terms."
            )
        )
        raise WrongMoment(message.format(length=duration_in_words(int(most.total_seconds()), 2)))


@gm_act.locked("pause", rules.may_pause, done=later("The game is paused."), counted=True)
def pause_game(here: Standpoint, by: int, *, reason: Reason = "") -> None:
    """Stop the clock. Players can still save orders."""
    game, phase, now, why = here.game, here.phase, here.now, checked_reason(reason, needed=False)
    timing.pause_game(game, phase, now)
    timing.tell_of_clock(PAUSED, game, phase, now, by=by, except_for=[by], reason=why)


@gm_act.locked("resume", rules.may_resume, done=later("The game has resumed."))
def resume_game(here: Standpoint, by: int, *, reason: Reason = "") -> None:
    """Start the clock again with the time left, but no earlier deadline."""
    game, phase, now, why = here.game, here.phase, here.now, checked_reason(reason, needed=False)
    timing.resume_game(game, phase, now)
    timing.tell_of_clock(RESUMED, game, phase, now, by=by, except_for=[by], reason=why)


@gm_act.locked(
    "process",
    rules.may_end_phase_early,
    done=later("The phase ends now. Its result will appear in a moment."),
    replaces=deadline_of,
)
def end_phase_early(here: Standpoint, by: int, *, reason: Reason = "") -> None:
    """End the phase now, if the game allows it."""
    game, phase, now, why = here.game, here.phase, here.now, checked_reason(reason, needed=False)
    phase.deadline, phase.graced = now, True  # no one is waited for
    phase.save(update_fields=["deadline", "graced"])
    tell(DEADLINE_MOVED, game, at=now, by=by, turn=phase.turn, seconds=0, reason=why)
    start_task_after_commit("games.tasks.sweep")


@gm_act.locked("declare", rules.may_declare_disorder)
def declare_civil_disorder(here: Standpoint, by: int, *, power: Power, reason: Reason = "") -> None:
    """Put a power into permanent civil disorder.

    The variant decides about its units and centres; its saved orders are destroyed unread. The lock on the game makes
    this happen between phases: a phase that is being closed is closed first.
    """
    game, phase, now, why = here.game, here.phase, here.now, checked_reason(reason, needed=False)
    seat, occupancy = here.seats[power], here.holder(power)
    if occupancy is not None:
        remove_from_seat(occupancy, phase, now)
    seat.disordered = True
    seat.save(update_fields=["disordered"])
    variant = codec.variant_of(game)
    position, notices = put_in_civil_disorder(codec.position_of(phase), power, variant.ruleset)
    phase.position = codec.position_to_row(position)
    phase.notices = [*phase.notices, *codec.notices_to_row(notices)]
    phase.save(update_fields=["position", "notices"])
    timing.end_early_if_all_are_ready(game, phase, now)
    tell(news.SECEDED, game, at=now, by=by, power=power, reason=why)
    end_if_all_agree(game, now=now)


@gm_act.locked("empty", rules.may_empty_seat, done=VACANT, counted=True, replaces=Standpoint.player)
def empty_seat(here: Standpoint, by: int, *, power: Power, reason: Reason) -> None:
    """Remove a player. The units hold until the seat is filled."""
    game, phase, now, why = here.game, here.phase, here.now, checked_reason(reason, needed=True)
    occupancy = here.seated[here.seats[power].pk]
    remove_from_seat(occupancy, phase, now)
    timing.end_early_if_all_are_ready(game, phase, now)
    player = occupancy.user.get_username()
    tell(SEAT_EMPTIED, game, at=now, by=by, power=power, player=player, reason=why)
    if not end_if_all_agree(game, now=now):
        announce_vacant_seat(game, occupancy, now, except_for=[by])


@gm_act.locked(
    "seat", rules.may_seat_player, done=later("{username} has the seat."), counted=True, replaces=Standpoint.player
)
def seat_player(here: Standpoint, by: int, *, power: Power, username: Username, reason: ReasonIfReplaced = "") -> None:
    """Give a seat to another player, in place of its player if it has one.

    Raises BadReason without a reason where a person loses the seat by this; UnknownPlayer, SeatTaken if that player
    already plays here, NotAllowed for a game master who may not play, and for one who plays in an anonymous game.
    """
    holder = here.holder(power)
    replaces = holder is not None and not holder.user.is_bot
    game, phase, now, why = here.game, here.phase, here.now, checked_reason(reason, needed=replaces)
    user, seat = account_named(username), here.seats[power]
    if user.pk == game.gm_id and not game.options[Master].gm_plays:
        raise NotAllowed(_("In this game, the game master doesn’t play."))
    if Occupancy.objects.filter(game=game, user=user, until__isnull=True).exists():
        raise SeatTaken(_("{user} already has a seat in this game.").format(user=user.get_username()))
    only_invitable(game, user, seat)
    last_player = holder.instead_of if holder else None
    if holder is not None and last_player is not None:
        name = last_player.user.get_username()
        told = _("This was {player}’s seat. Give it back to {player} instead.")
        unless(last_player.user_id != user.pk, WrongMoment(told.format(player=name)))
        give_seat_back(holder, phase, now)
    give_seat(game, seat, user, phase, now, by=by, reason=why, returns=True)


@gm_act("give_back", rules.may_give_back, done=later("The former player has the seat again. We’ve told both players."))
@transaction.atomic
def give_back_seat(*, game_id: int, by: int, power: Power) -> None:
    """Give a seat back to the player who lost it when you assigned it, until the new player opens the game. What they
    had saved counts as before.

    The former player continues with all orders that they had saved. No deadline moves. Raises WrongMoment if the new
    player has opened the game, or the phase or the time of either player in the seat has ended; NotAllowed if the
    former player may no longer play in the game.
    """
    here = lock_game_for(game_id, by)
    newcomer, former_holder = rules.may_give_back(here, power)
    count_public_change(game_id, by)
    game, phase, now = here.game, here.phase, here.now
    player, about = former_holder.user.get_username(), str(newcomer.pk)
    only_invitable(game, former_holder.user, former_holder.seat)
    give_seat_back(newcomer, phase, now)
    tell(SEAT_GIVEN_BACK, game, at=now, by=by, to=[former_holder.user_id], about=about, power=power, player=player)
    timing.put_off_for_absence(game, phase, now)
    timing.end_early_if_all_are_ready(game, phase, now)
    end_if_all_agree(game, now=now)


@gm_act.locked("close", rules.may_close_game)
def close_game(
    here: Standpoint, by: int, *, reason: Reason = "", outcome: HowItEnds = "", powers: Winners = ()
) -> None:
    """End the game for good: a draw between all powers that have units, or your outcome if the game allows it.

    Raises NotAllowed while the moderators have stopped it, BadProposal for an outcome that is not possible.
    """
    game, now, why = here.game, here.now, checked_reason(reason, needed=False)
    if here.open_phase is None:
        verdict = UNSTARTED
    else:
        chooses, told = (
            here.options[Closing].gm_outcomes,
            _("In this game, you can’t choose the outcome. {draw_of_all}"),
        )
        unless(chooses or not (outcome or powers), NotAllowed(told.format(draw_of_all=DRAW_OF_ALL)))
        verdict = verdict_by_master(outcome, powers, here.left, here.variant) if chooses else _draw_of_all(here)
        close_without_result(here.open_phase, now)
    is_void = outcome == Outcome.VOID and here.open_phase is not None
    finish_game(game, verdict, status=Status.CLOSED, by=by, now=now, reason=why, void=is_void)


def _draw_of_all(here: Standpoint, case: str = "draw") -> Verdict:
    position = here.open_position
    on_board = {unit.power for unit in position.units} | {beaten.unit.power for beaten in position.dislodged}
    sharing = tuple([power.id for power in here.variant.powers if power.id in on_board])
    return Verdict(sharing, Ending.CLOSED, {"case": case, "powers": sharing})


def end_in_a_draw(here: Standpoint, by: int | None, *, reason: str = "") -> None:
    """End a game under way, as it stands, in a draw between all powers that have a unit, whatever its game master could
    choose. `by`: None if its hour has come. Raises WrongMoment while the result of a phase is due. The caller holds the
    lock."""
    only_while(here, UNDER_WAY, _("The game has not begun. Start it, or close it at its own desk."))
    rules.refuse_if_stopped(here)
    told = _("The deadline has passed, and the phase is about to end. End the game after that.")
    unless(here.phase.deadline is None or here.phase.deadline > here.now, WrongMoment(told))
    close_without_result(here.phase, here.now)
    verdict, status = (_draw_of_all(here), Status.CLOSED) if by else (_draw_of_all(here, "hour"), Status.FINISHED)
    finish_game(here.game, verdict, status=status, by=by, now=here.now, reason=checked_reason(reason, needed=False))
