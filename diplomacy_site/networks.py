"""Limits how many requests, streams or connections each network has open at a time in this process."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from games.kernel.limits import network_of_address


class TooManyError(Exception):
    """The network has as much open as it may."""


class PerNetwork:
    """Limits how many of something each network has at a time."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: Counter[str] = Counter()

    @contextmanager
    def one_more(self, client: tuple[str, int] | None) -> Iterator[None]:
        """Count one for the client's network during the block; raises TooManyError if it has too many."""
        network = network_of_client(client)
        if self._open[network] >= self.most:
            raise TooManyError
        self._open[network] += 1
        try:
            yield
        finally:
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]


def network_of_client(client: tuple[str, int] | None) -> str:
    """The network of a client's address and port; "" for a socket without an address."""
    return network_of_address(client[0]) if client else ""
