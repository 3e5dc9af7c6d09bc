"""Sealing and opening: AES-GCM, bound to phase and seat, padded to one size."""

import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings

FORMAT = b"\x01"
NONCE_BYTES = 12
LENGTH_BYTES = 4
PADDED_BYTES = 8192
LARGEST_BODY = PADDED_BYTES - LENGTH_BYTES


class BodyTooLarge(ValueError):
    """More than a sheet can hold."""


class CannotOpen(Exception):
    """No key of this site opens the sheet, or it was moved here from another phase or seat."""


def seal(body: bytes, *, phase_id: int, seat_id: int) -> bytes:
    """The body under the first key, always the same number of bytes; BodyTooLarge over `LARGEST_BODY`."""
    if len(body) > LARGEST_BODY:
        raise BodyTooLarge(f"A sheet holds {LARGEST_BODY} bytes.")
    padded = (len(body).to_bytes(LENGTH_BYTES, "big") + body).ljust(PADDED_BYTES, b"\0")
    nonce = secrets.token_bytes(NONCE_BYTES)
    return (
        FORMAT + nonce + AESGCM(settings.SEALED_KEYS[0]).encrypt(nonce, padded, _bound_to(phase_id, seat_id))
    )


def unseal(sealed: bytes, *, phase_id: int, seat_id: int) -> bytes:
    """The body again, under whichever key it was sealed; CannotOpen if there is none."""
    nonce, ciphertext = sealed[1 : 1 + NONCE_BYTES], sealed[1 + NONCE_BYTES :]
    for key in settings.SEALED_KEYS:
        try:
            padded = AESGCM(key).decrypt(nonce, ciphertext, _bound_to(phase_id, seat_id))
        except InvalidTag:
            continue
        length = int.from_bytes(padded[:LENGTH_BYTES], "big")
        return padded[LENGTH_BYTES : LENGTH_BYTES + length]
    raise CannotOpen(f"The sheet of seat {seat_id} in phase {phase_id} cannot be opened.")


def _bound_to(phase_id: int, seat_id: int) -> bytes:
    return f"sheet of phase {phase_id}, seat {seat_id}".encode()
