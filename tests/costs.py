"""What each folder of tests costs, printed when all are done, and what all of them need not pay."""

from __future__ import annotations

import gc
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def pytest_collection_finish() -> None:
    """Imported objects stay: garbage-collecting them again and again takes a seventh of all time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Works with several processes too: each sends its reports to the one that prints."""
    reports = [report for some in terminalreporter.stats.values() for report in some]
    rows = list(table(report for report in reports if isinstance(report, pytest.TestReport)))
    if rows:
        terminalreporter.section("seconds by folder")
        terminalreporter.line("\n".join(rows))


def table(reports: Iterable[pytest.TestReport]) -> Iterator[str]:
    """The most expensive folder first, with all its seconds, set-up included, and how many tests it has."""
    seconds: dict[str, float] = defaultdict(float)
    tests: dict[str, set[str]] = defaultdict(set)
    for report in reports:
        folder = report.nodeid.split("::")[0].rpartition("/")[0].removeprefix("tests/")
        seconds[folder] += report.duration
        tests[folder].add(report.nodeid)
    for folder in sorted(seconds, key=lambda each: -seconds[each]):
        yield f"{folder:<14} {seconds[folder]:>8.1f} s {len(tests[folder]):>6} tests"
