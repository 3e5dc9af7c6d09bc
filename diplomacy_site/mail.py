"""Email by SMTP, with a limit for a whole letter.

EMAIL_TIMEOUT is for one step, and a server that sends a byte now and then would hold a thread for ever.
"""

import smtplib
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.core.mail import EmailMessage
from django.core.mail.backends import smtp

from diplomacy_site import shared_counts
from games.delivery.letters import REFUSALS

LETTER_SECONDS = 20
"""For a letter with its greeting; on a connection that is open already, for each letter."""


class TimedConnection(smtplib.SMTP):
    """A connection that waits for replies only until `ends`, on the monotonic clock."""

    sock: socket.socket

    def __init__(self, *args: Any, **options: Any) -> None:
        self.ends = time.monotonic() + LETTER_SECONDS
        super().__init__(*args, **options)

    def getreply(self) -> tuple[int, bytes]:
        self.file = self  # what a reply is read from
        return super().getreply()

    def readline(self, most: int) -> bytes:
        line = b""
        while not line.endswith(b"\n") and len(line) < most:
            seconds = self.ends - time.monotonic()
            if seconds <= 0:
                raise TimeoutError
            self.sock.settimeout(seconds)  # also for what is sent next
            byte = self.sock.recv(1)
            if not byte:
                return b""
            line += byte
        return line

    def close(self) -> None:
        self.file = None
        super().close()


class EncryptedConnection(TimedConnection, smtplib.SMTP_SSL):
    """The same, encrypted from the first byte."""


class EmailBackend(smtp.EmailBackend):
    """Django's with such a line. It notes whether the server takes letters."""

    connection: TimedConnection | None

    @property
    def connection_class(self) -> type[TimedConnection]:
        return EncryptedConnection if self.use_ssl else TimedConnection

    def open(self) -> bool | None:
        with _noting_failure():
            return super().open()

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        if self.connection:
            self.connection.ends = time.monotonic() + LETTER_SECONDS
        with _noting_failure():
            sent: int = super().send_messages(email_messages)
        shared_counts.note_mail(taken=True)
        return sent


@contextmanager
def _noting_failure() -> Iterator[None]:
    try:
        yield
    except REFUSALS:  # of this letter, by a server that answers
        raise
    except OSError:
        shared_counts.note_mail(taken=False)
        raise
