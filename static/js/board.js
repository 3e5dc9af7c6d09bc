// Every map can be moved and enlarged. Its ground never changes: a page that has it asks only for what stands on it, puts
// that into the map that is there, and goes on to show it as the reader had it.

import { lightAgain, watchOrders } from "./light.js";
import { Zoom } from "./zoom.js";

const LAYERS = [".orders", ".standing", ".units", ".verdicts"];
const SEA = "sea";

const zooms = new Map();
let last = null;
let kept = null;

const plateIn = (part) => {
  const plate = document.querySelector("#board > .plate");
  return plate && part.contains(plate) && plate.querySelector("[data-ground]") ? plate : null;
};
const nameOf = (fold) => fold.querySelector("summary")?.textContent.trim();
const foldsOf = (part) => [...part.querySelectorAll("details")];

/** Names the ground whenever a map is about to be fetched again. */
function nameGround({ detail }) {
  const plate = detail.verb === "get" && plateIn(detail.target);
  if (plate) detail.parameters.ground = plate.querySelector("[data-ground]").dataset.ground;
}

function keep({ detail: { shouldSwap, target } }) {
  const plate = shouldSwap && plateIn(target);
  if (!plate) return;
  const focused = plate.contains(document.activeElement) ? document.activeElement : null;
  kept = { plate, focused, folds: new Map(foldsOf(target).map((fold) => [nameOf(fold), fold.open])) };
}

function colour(map, list) {
  const slots = new Map(list.split(";").flatMap((line) => {
    const [slot, ...names] = line.split(" ");
    return names.map((name) => [name, slot]);
  }));
  for (const shape of map.querySelectorAll(".ground :is([data-province], [data-islet])")) {
    const { province, islet, colour: old } = shape.dataset;
    const now = slots.get(province ?? islet);
    if (old !== SEA && now && now !== old) shape.dataset.colour = now;
  }
}

/** The new position on the map that is there. */
function lay(position, map) {
  for (const layer of LAYERS) map.querySelector(`:scope > ${layer}`).replaceWith(position.querySelector(`:scope > ${layer}`));
  map.setAttribute("aria-label", position.getAttribute("aria-label"));
  colour(map, position.dataset.colours);
}

function putBack({ target }) {
  const position = document.querySelector("#board [data-colours]");
  if (!position) return;
  if (!kept) {
    location.reload(); // its ground went while it came
    return;
  }
  const { plate, focused, folds } = kept;
  kept = null;
  lay(position, plate.querySelector(".board"));
  position.closest(".plate").replaceWith(plate);
  focused?.focus({ preventScroll: true });
  for (const fold of foldsOf(target)) fold.open = folds.get(nameOf(fold)) ?? fold.open;
  lightAgain();
}

/** Whether the orders are drawn, as the box below the map says. */
function heedSwitch(map) {
  const box = map.querySelector(".arrows-switch");
  map.querySelector(".board-view")?.classList.toggle("hides-orders", box?.checked === false);
}

function openNew() {
  for (const map of document.querySelectorAll(".board-box")) heedSwitch(map);
  for (const view of document.querySelectorAll(".board-view")) {
    if (zooms.has(view) || !view.querySelector(".board")) continue;
    const zoom = new Zoom(view);
    zooms.set(view, zoom);
    if (last && isSameMap(last, zoom)) zoom.show(last.scale, last.middle());
  }
}

const isSameMap = (one, other) =>
  one.width === other.width && one.map.getAttribute("viewBox") === other.map.getAttribute("viewBox");

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
  document.addEventListener("change", ({ target }) => target.matches(".arrows-switch") && heedSwitch(target.closest(".board-box")));
  document.addEventListener("htmx:configRequest", nameGround);
  document.addEventListener("htmx:beforeSwap", keep);
  document.addEventListener("htmx:afterSwap", putBack);
  document.addEventListener("htmx:load", () => {
    forgetGone();
    openNew();
    last = null;
  });
}
