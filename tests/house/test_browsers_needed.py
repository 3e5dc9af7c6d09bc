"""The oldest browsers that the README names have all that scripts and styles can't do without."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings

CHECKOUT = Path(settings.BASE_DIR)


class Feature(NamedTuple):
    """What is used, how to find it in files of this kind, and the first browsers that had it."""

    name: str
    used: str
    kind: str
    chrome: int
    firefox: int
    safari: float


FEATURES = [
    Feature("layers", r"@layer", "css", 99, 97, 15.4),
    Feature("heights of a window with bars", r"\d+dvh", "css", 108, 101, 15.4),
    Feature("ranges of widths", r"@media[^{]*\(width [<>]", "css", 104, 63, 16.4),
    Feature("heights of lines", r"\d+lh\b", "css", 109, 120, 16.4),
    Feature("mixed colours", r"color-mix\(", "css", 111, 113, 16.2),
    Feature("sizes of containers", r"@container", "css", 105, 110, 16),
    Feature("parts that have others", r":has\(", "js", 105, 121, 15.4),
    Feature("a time limit of requests", r"AbortSignal\.timeout", "js", 103, 100, 16),
]
"""The newest ones; eslint refuses what was not in every browser by the end of 2023."""


def test_the_readme_names_the_oldest_browsers_that_have_everything() -> None:
    readme = " ".join((CHECKOUT / "README.md").read_text(encoding="utf-8").split())
    assert f"Chrome and Edge from {max(each.chrome for each in FEATURES)}" in readme
    assert f"Firefox from {max(each.firefox for each in FEATURES)}" in readme
    assert f"Safari (every browser on an iPhone) from {max(each.safari for each in FEATURES)}." in readme


@pytest.mark.parametrize("feature", FEATURES, ids=lambda feature: feature.name)
def test_each_feature_named_here_is_used(feature: Feature) -> None:
    files = (CHECKOUT / "static" / feature.kind).rglob(f"*.{feature.kind}")
    assert any(re.search(feature.used, file.read_text(encoding="utf-8"), re.MULTILINE) for file in files)
