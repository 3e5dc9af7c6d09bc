"""The player's own settings in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.cast import DAVE, person

if TYPE_CHECKING:
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_zone_of_the_browser_is_offered_and_taken_by_one_press(browsers: Browsers) -> None:
    page = browsers.of(DAVE, timezone_id="Asia/Tokyo")
    page.goto("/profile/")
    page.get_by_role("button", name="Use this browser’s time zone: Asia/Tokyo").click()
    expect(page.get_by_label("Time zone")).to_have_value("Asia/Tokyo")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert person(DAVE).time_zone == "Asia/Tokyo"
    expect(page.locator("[data-zone-offer]")).to_be_hidden()
