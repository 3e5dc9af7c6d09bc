"""The address that the pages are served at."""

import ipaddress
import socket
import time
from http.client import HTTPException
from urllib.error import URLError
from urllib.request import urlopen

from diplomacy_site.embedded.errors import EmbeddedError

PATIENCE = 2.0
STEP = 0.2
OK = 200


def insist_on_free(host: str, port: int) -> None:
    """EmbeddedError if something listens there; a site that was stopped a moment ago is waited for."""
    end = time.monotonic() + PATIENCE
    while (problem := listening_problem(host, port)) and time.monotonic() < end:
        time.sleep(STEP)
    if problem:
        raise EmbeddedError(problem)


def listening_problem(host: str, port: int) -> str:
    """The sentence about why one cannot listen there, or nothing."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except PermissionError:
        return f"port {port} is reserved for root. Choose one above 1023: ./run --port 8001"
    except socket.gaierror:
        return f"{host} is not an address of this machine. Leave --host out, or give 0.0.0.0"
    except OSError as refusal:
        if refusal.strerror and "in use" in refusal.strerror:
            return (
                f"port {port} is busy: something else listens there. Choose another: ./run --port {port + 1}"
            )
        return f"nothing can listen on {host}: {refusal.strerror}"
    return ""


def address(host: str, port: int) -> str:
    """Where a browser on this machine finds the pages."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - names it, does not bind it
    return f"http://{f'[{reachable}]' if ':' in reachable else reachable}:{port}/"


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def pages_answer(host: str, port: int) -> bool:
    try:
        with urlopen(f"{address(host, port)}healthz", timeout=5) as answer:  # noqa: S310 - our own address
            return bool(answer.status == OK)
    except (URLError, HTTPException, OSError):
        return False
