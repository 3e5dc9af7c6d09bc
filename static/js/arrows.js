// Reading orders for what they do, and drawing them in the same way as variants/drawing.py does.

import { counted } from "./words.js";

const SIGNS = ["H", "D", "-", "S", "C"];
const TOKEN_GAP = 15;
const OPEN_GAP = 3;
const BEND = 0.13;
const MEETINGS = [0.45, 0.55, 0.35, 0.25];
const DISLODGED_BY = { x: 18, y: -16 };
const LAYERS = ["hold", "move", "retreat", "support-hold", "support-move", "convoy", "disband", "build"];

/** @param {string} location */
export const provinceOf = (location) => location.split("/", 1)[0] ?? "";

/** @param {string} words */
const lastOf = (words) => words.split(" ").at(-1) ?? "";

/** "A MUN S A BER - SIL" as {kind, form: "A MUN", unit: "MUN", aux: "BER", target: "SIL"}; null for an order without a place.
 *  @param {string} order @returns {Order | null} */
export function read(order) {
  const words = order.split(" ").filter((word) => word !== "VIA");
  const sign = SIGNS.includes(words[1] ?? "") ? 1 : 2;
  const form = words.slice(0, sign).join(" ");
  const [object = "", goal = ""] = words.slice(sign + 1).join(" ").split(" - ").map(lastOf);
  const deed = deedOf(words[sign] ?? "", object, goal);
  return deed ? { ...deed, form, unit: lastOf(form) } : adjustment(words);
}

/** @param {string[]} words */
function adjustment([first, ...who]) {
  const unit = { form: who.join(" "), unit: who.at(-1) ?? "", aux: "" };
  if (first === "BUILD") return { kind: "build", ...unit, target: unit.unit };
  return first === "DISBAND" ? { kind: "disband", ...unit, target: "" } : null;
}

/** @param {string} sign @param {string} object @param {string} goal */
function deedOf(sign, object, goal) {
  if (sign === "H") return { kind: "hold", target: "", aux: "" };
  if (sign === "D") return { kind: "disband", target: "", aux: "" };
  if (sign === "-") return { kind: "move", target: object, aux: "" };
  if (sign === "C") return { kind: "convoy", target: goal, aux: object };
  if (sign !== "S") return null;
  return goal ? { kind: "support-move", target: goal, aux: object } : { kind: "support-hold", target: object, aux: "" };
}

/** Equal for an order in a list and its arrow on the map.
 *  @param {Deed} order */
export const keyOf = ({ kind, unit, target, aux }) => [kind === "retreat" ? "move" : kind, unit, target, aux].join("|");

/** @param {Point} a @param {Point} b */
function toward(a, b) {
  const span = Math.hypot(b.x - a.x, b.y - a.y);
  return span ? { x: (b.x - a.x) / span, y: (b.y - a.y) / span } : { x: 0, y: 0 };
}

/** @param {Point} point @param {Point} course @param {number} by */
const ahead = (point, course, by) => ({ x: point.x + course.x * by, y: point.y + course.y * by });

/** A curve from a to b, bent to its right, that keeps its distance from both.
 *  @param {Point} a @param {Point} b @returns {Curve} */
export function bow(a, b, firstGap = 0, lastGap = 0, bend = BEND) {
  const span = Math.hypot(b.x - a.x, b.y - a.y);
  const gaps = Math.min(1, (span * 0.6) / (firstGap + lastGap + 1e-9));
  const { x, y } = toward(a, b);
  const control = ahead({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, { x: -y, y: x }, span * bend);
  return {
    a: ahead(a, toward(a, control), firstGap * gaps),
    control,
    b: ahead(b, toward(control, b), -lastGap * gaps),
  };
}

/** The point of a curve at `t`, from 0 at its start to 1 at its end.
 *  @param {Curve} curve @param {number} t */
export function along({ a, control, b }, t) {
  const u = 1 - t;
  return { x: u * u * a.x + 2 * u * t * control.x + t * t * b.x, y: u * u * a.y + 2 * u * t * control.y + t * t * b.y };
}

/** A hair more, so that halves are rounded up both here and on the server, whatever the last bit says.
 *  @param {number} length */
const tenths = (length) => (length + 1e-9).toFixed(1);

/** @param {Point} point */
const dot = ({ x, y }) => `${tenths(x)} ${tenths(y)}`;

/** @param {Point} point */
const put = (point) => `translate(${dot(point)})`;

/** @param {Point} point */
const centred = ({ x, y }) => ({ cx: tenths(x), cy: tenths(y) });

/** A line with a pale edge, so that it stays visible where it crosses others.
 *  @param {string} d @returns {Tag[]} */
const cased = (d) => [["path", { class: "casing", d }], ["path", { class: "line", d }]];

/** @param {Curve} curve */
const curved = ({ a, control, b }) => cased(`M${dot(a)}Q${dot(control)} ${dot(b)}`);

/** @param {Point} point @param {number} r @returns {Tag} */
const ring = (point, r) => ["circle", { class: "ring", ...centred(point), r }];

/** @param {Point} point @param {string} style @param {string} d @returns {Tag[]} */
const signed = (point, style, d) => ["casing", style].map((name) => ["path", { class: name, transform: put(point), d }]);

/** A curve with its head.
 *  @param {Curve} curve @returns {Tag[]} */
export function arrow(curve) {
  const { x, y } = toward(curve.control, curve.b);
  const base = ahead(curve.b, { x, y }, -9);
  const d = `M${dot(ahead(curve.b, { x, y }, 2))}L${dot(ahead(base, { x: -y, y: x }, 5.5))} ${dot(ahead(base, { x: y, y: -x }, 5.5))}z`;
  return [...curved(curve), ["path", { class: "head", d }]];
}

/** @param {Deed} order */
const isLeaving = ({ kind }) => kind === "retreat" || kind === "disband";

/** @param {Deed} order */
const layerOf = ({ kind, unit, target, aux }) => [LAYERS.indexOf(kind), unit, target, aux].join(" ");

/** Where units are drawn on a board, as it tells its scripts: "BER 645 510;SPA/NC 200 760".
 *  @param {string} text @returns {Map<string, Point>} */
export function readPlaces(text) {
  const lines = text.split(";").map((line) => line.split(" "));
  return new Map(lines.map(([name = "", x, y]) => [name, { x: Number(x), y: Number(y) }]));
}

/** An order that can be chosen, as it is drawn; null for an order that leaves no trace on the map.
 *  @param {string} order @param {string} label @param {number} points bid for it, 0 for the player's own order
 *  @param {boolean} isRetreat @returns {Arrow | null} */
export function arrowFor(order, label, points, isRetreat) {
  const found = read(order);
  if (!found) return null;
  const title = points ? counted("Bid of {n} point: {order}", "Bid of {n} points: {order}", points, { order: label }) : label;
  return { ...found, kind: isRetreat && found.kind === "move" ? "retreat" : found.kind, title, points };
}

/** What stands where, and the orders that are given there. */
export class Scene {
  /** @param {Map<string, Point>} places @param {Token[]} tokens
   *  @param {(province: string) => string | undefined} landOf the colour of a province */
  constructor(places, tokens, landOf) {
    this.places = places;
    this.landOf = landOf;
    /** @type {Map<string, Token[]>} */
    this.tokens = new Map();
    for (const token of tokens) this.tokens.set(provinceOf(token.location), [...this.tokensAt(token.location), token]);
  }

  /** @param {string} location */
  tokensAt(location) {
    return this.tokens.get(provinceOf(location)) ?? [];
  }

  get isRetreat() {
    return [...this.tokens.values()].flat().some((token) => token.dislodged);
  }

  /** @param {string} location */
  place(location) {
    const place = this.places.get(location);
    if (!place) throw new Error(`The map has no place called ${location}.`);
    return place;
  }

  /** Where the ordered unit is drawn. A dislodged unit that is leaving is drawn beside its attacker.
   *  @param {string} location @param {boolean} leaving */
  start(location, leaving) {
    const isPushed = leaving && this.tokensAt(location).some((token) => token.dislodged);
    return isPushed ? ahead(this.place(location), DISLODGED_BY, 1) : this.place(location);
  }

  /** @param {Deed} order */
  colour(order) {
    const here = this.tokensAt(order.unit);
    const ordered = here.find((token) => token.dislodged === isLeaving(order)) ?? here[0];
    return ordered?.colour ?? this.landOf(provinceOf(order.unit)) ?? "minor";
  }

  /** @param {Point} start @param {string} target */
  travel(start, target) {
    const taken = this.tokensAt(target).some((token) => !token.dislodged);
    return bow(start, this.place(target), TOKEN_GAP, taken ? TOKEN_GAP : OPEN_GAP);
  }

  /** The layers of the map that show orders: their shapes, units to be built, and the signs on top of everything.
   *  @param {Arrow[]} orders */
  draw(orders) {
    const named = orders.filter(({ unit, target, aux }) => [unit, target, aux].every((name) => !name || this.places.has(name)));
    const sorted = named.sort((one, other) => Number(layerOf(one) > layerOf(other)) || -Number(layerOf(one) < layerOf(other)));
    const builds = sorted.filter(({ kind }) => kind === "build");
    return { orders: this.shapes(sorted), units: builds.map((order) => this.coming(order)), verdicts: this.signs(sorted) };
  }

  /** @param {Arrow[]} orders */
  shapes(orders) {
    const helped = new Map();
    return orders.map((order) => {
      const move = `${order.aux} ${order.target}`;
      const rank = helped.get(move) ?? 0;
      helped.set(move, rank + 1);
      const look = { class: `order ${order.kind}`, "data-order": order.kind, "data-colour": this.colour(order) };
      return this.group(order, look, [["title", {}, order.title], ...this.shape(order, rank)]);
    });
  }

  /** @param {Arrow[]} orders */
  signs(orders) {
    const signs = orders.map((order) => /** @type {const} */ ([order, this.sign(order)])).filter(([, sign]) => sign.length);
    return signs.map(([order, sign]) => this.group(order, { class: "order", "data-sign": order.kind }, sign));
  }

  /** @param {Arrow} order @param {Record<string, string>} look @param {Tag[]} children @returns {Tag} */
  group({ unit, target, aux }, look, children) {
    return ["g", { ...look, "data-unit": unit, "data-target": target, "data-aux": aux }, ...children];
  }

  /** @param {Arrow} order @param {number} rank @returns {Tag[]} */
  shape(order, rank) {
    const start = this.start(order.unit, isLeaving(order));
    if (order.kind === "hold") return cased(`M${dot(ahead(start, { x: -11, y: -15.5 }, 1))}h22`);
    if (order.kind === "support-hold") {
      const helped = this.place(order.target);
      return [...curved(bow(start, helped, TOKEN_GAP, TOKEN_GAP + 2, BEND / 2)), ring(helped, 17)];
    }
    if (order.kind === "disband") return [ring(start, 16)];
    if (order.kind === "build") return [ring(start, 17)];
    return order.aux ? this.help(order, start, rank) : arrow(this.travel(start, order.target));
  }

  /** A curve to the middle of the move that is helped; several helpers arrive side by side.
   *  @param {Arrow} order @param {Point} start @param {number} rank @returns {Tag[]} */
  help(order, start, rank) {
    const meeting = along(this.travel(this.place(order.aux), order.target), MEETINGS[rank % MEETINGS.length] ?? 0);
    return [...curved(bow(start, meeting, TOKEN_GAP, OPEN_GAP, BEND / 2)), ["circle", { class: "knob", ...centred(meeting), r: 4 }]];
  }

  /** @param {Arrow} order @returns {Tag[]} */
  sign(order) {
    const start = this.start(order.unit, isLeaving(order));
    const bid = order.points ? [this.bid(ahead(start, { x: -13, y: -11 }, 1), order.points)] : [];
    if (order.kind === "disband") return [...signed(start, "bar", "M-11.3-11.3 11.3 11.3"), ...bid];
    if (order.kind === "build") return [...signed(ahead(start, { x: -15, y: -13 }, 1), "plus", "M-5 0H5M0-5V5"), ...bid];
    return bid;
  }

  /** @param {Point} point @param {number} points @returns {Tag} */
  bid(point, points) {
    return ["g", { class: "bid", transform: put(point) }, ["circle", { r: 7.4 }], ["text", { y: 4, "font-size": 11 }, String(points)]];
  }

  /** A unit to be built, with the letter of its kind; on the next page the unit itself is there.
   *  @param {Arrow} order @returns {Tag} */
  coming(order) {
    const look = { class: "unit placed coming", "data-unit": order.unit, "data-colour": this.colour(order) };
    const [kind = ""] = order.form.split(" ");
    return ["g", { ...look, transform: put(this.place(order.unit)) }, ["circle", { r: 12 }], ["text", { y: 4.7, "font-size": 13 }, kind]];
  }
}
