"""An evening on every board, to the builds of the second year: `./run test tests/e2e/evening.py -n 0 -s`.

One power is played as people play it: by touch on the map of a phone, by mouse at a desktop, or by keys alone; its
opponents are bots. With EVENING_PICTURES=FOLDER the order page, the result and the list of games are
photographed on every screen, light and dark. It takes minutes a board, so its name keeps it out of the ordinary run.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.board import province_of
from adjudication.notation import write_order, write_sheet
from adjudication.options import must_decide
from adjudication.orders import Convoy, Declare, Hold, Move, Retreat, Support, Waive
from adjudication.turns import PhaseKind
from games.kernel import codec
from games.kernel.models import Status
from tests.cast import TEN
from tests.e2e.map import PHONE, POINT, SETTLED, bar, heard, show_whole
from tests.e2e.test_whole_turns import FOCUSED
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story
from variants.bots import play
from variants.registry import offered

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from adjudication.orders import Bid, Order, OrderSheet
    from adjudication.position import Position
    from games.kernel.models import Game
    from tests.e2e.people import Browsers
    from variants.variant import Variant

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESKTOP = {"viewport": {"width": 1440, "height": 900}}
YEARS, MOST_PHASES, SEED = 2, 40, 11
MOST_STOPS = 250
FORMS = {"A": "Army", "F": "Fleet"}
COASTS = {"NC": "north coast", "EC": "east coast", "SC": "south coast", "WC": "west coast"}
WIDTHS, HEIGHT = (390, 820, 1440, 1920), {390: 844, 820: 1180, 1440: 900, 1920: 1080}
HAS = """written => [...document.querySelectorAll("select[data-orders], select[data-one-list]")]
  .some(each => each.value === written)"""
PICTURES = os.environ.get("EVENING_PICTURES", "")


class Hand:
    """A finger or a mouse on the map; `taps` counts."""

    def __init__(self, page: Page, *, by_touch: bool) -> None:
        self.page, self.by_touch, self.taps = page, by_touch, 0

    def point(self, x: float, y: float) -> None:
        self.taps += 1
        with heard(self.page):
            if self.by_touch:
                self.page.touchscreen.tap(x, y)
            else:
                self.page.mouse.click(x, y)

    def place(self, name: str) -> None:
        """A place on the map, on the whole map if it is out of sight."""
        at = self.page.evaluate(POINT, name)
        if not at["seen"]:
            show_whole(self.page, by_touch=self.by_touch)
            self.taps += 1
            at = self.page.evaluate(POINT, name)
        self.point(at["x"], at["y"])

    def button(self, found: Locator) -> None:
        expect(found).to_be_in_viewport()
        box = found.bounding_box()
        assert box is not None
        self.point(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def link(self, found: Locator) -> None:
        """What leads to another page, wherever it stands on this one."""
        self.taps += 1
        found.tap() if self.by_touch else found.click()

    def press(self, name: str, *, if_there: bool = False) -> None:
        found = bar(self.page).get_by_role("button", name=name, exact=True)
        if found.count() or not if_there:
            self.button(found)

    def order(self, order: Order, position: Position) -> None:
        """Tap the unit or site, and then what the order says, until the form has it."""
        written = write_order(order, position)
        if isinstance(order, Declare):
            self.page.locator(f'select[data-one-list]:has(option[value="{written}"])').select_option(written)
            return
        assert not isinstance(order, Waive), "a bot builds where it can"
        self.place(province_of(order.location))
        for step in steps_of(order):
            if self.page.evaluate(HAS, written):
                return
            self.press(form_in(written), if_there=True)
            if step.startswith("@"):
                self.place(step[1:])
            else:
                self.press(step, if_there=step == "By convoy")
        if not self.page.evaluate(HAS, written):
            self.choose(written)
        assert self.page.evaluate(HAS, written), written

    def choose(self, written: str) -> None:
        """The button of this order, or of what tells it from others: a coast, a form."""
        label = self.page.locator(f'option[value="{written}"]').first.text_content() or ""
        names = [button.get_attribute("data-choice") or "" for button in bar(self.page).locator("[data-choice]").all()]
        self.press(next(name for name in names if name in {label, form_in(written)} or label.endswith(f"–{name}")))

    def bid(self, bid: Bid, position: Position) -> None:
        self.order(bid.order, position)
        for _ in range(bid.points - 1):
            self.press("One point more")
        self.press("Close")


def form_in(written: str) -> str:
    """What the unit is in an order, as the map's buttons say it."""
    kind, place = written.removeprefix("BUILD ").split()[:2]
    return ", ".join(part for part in (FORMS.get(kind, kind), COASTS.get(place.partition("/")[2], "")) if part)


def steps_of(order: Order) -> list[str]:
    """Buttons by their names and places after an @, as far as they are the same on every board."""
    match order:
        case Hold():
            return ["Hold"]
        case Move() | Retreat():
            via = ["By convoy"] if isinstance(order, Move) and order.via else []
            return [*via, f"@{province_of(order.destination)}"]
        case Support(destination=None):
            return ["Support hold", f"@{province_of(order.supported)}"]
        case Support():
            return ["Support move", f"@{province_of(order.supported)}", f"@{province_of(order.destination or '')}"]
        case Convoy():
            return ["Convoy", f"@{province_of(order.army)}", f"@{province_of(order.destination)}"]
    return []


def type_all(page: Page, text: str) -> None:
    """By keys alone: to the text of all orders, and on to the button that saves."""
    go_to(page, "All orders as text")
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(text)
    go_to(page, "Save orders")
    page.keyboard.press("Enter")


def go_to(page: Page, name: str) -> None:
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED).strip() == name:
            return
    raise AssertionError(f"The tab key never comes to {name}")


@pytest.mark.parametrize("way", ["touch", "mouse", "keys"])
@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_two_years_are_played(variant: Variant, way: str, browsers: Browsers) -> None:
    game = running_game(name="An evening", variant=variant.slug, players=TEN[: variant.players])
    power = max(each.id for each in variant.powers)
    browsers.plainly = not PICTURES
    page = browsers.of(occupancy_of(game, power).user.username, **(PHONE if way == "touch" else DESKTOP))
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda words: errors.append(words.text) if "Policy" in words.text else None)
    played: Counter[PhaseKind] = Counter()
    taps = orders = 0
    while played[PhaseKind.ADJUSTMENT] < YEARS and game.status == Status.RUNNING:
        phase = open_phase(game)
        position = codec.position_of(phase)
        played[position.turn.kind] += 1
        assert phase.ordinal < MOST_PHASES
        for each in must_decide(position, variant.ruleset):
            if each != power:
                Story(game).order(each, write_sheet(play(each, position, variant.ruleset, SEED), position))
        if power in must_decide(position, variant.ruleset):
            sheet = play(power, position, variant.ruleset, SEED)
            used = enter(page, game, sheet, position, way)
            taps, orders = taps + used, orders + len(sheet.orders) + len(sheet.bids)
            order_sheet = Story(game).seen_by(occupancy_of(game, power).user.username).order_sheet
            assert order_sheet is not None
            assert sorted(order_sheet.text.splitlines()) == sorted(
                Story(game).order(power, write_sheet(sheet, position)).text.splitlines()
            )
            if PICTURES and way == "mouse" and played[position.turn.kind] == 1:
                photograph(page, f"{variant.slug}-{position.turn.kind.name.lower()}")
        see_the_result(page, game)
        if PICTURES and way == "mouse" and played[position.turn.kind] == 1:
            photograph(page, f"{variant.slug}-{position.turn.kind.name.lower()}-result")
    if PICTURES and way == "mouse":
        page.goto(reverse("games:lobby"))
        photograph(page, f"{variant.slug}-list")
    assert errors == []
    sys.stdout.write(
        f"\n{variant.slug:<28} {way:<6} {sum(played.values())} phases, {orders} orders and bids, {taps} taps\n"
    )


def enter(page: Page, game: Game, sheet: OrderSheet, position: Position, way: str) -> int:
    """Open the page, give the orders, save; how often the map was pointed at."""
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    expect(page.locator(".takes-orders")).to_be_attached()
    hand = Hand(page, by_touch=way == "touch")
    if way == "keys":
        type_all(page, write_sheet(sheet, position))
    else:
        page.evaluate(SETTLED)
        for order in sheet.orders:
            hand.order(order, position)
        for bid in sheet.bids:
            hand.bid(bid, position)
        hand.button(page.locator("[data-save]"))
    expect(page.get_by_text("Orders saved").first).to_be_visible()
    return hand.taps


def see_the_result(page: Page, game: Game) -> None:
    """The deadline comes while the page is open; it leads on to what happened."""
    Story(game).deadline()
    page.goto(reverse("games:game", kwargs={"slug": game.slug}))
    expect(page.locator("svg.board .unit").first).to_be_visible()


def photograph(page: Page, name: str) -> None:
    Path(PICTURES).mkdir(parents=True, exist_ok=True)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": HEIGHT[width]})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.wait_for_timeout(400)
            page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{scheme}.png")
    page.set_viewport_size({"width": 1440, "height": HEIGHT[1440]})
    page.emulate_media(color_scheme="light")
