"""Changing the key that seals the sheets, while games go on.

Nothing that is sealed is read by anybody here: a sheet is opened and sealed again in one breath. What was done stays
done when this is stopped halfway, and it goes on where it was.
"""

import time
from collections.abc import Generator, Iterable
from uuid import UUID

from django.db import transaction

from games.kernel import codec
from games.kernel.codec import is_digest_of
from games.kernel.models import Result
from games.sealed import store
from games.sealed.crypto import CannotOpen

BATCH = 200
PAUSE = 0.1
"""Seconds between two rounds, in which whoever was writing is done."""


class BadKeys(Exception):
    """The keys that are here do not open what is sealed; the message says what to do."""


def rekey(batch: int = BATCH) -> Generator[int, None, None]:
    """Seal everything under another key again with the first one; yields how many sheets after every batch.

    BadKeys if a sheet cannot be opened with any key that is here; what was sealed before stays so. A sheet that is
    being written just now comes later: the writer must know the first key already.
    """
    while left := store.sealed_otherwise():
        for start in range(0, len(left), batch):
            yield _renew(left[start : start + batch])
        time.sleep(PAUSE)
    _rekey_digests()


@transaction.atomic
def _renew(ids: Iterable[UUID]) -> int:
    try:
        return store.renew(ids)
    except CannotOpen as fault:
        raise BadKeys(_advice(fault)) from fault


def _rekey_digests() -> None:
    """Digests of what was judged belong to a key as well. One that fits no key stays, for `replay_game` to tell of."""
    results = Result.objects.select_related("phase__game").order_by("pk")
    for pk in list(results.values_list("pk", flat=True)):
        result = results.get(pk=pk)
        written = store.lines_of(store.read_closed(result.phase))
        newest, *older = codec.keyed_digests(result.phase, written)
        if is_digest_of(result, older):
            Result.objects.filter(pk=pk).update(inputs_hmac=newest)


def check_keys() -> str:
    """ "" if the keys open the oldest and the newest sheets; else what is wrong and what to do."""
    try:
        store.try_keys()
    except CannotOpen as fault:
        return _advice(fault)
    return ""


def _advice(fault: CannotOpen) -> str:
    return (
        f"{fault} SEALED_KEYS must hold every key that sealed sheets of this database, the newest first. Put the "
        "missing key back behind the others, or restore the database that belongs to these keys."
    )
