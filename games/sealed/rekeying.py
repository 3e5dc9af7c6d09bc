"""The keys that seal the sheets: changing them while games continue, and checking that they fit.

Nobody gets to read anything here: each sheet is opened and sealed again in one step. If this is interrupted, the
finished part stays, and the next run continues from there.
"""

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError, connection, transaction

from games.kernel import codec
from games.kernel.codec import digest_matches
from games.kernel.models import Result
from games.sealed import store
from games.sealed.crypto import CannotOpen

BATCH = 50
PAUSE = 0.1
"""Seconds between two rounds, so that players who were saving are done."""


class BadKeys(Exception):
    """The keys of this site do not open what is sealed; the message says what to do."""


def rekey(batch: int = BATCH) -> Generator[int, None, None]:
    """Seal everything that is under another key again with the first one; yields the number of phases after each batch.

    Raises BadKeys if no key opens a sheet; sheets done before stay done. A phase for which someone is saving at the
    moment is left for a later round, because the process that writes it must already know the first key.
    """
    while left := store.phases_under_other_keys():
        for start in range(0, len(left), batch):
            yield _seal_batch(left[start : start + batch])
        time.sleep(PAUSE)
    # The digests of adjudicated phases depend on a key, too. One that fits no key stays: `game replay` reports it.
    results = Result.objects.select_related("phase__game").order_by("pk")
    for pk in list(results.values_list("pk", flat=True)):
        result = results.get(pk=pk)
        written = store.lines_of(store.read_closed(result.phase))
        newest, *older = codec.keyed_digests(result.phase, written)
        if digest_matches(result, older):
            Result.objects.filter(pk=pk).update(inputs_hmac=newest)


@transaction.atomic
def _seal_batch(phases: Iterable[int]) -> int:
    try:
        return store.seal_with_first_key(phases)
    except CannotOpen as fault:
        raise BadKeys(_what_to_do(fault)) from fault


def sealer_for_backups() -> Callable[[int, bytes], bytes]:
    """A function (phase, sealed data) that seals the sheets of an open phase again, and leaves those of closed phases
    as they are.

    Thanks to it, two backups always differ in the sheets of an open phase, whether or not someone has saved in between.
    Raises BadKeys if no key opens them.
    """
    seats = store.seats_of_open_phases()

    def reseal(phase_id: int, sealed: bytes) -> bytes:
        if phase_id not in seats:
            return sealed
        try:
            return store.sealed_afresh(phase_id, sealed, seats[phase_id])
        except CannotOpen as fault:
            raise BadKeys(_what_to_do(fault)) from fault

    return reseal


def check_keys() -> str:
    """ "" if the keys open the sheets of the oldest and the newest phase; otherwise the problem and what to do."""
    try:
        store.try_keys()
    except CannotOpen as fault:
        return _what_to_do(fault)
    return ""


def _what_to_do(fault: CannotOpen) -> str:
    return (
        f"{fault} SEALED_KEYS must contain every key that sealed sheets in this database, the newest first. Put the "
        "missing key back after the others, or restore the database that belongs to these keys."
    )


# System checks, each with an id.

KEY_BYTES = 32
SHEETS = "sealed_sheets"


@register
def sheets_can_be_sealed(**_arguments: Any) -> list[CheckMessage]:
    """games.E001: checks that there is a key of 32 bytes, without which no sheet can be sealed."""
    keys = getattr(settings, "SEALED_KEYS", ())
    if keys and all(isinstance(key, bytes) and len(key) == KEY_BYTES for key in keys):
        return []
    return [Error("SEALED_KEYS must contain at least one key, and every key must have 32 bytes.", id="games.E001")]


@register(Tags.database)
def keys_open_what_is_sealed(databases: Sequence[str] | None = None, **_arguments: Any) -> list[CheckMessage]:
    """games.E002: checks that the keys are those of this database. Runs with `migrate`, before the site starts."""
    if not databases or SHEETS not in connection.introspection.table_names():
        return []
    try:
        fault = check_keys()
    except DatabaseError:
        return []  # the tables are of another version, which the migrations will report
    return [Error(fault, id="games.E002")] if fault else []
