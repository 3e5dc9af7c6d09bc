"""Shared by the secrecy tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.history import files
from tests.secrecy.worlds import standing_still

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture is compared by its source: worlds that differ there count as different even if no pixel does."""
    monkeypatch.setattr(files, "svg_to_png", lambda *words: repr(words).encode())


@pytest.fixture
def frozen() -> Iterator[None]:
    with standing_still():
        yield
