"""What the tests of secrecy share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import time_machine

from games.kernel import clock
from tests.secrecy.writings import NOON

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every clock stands still: the site's own, and the one behind sessions and headers."""
    monkeypatch.setattr(clock, "now", lambda: NOON)
    with time_machine.travel(NOON, tick=False):
        yield
