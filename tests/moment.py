"""A clock that a test sets by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Value

from games.kernel import clock
from games.kernel.prepared import PreparedQuery

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

MONDAY_NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def set_clock(patch: pytest.MonkeyPatch, tells: Callable[[], datetime]) -> None:
    """The site's one clock tells this, called or read as a column."""
    patch.setattr(PreparedQuery, "keeps", False)
    patch.setattr(clock, "now", tells)
    patch.setattr(clock, "now_in_sql", lambda: Value(tells()))


class Moment:
    """The site's one clock, which stands still between a test's actions."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = MONDAY_NOON
        set_clock(monkeypatch, lambda: self.now)

    def wait(self, **time: float) -> None:
        """As in hours=2."""
        self.now += timedelta(**time)
