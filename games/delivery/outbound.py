"""Posting to addresses that users typed, without reaching anything that isn't public.

Only https on port 443, with no username or password in the address. The name is looked up once, every address it
resolves to must be public, and the connection goes to the address that was checked. Redirects aren't followed, only
the status and the beginning of the answer are read, and the connection is cut after `DEADLINE_SECONDS`.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from games.kernel.wording import one_line

HTTPS_PORT, HTTP_PORT = 443, 80
STEP_SECONDS, DEADLINE_SECONDS = 5, 15
LONGEST_ADDRESS = 400
LONGEST_ANSWER = 200
MOST_POSTS = 100
"""At once: to the ten devices of ten users, or for as many webhooks as are due."""

TRANSLATED_NETWORK = IPv6Network("64:ff9b::/32")
"""Networks behind a translator, where an address doesn't say where it leads."""


class BadAddress(ValueError):
    """An address we don't send to; `sentence` says why and what is allowed."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Unreachable(Exception):
    """The server did not answer."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where to connect: host and port, and the path with its query."""

    host: str
    port: int
    path: str
    plain: bool = False
    may_be_private: bool = False


class Answer(NamedTuple):
    """The status of an answer, and the first characters of its body in one line."""

    status: int
    text: str


def target_of(address: str, *, set_by_host: bool = False) -> Target:
    """Raises BadAddress unless we may send to this address; nothing is looked up. One that the host has set may be
    anywhere."""
    if len(address) > LONGEST_ADDRESS or not address.isascii() or any(sign <= " " for sign in address):
        raise BadAddress(
            _("Enter an address of up to {most} plain characters, without spaces.").format(most=LONGEST_ADDRESS)
        )
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise BadAddress(_("This is not a web address. A web address starts with https://.")) from None
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if parts.hostname and (set_by_host or parts.netloc in settings.OUTBOUND_ALLOWED):
        plain = parts.scheme == "http"
        return Target(parts.hostname, port or (HTTP_PORT if plain else HTTPS_PORT), path, plain, may_be_private=True)
    if parts.scheme != "https" or not parts.hostname:
        guide = _("The API guide says how to try it on your own machine.")
        raise BadAddress(_("The address must start with https:// and name a server. {guide}").format(guide=guide))
    if parts.username is not None or parts.password is not None:
        raise BadAddress(_("The address must not contain a username or password."))
    if port not in {None, HTTPS_PORT}:
        raise BadAddress(_("Only port {port} is allowed. Leave the port out of the address.").format(port=HTTPS_PORT))
    return Target(parts.hostname, HTTPS_PORT, path)


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Is the address on the public internet: not private, loopback, link-local or multicast?"""
    if isinstance(address, IPv6Address):
        if address.is_site_local:
            return False
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is not None:
            return is_public(inner)
        if address in TRANSLATED_NETWORK:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def post_to(address: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Post and return the other site's answer. Raises BadAddress if we may not post there, Unreachable without one."""
    return ask("POST", target_of(address), body, headers)


def ask(method: str, target: Target, body: bytes = b"", headers: Mapping[str, str] = MappingProxyType({})) -> Answer:
    """The other site's answer. Raises BadAddress if it must be on the public internet and is not, or Unreachable."""
    connection = _Connection(target, target.host if target.may_be_private else _public_ip_of(target))
    try:
        connection.request(method, target.path, body=body, headers=dict(headers))
        answer = connection.getresponse()
        text = b""
        with suppress(OSError, http.client.HTTPException):  # the status may be all that arrives
            text = answer.read(LONGEST_ANSWER)
        return Answer(answer.status, one_line(text.decode(errors="replace")))
    except (OSError, http.client.HTTPException) as problem:
        raise Unreachable(type(problem).__name__) from problem
    finally:
        connection.stop()


def post_all(posts: Iterable[tuple[str, bytes, Mapping[str, str]]]) -> Iterator[Answer | Exception]:
    """Post all of these at once, so that none waits for a slow site; yield each answer, or why there is none. No table
    is used meanwhile."""
    with ThreadPoolExecutor(MOST_POSTS) as pool:
        yield from pool.map(_answer_or_problem, posts)


def _answer_or_problem(post: tuple[str, bytes, Mapping[str, str]]) -> Answer | Exception:
    try:
        return post_to(*post)
    except (BadAddress, Unreachable) as problem:
        return problem


def _public_ip_of(target: Target) -> str:
    """The address to connect to; raises BadAddress if any address of this host isn't public."""
    try:
        entries = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        raise Unreachable("no such server") from problem
    addresses = [str(entry[4][0]).partition("%")[0] for entry in entries]
    if not all(is_public(ip_address(it)) for it in addresses):
        raise BadAddress(_("This server is not on the public internet."))
    return addresses[0]


class _Connection(http.client.HTTPConnection):
    """A connection to the address that was checked; it requires the name's certificate, and ends in time."""

    def __init__(self, target: Target, address: str) -> None:
        super().__init__(target.host, target.port, timeout=STEP_SECONDS)
        self.target, self.address = target, address
        self.timer = threading.Timer(DEADLINE_SECONDS, self._cut_off)

    def connect(self) -> None:
        self.timer.start()
        self.sock = socket.create_connection((self.address, self.target.port), timeout=STEP_SECONDS)
        if not self.target.plain:
            self.sock = ssl.create_default_context().wrap_socket(
                self.sock, server_hostname=self.target.host, do_handshake_on_connect=False
            )
            self.sock.do_handshake()  # it can be cut off too

    def _cut_off(self) -> None:
        if self.sock is not None:
            self.sock.shutdown(socket.SHUT_RDWR)

    def stop(self) -> None:
        self.timer.cancel()
        self.close()
