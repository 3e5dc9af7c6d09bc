"""The address where the pages are served."""

import errno
import ipaddress
import os
import socket
import time
from http.client import HTTPException
from urllib.error import URLError
from urllib.request import urlopen

from diplomacy_site.embedded import EmbeddedError

PATIENCE = 2.0
STEP = 0.2
OK = 200


def insist_on_free(host: str, port: int) -> None:
    """Raises EmbeddedError if something is listening there; waits a moment for a site that has just been stopped."""
    end = time.monotonic() + PATIENCE
    while (problem := listening_problem(host, port)) and time.monotonic() < end:
        time.sleep(STEP)
    if problem:
        raise EmbeddedError(problem)


def listening_problem(host: str, port: int) -> str:
    """Why the site can't listen there, or "" if it can."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        socket.create_server((host, port), family=family).close()
    except socket.gaierror:
        return f"{host} is not an address of this machine. Leave --host out, or use 0.0.0.0"
    except OSError as refusal:
        if refusal.errno == errno.EADDRINUSE:
            return f"port {port} is already in use. Choose another: ./run --port {port + 1}"
        if refusal.errno == errno.EACCES:
            return f"port {port} is reserved for root. Choose one above 1023: ./run --port 8001"
        return f"nothing can listen on {host}: {os.strerror(refusal.errno or 0)}"
    return ""


def address_in_browser(host: str, port: int) -> str:
    """Where a browser on this machine finds the pages."""
    reachable_host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - names it, does not bind it
    return f"http://{f'[{reachable_host}]' if ':' in reachable_host else reachable_host}:{port}/"


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def pages_answer(host: str, port: int) -> bool:
    try:
        with urlopen(f"{address_in_browser(host, port)}healthz", timeout=5) as answer:  # noqa: S310 - our own address
            return bool(answer.status == OK)
    except (URLError, HTTPException, OSError):
        return False
