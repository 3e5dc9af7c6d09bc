"""The doors to the sealed sheets: one's own by occupancy, all of them only while a phase is closed or, where that was
chosen when the game was created, looked at beforehand by its game master."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from django.db import connection

from games.sealed.crypto import seal, unseal
from games.sealed.models import Sheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.models import Occupancy, Phase, Seat


class NotYours(Exception):
    """The occupancy has no right to this sheet."""


@dataclass(frozen=True, slots=True, repr=False)
class Body:
    """What a sheet holds: the text as typed, and the lines that count, in canonical notation."""

    saved: bool = False
    typed: str = ""
    lines: str = ""

    def __repr__(self) -> str:
        return "Body(sealed)"


BLANK = Body()


def open_for(phase: Phase, seats: Iterable[Seat]) -> None:
    """A blank sheet for every seat, so that the existence of a row says nothing."""
    Sheet.rows.bulk_create(
        Sheet(phase=phase, seat=seat, sealed=_sealed(BLANK, phase.pk, seat.pk)) for seat in seats
    )


def read_own(occupancy: Occupancy, phase: Phase) -> Body:
    """What the holder of a seat wrote himself; NotYours for what a predecessor wrote."""
    if not is_own(occupancy, phase):
        raise NotYours
    sheet = Sheet.rows.get(phase_id=phase.pk, seat_id=occupancy.seat_id)
    return _opened(sheet)


def is_own(occupancy: Occupancy, phase: Phase) -> bool:
    """Does this person hold the seat, and did so already when the phase closed?"""
    if occupancy.until is not None or occupancy.game_id != phase.game_id:
        return False
    return phase.closed is None or occupancy.since <= phase.closed


def write_own(occupancy: Occupancy, phase: Phase, body: Body) -> None:
    """Replace the sheet of an open phase. The caller holds the lock on the game."""
    if phase.closed is not None or not is_own(occupancy, phase):
        raise NotYours
    _write(phase.pk, occupancy.seat_id, body)


def destroy(phase: Phase, seat: Seat) -> None:
    """Blank the sheet without reading it."""
    _write(phase.pk, seat.pk, BLANK)


def read_all(phase: Phase) -> dict[str, Body]:
    """Every seat's sheet by power, in the transaction that closes the phase and holds the lock on the game."""
    if not connection.in_atomic_block:
        raise NotYours
    return _by_power(phase)


def read_closed(phase: Phase) -> dict[str, Body]:
    """Every seat's sheet of a phase that has closed, for the disclosures that the game's options allow."""
    if phase.closed is None:
        raise NotYours
    return _by_power(phase)


def read_for_preview(phase: Phase) -> dict[str, Body]:
    """Every seat's sheet of an open phase, in a game created with previews for a game master who does not play. The
    caller holds the lock on the game and has written the look into the public log."""
    options = phase.game.options
    if not connection.in_atomic_block or phase.closed is not None or not options.gm_may_preview():
        raise NotYours
    return _by_power(phase)


def carry_over(before: Phase, after: Phase, occupancies: Iterable[Occupancy]) -> None:
    """What these people had saved for a phase that is undone stands again on their sheets of the open phase in its
    place. Nobody is told what it was; NotYours for whoever did not hold the seat then."""
    _same_place(before, after)
    for occupancy in occupancies:
        write_own(occupancy, after, read_own(occupancy, before))


def reseal(before: Phase, after: Phase) -> None:
    """All sheets of a closed phase that is undone, unread by anybody, for the closed phase judged in its place."""
    _same_place(before, after)
    if before.closed is None or after.closed != before.closed:
        raise NotYours
    seats = Sheet.rows.filter(phase_id=before.pk).select_related("seat")
    Sheet.rows.bulk_create(
        Sheet(phase=after, seat=sheet.seat, sealed=_sealed(_opened(sheet), after.pk, sheet.seat_id))
        for sheet in seats
    )


def _same_place(before: Phase, after: Phase) -> None:
    there, here = ((it.game_id, it.ordinal, it.position) for it in (before, after))
    if there != here or not connection.in_atomic_block:
        raise NotYours


def _by_power(phase: Phase) -> dict[str, Body]:
    sheets = Sheet.rows.filter(phase_id=phase.pk).select_related("seat").order_by("seat__power")
    return {sheet.seat.power: _opened(sheet) for sheet in sheets}


def _write(phase_id: int, seat_id: int, body: Body) -> None:
    Sheet.rows.filter(phase_id=phase_id, seat_id=seat_id).update(sealed=_sealed(body, phase_id, seat_id))


def _sealed(body: Body, phase_id: int, seat_id: int) -> bytes:
    return seal(json.dumps(asdict(body), ensure_ascii=False).encode(), phase_id=phase_id, seat_id=seat_id)


def _opened(sheet: Sheet) -> Body:
    return Body(**json.loads(unseal(bytes(sheet.sealed), phase_id=sheet.phase_id, seat_id=sheet.seat_id)))
