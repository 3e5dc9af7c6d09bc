"""What a visitor's browser has to fetch: for all pages together, for a first visit to a game, and for its next
phase."""

from __future__ import annotations

import gzip
import re
from contextlib import ExitStack
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse
from playwright.sync_api import expect

from tests.browsers import visitor
from tests.cast import PLAYERS
from tests.e2e.map import PHONE
from tests.e2e.people import Browsers
from tests.e2e.weighing import Scales, busy_game, served_packed
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playwright.sync_api import Browser

AT_VERSION_0_2 = {
    "home": (39_489, 17_044),
    "lobby": (39_489, 8_567),
    "learn": (39_489, 9_247),
    "create": (39_489, 14_926),
    "notify": (40_496, 8_567),
    "game": (39_489, 16_375),
    "orders": (59_288, 17_879),
    "whatif": (52_576, 19_364),
    "talk": (39_489, 18_042),
    "history": (39_489, 17_860),
}
"""By kind of page: what its scripts and its styles weighed, compressed."""
OF_A_GAME = ("game", "orders", "whatif", "talk", "history")
MOST_MORE = 8_600
IMPORTED = re.compile(r'(?:from|import) ?\(?"\./([\w-]+\.js)"')
ASKED = re.compile(r'<(?:script|link rel="stylesheet")[^>]*? (?:src|href)="/static/([^"?]+\.(?:js|css))"')
MOST_FIRST, MOST_NEXT = 250_000, 20_000
UNITS = 40
LOOKS = ("**/pulse/**", "**/talk/unread/", "**/notifications/bell/")
"""What a page asks once it is told of changes: on a first visit, and at every change."""


def packed(files: Iterable[Path]) -> int:
    return sum(len(gzip.compress(file.read_bytes())) for file in files)


def with_imports(script: Path) -> set[Path]:
    """This script and all that it imports."""
    found, left = {script}, [script]
    while left:
        imported = {script.with_name(name) for name in IMPORTED.findall(left.pop().read_text(encoding="utf-8"))}
        left += imported - found
        found |= imported
    return found


def asked_by(page: str) -> tuple[set[Path], set[Path]]:
    """The scripts and the styles that this page loads."""
    names = ASKED.findall(page)
    files = {Path(str(finders.find(name))) for name in names}
    assert all(file.is_file() for file in files), names
    scripts = {script for file in files if file.suffix == ".js" for script in with_imports(file)}
    return scripts, {file for file in files if file.suffix == ".css"}


@pytest.mark.django_db
def test_no_kind_of_page_loads_much() -> None:
    game = running_game(press="full")
    player = visitor(PLAYERS[0])
    for name, weighed in AT_VERSION_0_2.items():
        page = player.get(reverse(f"games:{name}", kwargs={"slug": game.slug} if name in OF_A_GAME else {}))
        assert page.status_code == HTTPStatus.OK, name
        for kind, files, before in zip(("scripts", "styles"), asked_by(page.content.decode()), weighed, strict=True):
            assert before / 2 < packed(files) <= before + MOST_MORE, (name, kind, packed(files))


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_first_visit_is_light_and_the_next_phase_lighter(chromium: Browser, tmp_path: Path) -> None:
    game = busy_game()
    with served_packed(tmp_path) as address:
        people = Browsers(chromium, address)
        page = people.of(PLAYERS[0], **PHONE)
        scales = Scales(page)
        with ExitStack() as looks:
            for asked in LOOKS:
                looks.enter_context(page.expect_response(asked))
            page.goto(reverse("games:game", kwargs={"slug": game.slug}), wait_until="load")
        assert MOST_FIRST / 3 < sum(scales.weight().values()) <= MOST_FIRST
        Story(game).deadline()
        expect(page.locator("#mine")).to_contain_text("Spring 1926")
        assert page.locator("#board .unit").count() >= UNITS
        assert page.locator("[data-given]").count() >= UNITS
        following = scales.weight()
        assert MOST_NEXT / 4 < sum(following.values()) <= MOST_NEXT, following
        writing = people.of(PLAYERS[0], **PHONE)
        sheet = Scales(writing)
        writing.goto(reverse("games:orders", kwargs={"slug": game.slug}), wait_until="load")
        expect(writing.locator(".takes-orders")).to_be_attached()
        assert MOST_FIRST / 3 < sum(sheet.weight().values()) <= MOST_FIRST
        people.close()
