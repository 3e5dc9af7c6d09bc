"""Bots: ordinary clients of the services that save orders as soon as a phase opens.

The database is the queue: its rows say which bots are at work. Claims in the cache only keep two workers from asking
the same bot, and one from asking it again. If they are lost, a bot is asked once more and finds its orders saved.
"""

import logging
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from types import FrameType
from typing import NamedTuple

from django.core.cache import cache
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import Case, When
from django.utils.crypto import salted_hmac

from games.kernel import clock, codec
from games.kernel.models import Occupancy, Phase, Status
from games.kernel.queries import phase_head
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.orders.rules import TooLate
from games.orders.services import has_saved, save_if_blank, set_ready
from games.orders.sheets import ReadSheet, sheet_from_orders
from variants.bots import Level, play
from variants.bots.easy import OWN_BITS

log = logging.getLogger(__name__)
LONGEST_SECONDS = 60
"""How much of a processor's time a bot may take: far more than any needs."""
CLAIM_SECONDS = 150
"""A bot whose worker has died is asked again after this time."""
PLAYED_SECONDS = 86_400
NEAR_DEADLINE = timedelta(minutes=5)
LOOK_AGAIN_SECONDS = 2


class BotTookTooLong(Exception):
    """A bot has used more processor time than it may."""


class BotTurn(NamedTuple):
    """A bot and the open phase in which it is asked for orders."""

    occupancy_id: int
    ordinal: int
    phase_id: int

    @property
    def claim(self) -> str:
        return f"bot-asked:{self.occupancy_id}:{self.phase_id}"


def open_bot_turns(games: Iterable[int] | None = None) -> list[BotTurn]:
    """The turns of all bots in these games, or in all running games: the nearest deadlines first. Games without a
    deadline, whose players wait for nothing else, come before distant ones."""
    bots = Occupancy.objects.exclude(bot="").filter(until__isnull=True, game__status=Status.RUNNING)
    if games is not None:
        bots = bots.filter(game__in=list(games))
    deadline = "game__phases__deadline"
    is_near, is_none = (
        When(**{f"{deadline}__lt": clock.now() + NEAR_DEADLINE}, then=0),
        When(**{deadline: None}, then=1),
    )
    at_work = bots.filter(game__phases__closed__isnull=True)
    at_work = at_work.order_by(Case(is_near, is_none, default=2), deadline, "game", "seat__power")
    return [BotTurn(*row) for row in at_work.values_list("pk", "game__phases__ordinal", "game__phases__pk")]


def play_waiting_bots(may_go_on: Callable[[], bool]) -> None:
    """Let every bot whose turn no process has claimed play, one after another, as long as `may_go_on` says so. A bot
    that fails doesn't stop the others."""
    for turn in _claim_turns(may_go_on):
        try:
            is_done = play_bot_turn(occupancy_id=turn.occupancy_id, ordinal=turn.ordinal)
        except BotTookTooLong:
            is_done = True
            log.exception("The bot of occupancy %s took too long in phase %s.", turn.occupancy_id, turn.phase_id)
            # Ready without orders: without a clock, the phase would never end.
            with suppress(Refusal, ObjectDoesNotExist):
                set_ready(occupancy_id=turn.occupancy_id, ordinal=turn.ordinal, ready=True)
        except Exception:
            is_done = False
            log.exception("The bot of occupancy %s failed in phase %s.", turn.occupancy_id, turn.phase_id)
        if is_done:  # otherwise it is asked again when the claim has run out
            cache.set(turn.claim, 1, PLAYED_SECONDS)


def turns_nobody_has_claimed() -> list[BotTurn]:
    """The turns of bots that no process has claimed yet, those with the nearest deadline first."""
    turns = open_bot_turns()
    claims = cache.get_many([turn.claim for turn in turns])
    return [turn for turn in turns if turn.claim not in claims]


def _claim_turns(may_go_on: Callable[[], bool]) -> Iterator[BotTurn]:
    """Yield each turn once it is claimed. Every few seconds, include those of phases that have opened meanwhile."""
    while waiting := turns_nobody_has_claimed():
        look_again = time.monotonic() + LOOK_AGAIN_SECONDS
        for turn in waiting:
            if not may_go_on():
                return
            if cache.add(turn.claim, 1, CLAIM_SECONDS):
                yield turn
            if time.monotonic() > look_again:
                break


def play_bot_turn(*, occupancy_id: int, ordinal: int) -> bool:
    """Let the bot save orders for its seat unless some are saved already, and say that it is ready where anyone waits
    for that. True if it did. Raises BotTookTooLong if it takes too long."""
    try:
        occupancy = Occupancy.objects.select_related("seat").get(pk=occupancy_id)
        if not occupancy.bot or has_saved(occupancy_id=occupancy_id, ordinal=ordinal):
            return False
        phase = Phase.objects.select_related("game").get(game_id=occupancy.game_id, ordinal=ordinal)
        variant, position, power = codec.variant_of(phase.game), codec.position_of(phase), occupancy.seat.power
        with _processor_time_limited_to(LONGEST_SECONDS):
            orders = play(power, position, variant.ruleset, _seed(phase, power), Level(occupancy.bot))
        return _save_and_say_ready(occupancy_id, sheet_from_orders(orders, power, position, variant, ordinal))
    except (NotAllowed, TooLate, ObjectDoesNotExist):
        return False  # the deadline came first, the seat has another player now, or its player has deleted the game


@transaction.atomic
def _save_and_say_ready(occupancy_id: int, sheet: ReadSheet) -> bool:
    """Do both or neither, so that a bot whose worker dies is never left saved but not ready."""
    if not save_if_blank(occupancy_id=occupancy_id, sheet=sheet):
        return False
    with suppress(WrongMoment):  # no one waits for this seat, or for any in this game
        set_ready(occupancy_id=occupancy_id, ordinal=sheet.ordinal, ready=True)
    return True


def _seed(phase: Phase, power: str) -> int:
    """The seed of the bot's choices, keyed so that no one can compute its orders and bids. One part is the seat's own,
    and the other the same for all seats of the phase."""
    phase_opened = f"{phase.game.slug}:{phase_head(phase).mark}"
    return _keyed_bits(phase_opened) << OWN_BITS | _keyed_bits(f"{phase_opened}:{power}")


def _keyed_bits(text: str) -> int:
    return int.from_bytes(salted_hmac("games.bots", text, algorithm="sha256").digest()[: OWN_BITS // 8], "big")


@contextmanager
def _processor_time_limited_to(seconds: int) -> Iterator[None]:
    """Raises BotTookTooLong once the block has used so much processor time, however busy the machine is. Works only in
    the main thread, in which the bots' worker runs."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _raise_took_too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _raise_took_too_long(_number: int, _frame: FrameType | None) -> None:
    raise BotTookTooLong
