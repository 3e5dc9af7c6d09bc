// Orders as they are written, read for what they do; and orders drawn on a map as the server draws them.

const SVG = "http://www.w3.org/2000/svg";
const SIGNS = ["H", "D", "-", "S", "C"];
const TOKEN_GAP = 15;
const OPEN_GAP = 3;
const BEND = 0.13;
const MEETINGS = [0.45, 0.55, 0.35, 0.25];
const SHIFT = { x: 18, y: -16 };
const LAYERS = ["hold", "move", "retreat", "support-hold", "support-move", "convoy", "disband", "build"];

export const provinceOf = (location) => location.split("/")[0];

/** "A MUN S A BER - SIL" as {kind, form: "A MUN", unit: "MUN", aux: "BER", target: "SIL"}; null for what has no place. */
export function read(order) {
  const words = order.split(" ").filter((word) => word !== "VIA");
  const [first] = words;
  const last = words.at(-1);
  if (first === "BUILD") return { kind: "build", form: words.slice(1).join(" "), unit: last, target: last, aux: "" };
  if (first === "DISBAND") return { kind: "disband", form: words.slice(1).join(" "), unit: last, target: "", aux: "" };
  const sign = SIGNS.includes(words[1]) ? 1 : 2;
  if (!SIGNS.includes(words[sign])) return null;
  const dash = words.indexOf("-", sign + 1);
  return deed(words[sign], words.slice(0, sign), words.slice(sign + 1, dash < 0 ? undefined : dash), dash < 0 ? "" : last);
}

function deed(sign, who, rest, goal) {
  const unit = { form: who.join(" "), unit: who.at(-1) };
  const object = rest.at(-1) ?? "";
  if (sign === "H" || sign === "D") return { kind: sign === "H" ? "hold" : "disband", ...unit, target: "", aux: "" };
  if (sign === "-") return { kind: "move", ...unit, target: object, aux: "" };
  if (sign === "S" && !goal) return { kind: "support-hold", ...unit, target: object, aux: "" };
  return { kind: sign === "S" ? "support-move" : "convoy", ...unit, target: goal, aux: object };
}

const sameKind = (kind) => (kind === "retreat" ? "move" : kind);

/** Equal for an order in a list and its arrow on the map. */
export const keyOf = ({ kind, unit, target, aux }) => [sameKind(kind), unit, target, aux].join("|");
export const keyOfArrow = ({ dataset }) => keyOf({ kind: dataset.order ?? dataset.sign, ...dataset });

const towards = (a, b) => {
  const span = Math.hypot(b.x - a.x, b.y - a.y);
  return span ? { x: (b.x - a.x) / span, y: (b.y - a.y) / span } : { x: 0, y: 0 };
};
const ahead = (a, course, by) => ({ x: a.x + course.x * by, y: a.y + course.y * by });
const dot = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

function bow(a, b, firstGap, lastGap, bend) {
  const span = Math.hypot(b.x - a.x, b.y - a.y);
  const gaps = Math.min(1, (span * 0.6) / (firstGap + lastGap));
  const { x, y } = towards(a, b);
  const control = ahead({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, { x: -y, y: x }, span * bend);
  return {
    a: ahead(a, towards(a, control), firstGap * gaps),
    control,
    b: ahead(b, towards(control, b), -lastGap * gaps),
  };
}

/** The point of a curve at `t`, from 0 at its start to 1 at its end. */
export function along({ a, control, b }, t) {
  const mix = (axis) => (1 - t) ** 2 * a[axis] + 2 * (1 - t) * t * control[axis] + t ** 2 * b[axis];
  return { x: mix("x"), y: mix("y") };
}

const shapeOf = ({ a, control, b }) => `M${dot(a)}Q${dot(control)} ${dot(b)}`;

function make(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

const cased = (shape) => [make("path", { class: "casing", d: shape }), make("path", { class: "line", d: shape })];
const ring = ({ x, y }, r) => make("circle", { class: "ring", cx: x, cy: y, r });

function signed(place, style, d) {
  const transform = `translate(${dot(place)})`;
  return [make("path", { class: "casing", transform, d }), make("path", { class: style, transform, d })];
}

function head(curve) {
  const course = towards(curve.control, curve.b);
  const base = ahead(curve.b, course, -9);
  const side = (by) => dot(ahead(base, { x: -course.y, y: course.x }, by));
  return make("path", { class: "head", d: `M${dot(ahead(curve.b, course, 2))}L${side(5.5)} ${side(-5.5)}z` });
}

const written = (place, text, size) =>
  Object.assign(make("text", { x: place.x, y: place.y + size * 0.36, "font-size": size }), { textContent: text });

/** What stands where on a drawn map, and the orders of a sheet that is being written. */
export class Scene {
  constructor(map) {
    this.map = map;
    const lines = (map.dataset.places ?? "").split(";").map((line) => line.split(" "));
    this.places = new Map(lines.map(([name, x, y]) => [name, { x: Number(x), y: Number(y) }]));
    this.lookAround();
  }

  /** Units by province, as they stand now. */
  lookAround() {
    this.units = new Map();
    for (const unit of this.map.querySelectorAll(".unit:not(.placed)")) {
      const province = provinceOf(unit.dataset.unit);
      this.units.set(province, [...(this.units.get(province) ?? []), unit]);
    }
  }

  unitAt(location, leaving = false) {
    const here = this.units.get(provinceOf(location)) ?? [];
    return here.find((unit) => unit.classList.contains("dislodged") === leaving) ?? here[0];
  }

  landOf(location) {
    return this.map.querySelector(`[data-province="${provinceOf(location)}"]`);
  }

  start(order) {
    const leaving = this.unitAt(order.unit, order.leaves)?.classList.contains("dislodged") && order.leaves;
    const place = this.places.get(order.unit);
    return leaving ? { x: place.x + SHIFT.x, y: place.y + SHIFT.y } : place;
  }

  travel(start, target) {
    return bow(start, this.places.get(target), TOKEN_GAP, this.unitAt(target) ? TOKEN_GAP : OPEN_GAP, BEND);
  }

  /** `orders`: what `read` gave, with `title`, `points`, and `leaves` where dislodged units are ordered. */
  draw(orders) {
    this.lookAround();
    const drawable = orders.filter((order) => [order.unit, order.target, order.aux].every((name) => !name || this.places.has(name)));
    drawable.sort((one, other) => LAYERS.indexOf(one.kind) - LAYERS.indexOf(other.kind));
    const helped = new Map();
    const [shapes, signs] = [[], []];
    for (const order of drawable) {
      const move = `${order.aux} ${order.target}`;
      helped.set(move, (helped.get(move) ?? -1) + 1);
      const [shape, sign] = this.sketch(order, helped.get(move));
      shapes.push(this.group(order, "order", shape));
      if (order.points) sign.push(this.bid(order));
      if (sign.length) signs.push(this.group(order, "sign", sign));
    }
    this.map.querySelector(".orders").replaceChildren(...shapes);
    this.map.querySelector(".verdicts").replaceChildren(...signs);
    for (const token of this.map.querySelectorAll(".unit.placed")) token.remove();
  }

  group(order, role, children) {
    const group = make("g", { class: role === "order" ? `order ${order.kind}` : "order" });
    const colour = (this.unitAt(order.unit, order.leaves) ?? this.landOf(order.unit))?.dataset.colour ?? "minor";
    Object.assign(group.dataset, { [role]: order.kind, unit: order.unit, target: order.target, aux: order.aux, colour });
    if (role === "order") group.append(Object.assign(make("title", {}), { textContent: order.title }));
    group.append(...children);
    return group;
  }

  bid(order) {
    const { x, y } = this.start(order);
    const place = { x: x - 13, y: y - 11 };
    const group = make("g", { class: "bid" });
    group.append(make("circle", { cx: place.x, cy: place.y, r: 7.4 }), written(place, order.points, 11));
    return group;
  }

  sketch(order, rank) {
    const start = this.start(order);
    if (order.kind === "move" || order.kind === "retreat") {
      const curve = this.travel(start, order.target);
      return [[...cased(shapeOf(curve)), head(curve)], []];
    }
    if (order.kind === "support-hold") {
      const there = this.places.get(order.target);
      return [[...cased(shapeOf(bow(start, there, TOKEN_GAP, TOKEN_GAP + 2, BEND / 2))), ring(there, 17)], []];
    }
    if (order.kind === "hold") return [cased(`M${dot({ x: start.x - 11, y: start.y - 15.5 })}h22`), []];
    if (order.kind === "disband") return [[ring(start, 16)], signed(start, "bar", "M-11.3-11.3 11.3 11.3")];
    if (order.kind === "build") return [[ring(start, 17)], this.built(order, start)];
    return this.help(order, start, rank);
  }

  help(order, start, rank) {
    const meeting = along(this.travel(this.places.get(order.aux), order.target), MEETINGS[rank % MEETINGS.length]);
    const curve = bow(start, meeting, TOKEN_GAP, OPEN_GAP, BEND / 2);
    return [[...cased(shapeOf(curve)), make("circle", { class: "knob", cx: meeting.x, cy: meeting.y, r: 4 })], []];
  }

  /** A unit that is to come, with the letter of its kind. */
  built(order, place) {
    const [mark] = order.form.split(" ");
    return [
      make("circle", { class: "coming", cx: place.x, cy: place.y, r: 12 }),
      written(place, mark, 13),
      ...signed({ x: place.x - 15, y: place.y - 13 }, "plus", "M-5 0H5M0-5V5"),
    ];
  }
}
