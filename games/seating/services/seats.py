"""Seats change hands: players leave, new ones get a full phase, and silent players lose their seats."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import AbstractUser as User
from django.db import transaction
from django.db.models import Max

from adjudication.options import must_decide
from adjudication.turns import Turn
from games.deadlines import timing
from games.deadlines.options import EarlyEnd, PhaseLengths
from games.deadlines.readiness import hide_readiness, record_readiness, show_readiness_again
from games.kernel import codec
from games.kernel.days import SECOND
from games.kernel.languages import later
from games.kernel.locking import lock_account, lock_game
from games.kernel.members import masters_of
from games.kernel.models import Departure, Game, Occupancy, Phase, Readiness, Right, Seat
from games.kernel.news import Topic, recall_letters, tell, write_letters
from games.news.choices import content_with_one_email
from games.orders.services import confirm_newcomer, delete_orders_unread
from games.press.models import Message
from games.seating import news
from games.seating.models import Approach, MailedInvitation
from games.seating.options import Vacancies
from games.seating.queries import suitable_standbys

TICK = timedelta(microseconds=1)
VACANT = later("The seat is vacant. Its units hold until you find a player.")
"""What is said to a game master who has emptied it."""
DEADLINE_TOPICS = (Topic.PHASE, Topic.RESULT, Topic.MASTER)
"""A game master who chooses the same for all of these gets one email at a deadline."""


def end_occupancy(
    occupancy: Occupancy, phase: Phase | None, now: datetime, departure: str = "", *, returns: bool = False
) -> None:
    """End an occupancy and destroy unread the orders it has saved for the open phase, unless the seat can be given back
    (`returns`). The caller holds the lock."""
    occupancy.until, occupancy.departure, occupancy.instead_of = max(now, occupancy.since), departure, None
    occupancy.save(update_fields=["until", "departure", "instead_of"])
    occupancy.sittings.filter(ended__isnull=True).update(ended=occupancy.until)
    if phase is not None:
        if not returns:
            delete_orders_unread(phase, occupancy.seat)
        Readiness.objects.filter(phase=phase, seat_id=occupancy.seat_id).delete()
        timing.drop_absence_delay(phase, now)


def give_seat(
    game: Game, seat: Seat, user: User, phase: Phase, now: datetime, *, by: int, reason: str = "", returns: bool = False
) -> None:
    """Give the seat to this user, in place of its player if it has one, as the game master. `returns`: it can be given
    back to that player until the new one opens the game. The caller holds the lock."""
    before = seat.occupancies.filter(until__isnull=True, user__is_bot=False).select_related("game").first()
    if before is not None:
        if returns:
            hide_readiness(before, phase)
        remove_from_seat(before, phase, now, returns=returns)
    close_approaches(seat, user.pk, now)
    player = user.get_username()
    tell(news.PLAYER_SEATED, game, at=now, by=by, power=seat.power, player=player, reason=reason)
    occupancy = begin_occupancy(game, seat, user.pk, phase, now, instead_of=before if returns else None)
    about, ordinal = str(occupancy.pk), phase.ordinal
    write_letters(news.PLAYER_SEATED, game, [user.pk], about=about, at=now, by=by, ordinal=ordinal)


def remove_from_seat(occupancy: Occupancy, phase: Phase, now: datetime, *, returns: bool = False) -> None:
    """Remove and tell a player, as the game master; `returns` as in `end_occupancy`. The caller holds the lock."""
    end_occupancy(occupancy, phase, now, returns=returns)
    if not occupancy.bot:
        tell(news.SEAT_LOST, occupancy.game, at=now, to=[occupancy.user_id], about=_about_loss(occupancy))


def _about_loss(occupancy: Occupancy) -> str:
    """A key for the email about the loss of this seat. A player can lose a seat again that was given back."""
    assert occupancy.until is not None, "it has ended"
    return f"{occupancy.pk} {occupancy.until.isoformat()}"


def give_seat_back(newcomer: Occupancy, phase: Phase, now: datetime) -> Occupancy:
    """Give the seat back to its former player, with what they had saved, as though its new player had never had it. The
    new player, who has not opened the game, is told. Returns the former player's occupancy. The caller holds the
    lock."""
    game, former_holder = newcomer.game, newcomer.instead_of
    assert former_holder is not None, "the seat can be given back"
    recall_letters(news.PLAYER_SEATED, game, about=str(newcomer.pk))
    tell(news.SEAT_LOST, game, at=now, to=[newcomer.user_id], about=f"{newcomer.pk} back")
    newcomer.delete()
    recall_letters(news.SEAT_LOST, game, about=_about_loss(former_holder))
    former_holder.sittings.filter(ended=former_holder.until).update(ended=None)
    lock_account(former_holder.user_id)
    former_holder.until = None
    former_holder.save(update_fields=["until"])
    show_readiness_again(former_holder, phase)
    return former_holder


@transaction.atomic
def make_replacement_final(newcomer: Occupancy) -> None:
    """Record that the new player of a seat has opened the game, so that it can't be given back any more. What the
    former player had saved is destroyed unread."""
    game = lock_game(newcomer.game_id)
    occupancy = game.occupancies.filter(pk=newcomer.pk, until__isnull=True, instead_of__isnull=False).first()
    if occupancy is not None:
        confirm_newcomer(occupancy, game.phases.get(closed__isnull=True))


def close_approaches(seat: Seat, user_id: int, now: datetime) -> None:
    """Close all requests and invitations for a seat that is taken, and those of its new player; tell everyone else
    concerned. No guest's place is kept any more."""
    MailedInvitation.objects.filter(seat=seat).delete()
    other_approaches = Approach.objects.filter(seat=seat, accepted__isnull=True)
    for number, other in list(other_approaches.exclude(user_id=user_id).values_list("pk", "user_id")):
        tell(news.SEAT_GONE, seat.game, at=now, to=[other], about=str(number))
    other_approaches.update(accepted=False)
    Approach.objects.filter(game=seat.game_id, user_id=user_id, accepted__isnull=True).update(accepted=False)


def begin_occupancy(
    game: Game, seat: Seat, user_id: int, phase: Phase, now: datetime, *, instead_of: Occupancy | None = None
) -> Occupancy:
    """Begin an occupancy of a vacant seat, or of a bot's, with a full phase. Its orders are none, the bot's, or those
    of the player to whom the seat can be given back. The caller holds the lock."""
    if not end_occupancy_of_bot(seat, phase, now) and instead_of is None:
        delete_orders_unread(phase, seat)
    # later than every closed phase and every message, even if the clock was set back: they may not see any from before
    closed = game.phases.aggregate(last=Max("closed"))["last"]
    sent = Message.objects.filter(thread__game=game).aggregate(last=Max("sent"))["last"]
    since = max([now, *(last + TICK for last in (closed, sent) if last is not None)])
    lock_account(user_id)
    occupancy = Occupancy.objects.create(game=game, seat=seat, user_id=user_id, since=since, instead_of=instead_of)
    give_full_phase(occupancy, phase, now)
    timing.resume_with_players(game, phase, now)
    timing.end_early_if_all_are_ready(game, phase, now)
    return occupancy


def end_occupancy_of_bot(seat: Seat, phase: Phase, now: datetime) -> bool:
    """If a bot has the seat, end its occupancy and leave what it has saved to the next player; False if there is none.
    The caller holds the lock."""
    bot = seat.occupancies.filter(until__isnull=True, user__is_bot=True).select_related("game").first()
    if bot is None:
        return False
    if bot.game.options[EarlyEnd].all_ready:
        record_readiness(bot.game, bot, phase, ready=False)
    bot.until = max(now, bot.since)
    bot.save(update_fields=["until"])
    return True


def give_full_phase(newcomer: Occupancy, phase: Phase, now: datetime) -> None:
    """Move the deadline to where it would be if the phase opened now, if the new player has to give orders in it."""
    game = newcomer.game
    decides = newcomer.seat.power in must_decide(codec.position_of(phase), codec.variant_of(game).ruleset)
    if not decides or phase.time_left(now) <= timing.NO_TIME:
        return
    timing.leave_window(phase)
    before = phase.time_left(now)
    kind, timetable = Turn.from_code(phase.turn).kind, game.options[PhaseLengths].timetable
    if phase.deadline is None:
        phase.remaining = max(before, timetable.seconds(kind) * SECOND)
    else:
        fresh = timetable.next_deadline(now, kind)
        if fresh > phase.deadline:
            timing.put_off_to(phase, fresh, timing.absences_booked_in(game, now), now)
    timing.save_clock(phase)
    seconds = int((phase.time_left(now) - before).total_seconds())
    if seconds > 0:
        timing.tell_of_clock(
            news.FRESH_TIME, game, phase, now, except_for=[newcomer.user_id], turn=phase.turn, seconds=seconds
        )
    timing.put_off_for_absence(game, phase, now)


def vacate_seats_of_silent_players(games: Sequence[Game], now: datetime) -> bool:
    """Vacate the seats of all players who have missed as many phases in a row as their game allows; False if there are
    none.

    This happens between two phases, so no saved orders are lost. Bots keep their seats. The caller holds the lock on
    the games.
    """
    bounds = {game: game.options[Vacancies].vacant_after for game in games}
    games_by_id = {game.pk: game for game, most in bounds.items() if most}
    occupancies = Occupancy.objects.filter(game__in=games_by_id, until__isnull=True, bot="", silent__gt=0)
    rows = occupancies.select_related("seat").order_by("game_id", "seat__power")
    lapsed_rows = [row for row in rows if row.silent >= bounds[games_by_id[row.game_id]]]
    for occupancy in lapsed_rows:
        game = occupancy.game = games_by_id[occupancy.game_id]
        end_occupancy(occupancy, None, now, Departure.LAPSED)
        to, about, power = [occupancy.user_id], str(occupancy.pk), occupancy.seat.power
        tell(
            news.SEAT_LAPSED, game, at=now, to=to, about=about, power=power, times="", phases=occupancy.silent
        )  # fmt: skip
        announce_vacant_seat(
            game, occupancy, now, except_for=content_with_one_email(game, masters_of(game), DEADLINE_TOPICS)
        )
    return bool(lapsed_rows)


def announce_vacant_seat(game: Game, left: Occupancy, now: datetime, *, except_for: Collection[int] = ()) -> None:
    """Announce a vacant seat to the game masters (`except_for` some) and, in a public game, to all users on the standby
    list whom it suits. Seats that become vacant at the same moment are announced together."""
    masters, about = {*masters_of(game, Right.SEATS)}.difference(except_for, [left.user_id]), now.isoformat()
    tell(news.SEAT_TO_FILL, game, at=now, to=masters, about=about)
    tell(news.SEAT_VACANT, game, at=now, to={*_standbys_to_tell(game)} - {left.user_id, *masters_of(game)}, about=about)


def announce_seats_vacant_at_start(game: Game, now: datetime) -> None:
    """Announce seats that are vacant at the start of a public game to suitable users on the standby list."""
    taken = Occupancy.objects.filter(game=game, until__isnull=True).values("seat_id")
    if game.seats.filter(held=False, disordered=False).exclude(pk__in=taken).exists():
        tell(news.SEAT_VACANT, game, at=now, to=_standbys_to_tell(game), about="start")


def _standbys_to_tell(game: Game) -> list[int]:
    return [] if game.by_invitation else suitable_standbys(game)
