// Orders given on the map: tap a unit, then what it does, then where. Everything ends up in the selects of the form,
// which hold every lawful order; the map asks only for what they leave open.

import { amount, arrowFor, provinceOf, readPlaces, Scene } from "./arrows.js";
import { all, around, find, make, svg, targetOf, the } from "./dom.js";
import { labelOf, offersOf } from "./form.js";
import { Menu, NEAR } from "./menu.js";
import { complete, endsOf, fitting, nextSteps, placesIn, question, stepTo, waysOnMap, wordsIn } from "./ways.js";

/**
 * @import { Point, Tag } from "./arrows.js"
 * @import { Bid, OrderForm } from "./form.js"
 * @import { Offer, Way } from "./ways.js"
 */

/**
 * What the map asks of a form: to take orders, and to say what is chosen.
 *
 * @typedef {OrderForm & {
 *   state: unknown,
 *   order(select: HTMLSelectElement, value: string): void,
 *   bid(minor: string, order: string): boolean,
 *   bidOn(minor: string): Bid | undefined,
 *   addPoints(bid: Bid, more: number): void,
 *   clear(bid: Bid): void,
 *   left(): number,
 * }} Orders
 */

const PLACES = ".unit, [data-province]";
const MOST_UNDONE = 100;

/** @param {SVGElement} part */
const placeOf = ({ dataset }) => provinceOf(dataset.unit ?? dataset.province ?? "");

/** @param {Element} part */
const placeAround = (part) => {
  const place = around(SVGElement, PLACES, part);
  return place && placeOf(place);
};

/** @param {SVGSVGElement} map */
function sceneOf(map, places = readPlaces(map.dataset.places ?? "")) {
  const tokens = all(SVGElement, ".unit:not(.placed)", map).map(({ classList, dataset: { unit = "", colour = "" } }) => ({
    location: unit,
    colour,
    dislodged: classList.contains("dislodged"),
  }));
  return new Scene(places, tokens, (province) => find(SVGElement, `[data-province="${province}"]`, map)?.dataset.colour);
}

/** A unit, a place or a minor that can be ordered, and its possible orders: `offers` lists them, and is read once, when
 *  it is first needed. */
class Subject {
  /** @param {string} location @param {string} label
   *  @param {HTMLSelectElement | null} select its own; a minor has none before there is a bid
   *  @param {() => Offer[]} offers */
  constructor(location, label, select, offers) {
    this.location = location;
    this.label = label;
    this.select = select;
    this.offers = offers;
    /** @type {Way[] | null} */
    this.known = null;
  }

  get ways() {
    this.known ??= waysOnMap(this.offers());
    return this.known;
  }
}

/** @param {string} text @param {() => void} act @param {string | null} ariaLabel */
function button(text, act, style = "", ariaLabel = null) {
  const made = make("button", { type: "button", className: `button ${style}`, textContent: text, ariaLabel });
  made.addEventListener("click", act);
  return made;
}

export class MapEntry {
  /** @param {Orders} sheet @param {HTMLElement} view */
  constructor(sheet, view) {
    this.sheet = sheet;
    this.view = view;
    this.map = the(SVGSVGElement, ".board", view);
    this.scene = sceneOf(this.map);
    /** @type {Subject | null} */
    this.chosen = null;
    /** @type {unknown[]} */
    this.past = [];
    /** @type {string[]} */
    this.path = [];
    /** @type {Set<string>} */
    this.targets = new Set();
    this.now = sheet.state;
    this.isUndoing = false;
    this.ended = new AbortController();
    this.subjects = new Map(this.allSubjects().reverse().map((subject) => [provinceOf(subject.location), subject]));
    this.menu = new Menu(view);
    this.marks = svg(["g", { class: "marks" }]);
    this.under = svg(["g", { class: "is-over" }]);
    this.lit = svg(["g", { class: "is-target" }]);
    this.told = make("p", { className: "small soft", role: "status" });
    this.undoing = button("Undo", () => this.undo());
    this.bar = make("div", { className: "entry-bar" }, this.told, this.undoing);
    this.build();
    this.listen();
    if (sheet.form.querySelector("[data-draft]")) this.follow();
  }

  listen() {
    const { view, sheet } = this;
    const { signal } = this.ended;
    view.addEventListener("click", (event) => this.tapped(event), { signal });
    view.addEventListener("pointerover", (event) => this.pointed(event), { signal });
    view.addEventListener("pointerleave", () => this.under.replaceChildren(), { signal });
    view.addEventListener("moved", () => this.putMenu(), { signal });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.select(null), { signal });
    for (const sign of ["given", "written"]) sheet.form.addEventListener(sign, () => this.isBehind && this.follow(), { signal });
    view.classList.add("takes-orders");
  }

  stop() {
    this.ended.abort();
    this.select(null);
    for (const part of [this.menu.box, this.bar, this.marks, this.lit, this.under]) part.remove();
  }

  build() {
    /** @type {Map<string, SVGElement[]>} */
    this.shapes = new Map();
    for (const shape of all(SVGElement, ".ground [data-province]", this.map)) {
      this.shapes.set(placeOf(shape), [...(this.shapes.get(placeOf(shape)) ?? []), shape]);
    }
    this.map.append(this.marks);
    const ground = the(SVGElement, ".ground", this.map);
    for (const layer of [this.under, this.lit]) layer.setAttribute("transform", ground.getAttribute("transform") ?? "");
    ground.after(this.lit, this.under);
    this.undoing.disabled = true;
    if (this.sheet.form.id === "sheet") this.bar.append(this.saving());
    this.view.closest(".plate")?.after(this.bar);
    this.tell("");
    this.mark();
  }

  saving() {
    const textContent = "practice" in this.sheet.form.dataset ? "Show result" : "Save orders";
    const save = make("button", { className: "button button--main", textContent, name: "use", value: "controls" });
    save.setAttribute("form", "sheet");
    return save;
  }

  /** @param {string} words */
  tell(words) {
    const minors = Object.keys(this.sheet.minorOrders).length ? ", or a minor power’s unit to bid for its order" : "";
    this.told.textContent = words || `${this.sheet.form.dataset.tap ?? "Tap one of your units to give it an order"}${minors}.`;
  }

  /** All that can be tapped; its own units come before the minors. */
  allSubjects() {
    const own = this.sheet.selects.map((select) => this.ownSubject(select));
    const minors = Object.entries(this.sheet.minorOrders).map(([location, listed]) => {
      const offers = () => listed.map(([value, label, heading]) => ({ value, label, heading }));
      return new Subject(location, this.minorLabel(location), null, offers);
    });
    return [...own, ...minors].filter((subject) => this.scene.places.has(subject.location));
  }

  /** @param {HTMLSelectElement} select */
  ownSubject(select) {
    const label = this.sheet.form.querySelector(`label[for="${select.id}"], label[for="${select.id}-pick"]`);
    const offers = () => offersOf(select).filter(({ heading }) => heading || "oneList" in select.dataset);
    return new Subject(select.name.replace(/^.*order-/, ""), label?.textContent ?? "", select, offers);
  }

  /** @param {string} location */
  minorLabel(location) {
    return find(HTMLOptionElement, `[data-minor] option[value="${location}"]`, this.sheet.form)?.label ?? location;
  }

  // -- taps

  /** @param {MouseEvent} event */
  tapped(event) {
    if (this.sheet.form.closest("details:not([open])")) return;
    const province = this.provinceAt(event, this.wanted());
    if (this.chosen && this.targets.has(province)) this.take(this.chosen, stepTo(province));
    else this.select(this.subjects.get(province) ?? null);
  }

  /** Under the mouse the map shows what a click would mean.
   *  @param {PointerEvent} event */
  pointed(event) {
    const province = event.pointerType === "mouse" && placeAround(targetOf(event));
    this.under.replaceChildren(...(province && this.wanted().includes(province) ? this.copies(province) : []));
  }

  /** Provinces that a tap can mean now. */
  wanted() {
    return [...(this.chosen && this.targets.size ? this.targets : this.subjects).keys()];
  }

  /** @param {MouseEvent} event @param {string[]} wanted */
  provinceAt(event, wanted) {
    const top = placeAround(targetOf(event));
    if (top && wanted.includes(top)) return top;
    const hit = document.elementsFromPoint(event.clientX, event.clientY).flatMap((part) => placeAround(part) ?? []);
    return hit.find((province) => wanted.includes(province)) ?? this.nearest(event, wanted) ?? hit[0] ?? "";
  }

  /** A finger is thicker than many a province.
   *  @param {MouseEvent} event @param {string[]} wanted */
  nearest({ clientX, clientY }, wanted) {
    const screen = this.map.getScreenCTM();
    const near = wanted.filter((province) => this.scene.places.has(province)).map((province) => {
      const at = this.onScreen(province, screen);
      return { province, away: Math.hypot(at.x - clientX, at.y - clientY) };
    });
    const [first] = near.sort((one, other) => one.away - other.away);
    return first && first.away <= NEAR ? first.province : undefined;
  }

  /** @param {string} location */
  onScreen(location, screen = this.map.getScreenCTM()) {
    const { x, y } = this.scene.place(location);
    return new DOMPoint(x, y).matrixTransform(screen ?? undefined);
  }

  // -- one order, step by step

  /** @param {Subject | null} subject @param {string} [words] */
  select(subject, words) {
    this.chosen = subject;
    this.path = [];
    this.ask(words);
  }

  /** @param {Subject} subject @param {string} step */
  take(subject, step) {
    this.path = complete(subject.ways, [...this.path, step]);
    const [only, ...others] = fitting(subject.ways, this.path);
    if (only && !others.length) this.give(subject, only);
    else this.ask();
  }

  /** @param {Subject} subject @param {Way} way */
  give(subject, { value, label }) {
    this.menu.clear();
    if (subject.select) {
      this.sheet.order(subject.select, value);
      this.select(null, `${label}.`);
    } else if (this.sheet.bid(subject.location, value)) this.select(subject, this.bidNow(subject));
    else this.select(null, "There is no room for another bid. Remove one first.");
  }

  /** The bid for a minor, and how many points are left.
   *  @param {Subject} subject */
  bidNow(subject) {
    const left = this.sheet.left();
    const rest = left ? `${amount(left)} left.` : "No points left.";
    const bid = amount(Number(this.sheet.bidOn(subject.location)?.points.value) || 0);
    return `Bid of ${bid}: ${this.given(subject)}. ${left < 0 ? `That is ${amount(-left)} too many.` : rest}`;
  }

  /** @param {Subject} subject */
  takeBack({ label, location, select }) {
    this.menu.clear();
    const bid = this.sheet.bidOn(location);
    if (select) this.sheet.order(select, "");
    else if (bid) this.sheet.clear(bid);
    this.select(null, `${label}: ${select ? "order" : "bid"} removed.`);
  }

  /** The order that is chosen now, in words.
   *  @param {Subject} subject */
  given({ location, select }) {
    const now = select ?? this.sheet.bidOn(location)?.order;
    return now ? labelOf(now) : "";
  }

  /** What to choose next: buttons, places, or whatever still distinguishes the remaining orders. All of it is written
   *  before the menu is measured, so that the page is laid out only once.
   *  @param {string} [words] */
  ask(words) {
    const { chosen, menu, path } = this;
    menu.clear();
    menu.box.hidden = !chosen;
    const next = chosen ? nextSteps(chosen.ways, path) : [];
    this.targets = new Set(placesIn(next));
    const title = chosen ? this.fillMenu(chosen, wordsIn(next)) : "";
    this.tell(words ?? title);
    this.mark();
    this.putMenu();
  }

  /** @param {Subject} chosen @param {string[]} words */
  fillMenu(chosen, words) {
    const { path, targets } = this;
    const { ends, isCoast } = endsOf(chosen.ways, path);
    const title = path.length ? question(path, chosen.label, targets.size > 0, isCoast) : this.beginning(chosen);
    const choices = [
      ...words.map((text) => button(text, () => this.take(chosen, text))),
      ...ends.map((way) => button(isCoast ? way.label.replace(/^.*–/, "") : way.label, () => this.give(chosen, way))),
    ];
    for (const each of choices) each.dataset.choice = each.textContent ?? "";
    this.menu.fill(chosen.label, targets.size > 0, [
      make("p", { className: "map-menu__title", textContent: title }),
      ...(path.length ? [] : this.pointButtons(chosen)),
      ...choices,
      ...this.buttonsBack(chosen),
      button("×", () => this.select(null), "button--quiet map-menu__close", "Close"),
    ]);
    return title;
  }

  /** @param {Subject} chosen */
  beginning(chosen) {
    const given = this.given(chosen);
    if (!chosen.select) return given ? `Bid for ${given}` : `${chosen.label}: which order do you bid for?`;
    return given ? `${chosen.label}: ${given}` : chosen.label;
  }

  /** @param {Subject} chosen */
  buttonsBack(chosen) {
    if (this.path.length) return [button("Back", () => this.select(chosen), "button--quiet")];
    return this.given(chosen) ? [button(chosen.select ? "Remove order" : "Remove bid", () => this.takeBack(chosen), "button--danger")] : [];
  }

  /** The points, with + and −, once there is a bid.
   *  @param {Subject} subject */
  pointButtons(subject) {
    const bid = subject.select ? null : this.sheet.bidOn(subject.location);
    if (!bid) return [];
    /** @param {number} by */
    const change = (by) => () => {
      this.menu.clear();
      this.sheet.addPoints(bid, by);
      this.ask(this.bidNow(subject));
    };
    const left = this.sheet.left();
    const less = button("−", change(-1), "", "One point less");
    const more = button("+", change(1), "", "One point more");
    less.disabled = Number(bid.points.value) < 1;
    more.disabled = left < 1;
    const count = make("b", { textContent: bid.points.value || "0" });
    return [make("span", { className: "map-menu__points" }, less, count, more, make("small", { textContent: `${left} left` }))];
  }

  // -- what the map shows

  /** The ground itself never changes: to paint it again takes longer than a tap may. */
  mark() {
    const targets = [...this.targets];
    this.lit.replaceChildren(...targets.flatMap((province) => this.copies(province)));
    this.under.replaceChildren();
    const open = this.chosen ? [] : this.openSites();
    const asked = this.chosen ? [this.chosen.location, ...this.taken] : [];
    this.marks.replaceChildren(
      ...[...targets, ...open].map((location) => this.ring("target", this.scene.place(location), 12)),
      ...asked.map((location) => this.ring("asked", this.scene.start(location, true), 21)),
    );
  }

  /** Where a unit may come, and none has been chosen: nothing that stands there says so. */
  openSites() {
    const own = [...this.subjects.values()].filter(({ select }) => select && !select.value);
    return own.map(({ location }) => location).filter((location) => !this.scene.tokensAt(location).length);
  }

  /** @param {string} province */
  copies(province) {
    return (this.shapes?.get(province) ?? []).map((shape) => svg(["path", { d: shape.getAttribute("d") ?? "" }]));
  }

  /** @param {string} style @param {Point} place @param {number} r */
  ring(style, { x, y }, r) {
    return svg(["circle", { class: style, cx: x, cy: y, r }]);
  }

  /** The places that were tapped on the way to an order. */
  get taken() {
    return placesIn(this.path).filter((place) => this.scene.places.has(place));
  }

  putMenu() {
    const { chosen, menu, taken, targets, view } = this;
    if (!chosen) return;
    const frame = view.getBoundingClientRect();
    const screen = this.map.getScreenCTM();
    /** @param {string[]} locations */
    const inView = (locations) => locations.filter((location) => this.scene.places.has(location)).map((location) => {
      const { x, y } = this.onScreen(location, screen);
      return { x: x - frame.x, y: y - frame.y };
    });
    const [unit] = inView([chosen.location]);
    if (targets.size) menu.putAtEdge(inView([...targets]));
    else if (taken.length) menu.putAtEdge(inView([chosen.location, ...taken]));
    else if (unit) menu.putBeside(unit);
  }

  // -- in step with the form

  get isBehind() {
    return JSON.stringify(this.sheet.state) !== JSON.stringify(this.now);
  }

  follow() {
    const { state } = this.sheet;
    if (!this.isUndoing && this.isBehind) this.past = [...this.past.slice(-MOST_UNDONE), this.now];
    this.now = state;
    this.undoing.disabled = !this.past.length;
    this.scene = sceneOf(this.map, this.scene.places);
    this.draw();
    if (!this.chosen) this.mark();
    const drawn = find(HTMLElement, "[data-drawn]");
    if (drawn) drawn.textContent = "The map shows the orders below, which are not saved.";
  }

  /** Draws the orders chosen now in place of the earlier ones. */
  draw() {
    const { isRetreat } = this.scene;
    const arrows = [
      ...this.sheet.selects.map((select) => arrowFor(select.value, labelOf(select), 0, isRetreat)),
      ...this.sheet.bids.map(({ order, points }) => arrowFor(order.value, labelOf(order), Number(points.value) || 0, isRetreat)),
    ];
    const { orders, units, verdicts } = this.scene.draw(arrows.flatMap((arrow) => arrow ?? []));
    the(SVGElement, ".orders", this.map).replaceChildren(...orders.map(svg));
    the(SVGElement, ".verdicts", this.map).replaceChildren(...verdicts.map(svg));
    for (const token of all(SVGElement, ".unit.placed", this.map)) token.remove();
    the(SVGElement, ".units", this.map).append(...units.map(svg));
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
