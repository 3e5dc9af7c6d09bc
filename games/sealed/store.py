"""The doors to the sealed sheets: a player's own by occupancy, and all of them only once a phase is closed or, if the
game was created with previews, for its game master."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from uuid import UUID, uuid4

from django.db import connection
from django.db.models import BinaryField, Func

from games.kernel.copying import copy_in
from games.kernel.models import Occupancy, Phase, Seat
from games.sealed.crypto import HEAD_BYTES, fresh_salt, is_newest, seal, unseal
from games.sealed.models import Sheet
from games.sealed.options import Previews


class NotYours(Exception):
    """The occupancy has no right to this sheet."""


@dataclass(frozen=True, slots=True, repr=False)
class Body:
    """What a sheet holds: the text as typed, and the lines that count, in canonical notation.

    `at` is when it was saved, in ISO 8601. `salt` is drawn afresh at every save, even of a blank sheet, and goes into
    the code of the receipt; "" on sheets older than receipts. Comparing bodies ignores both.
    """

    saved: bool = False
    typed: str = ""
    lines: str = ""
    at: str = field(default="", compare=False)
    salt: str = field(default="", compare=False)

    def __repr__(self) -> str:
        return "Body(sealed)"


BLANK = Body()


def open_for(phases: Mapping[Phase, Iterable[Seat]]) -> None:
    """A blank sheet for every seat of each phase, so that the existence of a row reveals nothing."""
    blank = (
        (uuid4(), phase.pk, seat.pk, _sealed(_salted(BLANK), phase.pk, seat.pk))
        for phase, seats in phases.items()
        for seat in seats
    )
    copy_in(Sheet, ("id", "phase", "seat", "sealed"), blank)


def read_own(occupancy: Occupancy, phase: Phase) -> Body:
    """What this holder of a seat saved; NotYours for what a previous player saved."""
    if not is_own(occupancy, phase):
        raise NotYours
    sheet = Sheet.rows.get(phase_id=phase.pk, seat_id=occupancy.seat_id)
    return _opened(bytes(sheet.sealed), phase.pk, occupancy.seat_id)


def is_own(occupancy: Occupancy, phase: Phase) -> bool:
    """Does this player hold the seat, and did they already when the phase closed?"""
    if occupancy.until is not None or occupancy.game_id != phase.game_id:
        return False
    return phase.closed is None or occupancy.since <= phase.closed


def write_own(occupancy: Occupancy, phase: Phase, body: Body) -> Body:
    """Replace the sheet of an open phase, and return it with its new salt. The caller holds the lock on the game."""
    if phase.closed is not None or not is_own(occupancy, phase):
        raise NotYours
    return _write(phase.pk, occupancy.seat_id, body)


def destroy(phase: Phase, seat: Seat) -> None:
    """Blank the sheet without reading it."""
    _write(phase.pk, seat.pk, BLANK)


def read_all(phases: Iterable[Phase]) -> dict[int, dict[str, Body]]:
    """Every seat's sheet by phase and power, in the transaction that closes the phases and holds the lock on the
    games."""
    if not connection.in_atomic_block:
        raise NotYours
    return _by_power(phases)


def read_closed(phase: Phase) -> dict[str, Body]:
    """Every seat's sheet of a closed phase, for the disclosures that the game's options allow."""
    if phase.closed is None:
        raise NotYours
    return _by_power([phase])[phase.pk]


def read_for_preview(phase: Phase) -> dict[str, Body]:
    """Every seat's sheet of an open phase, in a game created with previews for a game master who does not play. The
    caller holds the lock on the game and has recorded the preview in the public log."""
    allowed = phase.game.options[Previews].allowed
    if not connection.in_atomic_block or phase.closed is not None or not allowed:
        raise NotYours
    return _by_power([phase])[phase.pk]


def lines_of(bodies: Mapping[str, Body]) -> dict[str, str]:
    """The lines that count, by power, as the adjudicator is given them."""
    return {power: body.lines for power, body in bodies.items()}


def carry_over(before: Phase, after: Phase, occupancies: Iterable[Occupancy]) -> None:
    """Restore what these players had saved for a phase that is undone, in the open phase that takes its place, each
    sheet with a new salt, so that nothing reveals who changes their orders. No one is told what they were; NotYours
    for a player who did not hold the seat then."""
    _same_place(before, after)
    for occupancy in occupancies:
        write_own(occupancy, after, read_own(occupancy, before))


def reseal(before: Phase, after: Phase) -> None:
    """Copy all sheets of a closed phase that is undone, shown to no one and with their salts, to the closed phase
    adjudicated in its place."""
    _same_place(before, after)
    if before.closed is None or after.closed != before.closed:
        raise NotYours
    seats = Sheet.rows.filter(phase_id=before.pk).select_related("seat")
    Sheet.rows.bulk_create(
        Sheet(
            phase=after,
            seat=sheet.seat,
            sealed=_sealed(_opened(bytes(sheet.sealed), before.pk, sheet.seat_id), after.pk, sheet.seat_id),
        )
        for sheet in seats
    )


def sealed_otherwise() -> list[UUID]:
    """The sheets sealed with a key other than the first, found without opening any."""
    heads = Sheet.rows.annotate(
        head=Func("sealed", 1, HEAD_BYTES, function="substr", output_field=BinaryField())
    ).values_list("pk", "head")
    return [pk for pk, head in heads.iterator() if not is_newest(bytes(head))]


def renew(ids: Iterable[UUID]) -> int:
    """Seal these sheets again with the first key, shown to no one; how many, not counting those that are being written
    at the moment. If one raises CannotOpen, none is changed."""
    if not connection.in_atomic_block:
        raise NotYours
    sheets = list(Sheet.rows.filter(pk__in=list(ids)).select_for_update(skip_locked=True))
    for sheet in sheets:
        where = {"phase_id": sheet.phase_id, "seat_id": sheet.seat_id}
        sheet.sealed = seal(unseal(bytes(sheet.sealed), **where), **where)
    Sheet.rows.bulk_update(sheets, ["sealed"])
    return len(sheets)


def try_keys() -> None:
    """Open a sheet of the first phase and one of the last, showing neither. CannotOpen says which one failed."""
    for sequence in ("phase_id", "-phase_id"):
        sheet = Sheet.rows.order_by(sequence).first()
        if sheet is not None:
            unseal(bytes(sheet.sealed), phase_id=sheet.phase_id, seat_id=sheet.seat_id)


def _same_place(before: Phase, after: Phase) -> None:
    there, here = ((it.game_id, it.ordinal, it.position) for it in (before, after))
    if there != here or not connection.in_atomic_block:
        raise NotYours


def _by_power(phases: Iterable[Phase]) -> dict[int, dict[str, Body]]:
    found: dict[int, dict[str, Body]] = {phase.pk: {} for phase in phases}
    sheets = Sheet.rows.filter(phase_id__in=found).order_by("seat__power")
    for phase_id, seat_id, power, sealed in sheets.values_list("phase_id", "seat_id", "seat__power", "sealed"):
        found[phase_id][power] = _opened(bytes(sealed), phase_id, seat_id)
    return found


def _write(phase_id: int, seat_id: int, body: Body) -> Body:
    salted = _salted(body)
    Sheet.rows.filter(phase_id=phase_id, seat_id=seat_id).update(sealed=_sealed(salted, phase_id, seat_id))
    return salted


def _salted(body: Body) -> Body:
    return replace(body, salt=fresh_salt())


def _sealed(body: Body, phase_id: int, seat_id: int) -> bytes:
    return seal(json.dumps(asdict(body), ensure_ascii=False).encode(), phase_id=phase_id, seat_id=seat_id)


def _opened(sealed: bytes, phase_id: int, seat_id: int) -> Body:
    return Body(**json.loads(unseal(sealed, phase_id=phase_id, seat_id=seat_id)))
