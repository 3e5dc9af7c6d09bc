"""Passkeys in a browser with a virtual authenticator."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.cast import DAVE, PASSWORD, person
from tests.e2e.test_accounts import expect_signed_in, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def with_authenticator(page: Page) -> Page:
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return page


def test_a_passkey_is_added_signs_in_without_the_password_and_is_removed(browsers: Browsers) -> None:
    person(DAVE)
    page, complaints = with_authenticator(browsers.of()), []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    sign_in(page, DAVE, PASSWORD)
    expect_signed_in(page, DAVE)
    page.goto("/profile/")
    page.get_by_role("link", name="Sign-in security").click()
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Name").fill("Telephone")
    expect(page.get_by_label("Let me sign in with this passkey alone")).to_be_checked()
    page.get_by_role("button", name="Add passkey").click()
    expect(page.locator(".recovery-codes code")).to_have_count(10)
    page.get_by_role("link", name="I’ve written them down").click()
    expect(page.get_by_text("Telephone added")).to_be_visible()
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("link", name="Sign up").first).to_be_visible()
    page.goto("/accounts/login/?next=/profile/")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page).to_have_url(re.compile("/profile/$"))
    page.get_by_role("link", name="Sign-in security").click()
    page.get_by_role("link", name="Remove Telephone").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("You don’t have any yet.")).to_be_visible()
    assert complaints == []
