// Once a phase has been processed, units travel along the arrows of their orders: when the page first shows its result,
// and whenever the reader wants to see that again.

import { provinceOf } from "./arrows.js";
import { all, around, find, targetOf, the } from "./dom.js";
import { read, write } from "./kept.js";

const TRAVEL = 1400;         // milliseconds
const STEPS = 24;
const BOUNCE = 0.45;         // how far along its arrow a unit gets that has to go back
const SEEN = "seen ";

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How far along its arrow a unit is, at a time from 0 to 1. One that fails comes back.
 *  @param {number} time @param {boolean} fails */
export const wayAt = (time, fails) => (fails ? BOUNCE * (1 - Math.abs(2 * time - 1)) : time);

/** @param {SVGElement} unit */
function placeOf(unit) {
  const [, x, y] = unit.getAttribute("transform")?.match(/translate\(([-\d.]+) ([-\d.]+)\)/) ?? [];
  return { x: Number(x), y: Number(y) };
}

/** @param {SVGElement} unit @param {SVGPathElement} line @param {boolean} fails */
function travel(unit, line, fails) {
  const length = line.getTotalLength();
  const way = Array.from({ length: STEPS }, (_, step) => line.getPointAtLength(length * wayAt(step / STEPS, fails)));
  const points = [...(fails ? [placeOf(unit)] : []), ...way, placeOf(unit)];
  const frames = points.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px) scale(.95)` }));
  unit.animate(frames, { duration: TRAVEL, easing: "ease-in-out" });
}

/** @param {Element} board */
function play(board) {
  if (isCalm()) return;
  const units = new Map(all(SVGElement, ".units .unit", board).map((unit) => [`${unit.dataset.colour} ${provinceOf(unit.dataset.unit ?? "")}`, unit]));
  for (const order of all(SVGElement, ".orders > :is(.move, .retreat)", board)) {
    const fails = order.classList.contains("failed");
    const { unit = "", target = "", colour } = order.dataset;
    const moved = units.get(`${colour} ${provinceOf(fails ? unit : target)}`);
    const line = find(SVGPathElement, ".line", order);
    if (moved && line) travel(moved, line, fails);
  }
}

/** Plays a result that this device has not shown yet. */
function playNew() {
  const again = find(HTMLElement, "[data-play]");
  if (!again) return;
  const key = SEEN + again.dataset.play;
  const result = again.dataset.result;
  if (document.hidden || read(localStorage, key) === result) return;
  write(localStorage, key, result);
  play(the(SVGElement, "#board .board"));
}

export function watchMoves() {
  document.addEventListener("click", (event) => {
    const board = around(HTMLElement, "[data-play]", targetOf(event)) && find(SVGElement, "#board .board");
    if (board) play(board);
  });
  document.addEventListener("visibilitychange", playNew);
  document.addEventListener("htmx:afterSwap", playNew);
  playNew();
}
