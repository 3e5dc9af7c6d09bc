"""A report of one phase is copied with one tap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.cast import CAROL
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_report_of_a_phase_is_copied_in_each_of_its_forms(browsers: Browsers) -> None:
    game = running_game(name="Locarno")
    Story(game).deadline()
    page = browsers.of(CAROL, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"/games/{game.slug}/phases/0/")
    for button, title in (
        ("Copy the report as text", "Locarno\n======="),
        ("Copy as Markdown", "# Locarno"),
        ("Copy as BBCode", "[b][size=150]Locarno[/size][/b]"),
    ):
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("button", name=button)).to_have_count(0)
        assert page.evaluate("navigator.clipboard.readText()").startswith(title)
