"""What a visitor's browser has to fetch: for all pages together, for a first visit to a game, and for its next
phase."""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template import Context, Template
from django.urls import reverse
from playwright.sync_api import expect

from tests.cast import PLAYERS
from tests.e2e.map import PHONE
from tests.e2e.people import Browsers
from tests.e2e.weighing import Scales, busy_game, served_packed
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playwright.sync_api import Browser

STATIC = Path(settings.BASE_DIR) / "static"
MOST_SCRIPT, MOST_STYLE = 65_000, 26_000
MOST_FIRST, MOST_NEXT = 250_000, 20_000
UNITS = 40
LOOKS = ("**/pulse/**", "**/talk/unread/", "**/notifications/bell/")
"""What a page asks once it is told of changes: on a first visit, and at every change."""


def packed(files: Iterable[Path]) -> int:
    return sum(len(gzip.compress(file.read_bytes())) for file in files)


def test_scripts_stay_light() -> None:
    tag = Template("{% load django_htmx %}{% htmx_script %}").render(Context())
    name = tag.partition('src="/static/')[2].partition('"')[0]
    found = finders.find(name)
    assert isinstance(found, str), tag
    own = list((STATIC / "js").glob("*.js"))
    assert own
    assert packed([*own, Path(found)]) <= MOST_SCRIPT


def test_styles_stay_light() -> None:
    assert 0 < packed((STATIC / "css").rglob("*.css")) <= MOST_STYLE


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
