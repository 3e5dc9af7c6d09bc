"""Time zones as people type them: "New York" and "new york" are America/New_York."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from games.kernel.plain import without_case_and_accents


@cache
def zones() -> tuple[str, ...]:
    return tuple(sorted(available_timezones()))


def zone_suggestions() -> tuple[tuple[str, str], ...]:
    """Every zone, and its name with spaces, because browsers search both for what is typed."""
    return tuple((zone, zone.replace("_", " ") if "_" in zone else "") for zone in zones())


def read_zone(text: str) -> str:
    """The zone with this name or last part, in any case, with or without spaces; the text itself if there is none."""
    return _by_words().get(_plain(text), text.strip())


@cache
def _by_words() -> Mapping[str, str]:
    zones_by_words = defaultdict[str, set[str]](set)
    for zone in zones():
        for words in (zone, zone.rpartition("/")[2]):
            zones_by_words[_plain(words)].add(zone)
    return {words: min(meant, key=len) for words, meant in zones_by_words.items() if _have_same_clocks(meant)}


def _have_same_clocks(zones: Collection[str]) -> bool:
    """Do these zones have the same clocks? "West", which is in Australia and in Brazil, means no single zone."""
    days = (datetime(2026, month, 1, tzinfo=UTC) for month in (1, 7))
    return all(len({day.astimezone(ZoneInfo(zone)).utcoffset() for zone in zones}) == 1 for day in days)


def _plain(words: str) -> str:
    return " ".join(without_case_and_accents(words).replace("_", " ").split())
