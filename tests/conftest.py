"""What all tests share."""

import os
import shutil
from collections.abc import Iterator

import pytest
from django.core.cache import cache

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a browser where there is none; a build that forgot to install it fails instead."""
    if CHROMIUM or os.environ.get("CI"):
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="needs Chromium: apt install chromium"))


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """No test inherits another's rate limits."""
    yield
    cache.clear()
