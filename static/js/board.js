// Every map can be moved and enlarged. One that takes the place of another in the page is seen as that was.

import { watchOrders } from "./light.js";
import { Zoom } from "./zoom.js";

const zooms = new Map();
let last = null;

function openNew() {
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

export const zoomOf = (view) => zooms.get(view);

export function watchBoards() {
  openNew();
  watchOrders();
  document.addEventListener("htmx:load", () => {
    forgetGone();
    openNew();
    last = null;
  });
}
