"""Sealing and opening: AES-GCM, bound to phase and seat, padded to one size.

A sealed sheet is one byte of format, four that identify its key to anyone who has that key, the nonce and the
ciphertext. To everyone else those four look random; otherwise they would reveal which sheets were written since a key
was changed.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

OLD_FORMAT, FORMAT = b"\x01", b"\x02"
"""The old one does not identify its key, so all keys have to be tried."""

MARK_BYTES = 4
NONCE_BYTES = 12
HEAD_BYTES = 1 + MARK_BYTES + NONCE_BYTES
LENGTH_BYTES = 4
SALT_BYTES = 32
PADDED_BYTES = 8192
LARGEST_BODY = PADDED_BYTES - LENGTH_BYTES


class BodyTooLarge(ValueError):
    """More than a sheet can hold."""


class CannotOpen(Exception):
    """No key of this site opens the sheet, or it was altered, or moved here from another phase or seat."""


def fresh_salt() -> str:
    """64 hex digits that no one can guess."""
    return secrets.token_hex(SALT_BYTES)


def seal(body: bytes, *, phase_id: int, seat_id: int) -> bytes:
    """The body sealed with the first key, always the same number of bytes; BodyTooLarge over `LARGEST_BODY`."""
    if len(body) > LARGEST_BODY:
        raise BodyTooLarge(f"A sheet holds {LARGEST_BODY} bytes.")
    padded = (len(body).to_bytes(LENGTH_BYTES, "big") + body).ljust(PADDED_BYTES, b"\0")
    key, nonce = settings.SEALED_KEYS[0], secrets.token_bytes(NONCE_BYTES)
    ciphertext = AESGCM(key).encrypt(nonce, padded, _bound_to(phase_id, seat_id))
    return FORMAT + _mark(key, nonce) + nonce + ciphertext


def unseal(sealed: bytes, *, phase_id: int, seat_id: int) -> bytes:
    """The body again, whichever key sealed it; CannotOpen if none of the keys did."""
    mark, nonce, ciphertext = _parts(sealed)
    fitting = _fitting(settings.SEALED_KEYS, mark, nonce)
    for key in fitting:
        try:
            padded = AESGCM(key).decrypt(nonce, ciphertext, _bound_to(phase_id, seat_id))
        except InvalidTag:
            continue
        length = int.from_bytes(padded[:LENGTH_BYTES], "big")
        return padded[LENGTH_BYTES : LENGTH_BYTES + length]
    cause = "it was altered, or moved from elsewhere" if fitting else "it was sealed with a key that is not here"
    raise CannotOpen(f"The sheet of seat {seat_id} in phase {phase_id} cannot be opened: {cause}.")


def is_newest(head: bytes) -> bool:
    """Was this sealed with the first key? The first `HEAD_BYTES` are enough to tell."""
    mark, nonce, _ciphertext = _parts(head)
    return bool(mark) and bool(_fitting(settings.SEALED_KEYS[:1], mark, nonce))


def _parts(sealed: bytes) -> tuple[bytes, bytes, bytes]:
    """Mark, nonce and ciphertext; the mark is empty in the old format."""
    start = 1 + (0 if sealed[:1] == OLD_FORMAT else MARK_BYTES)
    return sealed[1:start], sealed[start : start + NONCE_BYTES], sealed[start + NONCE_BYTES :]


def _fitting(keys: Iterable[bytes], mark: bytes, nonce: bytes) -> Sequence[bytes]:
    return [key for key in keys if not mark or hmac.compare_digest(mark, _mark(key, nonce))]


def _mark(key: bytes, nonce: bytes) -> bytes:
    return hmac.digest(key, b"which key" + nonce, hashlib.sha256)[:MARK_BYTES]


def _bound_to(phase_id: int, seat_id: int) -> bytes:
    return f"sheet of phase {phase_id}, seat {seat_id}".encode()
