"""The network between the processes and their servers, and the mail server: what can be cut, frozen and restored."""

from __future__ import annotations

import asyncio
import contextlib
import email
import email.policy
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path
    from typing import Any

BLOCK = 65_536
LOCALHOST = "127.0.0.1"


class Loop:
    """An event loop in its own thread, for everything that carries bytes."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    def run(self, work: Coroutine[Any, Any, int]) -> int:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def call(self, work: Callable[[], None]) -> None:
        async def wait() -> int:
            work()
            return 0

        self.run(wait())


class Wire:
    """A port that leads to a server's socket or port."""

    def __init__(self, loop: Loop, server: Path | int) -> None:
        self.loop, self.server = loop, server
        self.whole = True
        self.writers: set[asyncio.StreamWriter] = set()
        self.port = loop.run(self._open())

    async def _open(self) -> int:
        self.flows = asyncio.Event()
        self.flows.set()
        listening = await asyncio.start_server(self._connect, LOCALHOST, 0)
        port: int = listening.sockets[0].getsockname()[1]
        return port

    def cut(self) -> None:
        """Every connection ends at once, and no new one is made."""
        self.loop.call(self._cut)

    def _cut(self) -> None:
        self.whole = False
        for writer in self.writers:
            writer.transport.abort()

    def freeze(self) -> None:
        """Connections stay, and nothing arrives."""
        self.loop.call(self.flows.clear)

    def mend(self) -> None:
        """Frozen data arrives late; cut connections can be made again."""
        self.loop.call(self._mend)

    def _mend(self) -> None:
        self.whole = True
        self.flows.set()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.add(writer)
        try:
            there = await self._through() if self.whole else None
        except OSError:
            there = None
        if there is None:
            writer.transport.abort()
        else:
            self.writers.add(there[1])
            await asyncio.gather(self._carry(reader, there[1]), self._carry(there[0], writer))
            self.writers.discard(there[1])
        self.writers.discard(writer)

    async def _through(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if isinstance(self.server, int):
            return await asyncio.open_connection(LOCALHOST, self.server)
        return await asyncio.open_unix_connection(str(self.server))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(BLOCK):
                await self.flows.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@dataclass(frozen=True, slots=True)
class Arrived:
    """An email: when it arrived, on the clock that never jumps, its recipient and subject."""

    at: float
    to: str
    subject: str


class Postbox:
    """A mail server that keeps what it receives, and can refuse everything, or not respond, for a while. To all but
    `drips_to_all_but`, if that is set, it answers with a byte a second."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.arrived: list[Arrived] = []
        self.refuses = False
        self.drips_to_all_but = b""
        self.port = loop.run(self._open())

    def fall_silent(self) -> None:
        """New connections receive nothing until it is restored."""
        self.loop.call(self.talks.clear)

    def talk_again(self) -> None:
        self.loop.call(self.talks.set)

    async def _open(self) -> int:
        self.talks = asyncio.Event()
        self.talks.set()
        listening = await asyncio.start_server(self._talk, LOCALHOST, 0)
        port: int = listening.sockets[0].getsockname()[1]
        return port

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await self.talks.wait()
            writer.write(b"220 here\r\n")
            while line := (await reader.readline()).strip().upper():
                if line.startswith(b"RCPT") and self.drips_to_all_but not in line:
                    await _drip(writer)
                if line == b"DATA" and not self.refuses:
                    writer.write(b"354 go on\r\n")
                    self._keep(await reader.readuntil(b"\r\n.\r\n"))
                writer.write(b"451 not now\r\n" if self.refuses else b"250 ok\r\n")
                await writer.drain()
                if line == b"QUIT":
                    break
        writer.close()

    def _keep(self, mail: bytes) -> None:
        read = email.message_from_bytes(mail, policy=email.policy.default)
        self.arrived.append(Arrived(time.monotonic(), str(read["To"]), str(read["Subject"])))


async def _drip(writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        writer.write(b"2")
        await writer.drain()
        await asyncio.sleep(1)
