"""A tap means the place that is painted under it, in every engine that people's browsers are made of."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from tests.browsers import visitor
from tests.e2e.engines import ENGINES, Engine, lacking, opened
from tests.e2e.sheet import saved_text, set_up
from tests.factories import occupancy_of, running_game
from tests.long_round import how_many
from tests.served import served
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from games.kernel.models import Game

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

DESK, PHONE = (1440, 900), (390, 844)
SIDE = how_many("taps")
"""Points along each side of the frame."""

READY = "return document.querySelector('.takes-orders') !== null"
SHOW_MAP = """
document.querySelector("#board").scrollIntoView({ block: "start", behavior: "instant" });
await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
"""
POINT = """
const map = document.querySelector("#board .board");
const [, x, y] = map.dataset.places.split(";").map(line => line.split(" ")).find(([place]) => place === arguments[0]);
const mark = document.createElementNS(map.namespaceURI, "circle");
for (const [name, value] of Object.entries({ cx: x, cy: y, r: 1, fill: "none" })) mark.setAttribute(name, value);
map.append(mark);
const box = mark.getBoundingClientRect();
mark.remove();
const at = [box.x + box.width / 2, box.y + box.height / 2];
return [...at, Boolean(document.elementFromPoint(...at)?.closest("#board .board-view"))];
"""
"""Where a place is on the screen, by what the browser itself painted there."""

GRID = """
const [side, unit] = arguments;
const view = document.querySelector("#board .board-view");
const map = view.querySelector(".board");
const told = document.querySelector(".entry-bar [role=status]");
const provinceOf = name => name.split("/")[0];
const places = map.dataset.places.split(";").map(line => line.split(" ")).filter(([name]) => !name.includes("/"));
const names = new Map([...map.querySelectorAll(".ground [data-province]")].map(
  shape => [`${shape.querySelector("title")?.textContent}.`, shape.dataset.province]));
const middleOf = part => {
  const { x, y, width, height } = part.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
};
const middles = new Map(places.map(([place, cx, cy]) => {
  const mark = document.createElementNS(map.namespaceURI, "circle");
  for (const [name, value] of Object.entries({ cx, cy, r: 1, fill: "none" })) mark.setAttribute(name, value);
  map.append(mark);
  const middle = middleOf(mark);
  mark.remove();
  return [place, middle];
}));
const click = (x, y) => document.elementFromPoint(x, y).dispatchEvent(
  new MouseEvent("click", { clientX: x, clientY: y, bubbles: true }));
const paintedAt = (x, y) => {
  const part = document.elementFromPoint(x, y)?.closest("#board :is(.unit, [data-province])");
  return part ? provinceOf(part.dataset.unit ?? part.dataset.province) : "";
};
const reset = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
const farFrom = ({ x, y }) => place => Math.hypot(middles.get(place).x - x, middles.get(place).y - y);
const nearest = at => {
  const far = farFrom(at);
  return [...middles.keys()].sort((one, other) => far(one) - far(other))[0];
};
const choose = () => map.querySelector(`.unit[data-unit="${unit}"]`).dispatchEvent(
  new MouseEvent("click", { bubbles: true }));
const control = document.querySelector(`[name="order-${unit}"]`);
const foundAt = (x, y) => {
  reset();
  if (unit) choose();
  click(x, y);
  if (unit && control.value) {
    const found = provinceOf(control.value.split(" ").at(-1));
    document.querySelector('.entry-bar__tools button').click();
    return found;
  }
  const asked = map.querySelector(".marks .asked");
  return asked ? nearest(middleOf(asked)) : names.get(told.textContent) ?? "";
};
reset();
if (unit) choose();
const own = [...document.querySelectorAll("[data-row] select[data-orders]")].map(
  ({ name }) => provinceOf(name.replace("order-", "")));
const minors = Object.keys(JSON.parse(document.getElementById("minor-orders")?.textContent ?? "{}"));
const targets = [...map.querySelectorAll(".marks .target")].map(middleOf).map(nearest);
const lit = unit ? targets : [...new Set([...own, ...minors])];
const wrong = [];
let asked = 0;
const frame = view.getBoundingClientRect();
for (let row = 0; row < side; row += 1) for (let column = 0; column < side; column += 1) {
  const x = Math.round(frame.x + ((column + 0.5) * frame.width) / side);
  const y = Math.round(frame.y + ((row + 0.5) * frame.height) / side);
  if (!view.contains(document.elementFromPoint(x, y))) continue;
  const painted = paintedAt(x, y);
  const far = farFrom({ x, y });
  const near = lit.filter(place => far(place) <= 26.5);
  if (unit && !near.length && !lit.includes(painted)) continue;
  asked += 1;
  const found = foundAt(x, y);
  const edge = [[1, 0], [-1, 0], [0, 1], [0, -1]].map(([dx, dy]) => paintedAt(x + dx, y + dy));
  const isLit = lit.includes(found);
  const isNowhere = unit && found === provinceOf(unit) && !lit.includes(painted); // it stays chosen
  const isHairline = !painted && edge.includes(found); // between two places, an engine's pixel is one or the other
  const isRight = found === painted || isNowhere || isHairline
    ? isLit || !lit.some(place => far(place) < 25.5)
    : isLit && (near.includes(found) || edge.includes(found));
  if (!isRight) wrong.push(`${x} ${y}: ${found || "nothing"} in place of ${painted || "nothing"}, near ${near}`);
}
reset();
return { asked, wrong };
"""
"""Taps a map at many points of its frame, with nothing chosen or with a unit, and sees what that chose. What is painted
there, or lit within a finger's reach, is measured by what the browser painted, never by the map's own arithmetic."""

STILL = "await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));"
BAR_SAYS = "return document.querySelector('.entry-bar').textContent.includes(arguments[0])"
DRAWN = """
const drawn = [...document.querySelectorAll("#board .order[data-order]")];
return drawn.map(({ dataset: { order, unit } }) => `${order} ${unit}`).sort();
"""
BUTTON = """
const named = button => [button.ariaLabel, button.textContent].includes(arguments[0]);
const found = [...document.querySelectorAll(".entry-bar button")].find(named);
const box = found?.getBoundingClientRect();
return box && [box.x + box.width / 2, box.y + box.height / 2];
"""
PRESS_BUTTON = """
const named = button => [button.ariaLabel, button.textContent].includes(arguments[0]);
[...document.querySelectorAll("#board .zoom-bar button")].find(named).click();
"""
ACROSS = """
const { x, y, width, height } = document.querySelector("#board .board-view").getBoundingClientRect();
return [[0.5, 0.5], [0.4, 0.45], [0.3, 0.35]].map(([right, down]) => [x + right * width, y + down * height]);
"""

ON_SCREEN = """
const full = document.fullscreenElement;
const [map, plate] = [".board", ".plate"].map(part => full?.querySelector(part).getBoundingClientRect());
const fills = full && plate.height > innerHeight * 0.6 && plate.bottom <= innerHeight;
return fills && [getComputedStyle(full).backgroundColor, map.x, map.y];
"""
"""Once the map fills the screen: what it lies on, and where."""

WORKER_RUNS = """
const { active } = await navigator.serviceWorker.ready;
return active.state === "activated" && navigator.serviceWorker.controller !== null;
"""
LEGIBLE = 1_500
EDGE_VARIANCE = """
const bytes = Uint8Array.from(atob(arguments[0]), letter => letter.charCodeAt(0));
const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
const { x, y, width, height } = document.querySelector("#board .board-view").getBoundingClientRect();
const canvas = new OffscreenCanvas(Math.floor(width), Math.floor(height - 60));
const pen = canvas.getContext("2d");
pen.drawImage(picture, -x, -y);
const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
const grey = (column, row) => {
  const at = 4 * (row * canvas.width + column);
  return 0.3 * data[at] + 0.59 * data[at + 1] + 0.11 * data[at + 2];
};
let sum = 0, squares = 0, count = 0;
for (let row = 1; row < canvas.height - 1; row += 1) for (let column = 1; column < canvas.width - 1; column += 1) {
  const around = grey(column - 1, row) + grey(column + 1, row) + grey(column, row - 1) + grey(column, row + 1);
  const edge = around - 4 * grey(column, row);
  sum += edge;
  squares += edge * edge;
  count += 1;
}
return squares / count - (sum / count) ** 2;
"""
"""Of the map in a picture of the page: large where lines and letters are sharp."""


@contextmanager
def opened_or_skipped(name: str, *, composited: bool = False) -> Iterator[Engine]:
    if packages := lacking(name):
        assert not os.environ.get("CI"), f"install {packages}"
        pytest.skip(f"{name} needs: apt install {packages}")
    with opened(name, composited=composited) as browser:
        yield browser


@pytest.fixture(scope="module", params=ENGINES)
def started(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """To start one takes longer than most of these tests."""
    with opened_or_skipped(request.param) as browser:
        yield browser


@pytest.fixture
def engine(started: Engine) -> Iterator[Engine]:
    """A browser that no page is open in; who signs in next is alone in it."""
    yield started
    started.go("about:blank")


def test_a_turn_is_ordered_by_taps_saved_and_played(
    engine: Engine, live_server: Any, sweep: Callable[[], None]
) -> None:
    game = running_game()
    set_up(game, "S1926M", {"BRITAIN": "F NTH, A LON, F EDI, F NRG", "FRANCE": "A PAR", "NEUTRAL": "A BEL"})
    sheet = sign_in(engine, game, "BRITAIN", live_server.url)
    engine.resize(*PHONE)
    open_sheet(engine, sheet)
    order(engine, "LON", "NWY")
    order(engine, "NTH", "Convoy", "LON")
    order(engine, "EDI", "Support hold", "NTH")
    order(engine, "BEL", "Hold")
    press(engine, "One point more")
    press(engine, "Close")
    engine.press("[data-save]")
    engine.until(BAR_SAYS, "Orders saved")
    wanted = ["F EDI S F NTH", "A LON - NWY VIA", "F NTH C A LON - NWY", "2: A BEL H"]
    assert saved_text(game, "BRITAIN").splitlines() == wanted
    open_sheet(engine, sheet)
    assert engine.run(DRAWN) == ["convoy NTH", "hold BEL", "move LON", "support-hold EDI"]
    Story(game).deadline_comes()
    sweep()
    engine.go(f"{live_server.url}{reverse('games:game', kwargs={'slug': game.slug})}")
    engine.until("return document.querySelector('#board .order[data-unit=LON]') !== null")
    assert "NWY" in engine.run("return [...document.querySelectorAll('#board .unit')].map(unit => unit.dataset.unit)")


def test_an_older_page_says_so_and_its_save_is_put_together_with_newer_orders(engine: Engine, live_server: Any) -> None:
    game = running_game()
    sheet = sign_in(engine, game, "BRITAIN", live_server.url)
    engine.resize(*PHONE)
    open_sheet(engine, sheet)
    Story(game).order("BRITAIN", "F Lon-ENG")
    engine.run("document.dispatchEvent(new Event('visibilitychange'))")
    engine.until("return !document.querySelector('[data-newer]').hidden")
    engine.run(SHOW_MAP)
    order(engine, "EDI", "NRG")
    engine.press("[data-save]")
    engine.until("return document.querySelector('.compare') !== null")
    engine.run("document.querySelector('[value=chosen]').click()")
    engine.until("return document.querySelector('[data-state=saved].is-on') !== null")
    assert set(saved_text(game, "BRITAIN").splitlines()) == {"F LON - ENG", "F EDI - NRG"}


def test_taps_on_the_whole_map_and_on_the_enlarged_one_mean_what_is_painted(engine: Engine, live_server: Any) -> None:
    """Once an engine ordered other things than those tapped."""
    game = running_game()
    sheet = sign_in(engine, game, "BRITAIN", live_server.url)
    engine.resize(*DESK)
    open_sheet(engine, sheet)
    assert grid(engine) == []
    engine.run(PRESS_BUTTON, "Whole map")
    assert grid(engine) == []
    tap(engine, "EDI")
    tap(engine, "FIN")
    engine.until(BAR_SAYS, "Finland: which order do you bid for?")
    tap(engine, "LON")
    tap(engine, "MAR")
    engine.until(BAR_SAYS, "F Lon cannot reach Marseille in one move.")
    assert grid(engine, "EDI") == []
    for _ in range(2):
        engine.run(PRESS_BUTTON, "Zoom in")
    assert grid(engine) == []
    engine.drag(*engine.run(ACROSS))
    assert grid(engine) == []
    engine.press(".zoom-bar__full")
    engine.until("return document.fullscreenElement !== null")
    assert grid(engine) == []


UNDRAWN_DRAG = """
const view = document.querySelector("#board .board-view");
const { x, y, width, height } = view.getBoundingClientRect();
const finger = (type, by) => view.dispatchEvent(new PointerEvent(type, {
  pointerId: 7, clientX: x + width / 2 + by, clientY: y + height / 2, bubbles: true }));
window.requestAnimationFrame = () => 1; // a frame that does not come
view.setPointerCapture = () => undefined; // of a finger that is none
for (const [type, by] of [["pointerdown", 0], ["pointermove", -60], ["pointerup", -60]]) finger(type, by);
await new Promise(done => setTimeout(done));
"""
"""Drags the map, which a busy browser has not drawn yet."""


def test_taps_during_a_drag_mean_what_was_drawn_last(engine: Engine, live_server: Any) -> None:
    """At load the state of the map ran a frame ahead of its picture, and taps chose what was beside them."""
    sheet = sign_in(engine, running_game(), "BRITAIN", live_server.url)
    engine.resize(*DESK)
    open_sheet(engine, sheet)
    for size in ("Whole map", "Zoom in"):
        engine.run(PRESS_BUTTON, size)
        engine.run(STILL)
    engine.run(UNDRAWN_DRAG)
    found = engine.run(GRID, SIDE, "")
    assert (found["asked"] > SIDE, found["wrong"]) == (True, [])


def test_a_warning_is_waved_away_for_the_phase(engine: Engine, live_server: Any) -> None:
    game = running_game()
    Story(game).order("BRITAIN", "F Lon-ENG", "F Edi S F Lon-NTH")
    engine.go(sign_in(engine, game, "BRITAIN", live_server.url))
    engine.until(READY)
    engine.until("return document.querySelector('.warned')?.textContent.includes('you order F Lon–ENG')")
    engine.run("document.querySelector('#warnings input').click()")
    for _ in range(2):
        engine.until("return !document.querySelector('.warned, #warnings li:not([hidden])')")
        engine.reload()
        engine.until(READY)
    assert engine.run("return document.querySelector('#warnings li') !== null")
    assert engine.run("return document.querySelector('[data-state=saved].is-on') !== null")


def test_the_map_of_a_board_fills_the_screen_and_is_moved_there(engine: Engine, live_server: Any) -> None:
    """Once it lay on black with dark letters, and what did not fit was out of reach."""
    engine.go(f"{live_server.url}{reverse('games:game', kwargs={'slug': running_game().slug})}")
    engine.resize(*DESK)
    engine.until("return document.querySelector('#board .can-zoom') !== null")
    engine.run(SHOW_MAP)
    engine.press(".zoom-bar__full")
    paper, *_ = engine.until(ON_SCREEN)
    assert paper == engine.run("return getComputedStyle(document.body).backgroundColor")
    engine.run(PRESS_BUTTON, "Zoom in")
    engine.run(STILL)
    before = engine.until(ON_SCREEN)
    engine.drag(*engine.run(ACROSS))
    engine.run(STILL)
    assert engine.until(ON_SCREEN) != before


def test_names_on_the_enlarged_map_are_sharp_where_webkit_draws_in_layers(live_server: Any) -> None:
    """Once it drew the map small and stretched it: an edge variance of some 250."""
    with opened_or_skipped("webkit", composited=True) as engine:
        sheet = sign_in(engine, running_game(), "BRITAIN", live_server.url)
        engine.resize(*PHONE)
        open_sheet(engine, sheet)
        engine.run(STILL)
        assert engine.run(EDGE_VARIANCE, engine.picture()) > LEGIBLE


def test_without_a_connection_every_engine_shows_the_page_that_says_so(tmp_path: Path, engine: Engine) -> None:
    game = running_game()
    with served(tmp_path / "web.log") as address:
        sheet = sign_in(engine, game, "BRITAIN", address)
        engine.go(sheet)
        engine.until(WORKER_RUNS)
    engine.go(sheet)
    assert engine.run("return document.querySelector('h1').textContent").strip() == "No connection"


def sign_in(engine: Engine, game: Game, power: str, address: str) -> str:
    """The address of this power's order page, once its player has signed in."""
    engine.go(f"{address}{reverse('games:offline')}")
    engine.sign_in(visitor(occupancy_of(game, power).user.username))
    return f"{address}{reverse('games:orders', kwargs={'slug': game.slug})}"


def open_sheet(engine: Engine, sheet: str) -> None:
    engine.go(sheet)
    engine.until(READY)
    engine.run(SHOW_MAP)


def grid(engine: Engine, unit: str = "", *, seen: float = 0.7) -> list[str]:
    """Where a tap means something else than what is painted: to choose a unit, or where this unit goes. `seen`: the
    part of the frame that is in sight at least."""
    engine.run(STILL)
    found = engine.run(GRID, SIDE, unit)
    assert found["asked"] > (0 if unit else SIDE * SIDE * seen)
    return list(found["wrong"])


def tap(engine: Engine, place: str) -> None:
    """Tap where the browser has painted this place, showing the whole map if it is out of sight."""
    x, y, is_seen = engine.run(POINT, place)
    if not is_seen:
        engine.run(PRESS_BUTTON, "Whole map")
        engine.run(STILL)
        x, y, is_seen = engine.run(POINT, place)
    assert is_seen, place
    engine.tap(x, y)


def press(engine: Engine, name: str) -> None:
    """Press a button of the bar below the map."""
    engine.tap(*engine.until(BUTTON, name))


def order(engine: Engine, place: str, *steps: str) -> None:
    """Tap a unit, then press a button for what it does and tap where."""
    tap(engine, place)
    for step in steps:
        (tap if step.isupper() else press)(engine, step)
