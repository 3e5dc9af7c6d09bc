"""Sealing and opening: AES-GCM, each seat's slot bound to its phase and seat, and padded to one size.

The sealed data of a phase is one byte for the format, four that identify the key to anyone who has that key, and a slot
for every seat, by the number of the seat: its nonce and its ciphertext. To everyone else those four bytes look random;
otherwise they would reveal what was written since a key was changed.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

FORMAT = b"\x03"
MARK_BYTES, NONCE_BYTES, TAG_BYTES = 4, 12, 16
KEY_BYTES_SHOWN = 1 + MARK_BYTES
HEAD_BYTES = KEY_BYTES_SHOWN + NONCE_BYTES
SALT_BYTES = 32
SLOT_BYTES = 704
LARGEST_BODY = SLOT_BYTES - NONCE_BYTES - TAG_BYTES


class BodyTooLarge(ValueError):
    """The body does not fit into a slot."""


class CannotOpen(Exception):
    """No key of this site opens the slot, or it was altered, or moved here from another phase or seat."""


def fresh_salt() -> str:
    """64 hex digits that nobody can guess."""
    return secrets.token_hex(SALT_BYTES)


def seal(bodies: Mapping[int, bytes], *, phase_id: int) -> bytes:
    """The bodies by seat, sealed with the first key: for as many seats always the same size, never the same bytes.

    Opened again, they are followed by zeros. Raises BodyTooLarge over `LARGEST_BODY`.
    """
    cipher = AESGCM(settings.SEALED_KEYS[0])
    slots = b"".join(_sealed_slot(cipher, body, phase_id, seat) for seat, body in sorted(bodies.items()))
    return FORMAT + _key_mark(settings.SEALED_KEYS[0], slots[:NONCE_BYTES]) + slots


def _sealed_slot(cipher: AESGCM, body: bytes, phase_id: int, seat_id: int) -> bytes:
    if len(body) > LARGEST_BODY:
        raise BodyTooLarge(f"A slot holds {LARGEST_BODY} bytes.")
    nonce = secrets.token_bytes(NONCE_BYTES)
    return nonce + cipher.encrypt(nonce, body.ljust(LARGEST_BODY, b"\0"), _bound_to(phase_id, seat_id))


def unseal(sealed: bytes, seats: Sequence[int], *, phase_id: int, wanted: Sequence[int]) -> dict[int, bytes]:
    """The bodies of the `wanted` seats among these seats of the phase, sealed with any known key. No other slot is
    opened. Raises CannotOpen if no key fits."""
    if sealed[:1] != FORMAT:
        raise CannotOpen(f"The sheets of phase {phase_id} have a format that this version does not know.")
    if len(sealed) != KEY_BYTES_SHOWN + len(seats) * SLOT_BYTES:
        raise CannotOpen(f"The sheets of phase {phase_id} cannot be opened: there is not one slot for every seat.")
    places = {seat: place for place, seat in enumerate(sorted(seats))}
    keys = [key for key in settings.SEALED_KEYS if _is_under(key, sealed)]
    return {seat: _open_slot(sealed, places[seat], keys, phase_id, seat) for seat in wanted}


def _open_slot(sealed: bytes, place: int, keys: Sequence[bytes], phase_id: int, seat_id: int) -> bytes:
    start = KEY_BYTES_SHOWN + place * SLOT_BYTES
    nonce, ciphertext = sealed[start : start + NONCE_BYTES], sealed[start + NONCE_BYTES : start + SLOT_BYTES]
    for key in keys:
        try:
            return AESGCM(key).decrypt(nonce, ciphertext, _bound_to(phase_id, seat_id))
        except InvalidTag:
            continue
    cause = "it was altered, or moved from elsewhere" if keys else "it was sealed with a key that is not here"
    raise CannotOpen(f"The sheet of seat {seat_id} in phase {phase_id} cannot be opened: {cause}.")


def is_under_first_key(beginning: bytes) -> bool:
    """Was this sealed with the first key? Its first `HEAD_BYTES` are enough to tell."""
    return beginning[:1] == FORMAT and _is_under(settings.SEALED_KEYS[0], beginning)


def _is_under(key: bytes, sealed: bytes) -> bool:
    return hmac.compare_digest(sealed[1:KEY_BYTES_SHOWN], _key_mark(key, sealed[KEY_BYTES_SHOWN:HEAD_BYTES]))


def _key_mark(key: bytes, nonce: bytes) -> bytes:
    return hmac.digest(key, b"which key" + nonce, hashlib.sha256)[:MARK_BYTES]


def _bound_to(phase_id: int, seat_id: int) -> bytes:
    return f"sheet of phase {phase_id}, seat {seat_id}".encode()
