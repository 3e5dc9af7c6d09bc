"""One Chromium for all tests here, and a separate context for each user."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import pytest
from celery.exceptions import AlwaysEagerIgnored
from playwright.sync_api import expect, sync_playwright

from diplomacy_site.celery import app
from games import tasks
from tests.conftest import CHROMIUM
from tests.e2e.people import PATIENCE_MS, Browsers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser

TURNED_OFF = (
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,"
    "AimEnabled,AvoidCorsURLLoaderRestartOnRedirect,AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,"
    "HttpsFirstBalancedModeAutoEnable,HttpsUpgrades,LensOverlay,MediaRouter,NetworkTimeServiceQuerying,"
    "OptimizationHints,PaintHolding,PreconnectToSearch,SpareRendererForSitePerProcess,ThirdPartyStoragePartitioning"
)
"""Two pages behind the address bar, which cost every context as much as its own, and the process that waits for a next
page; and what Playwright turns off, because the last list counts."""

SWITCHES = ["--no-sandbox", "--disable-background-networking", "--disable-gpu", f"--disable-features={TURNED_OFF}"]


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright keeps an event loop on this thread, which makes Django refuse the database.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        expect.set_options(timeout=PATIENCE_MS)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def browsers(chromium: Browser, live_server: Any) -> Iterator[Browsers]:
    """Browsers at the live server."""
    opened = Browsers(chromium, live_server.url, plainly=True)
    yield opened
    opened.close()


@pytest.fixture
def sweep() -> Callable[[], None]:
    """The tasks that beat sends; the worker's part is done on the spot."""

    def sweep_and_judge() -> None:
        app.conf.task_always_eager = True
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", AlwaysEagerIgnored)  # bells ring for nobody here
                tasks.sweep()
        finally:
            app.conf.task_always_eager = False

    return sweep_and_judge
