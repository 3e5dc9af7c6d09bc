"""What is for one player's eyes only: the own sheets, notes and days off. Of the views, only these open a sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.http import Http404

from games.kernel.models import Game, Occupancy, Phase
from games.orders.desk import desk_for, mark_of, receipt_for
from games.orders.records import record_of
from games.sealed import store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.kernel.access import GameAccess
    from games.kernel.gathered import Gathered
    from games.orders.parts import Desk, Receipt


def own_desk(rows: Gathered, typed: str | None) -> Desk | None:
    """The order page of the open phase shown, for whoever may write it; `typed` as in `phase_view`."""
    seat, mine, phase = rows.access.sheet, rows.mine, rows.shown
    if seat is None or mine is None or phase is None or phase.closed is not None:
        return None
    body = store.read_own(mine, phase)
    return desk_for(
        seat.power,
        phase,
        body.typed if typed is None else typed,
        saved=body.lines if body.saved else None,
        ready=None if rows.ready is None else mine.seat_id in rows.ready,
        show_problems=typed is not None,
        receipt=mark_of(seat.power, phase, body),
    )


def own_sheet(rows: Gathered) -> Receipt | None:
    """What the player had stored for the closed phase shown."""
    seat, mine, phase = rows.access.seat, rows.mine, rows.shown
    if seat is None or mine is None or phase is None or phase.closed is None:
        return None
    if not store.is_own(mine, phase):
        return None
    return receipt_for(seat.power, phase, store.read_own(mine, phase))


@dataclass(frozen=True, slots=True)
class OwnSheet:
    """What somebody has saved for one phase, as he typed it; `turn` is a code."""

    slug: str
    power: str
    turn: str
    text: str


def own_sheets(user_id: int) -> tuple[OwnSheet, ...]:
    """All sheets that this person has saved in the seats he holds, for his eyes only."""
    held = Occupancy.objects.filter(user_id=user_id, until__isnull=True).select_related("game", "seat")
    return tuple(sheet for occupancy in held.order_by("pk") for sheet in _sheets_in(occupancy))


def _sheets_in(occupancy: Occupancy) -> Iterator[OwnSheet]:
    for phase in occupancy.game.phases.order_by("ordinal").defer("position"):
        if not store.is_own(occupancy, phase):
            continue
        body = store.read_own(occupancy, phase)
        if body.saved:
            yield OwnSheet(occupancy.game.slug, occupancy.seat.power, phase.turn, body.typed)


def receipt_view(access: GameAccess, ordinal: int) -> Receipt:
    """What is stored for the viewer's seat in a phase: while that is open also for who sits for him. Http404 for
    everybody else, and for what is older than receipts."""
    seat = access.sheet
    phase = Phase.objects.select_related("game").filter(game_id=access.game_id, ordinal=ordinal).first()
    if seat is None or phase is None or (seat.sitting is not None and phase.closed is not None):
        raise Http404
    occupancy = Occupancy.objects.get(pk=seat.occupancy_id)
    if not store.is_own(occupancy, phase):
        raise Http404
    receipt = receipt_for(seat.power, phase, store.read_own(occupancy, phase))
    if not receipt.file:
        raise Http404
    return receipt


def record_view(access: GameAccess) -> dict[str, Any]:
    """The game's published record, as a document for JSON: public facts, and sealed records without what they seal."""
    return record_of(Game.objects.select_related("gm").get(pk=access.game_id))
