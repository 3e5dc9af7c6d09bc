"""Bots: ordinary clients of the services that save orders as soon as a phase opens."""

from collections.abc import Iterable
from contextlib import suppress

from django.db.models import F
from django.utils.crypto import salted_hmac

from games.kernel import codec
from games.kernel.models import Occupancy, Phase, Status
from games.kernel.refusals import NotAllowed, WrongMoment
from games.orders.rules import TooLate
from games.orders.services import has_saved, save_if_blank, set_ready
from games.orders.sheets import ReadSheet, composed
from variants.bots import play


def bots_at_work(games: Iterable[int] | None = None) -> list[tuple[int, int]]:
    """(occupancy, ordinal of the open phase) for every bot in these games, or in every running game."""
    bots = Occupancy.objects.filter(bot=True, until__isnull=True, game__status=Status.RUNNING)
    if games is not None:
        bots = bots.filter(game__in=list(games))
    at_work = bots.filter(game__phases__closed__isnull=True).annotate(ordinal=F("game__phases__ordinal"))
    return list(at_work.order_by("game_id", "seat__power").values_list("pk", "ordinal"))


def play_seat(*, occupancy_id: int, ordinal: int) -> bool:
    """Let the bot save orders for its seat unless some are saved already. True if it did."""
    try:
        if has_saved(occupancy_id=occupancy_id, ordinal=ordinal):
            return False
        sheet = _composed(Occupancy.objects.select_related("seat").get(pk=occupancy_id), ordinal)
        wrote = save_if_blank(occupancy_id=occupancy_id, sheet=sheet)
        return wrote and _say_ready(occupancy_id, ordinal)
    except (NotAllowed, TooLate):
        return False  # the deadline came first, or the seat has another player now


def _composed(occupancy: Occupancy, ordinal: int) -> ReadSheet:
    """The bot's orders. The seed is keyed, because anyone who could guess it could compute the bids."""
    phase = Phase.objects.select_related("game").get(game_id=occupancy.game_id, ordinal=ordinal)
    variant, position = codec.variant_of(phase.game), codec.position_of(phase)
    keyed = salted_hmac("games.bots", f"{phase.game.slug}:{ordinal}", algorithm="sha256")
    seed = int.from_bytes(keyed.digest()[:8], "big")
    power = occupancy.seat.power
    return composed(play(power, position, variant.ruleset, seed), power, position, variant, ordinal)


def _say_ready(occupancy_id: int, ordinal: int) -> bool:
    with suppress(WrongMoment):  # no one waits for this seat, or for any in this game
        set_ready(occupancy_id=occupancy_id, ordinal=ordinal, ready=True)
    return True
