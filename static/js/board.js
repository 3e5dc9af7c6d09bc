// Every map can be moved and enlarged. Its ground never changes: a page that has it asks only for what is drawn on it,
// puts that into the existing map, and leaves the map as the reader had it.

import { all, around, find, targetOf, the } from "./dom.js";
import { lightAgain, watchOrders } from "./light.js";
import { watchScrolling, Zoom } from "./zoom.js";

const LAYERS = [".orders", ".standing", ".units", ".verdicts"];
const SEA = "sea";

/** @type {Map<HTMLElement, Zoom>} */
const zooms = new Map();
/** @type {Zoom | null} */
let last = null;
/** @type {{ plate: Element, focused: Element | null, folds: Map<string, boolean> } | null} */
let kept = null;

/** @param {Element} part */
function plateIn(part) {
  const plate = find(HTMLElement, "#board > .plate:has([data-ground])");
  return plate && part.contains(plate) ? plate : null;
}

/** @param {HTMLDetailsElement} fold */
const nameOf = (fold) => fold.querySelector("summary")?.textContent.trim() ?? "";

/** Names the ground whenever a map is about to be fetched again.
 *  @param {CustomEvent} event */
function nameGround(event) {
  const { verb, target, parameters } = event.detail;
  const plate = verb === "get" && plateIn(target);
  if (plate) parameters.ground = the(SVGElement, "[data-ground]", plate).dataset.ground;
}

/** @param {CustomEvent} event */
function keep(event) {
  const { shouldSwap, target } = event.detail;
  const plate = shouldSwap && plateIn(target);
  if (!plate) return;
  const folds = all(HTMLDetailsElement, "details", target).map((fold) => /** @type {const} */ ([nameOf(fold), fold.open]));
  kept = { plate, focused: plate.contains(document.activeElement) ? document.activeElement : null, folds: new Map(folds) };
}

/** @param {SVGElement} map @param {string} list */
function colour(map, list) {
  const slots = new Map(list.split(";").flatMap((line) => {
    const [slot, ...names] = line.split(" ");
    return names.map((name) => [name, slot]);
  }));
  for (const shape of all(SVGElement, ".ground :is([data-province], [data-islet])", map)) {
    const { province, islet, colour: old } = shape.dataset;
    const now = slots.get(province ?? islet ?? "");
    if (old !== SEA && now && now !== old) shape.dataset.colour = now;
  }
}

/** Puts the new position on the existing map.
 *  @param {SVGElement} position @param {SVGElement} map */
function lay(position, map) {
  for (const layer of LAYERS) the(SVGElement, `:scope > ${layer}`, map).replaceWith(the(SVGElement, `:scope > ${layer}`, position));
  map.ariaLabel = position.ariaLabel;
  colour(map, position.dataset.colours ?? "");
}

/** @param {Event} event */
function putBack(event) {
  const position = find(SVGElement, "#board [data-colours]");
  if (!position) return;
  if (!kept) {
    location.reload(); // the ground was removed while the position was on its way
    return;
  }
  const { plate, focused, folds } = kept;
  kept = null;
  lay(position, the(SVGElement, ".board", plate));
  position.closest(".plate")?.replaceWith(plate);
  if (focused instanceof HTMLElement || focused instanceof SVGElement) focused.focus({ preventScroll: true });
  for (const fold of all(HTMLDetailsElement, "details", targetOf(event))) fold.open = folds.get(nameOf(fold)) ?? fold.open;
  lightAgain();
}

/** Whether the orders are drawn, as the checkbox below the map says.
 *  @param {Element} map */
function heedSwitch(map) {
  const box = find(HTMLInputElement, ".arrows-switch", map);
  map.querySelector(".board-view")?.classList.toggle("hides-orders", box?.checked === false);
}

/** How the map in this view lies on the screen.
 *  @param {HTMLElement} view */
export function zoomOf(view) {
  const known = zooms.get(view);
  if (known) return known;
  const zoom = new Zoom(view);
  zooms.set(view, zoom);
  if (last && isSameMap(last, zoom)) zoom.show(last.lens.scale, last.lens.middle());
  return zoom;
}

function openNew() {
  for (const map of document.querySelectorAll(".board-box")) heedSwitch(map);
  all(HTMLElement, ".board-view:has(.board)").forEach(zoomOf);
}

/** @param {Zoom} one @param {Zoom} other */
const isSameMap = (one, other) =>
  one.lens.width === other.lens.width && one.map.getAttribute("viewBox") === other.map.getAttribute("viewBox");

function forgetGone() {
  for (const [view, zoom] of zooms) {
    if (view.isConnected) continue;
    last = zoom;
    zooms.delete(view);
  }
}

export function watchBoards() {
  openNew();
  watchOrders();
  watchScrolling();
  document.addEventListener("change", (event) => {
    const map = targetOf(event).matches(".arrows-switch") && around(HTMLElement, ".board-box", targetOf(event));
    if (map) heedSwitch(map);
  });
  document.addEventListener("htmx:configRequest", nameGround);
  document.addEventListener("htmx:beforeSwap", keep);
  document.addEventListener("htmx:afterSwap", putBack);
  document.addEventListener("htmx:load", () => {
    forgetGone();
    openNew();
    last = null;
  });
}
