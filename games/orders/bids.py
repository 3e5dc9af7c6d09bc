"""The bids of closed phases, if a game's options show them: to its game master, and to everyone at its end."""

from collections.abc import Mapping

from django.db import transaction
from django.db.models import Q, QuerySet

from games.kernel import codec
from games.kernel.acts import Ordinal, gm_act
from games.kernel.locking import lock_game_for
from games.kernel.models import OVER, Game, OpenedBids, Phase
from games.kernel.news import tell
from games.kernel.standpoint import Standpoint
from games.orders import news
from games.orders.bid_table import bids_by_unit
from games.orders.choices import bid_views
from games.orders.parts import PhaseBids, PowerBids
from games.orders.rules import may_look_at_all_bids, may_look_at_bids, phases_with_bids
from games.sealed import store
from games.sealed.options import BidsAtEnd, SeeingBids


@gm_act("look_at_bids", may_look_at_bids)
@transaction.atomic
def look_at_bids(*, game_id: int, by: int, ordinal: Ordinal) -> tuple[PowerBids, ...]:
    """Look at the bids of a closed phase. The log tells everyone.

    Each look is recorded in the public log. Raises NotAllowed where the game's options forbid it, WrongMoment while the
    phase is open.
    """
    phase, lines_by_power = _phase_and_lines(game_id, by, ordinal)
    return _power_bids(phase, lines_by_power)


@transaction.atomic
def look_at_bids_as_table(*, game_id: int, by: int, ordinal: int) -> tuple[PhaseBids, ...]:
    """The bids of a closed phase as a table by minor power, with the same checks as `look_at_bids`."""
    return (bids_by_unit(*_phase_and_lines(game_id, by, ordinal)),)


@gm_act.locked("look_at_all_bids", may_look_at_all_bids)
def look_at_all_bids(here: Standpoint, by: int) -> tuple[PhaseBids, ...]:
    """Look at the bids of all closed phases, by minor power. The log tells everyone."""
    phases = here.game.phases.filter(ordinal__in=phases_with_bids(here)).select_related("game", "result")
    closed_phases = list(phases.order_by("ordinal"))
    looks = here.game.events.filter(by=by, kind=news.ALL_BIDS_LOOKED_AT.log, at__gte=closed_phases[-1].closed)
    if not looks.exists():
        tell(news.ALL_BIDS_LOOKED_AT, here.game, at=here.now, by=by)
    bodies = store.read_each_closed(closed_phases)
    return tuple(bids_by_unit(phase, store.lines_of(bodies[phase.pk])) for phase in closed_phases)


def rows_of_published_bids(game: Game) -> QuerySet[OpenedBids]:
    """What a game published at its end, by phase; nothing for other games and for phases whose bids stay secret."""
    options = game.options
    if game.status not in OVER or not (options[SeeingBids].bids and options[BidsAtEnd].open_bids_at_end):
        return OpenedBids.objects.none()
    return OpenedBids.objects.filter(phase__game=game, phase__undoing__isnull=True)


def published_bid_tables(game: Game) -> tuple[PhaseBids, ...] | None:
    """All bids of a game that published them at its end; None for other games."""
    published = rows_of_published_bids(game).select_related("phase__game", "phase__result").order_by("phase__ordinal")
    tables = [bids_by_unit(it.phase, _published_lines(it)) for it in published]
    return tuple(table for table in tables if table.minors) if tables else None


def _phase_and_lines(game_id: int, by: int, ordinal: int) -> tuple[Phase, dict[str, str]]:
    """A closed phase with each power's saved lines. First, the public log records that the bids were looked at."""
    here = lock_game_for(game_id, by)
    may_look_at_bids(here, ordinal)
    phase = here.game.phases.select_related("game", "result").get(ordinal=ordinal)
    log_look_at_bids(here, phase)
    return phase, store.lines_of(store.read_closed(phase))


def log_look_at_bids(here: Standpoint, phase: Phase) -> None:
    """Write in the public log, once, that this game master looks at the bids of a closed phase, which don’t change."""
    of_this_phase, of_all = Q(kind=news.BIDS_LOOKED_AT.log, facts__turn=phase.turn), Q(kind=news.ALL_BIDS_LOOKED_AT.log)
    if not here.game.events.filter(of_this_phase | of_all, by=here.user_id, at__gte=phase.closed).exists():
        tell(news.BIDS_LOOKED_AT, here.game, at=here.now, by=here.user_id, turn=phase.turn)


def publish_bids(game: Game) -> None:
    """Publish all orders and bids of a game that was created with this option. The caller holds the lock on it."""
    if not game.options[BidsAtEnd].open_bids_at_end:
        return
    for phase in game.phases.filter(result__isnull=False).order_by("ordinal"):
        if not phase.shows(BidsAtEnd):
            continue
        bodies = store.read_closed(phase)
        rows = {
            bids.power: [[bid.points, bid.canonical] for bid in bids.bids]
            for bids in _power_bids(phase, store.lines_of(bodies))
        }
        sheets = {
            power: {"salt": body.salt, "saved": body.saved, "lines": body.lines} for power, body in bodies.items()
        }
        OpenedBids.objects.create(phase=phase, bids=rows, sheets=sheets)


def withdraw_bids(game: Game, _by: int) -> None:
    """For the hook `end_withdrawn`: no longer publish the bids; at its next end the game does it anew."""
    OpenedBids.objects.filter(phase__game=game).delete()


def power_bids_of(published: OpenedBids) -> tuple[PowerBids, ...]:
    """The bids that `publish_bids` stored for a phase, in words."""
    return _power_bids(published.phase, _published_lines(published))


def _published_lines(published: OpenedBids) -> dict[str, str]:
    return {power: "\n".join(f"{points}: {order}" for points, order in bids) for power, bids in published.bids.items()}


def _power_bids(phase: Phase, lines_by_power: Mapping[str, str]) -> tuple[PowerBids, ...]:
    """The bids of the powers that bid; `lines_by_power`: power -> canonical lines."""
    variant, position = codec.variant_of(phase.game), codec.position_of(phase)
    sheets = codec.read_order_sheets(lines_by_power, position, variant)
    return tuple(
        PowerBids(power, variant.power(power).name, bid_views(sheet, position, variant))
        for power, sheet in sheets.items()
        if sheet.bids
    )
