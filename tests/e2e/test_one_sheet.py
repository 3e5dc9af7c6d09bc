"""Text, lists, map and draft are one sheet, whichever of them is written and whatever comes in between, in every
engine."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.engines import PATIENCE_SECONDS, Engine
from tests.e2e.sheet import saved_text
from tests.e2e.test_engines import DESK, READY, SHOW_MAP, engine, order, sign_in, started
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game

__all__ = ["engine", "started"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WRONG = "A Ber-Atl"
SHEET = """
const form = document.querySelector("#sheet");
if (!form || document.readyState !== "complete") return null;
const lists = [...form.querySelectorAll("[data-row] select[data-orders]")].filter(({ value }) => value);
const plain = line => line.replace(/\\s*[–-]\\s*/g, "-");
return {
  text: form.querySelector("[data-text]").value.split("\\n").filter(Boolean).map(plain).sort(),
  lists: lists.map(select => plain(select.selectedOptions[0].label)).sort(),
  picked: lists.filter(({ id }) => document.getElementById(`${id}-pick`)?.value).length,
  map: [...document.querySelectorAll("#board .order[data-order]")].map(({ dataset: { unit } }) => unit).sort(),
  mistakes: [...form.querySelectorAll(".mistakes")].length,
  isSaved: !("unsaved" in form.dataset),
};
"""
TYPE = """
const text = document.querySelector("[data-text]");
text.value = arguments[0];
text.dispatchEvent(new Event("input", { bubbles: true }));
"""
CHOOSE = """
for (const [level, step] of arguments[0].entries()) {
  const list = document.querySelectorAll('[data-row]:has([name="order-MUN"]) [data-level]')[level];
  list.value = step;
  list.dispatchEvent(new Event("change", { bubbles: true }));
}
"""
CLICK = "document.querySelector(arguments[0]).click()"
SHOW_DRAFT = """
[...document.querySelectorAll("[data-draft] button")].find(({ textContent }) => textContent === "Show them")?.click();
"""
SEEN = "return document.querySelector(arguments[0]) !== null"


@dataclass
class Sheet:
    """What the player means: an order of each unit, as in "A Mun-Cze", and lines that nobody can read."""

    engine: Engine
    game: Game
    orders: dict[str, str] = field(default_factory=dict)
    rest: list[str] = field(default_factory=list)

    def holds(self, when: str) -> None:
        """Text, lists and map say what the player means, and one mistake is told for each line that is wrong."""
        orders = sorted(self.orders.values())
        wanted = {
            "text": sorted([*orders, *self.rest]),
            "lists": orders,
            "picked": len(orders),
            "map": sorted(self.orders),
            "mistakes": len(self.rest),
        }
        end = time.monotonic() + PATIENCE_SECONDS
        while (seen := self.seen(wanted)) != wanted and time.monotonic() < end:
            threading.Event().wait(0.1)
        assert seen == wanted, (self.engine.name, when)

    def seen(self, wanted: dict[str, Any]) -> dict[str, Any]:
        shown = self.engine.asked(SHEET) or {}
        return {key: shown.get(key) for key in wanted}

    def ready(self) -> None:
        self.engine.until(READY)
        self.engine.run(SHOW_MAP)

    def type(self) -> None:
        self.engine.run(TYPE, "\n".join([*self.orders.values(), *self.rest]))

    def reload(self) -> None:
        self.engine.reload()
        self.ready()


def by_text(sheet: Sheet, goal: str) -> None:
    sheet.orders["MUN"], sheet.rest = f"A Mun-{goal}", [WRONG]
    sheet.type()


def by_lists(sheet: Sheet, goal: str) -> None:
    sheet.orders["MUN"] = f"A Mun-{goal}"
    sheet.engine.run(CHOOSE, ["Move", goal])


def by_map(sheet: Sheet, goal: str) -> None:
    sheet.orders["MUN"] = f"A Mun-{goal}"
    order(sheet.engine, "MUN", goal.upper())


def by_draft(sheet: Sheet, goal: str) -> None:
    by_text(sheet, goal)
    sheet.reload()


def reload(sheet: Sheet) -> None:
    sheet.reload()


def refused(sheet: Sheet) -> None:
    sheet.rest = [WRONG]
    sheet.type()
    sheet.engine.run("document.body.className = 'before'")
    save(sheet)
    sheet.engine.until(SEEN, "body:not(.before) #mistakes")
    sheet.ready()
    sheet.holds("refused")
    sheet.reload()


def use_text(sheet: Sheet) -> None:
    """The answer brings another form."""
    sheet.engine.run("document.querySelector('#sheet').className = 'before'")
    sheet.engine.run(CLICK, "#use-text")
    sheet.engine.until(SEEN, "#sheet:not(.before) .picker")


def corrected_and_saved(sheet: Sheet) -> None:
    """What is wrong goes, and with the orders all that was said about it."""
    if sheet.rest:
        sheet.rest = []
        sheet.type()
    save(sheet)
    sheet.engine.until(SEEN, "[data-state=saved].is-on")
    sheet.holds("saved")
    assert sheet.engine.run(SHEET)["isSaved"]
    assert sheet.engine.run("return document.querySelector('[data-drawn]').textContent").startswith(
        "The map shows your saved"
    )
    assert len(saved_text(sheet.game).splitlines()) == len(sheet.orders)


def saved_in_another_tab(sheet: Sheet) -> None:
    """It has forgotten the draft that both keep, as it does with every save."""
    if sheet.rest:
        sheet.rest = []
        sheet.type()
    Story(sheet.game).order("GERMANY", "A Ber H")
    sheet.engine.run("localStorage.clear()")
    sheet.reload()
    sheet.engine.until(SEEN, "[data-draft] button")
    sheet.engine.run(SHOW_DRAFT)
    sheet.holds("shown again")
    save(sheet)
    sheet.engine.until(SEEN, ".compare")
    sheet.engine.run(CLICK, ".row [value=text]")
    sheet.engine.until(SEEN, "[data-state=saved].is-on")
    sheet.ready()


WAYS: tuple[Callable[[Sheet, str], None], ...] = (by_text, by_lists, by_map, by_draft)
BETWEEN: tuple[Callable[[Sheet], None], ...] = (reload, use_text, refused, saved_in_another_tab, corrected_and_saved)


def save(sheet: Sheet) -> None:
    sheet.engine.run(CLICK, "[data-save]")


def test_text_lists_map_and_draft_are_one_sheet_whatever_comes_in_between(engine: Engine, live_server: Any) -> None:
    """Once a text that nobody had read yet came back from a reload, and the next tap wrote over it."""
    game = running_game()
    address = sign_in(engine, game, "GERMANY", live_server.url)
    engine.resize(*DESK)
    engine.go(address)
    sheet = Sheet(engine, game)
    sheet.ready()
    for way in WAYS:
        for count, happens in enumerate(BETWEEN):
            when = f"{way.__name__}, {happens.__name__}"
            way(sheet, ("Cze", "Bur")[count % 2])
            happens(sheet)
            sheet.holds(when)
            sheet.orders["HAM"] = ("F Ham-HEL", "F Ham holds")[count % 2]
            engine.run(SHOW_MAP)
            order(engine, "HAM", ("HEL", "Hold")[count % 2])
            sheet.holds(f"{when}, then a tap")
