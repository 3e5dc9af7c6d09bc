"""Users and their browsers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.test import Client

from tests.cast import person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

PATIENCE_MS = 60_000
"""How long anything may take before it counts as missing; a busy machine is slow."""

PLAINLY = """
const glow = new CSSStyleSheet();
glow.replaceSync(".board :is(.halo-far, .halo-mid, .halo-near, .shore) { display: none }");
document.adoptedStyleSheets.push(glow);
"""
"""To paint the glow along the coasts, which nothing can touch, takes a third of the time of a page with a map."""


class Browsers:
    """Every user has their own browser; `plainly`: maps in it have no glow along their coasts."""

    def __init__(self, chromium: Browser, address: str, *, plainly: bool = False) -> None:
        self.chromium = chromium
        self.address = address
        self.plainly = plainly
        self.contexts: list[BrowserContext] = []

    def of(self, name: str = "", **options: Any) -> Page:
        """A blank page in this user's browser, signed in, or in a stranger's."""
        options.setdefault("service_workers", "block")  # so that tests may stand between a page and the site
        context = self.chromium.new_context(base_url=self.address, **options)
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        if self.plainly:
            context.add_init_script(PLAINLY)
        if name:
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": _session(name), "url": self.address}])
        return context.new_page()

    def close(self) -> None:
        for context in self.contexts:
            context.close()


def _session(name: str) -> str:
    client = Client()
    client.force_login(person(name))
    return client.cookies[settings.SESSION_COOKIE_NAME].value
