"""Scripts speak the language of the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import expect

from games.kernel.languages import PSEUDO
from games.management.commands.catalogue import SCRIPTS, write_catalogue
from tests.cast import PLAYERS
from tests.factories import running_game

if TYPE_CHECKING:
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_what_scripts_write_into_a_page_is_in_its_language(browsers: Browsers) -> None:
    write_catalogue(PSEUDO, Path(settings.LOCALE_PATHS[-1]), SCRIPTS)
    page = browsers.of(PLAYERS[0])
    page.goto(f"{reverse('games:orders', kwargs={'slug': running_game().slug})}?lang={PSEUDO}")
    expect(page.get_by_role("button", name="[Whõlé~ màp~]")).to_be_visible()
    expect(page.locator(".entry-bar")).to_contain_text("[Üñdõ~]")
    expect(page.locator("[data-countdown]").first).to_contain_text("léft~]")
