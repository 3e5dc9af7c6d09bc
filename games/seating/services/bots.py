"""Bots in seats of their own: taking seats at the start or later, and leaving them; and players’ own bots.

A bot's seat belongs to one of the accounts for bots, which are created when needed and reused in other games.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Exists, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.deadlines.timing import NO_TIME, end_early_if_all_are_ready, lacks_players, resume_with_players
from games.endings.services import end_if_all_agree
from games.kernel import clock
from games.kernel.acts import Asked, Power, ReasonIfReplaced, gm_act, player_act
from games.kernel.after_commit import start_task_after_commit
from games.kernel.languages import later
from games.kernel.limits import count_public_change
from games.kernel.locking import lock_game_for
from games.kernel.models import Game, Occupancy, Phase, Seat, Status
from games.kernel.news import checked_reason, tell
from games.kernel.options import LEVELS, Bots
from games.kernel.standpoint import Standpoint
from games.seating import news
from games.seating.options import Vacancies
from games.seating.rules import seats as rules
from games.seating.rules.joining import joiner_of
from games.seating.services.seats import VACANT, end_occupancy, remove_from_seat
from variants.bots import Level


def seat_bots_at_start(game: Game, now: datetime) -> None:
    """Give bots as many of the free seats as the game was created with. The caller holds the lock on the game."""
    option = game.options[Bots]
    free = list(game.seats.filter(held=False, disordered=False).order_by("pk"))
    secrets.SystemRandom().shuffle(free)
    seats = free[: option.bots]
    if seats:
        seat_bots(game, seats, Level(option.bot_level), now, gives_way=option.bots_leave)


def seat_bots(
    game: Game, seats: Sequence[Seat], level: Level, now: datetime, *, gives_way: bool, by: int | None = None
) -> None:
    """Give these vacant seats to bots of this level. The caller holds the lock on the game."""
    here = Occupancy.objects.filter(game=game, until__isnull=True).values("user_id")
    users = get_user_model().objects.filter(is_bot=True).exclude(pk__in=here)
    accounts = list(users.order_by("pk")[: len(seats)])
    accounts += [_new_bot_account() for _ in range(len(seats) - len(accounts))]
    for seat, user in zip(seats, accounts, strict=True):
        Occupancy.objects.create(game=game, seat=seat, user=user, since=now, bot=level.value, gives_way=gives_way)
    powers = [seat.power for seat in seats]
    tell(news.BOTS_SEATED, game, at=now, by=by, bots="", powers="", level=level.value, of=powers)
    start_task_after_commit("games.tasks.play_bots")


def any_bot_account() -> Any:
    return get_user_model().objects.filter(is_bot=True).order_by("pk").first() or _new_bot_account()


def _new_bot_account() -> Any:
    """An account that nobody can sign in to, look up or mistake for a person's, whose names have no spaces."""
    mark = secrets.token_hex(6)
    return get_user_model().objects.create(
        username=f"bot {mark}", email=f"{mark}@bot.invalid", password=make_password(None), is_active=False, is_bot=True
    )


BotLevel = Annotated[
    Level,
    Asked(
        says="How well the bot plays.",
        label=later("Bot"),
        choices=[(level.value, texts[0]) for level, texts in LEVELS.items()],
        missing=later("Choose a level from the list."),
        wrong=later("Choose a level from the list."),
    ),
]


@gm_act.locked(
    "seat_bot",
    rules.may_seat_bot,
    done=later("A bot has the seat until a player takes it over."),
    counted=True,
    replaces=Standpoint.player,
)
def seat_bot(here: Standpoint, by: int, *, power: Power, level: BotLevel, reason: ReasonIfReplaced = "") -> None:
    """Let a bot play a seat until a player takes it, in place of its player if it has one.

    Raises BadReason without a reason where a person loses the seat by this; SeatTaken if a bot has it; WrongMoment
    before the start and after the deadline.
    """
    game, phase, now, seat, holder = here.game, here.phase, here.now, here.seats[power], here.holder(power)
    why = checked_reason(reason, needed=holder is not None)
    if holder is not None:
        remove_from_seat(holder, phase, now)
        player = holder.user.get_username()
        tell(news.SEAT_EMPTIED, game, at=now, by=by, power=power, player=player, reason=why)
    seat_bots(game, [seat], level, now, gives_way=True, by=by)
    resume_with_players(game, phase, now)
    end_early_if_all_are_ready(game, phase, now)
    end_if_all_agree(game, now=now)


def games_with_seats_long_vacant() -> list[int]:
    """The games under way with seats that have been vacant for as long as their options say."""
    running = Seat.objects.filter(game__status__in=(Status.RUNNING, Status.PAUSED))
    return sorted({seat.game_id for seat in _seats_long_vacant(running, clock.now())})


def _seats_long_vacant(seats: QuerySet[Seat], now: datetime) -> list[Seat]:
    is_occupied = Exists(Occupancy.objects.filter(seat=OuterRef("pk"), until__isnull=True))
    began = Phase.objects.filter(game=OuterRef("game"), ordinal=0).values("opened")
    for_bots = seats.filter(held=False, disordered=False, game__stored_options__bots_after_hours__gt=0)
    rows = for_bots.filter(~is_occupied).annotate(since=Coalesce(Max("occupancies__until"), Subquery(began)))
    vacant = [(seat, seat.game.options[Vacancies].bots_after_hours) for seat in rows.select_related("game")]
    return [seat for seat, hours in vacant if seat.since + timedelta(hours=hours) <= now]


@transaction.atomic
def fill_long_vacant_seats_with_bots(*, game_id: int) -> bool:
    """Let bots play seats that have been vacant for as long as the game's options say. Returns False if there are none,
    or if the phase is about to end."""
    here = lock_game_for(game_id, None)
    game, now = here.game, here.now
    if not (game.status == Status.RUNNING or lacks_players(game)) or here.phase.time_left(now) <= NO_TIME:
        return False
    seats = [seat for seat in _seats_long_vacant(game.seats.order_by("pk"), now) if seat.power in here.left]
    if not seats:
        return False
    seat_bots(game, seats, Level(game.options[Bots].bot_level), now, gives_way=True)
    resume_with_players(game, here.phase, now)
    end_early_if_all_are_ready(game, here.phase, now)
    end_if_all_agree(game, now=now)
    return True


@gm_act("take_bot_out", rules.may_unseat_bot, done=VACANT)
@transaction.atomic
def unseat_bot(*, game_id: int, by: int, power: Power) -> None:
    """Take a bot out of its seat.

    What it has saved is destroyed unread. Raises WrongMoment if no bot has the seat, before the start and after the
    deadline.
    """
    here = lock_game_for(game_id, by)
    occupancy = rules.may_unseat_bot(here, power)
    count_public_change(game_id, by)
    game, phase, now = here.game, here.phase, here.now
    end_occupancy(occupancy, phase, now)
    tell(news.BOT_UNSEATED, game, at=now, by=by, power=power)
    end_early_if_all_are_ready(game, phase, now)
    end_if_all_agree(game, now=now)


@player_act.locked(
    "own_bot",
    rules.may_let_own_bot_play,
    done=later("Your seat is now labelled as played by a bot of yours. Give your bot a token of its kind."),
    to="games:game",
)
def let_own_bot_play(here: Standpoint, user_id: int) -> None:
    """Label your seat, or your place in a game that assigns powers later, as played by your own bot.

    Raises NotAllowed by the terms, and without a place; WrongMoment if it is already labelled or the game is over.
    """
    place = joiner_of(here) or here.occupancy
    place.own_bot = True
    place.save(update_fields=["own_bot"])
    if isinstance(place, Occupancy):
        tell(news.OWN_BOT_PLAYS, here.game, at=here.now, by=user_id, power=place.seat.power)
    else:
        tell(news.OWN_BOT_JOINED, here.game, at=here.now, by=user_id)
