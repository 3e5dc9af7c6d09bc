"""A mail server that never finishes holds no thread, and is told from one that refuses a letter."""

from __future__ import annotations

import smtplib
import socket
from threading import Event, Thread
from typing import TYPE_CHECKING

import pytest
from django.core.mail import EmailMessage

from diplomacy_site import mail, shared_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

HELLO = b"250-here\r\n250 STARTTLS\r\n"
MOST_DRIPS = 400
BEGINNING_OF_TLS = b"\x16\x03\x03\x40\x00"
NEVER = "never"


class MailServer(Thread):
    """Answers one connection, and at this command with a byte now and then: for the other side a second passes with
    each of them. `was_cut`: the other side ended it."""

    def __init__(self, drips_at: str, refusing: bytes = b"") -> None:
        super().__init__(daemon=True)
        self.drips_at, self.refusing = drips_at, refusing
        self.was_cut = False
        self.letters = self.drips = 0
        self.listening = socket.create_server(("127.0.0.1", 0))

    def run(self) -> None:
        line, _ = self.listening.accept()
        with line, line.makefile("rb") as said:
            try:
                self._answer(line, "GREETING", b"220 here\r\n")
                while command := said.readline().decode().split(" ")[0].strip().upper():
                    if command == "DATA":
                        line.sendall(b"354 go on\r\n")
                        while said.readline() != b".\r\n":
                            pass
                        self.letters += 1
                    self._answer(line, command, self._reply(command))
            except OSError:
                self.was_cut = True

    def _reply(self, command: str) -> bytes:
        if command == "RCPT" and self.refusing:
            return self.refusing
        return HELLO if command == "EHLO" else b"220 go on\r\n" if command == "STARTTLS" else b"250 ok\r\n"

    def _answer(self, line: socket.socket, command: str, reply: bytes) -> None:
        if command == "STARTTLS":
            line.sendall(reply)
        if command != self.drips_at:
            line.sendall(reply)
            return
        line.sendall(BEGINNING_OF_TLS if command == "STARTTLS" else b"2")
        for _ in range(MOST_DRIPS):
            line.sendall(b"2")
            self.drips += 1
            Event().wait(0.02)

    def monotonic(self) -> float:
        return self.drips


@pytest.fixture(autouse=True)
def nothing_noted() -> Iterator[None]:
    shared_counts._redis().flushdb()
    yield
    shared_counts._redis().flushdb()


def send_by(server: MailServer, settings: Settings, *, encrypted: bool = False) -> None:
    settings.EMAIL_BACKEND = "diplomacy_site.mail.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.listening.getsockname()[1]
    settings.EMAIL_USE_TLS = encrypted
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        if encrypted:
            patch.setattr(mail, "LETTER_SECONDS", 1)  # for a handshake the socket counts
        else:
            patch.setattr(mail, "time", server)
        try:
            EmailMessage("Your orders", "Enter them.", "site@example.org", ["carol@example.org"]).send()
        finally:
            server.join()
            server.listening.close()


@pytest.mark.parametrize("command", ["GREETING", "EHLO", "STARTTLS", "RCPT", "DATA"])
def test_a_letter_that_takes_too_long_as_a_whole_is_cut_off_and_noted(command: str, settings: Settings) -> None:
    server = MailServer(drips_at=command)
    with pytest.raises((smtplib.SMTPServerDisconnected, TimeoutError)):
        send_by(server, settings, encrypted=command == "STARTTLS")
    assert server.was_cut
    assert shared_counts.MAIL_FAILS in shared_counts.last_moments()


def test_a_letter_that_was_taken_counts_however_slow_the_goodbye_is(settings: Settings) -> None:
    shared_counts.note_mail(taken=False)
    server = MailServer(drips_at="QUIT")
    send_by(server, settings)
    assert server.was_cut
    assert server.letters == 1
    assert shared_counts.MAIL_FAILS not in shared_counts.last_moments()


def test_a_server_that_refuses_one_address_works(settings: Settings) -> None:
    with pytest.raises(OSError, match="nobody here"):
        send_by(MailServer(NEVER, refusing=b"550 nobody here\r\n"), settings)
    assert shared_counts.last_moments() == {}


def test_failing_lasts_since_the_first_letter_that_was_not_taken() -> None:
    redis = shared_counts._redis()
    redis.hset(shared_counts.MOMENTS_KEY, shared_counts.MAIL_FAILS, f"{redis.time()[0] - 30} 0")
    shared_counts.note_mail(taken=False)
    assert shared_counts.last_moments()[shared_counts.MAIL_FAILS].age >= 30
