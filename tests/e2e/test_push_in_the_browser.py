"""Turning on push notifications in the browser. Only the browser maker's push service is simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from games.news.models import PushDevice
from tests.cast import DAVE

if TYPE_CHECKING:
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ENDPOINT = "https://push.example.org/box/1"
KEY = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
POST_OFFICE = f"""
Notification.requestPermission = async () => "granted";
PushManager.prototype.getSubscription = async () => null;
PushManager.prototype.subscribe = async function (options) {{
  if (options.applicationServerKey.length !== 65) throw new Error("not a key");
  const keys = {{ p256dh: "{KEY}", auth: "AAECAwQFBgcICQoLDA0ODw" }};
  return {{ toJSON: () => ({{ endpoint: "{ENDPOINT}", keys }}) }};
}};
"""


def test_a_device_is_turned_on_and_off_by_one_press_each(browsers: Browsers) -> None:
    page = browsers.of(DAVE, service_workers="allow")
    page.add_init_script(POST_OFFICE)
    page.goto("/notifications/settings/")
    page.get_by_role("button", name="Turn on for this device").click()
    expect(page.get_by_text("Notifications are on for this device.")).to_be_visible()
    assert [device.endpoint for device in PushDevice.objects.all()] == [ENDPOINT]
    page.get_by_role("button", name="Turn off on this device").click()
    expect(page.get_by_text("Notifications are off for this device.")).to_be_visible()
    assert not PushDevice.objects.exists()
