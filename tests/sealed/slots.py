"""What anyone with the database sees of the orders for a phase."""

from games.kernel.models import Phase
from games.sealed.crypto import KEY_BYTES_SHOWN, SLOT_BYTES
from games.sealed.models import Sheets


def slots_of(phase: Phase) -> list[bytes]:
    """The sealed slots in their fixed sequence."""
    sealed = bytes(Sheets.rows.get(phase=phase).sealed)
    return [sealed[start : start + SLOT_BYTES] for start in range(KEY_BYTES_SHOWN, len(sealed), SLOT_BYTES)]
