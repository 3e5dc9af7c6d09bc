// Pointing at an order in a list lights its arrow on the map, and the other way round.

import { keyOf, read } from "./arrows.js";
import { all, around, find, make, targetOf } from "./dom.js";

const LINES = "[data-given], [data-row], [data-bid]";
const BY = new Map([["ArrowDown", 1], ["ArrowUp", -1]]);

/** @param {HTMLElement} line */
function keyOfLine(line) {
  const order = line.dataset.given ?? find(HTMLSelectElement, "select[data-orders]", line)?.value;
  const found = order ? read(order) : null;
  return found ? keyOf(found) : "";
}

/** @param {SVGElement} arrow */
function keyOfArrow({ dataset: { order, sign = "", unit = "", target = "", aux = "" } }) {
  return keyOf({ kind: order ?? sign, unit, target, aux });
}

/** @param {Element} element */
const viewFor = (element) => find(HTMLElement, ".board-view", element.closest(".table-top, .lesson, main") ?? new DocumentFragment());

/** @param {Element} element */
const linesFor = (element) => all(HTMLElement, LINES, element.closest("main") ?? new DocumentFragment());

/** @param {HTMLElement} view @param {string} text */
function say(view, text) {
  const box = view.parentElement ?? view;
  const line = find(HTMLElement, ".map-says", box) ?? box.appendChild(make("p", { className: "map-says" }));
  line.ariaHidden = "true"; // the list already says so
  line.textContent = text;
  line.hidden = !text;
}

/** @param {HTMLElement} view @param {string} key */
function light(view, key) {
  const arrows = key ? all(SVGElement, ".order", view).filter((arrow) => keyOfArrow(arrow) === key) : [];
  for (const old of view.querySelectorAll(".order.is-lit")) old.classList.remove("is-lit");
  for (const arrow of arrows) arrow.classList.add("is-lit");
  view.classList.toggle("has-lit", arrows.length > 0);
  const lines = key ? linesFor(view).filter((line) => keyOfLine(line) === key) : [];
  const says = [...arrows.map((arrow) => arrow.querySelector("title")), ...lines.map((line) => line.querySelector(".what"))];
  say(view, says.find((words) => words?.textContent)?.textContent ?? "");
}

/** @param {HTMLElement} view @param {string} key */
function pointAt(view, key) {
  for (const line of linesFor(view)) line.classList.toggle("is-pointed", Boolean(key) && keyOfLine(line) === key);
}

/** @type {{ view: HTMLElement, key: string } | null} */
let lit = null;

/** @param {HTMLElement} view @param {string} key */
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

/** @param {Element} part */
function orderAt(part) {
  const arrow = around(SVGElement, ".board-view .order", part);
  if (arrow) return { view: around(HTMLElement, ".board-view", arrow), key: keyOfArrow(arrow) };
  const line = around(HTMLElement, LINES, part);
  return { view: line && viewFor(line), key: line ? keyOfLine(line) : "" };
}

/** @param {Event} event */
function over(event) {
  const { view, key } = orderAt(targetOf(event));
  if (view) show(view, key);
  else if (lit && !document.activeElement?.closest(LINES)) show(lit.view, "");
}

/** After a tap on an order: brings the map into sight, so that the arrow can be seen.
 *  @param {Event} event */
function tapped(event) {
  over(event);
  const target = targetOf(event);
  const line = target.closest("[data-given]");
  const view = line && !target.closest("a, button") && viewFor(line);
  if (!view || !view.classList.contains("has-lit")) return;
  const { top, bottom } = view.getBoundingClientRect();
  if (bottom < 0 || top > innerHeight) view.scrollIntoView({ block: "center" });
}

/** A list of results is one stop for the Tab key; from there the arrow keys go from line to line.
 *  @param {HTMLElement} list */
function lead(list) {
  const lines = all(HTMLElement, "[data-given]", list);
  if (!lines.length || !viewFor(list)) return;
  lines.forEach((line, index) => { line.tabIndex = index ? -1 : 0; });
  list.addEventListener("keydown", (event) => {
    const line = lines.findIndex((each) => each === event.target);
    const next = lines[line + (BY.get(event.key) ?? NaN)];
    if (!next || line < 0) return;
    event.preventDefault();
    for (const each of lines) each.tabIndex = each === next ? 0 : -1;
    next.focus();
  });
}

function leadNew() {
  for (const list of all(HTMLElement, ".outcomes:not([data-led])")) {
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
