// When a phase has been processed while somebody looks: units go from where they stood to where they stand, along arrows.

import { along, provinceOf } from "./arrows.js";

const TRAVEL = 1200;         // milliseconds
const SHOWN = 2800;          // and for so long the arrows can be seen
const STEPS = 24;
const BEND = 0.13;           // as the arrows of orders are bent
const GAP = 15;
const SVG = "http://www.w3.org/2000/svg";

let kept = null;

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const units = () => [...document.querySelectorAll("#board .unit[data-unit]")]; // not those in the key

function placeOf(unit) {
  const [x, y] = unit.getAttribute("transform").match(/translate\(([-\d.]+) ([-\d.]+)\)/).slice(1).map(Number);
  return { x, y };
}

/** Where units stand; one that was dislodged goes before the one that dislodged it, which takes no orders then. */
export function keepPositions() {
  const leaving = (unit) => unit.classList.contains("dislodged");
  const sorted = units().sort((one, other) => leaving(one) - leaving(other));
  kept = new Map(sorted.map((unit) => [provinceOf(unit.dataset.unit), { ...placeOf(unit), colour: unit.dataset.colour }]));
}

/** [from, to] of every order that took a unit to another province. */
function moves() {
  const done = document.querySelectorAll('[aria-labelledby="result"] li[data-given]:not(.failed)');
  const read = [...done].map((line) => line.dataset.given.match(/^[A-Z]+ (\S+) - (\S+)/));
  return read.filter(Boolean).map(([, from, to]) => [provinceOf(from), provinceOf(to)]);
}

const toward = (a, b) => {
  const span = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: (b.x - a.x) / span, y: (b.y - a.y) / span, span };
};

function bow(a, b) {
  const { x, y, span } = toward(a, b);
  return { a, b, control: { x: (a.x + b.x) / 2 - y * span * BEND, y: (a.y + b.y) / 2 + x * span * BEND } };
}

function path(style, shape) {
  const made = document.createElementNS(SVG, "path");
  made.setAttribute("class", style);
  made.setAttribute("d", shape);
  return made;
}

function arrow(curve, colour) {
  const { x, y } = toward(curve.control, curve.b);
  const point = (back, aside) => `${curve.b.x - x * back - y * aside} ${curve.b.y - y * back + x * aside}`;
  const shape = `M${curve.a.x} ${curve.a.y}Q${curve.control.x} ${curve.control.y} ${point(GAP, 0)}`;
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "order move travelled");
  group.setAttribute("aria-hidden", "true");
  group.dataset.colour = colour;
  group.append(path("casing", shape), path("line", shape));
  group.append(path("head", `M${point(GAP - 2, 0)}L${point(GAP + 9, 5.5)} ${point(GAP + 9, -5.5)}z`));
  return group;
}

function move(unit, from) {
  const curve = bow(from, placeOf(unit));
  const frames = Array.from({ length: STEPS + 1 }, (_, step) => {
    const { x, y } = along(curve, step / STEPS);
    return { transform: `translate(${x}px, ${y}px) scale(.95)` };
  });
  unit.animate(frames, { duration: TRAVEL, easing: "ease-in-out" });
  const drawn = arrow(curve, unit.dataset.colour);
  document.querySelector("#board .board > .orders").append(drawn);
  const shown = drawn.animate([{ opacity: 1 }, { opacity: 1, offset: 0.7 }, { opacity: 0 }], SHOWN);
  shown.finished.then(() => drawn.remove());
}

/** Once the new position is in the page. */
export function moveUnits(event) {
  const before = kept;
  if (!before || !event.target.querySelector?.("#board")) return;
  kept = null;
  if (calm()) return;
  const now = new Map(units().map((unit) => [provinceOf(unit.dataset.unit), unit]));
  for (const [from, to] of moves()) {
    const unit = now.get(to);
    const start = before.get(from);
    if (unit && start && start.colour === unit.dataset.colour) move(unit, start);
  }
}
