// Orders given on the map: tap a unit, then what it does, then where. Everything ends in the selects of the form, which
// hold all that is lawful; the map asks only for what they leave open.

import { provinceOf, read, Scene } from "./arrows.js";

const SVG = "http://www.w3.org/2000/svg";
const PLACES = ".unit, [data-province]";
const NEAR = 26;             // pixels within which a tap means a place that can be chosen
const HINT_GAP = 8;
const MOST_UNDONE = 100;
const ASK = {
  Move: "Where to?",
  Retreat: "Where to?",
  "Support hold": "Support whom?",
  "Support move": ["Support whom?", "Into which space?"],
  Convoy: ["Convoy whom?", "Where to?"],
};

const isPlace = (key) => key.startsWith("@");
const placeOf = ({ dataset }) => provinceOf(dataset.unit ?? dataset.province);

/** What is asked on the way to an order: things to `say` on a button, places to point `at`. */
function stepsOf(option, heading, severalForms) {
  const order = read(option.value);
  if (!order || !heading) return [{ say: option.label }];
  const places = [order.aux, order.target].filter(Boolean).map((place) => ({ at: provinceOf(place) }));
  const form = severalForms ? [{ say: order.form }] : [];
  const goes = order.kind !== "build" && places.length;
  return goes ? [...form, { say: heading }, ...places] : [...form, { say: heading === "Hold" ? heading : option.label }];
}

const keyOf = (step) => step.say ?? `@${step.at}`;

/** A unit, a place or a minor that can be ordered, and what it may be told: `offers` lists it, and is read once, when
 *  somebody asks. */
class Subject {
  constructor(location, label, offers, { minor = false } = {}) {
    this.location = location;
    this.label = label;
    this.minor = minor;
    this.offers = offers;
  }

  get orders() {
    this.known ??= this.read(this.offers());
    return this.known;
  }

  read(options) {
    const forms = new Set(options.map(([value]) => read(value)?.form));
    return options.map(([value, text, heading]) => ({
      value,
      label: text,
      steps: stepsOf({ value, label: text }, heading, forms.size > 1 && heading && !value.startsWith("BUILD")),
    }));
  }

  fitting(path) {
    return this.orders.filter((order) => path.every((key, index) => order.steps[index] && keyOf(order.steps[index]) === key));
  }

  /** The path with everything added to it that is the only way on. */
  complete(path) {
    const fitting = this.fitting(path);
    const next = new Set(fitting.map((order) => order.steps[path.length] && keyOf(order.steps[path.length])));
    const [only] = next;
    return path.length && fitting.length > 1 && next.size === 1 && only ? this.complete([...path, only]) : path;
  }
}

function button(text, act, style = "") {
  const made = Object.assign(document.createElement("button"), { type: "button", className: `button ${style}`, textContent: text });
  made.addEventListener("click", act);
  return made;
}

export class MapEntry {
  constructor(sheet, view) {
    this.sheet = sheet;
    this.view = view;
    this.map = view.querySelector(".board");
    this.scene = new Scene(this.map);
    this.past = [];
    this.path = [];
    this.targets = new Set();
    this.now = sheet.state;
    this.ended = new AbortController();
    this.build();
    const { signal } = this.ended;
    view.addEventListener("click", (event) => this.tapped(event), { signal });
    view.addEventListener("pointerover", (event) => this.pointed(event), { signal });
    view.addEventListener("pointerleave", () => this.under.replaceChildren(), { signal });
    view.addEventListener("moved", () => this.putMenu(), { signal });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.select(null), { signal });
    for (const sign of ["given", "written"]) sheet.form.addEventListener(sign, () => this.isBehind && this.follow(), { signal });
    view.classList.add("takes-orders");
    if (sheet.form.querySelector("[data-draft]")) this.follow();
  }

  stop() {
    this.ended.abort();
    this.select(null);
    for (const part of [this.menu, this.bar, this.marks, this.lit, this.under]) part.remove();
  }

  build() {
    this.subjects = new Map(this.allSubjects().reverse().map((subject) => [provinceOf(subject.location), subject]));
    this.shapes = new Map();
    for (const shape of this.map.querySelectorAll(".ground [data-province]")) {
      const { province } = shape.dataset;
      this.shapes.set(province, [...(this.shapes.get(province) ?? []), shape]);
    }
    this.marks = this.layer("marks");
    this.map.append(this.marks);
    const ground = this.map.querySelector(".ground");
    [this.under, this.lit] = ["is-over", "is-target"].map((style) => this.layer(style));
    for (const layer of [this.under, this.lit]) layer.setAttribute("transform", ground.getAttribute("transform"));
    ground.after(this.lit, this.under);
    this.menu = Object.assign(document.createElement("div"), { className: "map-menu", hidden: true });
    this.menu.setAttribute("role", "group");
    this.view.parentElement.append(this.menu);
    this.bar = Object.assign(document.createElement("div"), { className: "entry-bar" });
    this.told = Object.assign(document.createElement("p"), { className: "small soft" });
    this.told.setAttribute("role", "status");
    this.undoing = button("Undo", () => this.undo());
    this.undoing.disabled = true;
    this.bar.append(this.told, this.undoing);
    if (this.sheet.form.id === "sheet") this.bar.append(this.saving());
    this.view.closest(".plate").after(this.bar);
    this.tell("");
    this.mark();
  }

  layer(style) {
    const made = document.createElementNS(SVG, "g");
    made.setAttribute("class", style);
    return made;
  }

  saving() {
    const textContent = "practice" in this.sheet.form.dataset ? "Give these orders" : "Save my orders";
    const save = Object.assign(document.createElement("button"), { className: "button button--main", textContent, name: "use", value: "controls" });
    save.setAttribute("form", "sheet");
    return save;
  }

  tell(words) {
    const minors = Object.keys(this.sheet.minorOrders).length ? ", or one of a minor power to bid for its order" : "";
    this.told.textContent = words || `${this.sheet.form.dataset.tap ?? "Tap a unit"}${minors}.`;
  }

  /** All that can be tapped; its own units come before the minors. */
  allSubjects() {
    const selects = [...this.sheet.form.querySelectorAll("[data-row] select[data-orders]")];
    const own = selects.map((select) => this.ownSubject(select));
    const minors = Object.entries(this.sheet.minorOrders).map(([location, options]) => new Subject(location, this.minorLabel(location), () => options, { minor: true }));
    return [...own, ...minors].filter((subject) => this.scene.places.has(subject.location));
  }

  ownSubject(select) {
    const label = this.sheet.form.querySelector(`label[for="${select.id}"], label[for="${select.id}-pick"]`);
    const offers = () => {
      const options = [...select.options].filter((option) => option.value && option.textContent);
      const listed = options.filter((option) => option.parentElement !== select || "oneList" in select.dataset);
      return listed.map((option) => [option.value, option.label, option.parentElement.label ?? ""]);
    };
    return Object.assign(new Subject(select.name.replace(/^.*order-/, ""), label?.textContent ?? "", offers), { select });
  }

  minorLabel(location) {
    return this.sheet.form.querySelector(`[data-minor] option[value="${location}"]`)?.label ?? location;
  }

  // -- taps

  tapped(event) {
    if (this.sheet.form.closest("details:not([open])")) return;
    const province = this.provinceAt(event, this.wanted());
    if (this.chosen && this.targets.has(province)) this.take(`@${province}`);
    else this.select(this.subjects.get(province) ?? null);
  }

  /** Under a mouse is seen what a click would mean. */
  pointed({ target, pointerType }) {
    const part = pointerType === "mouse" && target.closest(PLACES);
    const province = part && placeOf(part);
    this.under.replaceChildren(...(this.wanted().has(province) ? this.copies(province) : []));
  }

  /** Provinces that a tap can mean now. */
  wanted() {
    return this.chosen && this.targets.size ? this.targets : this.subjects;
  }

  provinceAt({ clientX, clientY, target }, wanted) {
    const top = target.closest(PLACES);
    if (top && wanted.has(placeOf(top))) return placeOf(top);
    const hit = document.elementsFromPoint(clientX, clientY).map((element) => element.closest(PLACES)).filter(Boolean);
    const exact = hit.map(placeOf);
    const meant = exact.find((province) => wanted.has(province)) ?? this.nearest(clientX, clientY, wanted);
    return meant ?? exact[0];
  }

  /** A finger is thicker than many a province. */
  nearest(x, y, wanted) {
    const matrix = this.map.getScreenCTM();
    const near = [...wanted.keys()].filter((province) => this.scene.places.has(province)).map((province) => {
      const at = this.onScreen(province, matrix);
      return { province, away: Math.hypot(at.x - x, at.y - y) };
    });
    const [first] = near.sort((one, other) => one.away - other.away);
    return first?.away <= NEAR ? first.province : undefined;
  }

  onScreen(location, matrix = this.map.getScreenCTM()) {
    const { x, y } = this.scene.places.get(location);
    return new DOMPoint(x, y).matrixTransform(matrix);
  }

  // -- one order, step by step

  select(subject, words) {
    this.chosen = subject;
    this.path = [];
    this.ask(words);
  }

  take(key) {
    this.path = this.chosen.complete([...this.path, key]);
    const fitting = this.chosen.fitting(this.path);
    if (fitting.length === 1) this.give(fitting[0]);
    else this.ask();
  }

  give(order) {
    const { location, minor, select } = this.chosen;
    this.clear();
    const given = minor ? this.sheet.bid(location, order.value) : this.sheet.order(select, order.value);
    if (given === false) this.select(null, "There is no room for another bid. Take one away first.");
    else if (minor) this.select(this.chosen, this.bidNow());
    else this.select(null, `${order.label}.`);
  }

  /** What is bid for the minor that is chosen, and how many points are left. */
  bidNow() {
    const points = this.sheet.bidOn(this.chosen.location).querySelector("[data-bid-points]").value || 0;
    const left = this.sheet.left();
    const rest = { 0: "No points are left.", 1: "1 point is left." }[left] ?? `${left} points are left.`;
    return `Bid of ${points}: ${this.given}. ${left < 0 ? `${-left} too many.` : rest}`;
  }

  takeBack() {
    const { label, location, minor, select } = this.chosen;
    this.clear();
    if (minor) this.sheet.clear(this.sheet.bidOn(location));
    else this.sheet.order(select, "");
    this.select(null, `${label}: taken back.`);
  }

  /** Before anything else is changed: a button that goes while it has the focus lets the whole page be laid out. */
  clear() {
    this.menu.replaceChildren();
  }

  get given() {
    const { chosen } = this;
    const select = chosen.minor ? this.sheet.bidOn(chosen.location)?.querySelector("select[data-orders]") : chosen.select;
    return select?.value ? select.selectedOptions[0].label : "";
  }

  /** What comes next: buttons, places, or what still tells the orders apart that are left. All is written before the
   *  menu is measured, so that the page is laid out once. */
  ask(words) {
    this.targets = new Set();
    this.clear();
    this.menu.hidden = !this.chosen;
    if (this.chosen) {
      const fitting = this.chosen.fitting(this.path);
      const next = fitting.map((order) => order.steps[this.path.length]);
      this.targets = new Set(next.filter((step) => step?.at).map((step) => step.at));
      const texts = [...new Set(next.filter((step) => step?.say).map((step) => step.say))];
      const ends = fitting.filter((order) => order.steps.length === this.path.length);
      this.fillMenu(texts, ends);
    }
    this.tell(words ?? (this.chosen ? this.title() : ""));
    this.mark();
    this.putMenu();
  }

  fillMenu(texts, ends) {
    const { chosen, menu } = this;
    menu.setAttribute("aria-label", chosen.label);
    menu.classList.toggle("is-hint", this.targets.size > 0);
    this.isCoast = this.path.some(isPlace) && ends.length > 1 && ends.every((order) => order.label.includes("/"));
    const goal = (order) => (this.isCoast ? order.label.replace(/^.*–/, "") : order.label);
    const title = Object.assign(document.createElement("p"), { className: "map-menu__title", textContent: this.title() });
    const buttons = [
      ...texts.map((text) => button(text, () => this.take(text))),
      ...ends.map((order) => button(goal(order), () => this.give(order))),
    ];
    for (const each of buttons) each.dataset.choice = each.textContent;
    menu.append(title, ...(chosen.minor && !this.path.length ? this.pointButtons() : []), ...buttons);
    if (this.path.length) menu.append(button("Back", () => this.select(chosen), "button--quiet"));
    else if (this.given) menu.append(button("Take back", () => this.takeBack(), "button--danger"));
    const close = button("×", () => this.select(null), "button--quiet map-menu__close");
    close.setAttribute("aria-label", "Close");
    menu.append(close);
  }

  title() {
    if (!this.path.length) return this.beginning();
    const heading = this.path.find((key) => ASK[key]);
    const places = this.path.filter(isPlace).length;
    const question = [ASK[heading] ?? "Which?"].flat()[places] ?? (this.isCoast ? "To which coast?" : "Which?");
    return `${heading ?? this.chosen.label}: ${this.targets.size ? `${question.toLowerCase().replace("?", "")}? Tap a lit space.` : question.toLowerCase()}`;
  }

  beginning() {
    const { chosen, given } = this;
    if (chosen.minor) return given ? `Bid for ${given}` : `${chosen.label}: bid for which order?`;
    return given ? `${chosen.label}: ${given}` : chosen.label;
  }

  /** Points with + and −, once there is a bid. */
  pointButtons() {
    const row = this.sheet.bidOn(this.chosen.location);
    if (!row) return [];
    const change = (by) => () => {
      this.clear();
      this.sheet.addPoints(row, by);
      this.ask(this.bidNow());
    };
    const points = Object.assign(document.createElement("span"), { className: "map-menu__points" });
    const count = Object.assign(document.createElement("b"), { textContent: row.querySelector("[data-bid-points]").value || "0" });
    const [less, more] = [button("−", change(-1)), button("+", change(1))];
    less.setAttribute("aria-label", "One point less for it");
    more.setAttribute("aria-label", "One point more for it");
    const left = Object.assign(document.createElement("small"), { textContent: `${this.sheet.left()} left` });
    less.disabled = Number(count.textContent) < 1;
    more.disabled = this.sheet.left() < 1;
    points.append(less, count, more, left);
    return [points];
  }

  // -- what is seen

  /** The ground itself never changes: to paint it again takes longer than a tap may. */
  mark() {
    this.lit.replaceChildren(...[...this.targets].flatMap((province) => this.copies(province)));
    this.under.replaceChildren();
    const rings = [...this.targets].map((province) => this.ring(province, "target"));
    if (this.chosen) rings.push(...[this.chosen.location, ...this.taken].map((location) => this.ring(location, "asked")));
    else rings.push(...this.openSites().map((location) => this.ring(location, "target")));
    this.marks.replaceChildren(...rings);
  }

  /** Where a unit may come, and none has been chosen: nothing that stands there says so. */
  openSites() {
    const own = [...this.subjects.values()].filter(({ select }) => select && !select.value);
    return own.map(({ location }) => location).filter((location) => !this.scene.unitAt(location));
  }

  copies(province) {
    return (this.shapes.get(province) ?? []).map((shape) => {
      const made = document.createElementNS(SVG, "path");
      made.setAttribute("d", shape.getAttribute("d"));
      return made;
    });
  }

  ring(location, style) {
    const { x, y } = this.scene.start({ unit: location, leaves: style === "asked" });
    const made = document.createElementNS(SVG, "circle");
    for (const [name, value] of Object.entries({ class: style, cx: x, cy: y, r: style === "asked" ? 21 : 12 })) made.setAttribute(name, value);
    return made;
  }

  /** The places that were tapped on the way to an order. */
  get taken() {
    return this.path.filter(isPlace).map((key) => key.slice(1)).filter((place) => this.scene.places.has(place));
  }

  /** At the foot of the map, or at its head where that hides fewer of the spaces that are asked for. */
  putHint(asked) {
    const { menu, view } = this;
    const [frame, matrix] = [view.getBoundingClientRect(), this.map.getScreenCTM()];
    const places = [...asked].filter((province) => this.scene.places.has(province));
    const heights = places.map((province) => this.onScreen(province, matrix).y - frame.y);
    const hidden = (from, to) => heights.filter((y) => y > from && y < to).length;
    const size = menu.offsetHeight + HINT_GAP;
    const head = (view.parentElement.querySelector(".zoom-bar")?.offsetHeight ?? 0) + HINT_GAP;
    if (hidden(head - NEAR, head + size) >= hidden(frame.height - size - NEAR, frame.height)) return;
    menu.style.insetBlockStart = `${head}px`;
    menu.style.insetBlockEnd = "auto";
  }

  /** Beside the unit, and inside the map. */
  putMenu() {
    const { menu } = this;
    if (!this.chosen || menu.hidden) return;
    menu.style.insetInlineStart = "";
    menu.style.insetBlockStart = "";
    menu.style.insetBlockEnd = "";
    if (menu.classList.contains("is-hint")) return this.putHint(this.targets);
    const frame = this.view.getBoundingClientRect();
    const at = this.onScreen(this.chosen.location);
    const [width, height] = [menu.offsetWidth, menu.offsetHeight];
    const room = (value, size, whole) => Math.max(4, Math.min(value, whole - size - 4));
    if (this.taken.length) {
      menu.style.insetInlineStart = `${room((frame.width - width) / 2, width, frame.width)}px`;
      menu.style.insetBlockEnd = `${HINT_GAP}px`;
      return this.putHint([this.chosen.location, ...this.taken]);
    }
    const below = at.y - frame.y + 28;
    const top = below + height <= frame.height ? below : at.y - frame.y - height - 28;
    menu.style.insetInlineStart = `${room(at.x - frame.x - width / 2, width, frame.width)}px`;
    menu.style.insetBlockStart = `${room(top, height, Math.max(frame.height, height + 8))}px`;
  }

  // -- in step with the form

  get isBehind() {
    return JSON.stringify(this.sheet.state) !== JSON.stringify(this.now);
  }

  follow() {
    const state = this.sheet.state;
    if (!this.isUndoing && this.isBehind) this.past = [...this.past.slice(-MOST_UNDONE), this.now];
    this.now = state;
    this.undoing.disabled = !this.past.length;
    this.scene.draw([...this.drawnOrders()]);
    if (!this.chosen) this.mark();
    const drawn = document.querySelector("[data-drawn]");
    if (drawn) drawn.textContent = "Drawn as chosen here, not saved yet.";
  }

  *drawnOrders() {
    const leaves = this.map.querySelector(".unit.dislodged") !== null;
    const all = [
      ...[...this.sheet.form.querySelectorAll("[data-row] select[data-orders]")].map((select) => [select, 0]),
      ...this.sheet.bids.map((row) => [row.querySelector("select[data-orders]"), Number(row.querySelector("[data-bid-points]").value) || 0]),
    ];
    for (const [select, points] of all) {
      const order = select.value && read(select.value);
      if (!order) continue;
      const kind = leaves && order.kind === "move" ? "retreat" : order.kind;
      const label = select.selectedOptions[0].label;
      yield { ...order, kind, leaves, points, title: points ? `Bid of ${points}: ${label}` : label };
    }
  }

  undo() {
    const before = this.past.pop();
    if (!before) return;
    this.isUndoing = true;
    this.sheet.state = before;
    this.isUndoing = false;
    this.select(null, "Undone.");
  }
}
