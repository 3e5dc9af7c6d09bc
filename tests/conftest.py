"""What all tests share."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """No test inherits another's rate limits."""
    yield
    cache.clear()
