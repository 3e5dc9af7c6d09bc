"""What the tests of secrecy share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.secrecy.worlds import standing_still

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def frozen() -> Iterator[None]:
    with standing_still():
        yield
