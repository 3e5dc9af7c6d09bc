// Whoever points at an order in a list sees its arrow on the map, and the other way round.

import { keyOf, keyOfArrow, read } from "./arrows.js";

const LINES = "[data-given], [data-row], [data-bid]";

function keyOfLine(line) {
  const order = line.dataset.given ?? line.querySelector("select[data-orders]")?.value ?? "";
  const found = order && read(order);
  return found ? keyOf(found) : "";
}

const boxFor = (element) => element.closest(".table-top, .lesson, main")?.querySelector(".board-view");
const linesFor = (element) => [...(element.closest("main")?.querySelectorAll(LINES) ?? [])];

function say(view, text) {
  const box = view.parentElement;
  let line = box.querySelector(".map-says");
  if (!line) {
    line = Object.assign(document.createElement("p"), { className: "map-says" });
    line.setAttribute("aria-hidden", "true"); // the list says it already
    box.append(line);
  }
  line.textContent = text;
  line.hidden = !text;
}

function light(view, key) {
  const arrows = key ? [...view.querySelectorAll(".order")].filter((arrow) => keyOfArrow(arrow) === key) : [];
  for (const old of view.querySelectorAll(".order.is-lit")) old.classList.remove("is-lit");
  for (const arrow of arrows) arrow.classList.add("is-lit");
  view.classList.toggle("has-lit", arrows.length > 0);
  const titles = arrows.map((arrow) => arrow.querySelector("title")?.textContent);
  const words = linesFor(view).filter((line) => key && keyOfLine(line) === key).map((line) => line.querySelector(".what")?.textContent);
  say(view, [...titles, ...words].find(Boolean) ?? "");
}

function pointAt(view, key) {
  for (const line of linesFor(view)) line.classList.toggle("is-pointed", Boolean(key) && keyOfLine(line) === key);
}

let lit = null;

function show(view, key) {
  if (lit?.view === view && lit.key === key) return;
  if (lit) {
    light(lit.view, "");
    pointAt(lit.view, "");
  }
  lit = key ? { view, key } : null;
  if (!key) return;
  light(view, key);
  pointAt(view, key);
}

/** Where the map or the list has been replaced. */
export function lightAgain() {
  const old = lit;
  if (old) show(old.view, "");
  if (old?.view.isConnected) show(old.view, old.key);
}

function over(event) {
  if (!(event.target instanceof Element)) return;
  const arrow = event.target.closest(".board-view .order");
  if (arrow) return show(arrow.closest(".board-view"), keyOfArrow(arrow));
  const line = event.target.closest(LINES);
  const view = line && boxFor(line);
  if (view) return show(view, keyOfLine(line));
  if (lit && !document.activeElement?.closest(LINES)) show(lit.view, "");
}

/** A finger that taps an order cannot see its arrow on a map that is out of sight. */
function tapped(event) {
  over(event);
  const line = event.target.closest("[data-given]");
  const view = line && !event.target.closest("a, button") && boxFor(line);
  if (!view?.classList.contains("has-lit")) return;
  const { top, bottom } = view.getBoundingClientRect();
  if (bottom < 0 || top > innerHeight) view.scrollIntoView({ block: "center" });
}

/** One stop for the tab key in a list of results; from there arrow keys go from line to line. */
function lead(list) {
  const lines = [...list.querySelectorAll("[data-given]")];
  if (!lines.length || !boxFor(list)) return;
  lines.forEach((line, index) => { line.tabIndex = index ? -1 : 0; });
  list.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = by && lines[lines.indexOf(event.target) + by];
    if (!next) return;
    event.preventDefault();
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}

function leadNew() {
  for (const list of document.querySelectorAll(".outcomes:not([data-led])")) {
    list.dataset.led = "";
    lead(list);
  }
}

export function watchOrders() {
  document.addEventListener("pointerover", over);
  document.addEventListener("focusin", over);
  document.addEventListener("click", tapped);
  document.addEventListener("htmx:load", leadNew);
  leadNew();
}
