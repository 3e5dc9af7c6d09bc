"""Streams that only the holder of a private key can read, in the format of age (age-encryption.org)."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from io import BufferedReader, BufferedWriter
from typing import IO, TYPE_CHECKING, Any

from django.core.exceptions import ImproperlyConfigured

from diplomacy_site.backups import BadBackupError

try:
    import pyrage
except ImportError as missing:
    raise ImproperlyConfigured("Encrypted backups need the packages in requirements-backups.lock.") from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class BadKeyError(BadBackupError):
    """This is not a key, or not the one that opens this file; the message says which."""


def public_key(text: str) -> pyrage.x25519.Recipient:
    """The public key in this text, `age1…`. Raises BadKeyError for any other text."""
    try:
        return pyrage.x25519.Recipient.from_str(text)
    except pyrage.RecipientError:
        raise BadKeyError(f"{text!r} is not the public key of age; it begins with age1.") from None


def private_key(text: str) -> pyrage.x25519.Identity:
    """The private key in a file that `age-keygen` has written. Raises BadKeyError if there is none."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("AGE-SECRET-KEY-")]
    try:
        return pyrage.x25519.Identity.from_str(lines[0])
    except (IndexError, pyrage.IdentityError):
        raise BadKeyError("This file holds no private key of age: a line that begins with AGE-SECRET-KEY-.") from None


@contextmanager
def encrypted(target: Any, recipient: pyrage.x25519.Recipient) -> Iterator[IO[bytes]]:
    """Yield a stream whose content is encrypted and then written to the target, a binary file."""
    reading, writing = _pipe()

    def encrypt() -> None:
        with reading:
            pyrage.encrypt_io(reading, target, [recipient])

    with _in_another_thread(encrypt), writing:
        yield writing


@contextmanager
def decrypted(source: Any, identity: pyrage.x25519.Identity) -> Iterator[IO[bytes]]:
    """Yield a stream with the decrypted content of the source, which can be read once. Raises BadKeyError if this key
    does not open it, BadBackupError if the source is cut off or damaged."""
    reading, writing = _pipe()

    def decrypt() -> None:
        with writing:
            try:
                pyrage.decrypt_io(source, writing, [identity])
            except (pyrage.DecryptError, OSError) as fault:
                if getattr(fault, "errno", None):  # the disk's or the pipe's
                    raise
                if "No matching keys" in str(fault):
                    raise BadKeyError("This key does not open the file.") from fault
                how = "damaged" if source.read(1) else "cut off, or damaged at its end"
                raise BadBackupError(f"This file is {how}: copy it again, or take an earlier backup.") from fault

    with _in_another_thread(decrypt), reading:
        yield reading


def _pipe() -> tuple[BufferedReader, BufferedWriter]:
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb"), os.fdopen(writing, "wb")


@contextmanager
def _in_another_thread(work: Callable[[], None]) -> Iterator[None]:
    """Do the work in another thread while the block runs. If both fail, the exception that explains the other is
    raised: of the two ends of a pipe, the one that did not just find it closed."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(work)
        try:
            yield
        except Exception:
            fault = future.exception()
            if fault and not isinstance(fault, BrokenPipeError):
                raise fault from None
            raise
        future.result()
