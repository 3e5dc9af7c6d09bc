"""Turning on push notifications in the browser. Only the browser maker's push service is simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from games.delivery.push import add_device
from games.news.models import PushDevice
from tests.cast import DAVE, person

if TYPE_CHECKING:
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ENDPOINT = "https://push.example.org/box/1"
KEY = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
POST_OFFICE = f"""
Notification.requestPermission = async () => "granted";
const held = () => localStorage.endpoint && {{
  endpoint: localStorage.endpoint,
  unsubscribe: async () => localStorage.clear(),
  toJSON: () => ({{ endpoint: localStorage.endpoint, keys: {{ p256dh: "{KEY}", auth: "AAECAwQFBgcICQoLDA0ODw" }} }}),
}};
PushManager.prototype.getSubscription = async () => held() ?? null;
PushManager.prototype.subscribe = async function (options) {{
  if (atob(options.applicationServerKey.replace(/-/g, "+").replace(/_/g, "/")).length !== 65) throw new Error("no key");
  localStorage.endpoint = "{ENDPOINT}";
  return held();
}};
"""
RENEWED = f"""
PushManager.prototype.subscribe = async () => (
  {{ toJSON: () => ({{ endpoint: "{ENDPOINT}2", keys: {{ p256dh: "{KEY}", auth: "AAECAwQFBgcICQoLDA0ODw" }} }}) }});
self.dispatchEvent(new ExtendableEvent("pushsubscriptionchange"));
"""
ON, OFF = "Notifications are on for this device.", "Notifications are off for this device."


def endpoints() -> list[str]:
    return [device.endpoint for device in PushDevice.objects.all()]


def test_a_device_is_turned_on_and_off_and_says_what_became_of_its_address(browsers: Browsers) -> None:
    page = browsers.of(DAVE, service_workers="allow")
    page.add_init_script(POST_OFFICE)
    page.goto("/notifications/settings/")
    page.get_by_role("button", name="Turn on for this device").click()
    expect(page.get_by_text(ON)).to_be_visible()
    assert endpoints() == [ENDPOINT]
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.get_by_text("Notifications have stopped on this device")).to_be_visible()
    expect(page.get_by_text(ON)).to_be_hidden()
    page.get_by_role("button", name="Turn on for this device").click()
    expect(page.get_by_text(ON)).to_be_visible()
    with page.context.expect_event("request", lambda request: request.url.endswith("/devices/")) as sent:
        page.context.service_workers[0].evaluate(RENEWED)
    assert sent.value.response()
    assert endpoints() == [f"{ENDPOINT}2"]
    page.evaluate(f"localStorage.endpoint = '{ENDPOINT}2'")
    page.reload()
    page.get_by_role("button", name="Turn off on this device").click()
    expect(page.get_by_text(OFF)).to_be_visible()
    assert endpoints() == []
    add_device(user_id=person(DAVE).pk, endpoint=f"{ENDPOINT}2", key=KEY, auth="AAECAwQFBgcICQoLDA0ODw")
    page.reload()
    expect(page.get_by_text(ON)).to_be_visible()  # as after signing in again
