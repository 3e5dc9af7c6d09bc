"""How long a phone on a slow connection waits: `./run test tests/e2e/speed.py -n 0 -s` prints it.

The name keeps this out of the ordinary run: times depend on the machine, and the only assertions are that the page did
what was expected.
"""

from __future__ import annotations

import sys
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.cast import PLAYERS
from tests.e2e.map import PHONE, POINT, SETTLED, bar, show_map, show_whole
from tests.e2e.people import Browsers
from tests.e2e.weighing import Scales, busy_game, served_packed
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, CDPSession, Page

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KBIT, ANSWER_MS, TIMES_SLOWER = 1_600, 150, 4
TAPS = 10
ANSWERS = {True: "its lawful spaces are lit", False: "an order is given, or asked for more closely"}
WATCH = """
window.seen = {};
window.waited = [];
new PerformanceObserver(list => { window.seen.largest = list.getEntries().at(-1).startTime; })
  .observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver(list => { window.waited.push(...list.getEntries().map(each => [each.name, each.duration])); })
  .observe({ type: "event", durationThreshold: 16 });
new MutationObserver((_, self) => {
  if (!document.querySelector("#board .verdicts")) return;
  window.seen.map = performance.now();
  self.disconnect();
}).observe(document, { childList: true, subtree: true });
"""
LONGEST = """() => new Promise(done => setTimeout(() => {
  const waited = window.waited.splice(0).map(([, duration]) => duration);
  done(Math.max(0, ...waited));
}, 600))"""
"""As the browser measures it, in steps of 8 ms."""

ORDERED = """() => [
  ...[...document.querySelectorAll("#sheet [data-row] select[data-orders]")]
    .map(each => each.name.replace("order-", "")),
  ...Object.keys(JSON.parse(document.getElementById("minor-orders").textContent)),
]"""
"""The places of the units that can be ordered or bid for."""


@pytest.fixture
def people(chromium: Browser, tmp_path: Path) -> Iterator[Browsers]:
    with served_packed(tmp_path) as address:
        opened = Browsers(chromium, address)
        yield opened
        opened.close()


def phone(people: Browsers, name: str, **options: Any) -> tuple[Page, Scales]:
    """A cheap phone on a slow connection."""
    page = people.of(name, **PHONE, **options)
    page.add_init_script(WATCH)
    scales = Scales(page)
    speed = KBIT * 1_000 / 8
    conditions = {"offline": False, "latency": ANSWER_MS, "downloadThroughput": speed, "uploadThroughput": speed}
    scales.line.send("Network.emulateNetworkConditions", conditions)
    scales.line.send("Emulation.setCPUThrottlingRate", {"rate": TIMES_SLOWER})
    return page, scales


def say(what: str, figures: str) -> None:
    sys.stdout.write(f"\n{what:<48} {figures}\n")


def seen_first(page: Page) -> str:
    seen = page.evaluate("window.seen")
    return f"map in the page {seen['map'] / 1_000:.1f} s, largest paint {seen['largest'] / 1_000:.1f} s"


def kilobytes(scales: Scales) -> str:
    return f"{sum(scales.weight().values()) / 1_000:.1f} kB"


def test_a_first_visit_and_the_next_phase(people: Browsers) -> None:
    game = busy_game()
    page, scales = phone(people, PLAYERS[0])
    with page.expect_response("**/pulse/**"):
        page.goto(reverse("games:game", kwargs={"slug": game.slug}))
    page.evaluate(SETTLED)
    say("first visit of a game's page", f"{kilobytes(scales)}, {seen_first(page)}")
    Story(game).deadline()
    expect(page.locator("#mine")).to_contain_text("Spring 1926")
    say("the next phase", kilobytes(scales))


def test_a_first_visit_of_the_order_page_and_taps(people: Browsers) -> None:
    game = running_game()
    page, scales = phone(people, PLAYERS[2])
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    show_map(page)
    say("first visit of the order page", f"{kilobytes(scales)}, {seen_first(page)}")
    show_whole(page)
    taps = Taps(page, scales.line)
    places = page.evaluate(ORDERED)
    for place in places[:: len(places) // TAPS][:TAPS]:
        at = page.evaluate(POINT, place)
        taps.note("a unit is asked for its order", taps.measure(partial(page.touchscreen.tap, at["x"], at["y"])))
        choice = bar(page).locator("[data-choice]").nth(1)  # after "Hold"
        if choice.count():
            measured = taps.measure(choice.tap)
            taps.note(ANSWERS[page.locator(".marks .target").count() > 0], measured)
        more = bar(page).get_by_label("One point more")
        if more.count() and more.is_enabled():
            taps.note("a point is added to a bid", taps.measure(more.tap))
        page.keyboard.press("Escape")
        expect(bar(page).locator("[data-choice]")).to_have_count(0)
    taps.tell()


class Taps:
    """Milliseconds from the tap to the next frame, and of work on the page's thread meanwhile."""

    def __init__(self, page: Page, line: CDPSession) -> None:
        self.page = page
        self.line = line
        line.send("Performance.enable", {"timeDomain": "threadTicks"})
        self.waits: dict[str, list[float]] = {}
        self.works: dict[str, list[float]] = {}

    def measure(self, act: Callable[[], None]) -> tuple[float, float]:
        """How long it waited and how long it worked."""
        self.page.evaluate(LONGEST)
        before = self.busy()
        act()
        return self.page.evaluate(LONGEST), self.busy() - before

    def note(self, what: str, measured: tuple[float, float]) -> None:
        wait, work = measured
        self.waits.setdefault(what, []).append(wait)
        self.works.setdefault(what, []).append(work)

    def busy(self) -> float:
        metrics = self.line.send("Performance.getMetrics")["metrics"]
        return 1_000 * float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))

    def tell(self) -> None:
        for what, waits in self.waits.items():
            works = self.works[what]
            say(what, f"median {median(waits):.0f} ms, worst {max(waits):.0f} ms, of {len(waits)}")
            say("  of it work of the page's thread", f"median {median(works):.0f} ms, worst {max(works):.0f} ms")
