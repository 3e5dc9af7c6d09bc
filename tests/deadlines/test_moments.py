"""Every page, email and log line writes dates and times in the same way."""

import re
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.utils.formats import date_format

from games.kernel.wording import day_words, duration_in_words, moment_words
from games.templatetags.site_words import lasting

ROOT = Path(__file__).parents[2]
EVENING = datetime(2026, 11, 2, 18, 5, tzinfo=UTC)
FORMAT = re.compile(r"\{[^{}\n]*:%[A-Za-z]|strftime\(|\|(?:date|time):")


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("UTC", "Mon 2 Nov 2026, 18:05 UTC"),
        ("Europe/Berlin", "Mon 2 Nov 2026, 19:05 CET"),
        ("America/Sao_Paulo", "Mon 2 Nov 2026, 15:05 UTC-03"),
        ("Pacific/Auckland", "Tue 3 Nov 2026, 07:05 NZDT"),
    ],
)
def test_a_moment_always_names_its_zone(zone: str, words: str) -> None:
    assert moment_words(EVENING, zone) == words


def test_a_day_is_written_alike_in_python_and_in_templates() -> None:
    for month in range(1, 13):
        day = date(2026, month, 9)
        assert day_words(day) == date_format(day)


@pytest.mark.parametrize(
    ("seconds", "whole", "short"),
    [
        (0, "", "no time"),
        (1, "1 second", "1 second"),
        (5_400, "1 hour 30 minutes", "1 hour 30 minutes"),
        (90_061, "1 day 1 hour 1 minute 1 second", "1 day 1 hour"),
    ],
)
def test_a_length_of_time_is_told_in_full_or_by_its_two_largest_units(seconds: int, whole: str, short: str) -> None:
    assert (duration_in_words(seconds), lasting(seconds)) == (whole, short)


def test_no_other_place_has_a_format_of_its_own() -> None:
    """Except for receipts, which programs read, and short times in a zone."""
    sources = [
        *(path for folder in ("diplomacy_site", "games") for path in (ROOT / folder).rglob("*.py")),
        *(ROOT / "templates").rglob("*.*"),
    ]
    found = {path.relative_to(ROOT).as_posix() for path in sources if FORMAT.search(path.read_text())}
    assert found == {"games/kernel/wording.py", "games/orders/receipts.py"}
