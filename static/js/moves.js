// When a phase is processed while its page is open, units travel along arrows from their old places to their new ones.

import { along, arrow, bow, provinceOf, read } from "./arrows.js";
import { all, svg, targetOf, the } from "./dom.js";

/** @import { Point } from "./arrows.js" */

const TRAVEL = 1200;         // milliseconds
const SHOWN = 2800;          // how long the arrows can be seen
const STEPS = 24;
const GAP = 15;

/** @type {Map<string, Point & { colour: string | undefined }> | null} */
let kept = null;

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const units = () => all(SVGElement, "#board .unit[data-unit]"); // not those in the key

/** @param {SVGElement} unit */
const provinceAt = (unit) => provinceOf(unit.dataset.unit ?? "");

/** @param {SVGElement} unit */
const isDislodged = (unit) => unit.classList.contains("dislodged");

/** @param {SVGElement} unit */
function placeOf(unit) {
  const [, x, y] = unit.getAttribute("transform")?.match(/translate\(([-\d.]+) ([-\d.]+)\)/) ?? [];
  return { x: Number(x), y: Number(y) };
}

/** Where units stand; one that was dislodged goes before the one that dislodged it, which takes no orders then. */
export function keepPositions() {
  const sorted = [...units().filter((unit) => !isDislodged(unit)), ...units().filter(isDislodged)];
  kept = new Map(sorted.map((unit) => [provinceAt(unit), { ...placeOf(unit), colour: unit.dataset.colour }]));
}

/** The start and the goal of every order that takes a unit to another province.
 *  @param {string[]} orders */
export function moves(orders) {
  const found = orders.map(read);
  return found.flatMap((order) => (order?.kind === "move" ? { from: provinceOf(order.unit), to: provinceOf(order.target) } : []));
}

/** @param {SVGElement} unit @param {Point} from */
function move(unit, from) {
  const curve = bow(from, placeOf(unit));
  const frames = Array.from({ length: STEPS + 1 }, (_, step) => {
    const { x, y } = along(curve, step / STEPS);
    return { transform: `translate(${x}px, ${y}px) scale(.95)` };
  });
  unit.animate(frames, { duration: TRAVEL, easing: "ease-in-out" });
  const look = { class: "order move travelled", "aria-hidden": "true", "data-colour": unit.dataset.colour ?? "" };
  const drawn = svg(["g", look, ...arrow(bow(from, placeOf(unit), 0, GAP))]);
  the(SVGElement, "#board .board > .orders").append(drawn);
  const shown = drawn.animate([{ opacity: 1 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], SHOWN);
  shown.finished.then(() => drawn.remove());
}

/** Once the new position is in the page.
 *  @param {Event} event */
export function moveUnits(event) {
  const before = kept;
  if (!before || !targetOf(event).querySelector("#board")) return;
  kept = null;
  if (isCalm()) return;
  const now = new Map(units().map((unit) => [provinceAt(unit), unit]));
  const done = all(HTMLElement, '[aria-labelledby="result"] li[data-given]:not(.failed)');
  for (const { from, to } of moves(done.map((line) => line.dataset.given ?? ""))) {
    const unit = now.get(to);
    const start = before.get(from);
    if (unit && start && start.colour === unit.dataset.colour) move(unit, start);
  }
}
