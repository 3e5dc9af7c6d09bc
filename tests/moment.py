"""A clock that a test sets by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from games.kernel import clock

if TYPE_CHECKING:
    import pytest

MONDAY_NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


class Moment:
    """The site's one clock, which stands still between a test's actions."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = MONDAY_NOON
        monkeypatch.setattr(clock, "now", lambda: self.now)

    def wait(self, **time: float) -> None:
        """As in hours=2."""
        self.now += timedelta(**time)
