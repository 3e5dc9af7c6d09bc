"""Bids of closed phases, where a game's options show them: to its game master, and to everyone at its end."""

from collections.abc import Mapping

from django.db import transaction

from games.kernel import codec
from games.kernel.locking import lock
from games.kernel.models import Game, OpenedBids, Phase
from games.kernel.news import tell
from games.orders import news
from games.orders.choices import bids_of
from games.orders.parts import PowerBids
from games.orders.rules import may_look_at_bids
from games.sealed import store
from games.sealed.options import BidsAtEnd


@transaction.atomic
def look_at_bids(*, game_id: int, by: int, ordinal: int) -> tuple[PowerBids, ...]:
    """The bids of a closed phase, for a game master who does not play; every look is recorded in the public log.

    NotAllowed where the game's options forbid it, WrongMoment while the phase is open.
    """
    here = lock(game_id, by)
    may_look_at_bids(here, ordinal)
    game = here.game
    phase = game.phases.get(ordinal=ordinal)
    tell(news.BIDS_LOOKED_AT, game, at=here.now, by=by, turn=phase.turn)
    return _bids(phase, store.lines_of(store.read_closed(phase)))


def publish_bids(game: Game) -> None:
    """Publish all orders and bids of a game created to do so at its end. The caller holds the lock on it."""
    if not game.options[BidsAtEnd].open_bids_at_end:
        return
    for phase in game.phases.filter(result__isnull=False).order_by("ordinal"):
        bodies = store.read_closed(phase)
        rows = {
            bids.power: [[bid.points, bid.canonical] for bid in bids.bids]
            for bids in _bids(phase, store.lines_of(bodies))
        }
        sheets = {
            power: {"salt": body.salt, "saved": body.saved, "lines": body.lines} for power, body in bodies.items()
        }
        OpenedBids.objects.create(phase=phase, bids=rows, sheets=sheets)


def published_bids(opened: OpenedBids) -> tuple[PowerBids, ...]:
    """What `publish_bids` stored for a phase, in words."""
    written = {power: "\n".join(f"{points}: {order}" for points, order in bids) for power, bids in opened.bids.items()}
    return _bids(opened.phase, written)


def _bids(phase: Phase, written: Mapping[str, str]) -> tuple[PowerBids, ...]:
    """The bids of the powers that bid; `written`: power -> canonical lines."""
    variant, position = codec.variant_of(phase.game), codec.position_of(phase)
    sheets = codec.sheets_of(written, position, variant)
    return tuple(
        PowerBids(power, variant.power(power).name, bids_of(sheet, position, variant))
        for power, sheet in sheets.items()
        if sheet.bids
    )
