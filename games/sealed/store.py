"""Access to the sealed sheets: to a player's own by occupancy, and to all of them only once a phase is closed or, if
the game was created with previews, for its game master."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import BinaryField, Func, OuterRef, QuerySet

from games.kernel.copying import insert_with_copy
from games.kernel.models import Occupancy, Phase, Seat
from games.kernel.prepared import PHASE, PreparedQuery
from games.sealed.crypto import HEAD_BYTES, fresh_salt, is_under_first_key, seal, unseal
from games.sealed.models import Sheets
from games.sealed.options import BidCorrections, Previews, SeeingBids, SeeingWhoSaved
from games.sealed.packing import pack_body, unpack_body


class NoAccessToSheet(Exception):
    """The occupancy has no right to this sheet."""


@dataclass(frozen=True, slots=True, repr=False)
class Body:
    """The content of a sheet: the text as typed, and the lines that count, in canonical notation.

    `at` is when it was saved, in ISO 8601 to the second. `salt` is drawn again at every save, even of a blank sheet,
    and goes into the code of the receipt; "" on sheets older than receipts. Comparing bodies ignores both.

    `ready`: the seat needs no more time, in games that show this to nobody. `waited_for`: the deadline moved because
    its player had saved nothing. Neither changes the salt. `by_gm`: the game master wrote this, not the player.
    """

    saved: bool = False
    typed: str = ""
    lines: str = ""
    at: str = field(default="", compare=False)
    salt: str = field(default="", compare=False)
    ready: bool = False
    waited_for: bool = False
    by_gm: bool = False

    def __repr__(self) -> str:
        return "Body(sealed)"

    def corrected(self, lines: str, at: datetime) -> Body:
        """The same sheet with these lines instead, written by the game master."""
        when = at.isoformat(timespec="seconds")
        return replace(self, saved=True, typed=lines, lines=lines, at=when, by_gm=True)


BLANK = Body()


def create_sheets(phases: Mapping[Phase, Iterable[Seat]], written: Mapping[Phase, Mapping[str, Body]]) -> None:
    """Create the sheets of all seats for each phase, so that the existence of a row reveals nothing: the `written`
    ones, by power, and otherwise blank ones."""
    rows = (
        (phase.pk, {seat.pk: _with_fresh_salt(written[phase].get(seat.power, BLANK)) for seat in seats})
        for phase, seats in phases.items()
    )
    sealed = ((number, seal(_pack_bodies(bodies), phase_id=number)) for number, bodies in rows)
    insert_with_copy(Sheets, ("phase", "sealed"), sealed)


def read_own(occupancy: Occupancy, phase: Phase) -> Body:
    """What this holder of the seat saved; NotYours for what a previous player saved."""
    return read_each_own([(occupancy, phase)])[phase.pk]


def read_each_own(seats: Sequence[tuple[Occupancy, Phase]]) -> dict[int, Body]:
    """What these holders saved in their phases, by phase."""
    seat_ids = {phase.pk: occupancy.seat_id for occupancy, phase in seats if is_own(occupancy, phase)}
    sheets = SHEETS_OF_PHASE(*seat_ids) if len(seat_ids) == 1 else _sheets_with_seats().filter(pk__in=seat_ids)
    rows = {row.pk: row for row in sheets}
    if len(seat_ids) < len(seats):
        raise NoAccessToSheet
    return {phase: _open_bodies(rows[phase], [seat])[seat] for phase, seat in seat_ids.items()}


def is_own(occupancy: Occupancy, phase: Phase) -> bool:
    """Does this player hold the seat, and did they already hold it when the phase closed?"""
    if occupancy.until is not None or occupancy.game_id != phase.game_id:
        return False
    return phase.closed is None or occupancy.since <= phase.closed


def write_own(
    occupancy: Occupancy, phase: Phase, body: Body, stays: Callable[[Body], bool] = lambda _: False
) -> tuple[Body, Body]:
    """Replace the orders for an open phase; the rest of the sheet stays. Returns the sheet before, and the sheet now:
    with a new salt, or unchanged if `stays` returns True for the old one. If `stays` raises, nothing is changed. The
    caller holds the lock on the game."""
    _require_may_write(occupancy, phase)
    salted, before_and_now = _with_fresh_salt(body), list[tuple[Body, Body]]()

    def rewrite(before: Body) -> Body:
        after = before if stays(before) else replace(salted, ready=before.ready, waited_for=before.waited_for)
        before_and_now.append((before, after))
        return after

    _change_bodies([phase], [occupancy.seat_id], rewrite)
    return before_and_now[0]


def seal_readiness(occupancy: Occupancy, phase: Phase, *, ready: bool) -> None:
    """Set whether the seat is ready in an open phase; the rest of its sheet stays. The caller has locked the game."""
    _require_may_write(occupancy, phase)
    _change_bodies([phase], [occupancy.seat_id], lambda before: replace(before, ready=ready))


def _require_may_write(occupancy: Occupancy, phase: Phase) -> None:
    if phase.closed is not None or not is_own(occupancy, phase) or occupancy.instead_of_id is not None:
        raise NoAccessToSheet


def sealed_ready_seats(phase: Phase) -> set[int]:
    """The seats that have said in an open phase that they are ready. The caller holds the lock on the game."""
    if not connection.in_atomic_block or phase.closed is not None:
        raise NoAccessToSheet
    row = _sheets_with_seats().get(pk=phase.pk)
    return {seat for seat, body in _open_bodies(row, row.seats).items() if body.ready}


def clear_sealed_readiness(phase: Phase) -> None:
    """Set all seats of this open phase to not ready. The caller holds the lock on the game."""
    if phase.closed is not None:
        raise NoAccessToSheet
    _change_bodies([phase], None, lambda before: replace(before, ready=False))


def mark_seats_as_waited_for(seats: Mapping[Phase, Iterable[int]]) -> None:
    """Record that the deadline of these open phases moves because these seats have saved nothing. The caller holds the
    lock on the games."""
    if any(phase.closed is not None for phase in seats):
        raise NoAccessToSheet
    named = {seat for found in seats.values() for seat in found}
    _change_bodies(seats, named, lambda before: replace(before, waited_for=True))


def seats_waited_for(phases: Iterable[Phase]) -> dict[int, set[int]]:
    """Phase id -> the seats for which its deadline moved."""
    rows = _sheets_with_seats().filter(pk__in=[phase.pk for phase in phases if phase.graced])
    return {row.pk: {seat for seat, body in _open_bodies(row, row.seats).items() if body.waited_for} for row in rows}


def blank_what_predecessors_left(phase: Phase, newcomers: Sequence[Occupancy]) -> None:
    """Blank the sheets that the players before these newcomers had saved for an open phase, without opening them. The
    seats can't be given back any more. The caller holds the lock on the game."""
    if not newcomers:
        return
    Occupancy.objects.filter(pk__in=[newcomer.pk for newcomer in newcomers]).update(instead_of=None)
    for newcomer in newcomers:
        newcomer.instead_of = None
    _replace_bodies(phase.pk, {newcomer.seat_id: _with_fresh_salt(BLANK) for newcomer in newcomers})


def blank_sheets(phase: Phase, seats: Iterable[Seat]) -> None:
    """Blank these sheets without opening them. The caller holds the lock on the game."""
    _replace_bodies(phase.pk, {seat.pk: _with_fresh_salt(BLANK) for seat in seats})


def read_all_at_closing(phases: Iterable[Phase]) -> dict[int, dict[str, Body]]:
    """Every seat's sheet by phase and power, read in the transaction that closes the phases and holds the lock on the
    games."""
    if not connection.in_atomic_block:
        raise NoAccessToSheet
    return _bodies_by_power(phases)


def read_closed(phase: Phase) -> dict[str, Body]:
    """Every seat's sheet of a closed phase, for what the game's options allow to disclose."""
    return read_each_closed([phase])[phase.pk]


def read_each_closed(phases: Sequence[Phase]) -> dict[int, dict[str, Body]]:
    """Every seat's sheet of several closed phases, by phase."""
    if any(phase.closed is None for phase in phases):
        raise NoAccessToSheet
    return _bodies_by_power(phases)


def read_for_preview(phase: Phase) -> dict[str, Body]:
    """Every seat's sheet of an open phase, in a game created with previews, for a game master who does not play. The
    caller holds the lock on the game and has recorded the preview in the public log."""
    if not connection.in_atomic_block or phase.closed is not None or not phase.shows(Previews):
        raise NoAccessToSheet
    return _bodies_by_power([phase])[phase.pk]


def saved_seats(phase: Phase) -> set[int]:
    """Only which seats have saved something for an open phase, in a game whose terms show this to its game master."""
    if phase.closed is not None or not phase.shows(SeeingWhoSaved):
        raise NoAccessToSheet
    row = _sheets_with_seats().get(pk=phase.pk)
    return {seat for seat, body in _open_bodies(row, row.seats).items() if body.saved}


def lines_of(bodies: Mapping[str, Body]) -> dict[str, str]:
    """The lines that count, by power, as the adjudicator reads them."""
    return {power: body.lines for power, body in bodies.items()}


def carry_over_sheets(
    before: Phase,
    after: Phase,
    occupancies: Iterable[Occupancy],
    as_corrected: Callable[[Mapping[str, str]], Mapping[str, str]],
) -> None:
    """Restore what these players had saved for an undone phase, in the open phase that replaces it. Each sheet gets a
    new salt, so that nothing reveals who changes their orders. `as_corrected` makes the lines that count, by power,
    from the saved lines. The content is shown to nobody; NotYours for a player who did not hold the seat then."""
    _require_same_position(before, after)
    own_seats = list(occupancies)
    if after.closed is not None or not all(is_own(it, phase) for it in own_seats for phase in (before, after)):
        raise NoAccessToSheet
    bodies = _open_bodies(_sheets_with_seats().get(pk=before.pk), [it.seat_id for it in own_seats])
    lines = as_corrected({it.seat.power: bodies[it.seat_id].lines for it in own_seats})

    def carry_over(body: Body, now: str) -> Body:
        kept = body if now == body.lines else body.corrected(now, after.opened)
        return _with_fresh_salt(replace(kept, ready=False, waited_for=False))

    _replace_bodies(after.pk, {it.seat_id: carry_over(bodies[it.seat_id], lines[it.seat.power]) for it in own_seats})


def copy_to_corrected_phase(before: Phase, after: Phase, sheets_now: Mapping[str, Body]) -> None:
    """Copy all sheets of an undone closed phase, with their salts, to the closed phase adjudicated in its place. If the
    game's options let the game master correct bids, the `sheets_now`, by power, replace theirs and get new salts.
    Nothing is shown to anyone."""
    _require_same_position(before, after)
    may_correct = not sheets_now or (after.game.options[BidCorrections].allowed and after.shows(SeeingBids))
    if before.closed is None or after.closed != before.closed or not may_correct:
        raise NoAccessToSheet
    row = _sheets_with_seats().annotate(powers=_seats_of_game("power")).get(pk=before.pk)
    seats = dict(zip(row.powers, row.seats, strict=True))
    others = _pack_bodies({seats[power]: _with_fresh_salt(body) for power, body in sheets_now.items()})
    Sheets.rows.create(phase=after, sealed=seal({**_unseal_row(row, row.seats), **others}, phase_id=after.pk))


def phases_under_other_keys() -> list[int]:
    """The phases whose sheets are sealed with another key than the first, found without opening any."""
    heads = Sheets.rows.annotate(
        head=Func("sealed", 1, HEAD_BYTES, function="substr", output_field=BinaryField())
    ).values_list("pk", "head")
    return [pk for pk, head in heads.iterator() if not is_under_first_key(bytes(head))]


def seal_with_first_key(phases: Iterable[int]) -> int:
    """Seal the sheets of these phases again with the first key, shown to nobody. Returns for how many, without phases
    that are being written at the moment. If one raises CannotOpen, none is changed."""
    if not connection.in_atomic_block:
        raise NoAccessToSheet
    rows = list(_sheets_with_seats().filter(pk__in=list(phases)).select_for_update(of=("self",), skip_locked=True))
    for row in rows:
        row.sealed = seal(_unseal_row(row, row.seats), phase_id=row.pk)
    Sheets.rows.bulk_update(rows, ["sealed"])
    return len(rows)


def seats_of_open_phases() -> dict[int, list[int]]:
    """The seats that have a slot in the sheets of each open phase."""
    rows = _sheets_with_seats().filter(phase__closed__isnull=True)
    return {row.pk: row.seats for row in rows.defer("sealed")}


def sealed_afresh(phase_id: int, sealed: bytes, seats: Sequence[int]) -> bytes:
    """The same sheets sealed with new random numbers. They are shown to nobody and not stored here."""
    return seal(unseal(sealed, seats, phase_id=phase_id, wanted=seats), phase_id=phase_id)


def try_keys() -> None:
    """Open the sheets of the first and the last phase without showing them. CannotOpen says which failed."""
    for sequence in ("pk", "-pk"):
        row = _sheets_with_seats().order_by(sequence).first()
        if row is not None:
            _unseal_row(row, row.seats)


def _require_same_position(before: Phase, after: Phase) -> None:
    before_facts, after_facts = ((it.game_id, it.ordinal, it.position) for it in (before, after))
    if before_facts != after_facts or not connection.in_atomic_block:
        raise NoAccessToSheet


def _bodies_by_power(phases: Iterable[Phase]) -> dict[int, dict[str, Body]]:
    rows = _sheets_with_seats().annotate(powers=_seats_of_game("power")).filter(pk__in=[phase.pk for phase in phases])
    return {row.pk: dict(sorted(zip(row.powers, _open_bodies(row, row.seats).values(), strict=True))) for row in rows}


def _sheets_with_seats() -> QuerySet[Any]:
    """The rows with the `seats` that have a slot in them. Seats in `aside` hold what a former player saved, to whom the
    seat can be given back: for everyone else they are blank."""
    newcomers = Occupancy.objects.filter(until__isnull=True, instead_of__isnull=False)
    aside = newcomers.filter(game__phases=OuterRef("pk"), game__phases__closed__isnull=True)
    return Sheets.rows.annotate(seats=_seats_of_game("pk"), aside=ArraySubquery(aside.values("seat_id")))


SHEETS_OF_PHASE = PreparedQuery(lambda phase_id: _sheets_with_seats().filter(pk=phase_id), PHASE)


def _seats_of_game(column: str) -> ArraySubquery:
    return ArraySubquery(Seat.objects.filter(game=OuterRef("phase__game")).order_by("pk").values(column))


def _replace_bodies(phase_id: int, bodies: Mapping[int, Body]) -> None:
    """Replace the sheets of these seats and seal all others again, so that the row does not show which these are."""
    row = _locked_sheets().get(pk=phase_id)
    others = _unseal_row(row, [seat for seat in row.seats if seat not in bodies])
    sealed = seal({**others, **_pack_bodies(bodies)}, phase_id=phase_id)
    Sheets.rows.filter(pk=phase_id).update(sealed=sealed)


def _change_bodies(phases: Iterable[Phase], seats: Collection[int] | None, change_body: Callable[[Body], Body]) -> None:
    """Change the sheets of these seats, or of all, and seal all again as in `_replace_bodies`."""
    rows = list(_locked_sheets().filter(pk__in=[phase.pk for phase in phases]))
    for row in rows:
        before = _unseal_row(row, row.seats)
        changed = [seat for seat in row.seats if seats is None or seat in seats]
        after = {seat: change_body(Body(**unpack_body(before[seat]))) for seat in changed}
        row.sealed = seal({**before, **_pack_bodies(after)}, phase_id=row.pk)
    Sheets.rows.bulk_update(rows, ["sealed"])


def _locked_sheets() -> QuerySet[Any]:
    """The rows, locked so that no key can change in between."""
    return _sheets_with_seats().select_for_update(of=("self",))


def _with_fresh_salt(body: Body) -> Body:
    return replace(body, salt=fresh_salt())


def _pack_bodies(bodies: Mapping[int, Body]) -> dict[int, bytes]:
    return {seat: pack_body(asdict(body)) for seat, body in bodies.items()}


def _unseal_row(row: Any, seats: Sequence[int]) -> dict[int, bytes]:
    return unseal(bytes(row.sealed), row.seats, phase_id=row.pk, wanted=seats)


def _open_bodies(row: Any, seats: Sequence[int]) -> dict[int, Body]:
    opened = _unseal_row(row, [seat for seat in seats if seat not in row.aside])
    return {seat: Body(**unpack_body(opened[seat])) if seat in opened else BLANK for seat in seats}
