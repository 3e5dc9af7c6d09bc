"""What a game master may do. `by` is always the user who asks; NotAllowed if he does not master the game."""

from __future__ import annotations

from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from adjudication.judge import secede
from adjudication.resolution import Verdict
from games.deadlines.news import DEADLINE_MOVED
from games.deadlines.options import LONGEST_SECONDS, EarlyEnd
from games.deadlines.phases import close_unjudged, finish, start_clock, stop_clock
from games.deadlines.timing import settle_readiness, tell_of_clock
from games.endings.services import recount
from games.kernel import clock, codec
from games.kernel.bell import ring
from games.kernel.locking import (
    account_named,
    current_occupancy,
    lock_game_as_gm,
    open_phase_of,
    refuse_if_time_is_up,
    require_status,
    seat_of,
)
from games.kernel.log import reason_of
from games.kernel.models import MODERATORS, UNDER_WAY, Occupancy, Status
from games.kernel.options import Master
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.mastering import news
from games.news.services import tell
from games.seating.services.joining import start_by_gm
from games.seating.services.seats import give_seat, offer, require_names_known, take_out
from games.seating.vacancies import why_not_invited

if TYPE_CHECKING:
    from datetime import datetime

    from games.kernel.models import Game, Phase, Seat


SECOND = timedelta(seconds=1)


@transaction.atomic
def start_game(*, game_id: int, by: int) -> None:
    """Start with whoever is there, once they have confirmed where the game says so.

    Seats that are free hold their units until somebody is seated there.
    """
    game = lock_game_as_gm(game_id, by)
    require_status(game, (Status.OPEN,), "The game has already started.")
    start_by_gm(game, by, clock.now())


@transaction.atomic
def extend_deadline(*, game_id: int, by: int, seconds: int, reason: str = "") -> None:
    """Give everybody more time for the open phase, also while the clock is stopped."""
    game, why = lock_game_as_gm(game_id, by), reason_of(reason, needed=False)
    require_status(
        game, (Status.RUNNING, Status.PAUSED), "The deadline can be moved only in a running or paused game."
    )
    if not 0 < seconds <= LONGEST_SECONDS:
        raise WrongMoment("Give between one second and 14 days more.")
    phase, now = open_phase_of(game), clock.now()
    refuse_if_time_is_up(phase, now)
    if phase.deadline is not None:
        phase.deadline += seconds * SECOND
    else:
        phase.remaining = phase.time_left(now) + seconds * SECOND
    phase.save(update_fields=["deadline", "remaining"])
    tell_of_clock(
        DEADLINE_MOVED, game, phase, now, by=by, but=[by], turn=phase.turn, seconds=seconds, reason=why
    )


@transaction.atomic
def set_deadline(*, game_id: int, by: int, until: datetime, reason: str = "") -> None:
    """Put the deadline off to a named moment; it is never brought forward like that."""
    game, why = lock_game_as_gm(game_id, by), reason_of(reason, needed=False)
    require_status(
        game,
        (Status.RUNNING,),
        "While the clock is stopped there is no deadline to name; extend by a length, or let the clock run first.",
    )
    phase, now = open_phase_of(game), clock.now()
    refuse_if_time_is_up(phase, now)
    assert phase.deadline is not None, "the clock of a running game runs"
    if not phase.deadline < until <= phase.deadline + LONGEST_SECONDS * SECOND:
        raise WrongMoment("Name a moment after the present deadline, and at most 14 days after it.")
    phase.deadline = until
    phase.save(update_fields=["deadline"])
    moment = f"{until.astimezone(UTC):%A %d %B %Y, %H:%M} UTC"
    tell_of_clock(
        news.DEADLINE_SET, game, phase, now, by=by, but=[by], turn=phase.turn, until=moment, reason=why
    )


@transaction.atomic
def pause_game(*, game_id: int, by: int, reason: str = "") -> None:
    """Stop the clock. Players may still write."""
    game, why = lock_game_as_gm(game_id, by), reason_of(reason, needed=False)
    require_status(game, (Status.RUNNING,), "Only a running game can be paused.")
    phase, now = open_phase_of(game), clock.now()
    refuse_if_time_is_up(phase, now)
    stop_clock(phase, now)
    _set_status(game, Status.PAUSED)
    tell_of_clock(news.PAUSED, game, phase, now, by=by, but=[by], reason=why)


@transaction.atomic
def resume_game(*, game_id: int, by: int, reason: str = "") -> None:
    """Let the clock run on with the time that was left."""
    game, why = lock_game_as_gm(game_id, by), reason_of(reason, needed=False)
    require_status(game, (Status.PAUSED,), "Only a paused game can be resumed.")
    phase, now = open_phase_of(game), clock.now()
    start_clock(phase, now)
    _set_status(game, Status.RUNNING)
    tell_of_clock(news.RESUMED, game, phase, now, by=by, but=[by], reason=why)


def _set_status(game: Game, status: Status) -> None:
    game.status = status
    game.save(update_fields=["status"])


@transaction.atomic
def process_now(*, game_id: int, by: int, reason: str = "") -> None:
    """End the open phase now, where the game was created with that right. NotAllowed elsewhere."""
    game, why = lock_game_as_gm(game_id, by), reason_of(reason, needed=False)
    if not game.options[EarlyEnd].gm_processes_early:
        raise NotAllowed("In this game phases end at their deadline and not before.")
    require_status(game, (Status.RUNNING,), "Only a running game has a phase to end.")
    phase, now = open_phase_of(game), clock.now()
    refuse_if_time_is_up(phase, now)
    phase.deadline, phase.graced = now, True  # nobody is waited for
    phase.save(update_fields=["deadline", "graced"])
    tell(DEADLINE_MOVED, game, at=now, by=by, turn=phase.turn, seconds=0, reason=why)
    ring("games.tasks.sweep")


@transaction.atomic
def declare_civil_disorder(*, game_id: int, by: int, power: str, reason: str = "") -> None:
    """Close a seat for good: its units go, its centres become minors, what it saved is destroyed unread.

    The lock on the game keeps this between phases: a phase that is being closed is closed first.
    """
    game, why = lock_game_as_gm(game_id, by), reason_of(reason, needed=False)
    require_status(
        game, UNDER_WAY, "Permanent civil disorder can be declared only in a game that has started."
    )
    seat, phase, now = seat_of(game, power), open_phase_of(game), clock.now()
    refuse_if_time_is_up(phase, now)
    _empty(seat, phase, now)
    seat.disordered = True
    seat.save(update_fields=["disordered"])
    variant = codec.variant_of(game)
    position, notices = secede(codec.position_of(phase), power, variant.ruleset)
    phase.position = codec.position_to_row(position)
    phase.notices = [*phase.notices, *codec.notices_to_row(notices)]
    phase.save(update_fields=["position", "notices"])
    tell(news.SECEDED, game, at=now, by=by, power=power, reason=why)
    recount(game, now=now)


def _empty(seat: Seat, phase: Phase, now: datetime) -> None:
    """End the present occupancy, if there is one."""
    occupancy = current_occupancy(seat)
    if occupancy is not None:
        take_out(occupancy, phase, now)


@transaction.atomic
def empty_seat(*, game_id: int, by: int, power: str, reason: str) -> None:
    """Temporary civil disorder: take a player out, so that the units hold until somebody sits there again."""
    game, why = lock_game_as_gm(game_id, by), reason_of(reason, needed=True)
    require_status(game, UNDER_WAY, "Before the start, players leave their seats themselves.")
    seat, phase, now = seat_of(game, power), open_phase_of(game), clock.now()
    refuse_if_time_is_up(phase, now)
    occupancy = current_occupancy(seat)
    if occupancy is None:
        raise WrongMoment("Nobody sits there. The seat is vacant already.")
    _empty(seat, phase, now)
    settle_readiness(game, phase, now)
    player = occupancy.user.get_username()
    tell(news.SEAT_EMPTIED, game, at=now, by=by, power=power, player=player, reason=why)
    if not recount(game, now=now):
        offer(game, occupancy, now)


@transaction.atomic
def seat_player(*, game_id: int, by: int, power: str, username: str, reason: str = "") -> None:
    """Put another person into a seat of a game under way; the newcomer finds a blank sheet and has a full phase.

    UnknownPlayer, SeatTaken if that person already plays here, NotAllowed for a GM who does not play, and
    for one who plays where names are hidden.
    """
    game, why = lock_game_as_gm(game_id, by), reason_of(reason, needed=False)
    require_status(game, UNDER_WAY, "Before the start, players take their seats themselves.")
    require_names_known(game)
    user = account_named(username)
    if user.pk == game.gm_id and not game.options[Master].gm_plays:
        raise NotAllowed("In this game the game master does not play.")
    if Occupancy.objects.filter(game=game, user=user, until__isnull=True).exists():
        raise SeatTaken(f"{user.get_username()} already has a seat in this game.")
    seat, phase, now = seat_of(game, power), open_phase_of(game), clock.now()
    sentence = why_not_invited(game, user.pk, seat)
    if sentence:
        raise NotAllowed(f"{user.get_username()} {sentence}")
    give_seat(game, seat, user, phase, now, by=by, reason=why)


@transaction.atomic
def close_game(*, game_id: int, by: int, reason: str = "") -> None:
    """End the game without agreement: a draw among all powers that have a unit; nothing before the start.

    NotAllowed while the moderators have stopped it.
    """
    game, why = lock_game_as_gm(game_id, by), reason_of(reason, needed=False)
    require_status(game, (Status.OPEN, *UNDER_WAY), "The game cannot be closed.")
    if game.incident == MODERATORS:
        raise NotAllowed("The moderators of the site have stopped this game. Only they may let it go on.")
    now = clock.now()
    if game.status == Status.OPEN:
        verdict = Verdict((), "The game master closed the game before it started.")
    else:
        verdict = _draw(game, now)
    finish(game, verdict, status=Status.CLOSED, by=by, now=now, reason=why)


def _draw(game: Game, now: datetime) -> Verdict:
    """Close the open phase without a result, and name the powers that still have a unit."""
    phase = open_phase_of(game)
    variant = codec.variant_of(game)
    units = codec.position_of(phase)
    on_board = {unit.power for unit in units.units} | {beaten.unit.power for beaten in units.dislodged}
    close_unjudged(phase, now)
    sharing = [power for power in variant.powers if power.id in on_board]
    names = ", ".join(power.name for power in sharing)
    return Verdict(
        tuple(power.id for power in sharing), f"The game master closed the game: a draw among {names}."
    )
