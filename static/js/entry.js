// Orders given on the map: tap a unit, then where it goes; whatever else it may do is a button below the map. All of it
// ends up in the selects of the form, and the map asks only for what they leave open.

import { arrowFor, provinceOf, read, readPlaces, Scene } from "./arrows.js";
import { zoomOf } from "./board.js";
import { all, around, button, find, make, svg, targetOf, the } from "./dom.js";
import { labelOf, offersOf } from "./form.js";
import { coastOf, complete, contradicts, convoying, endsOf, fitting, helping, needsConvoy, nextSteps, placesIn, question, stepTo, VIA } from "./ways.js";
import { waysOnMap, wordsIn } from "./ways.js";
import { counted, said } from "./words.js";

const PLACES = ".unit, [data-province]";
const MOST_UNDONE = 100;
const ADJUSTED = /^(BUILD|DISBAND) /;
const NEAR = 26;             // a tap within so many pixels means a place that can be chosen

/** @param {Way} way */
const isHold = ({ value, path }) => path.length === 1 && read(value)?.kind === "hold";

/** @param {SVGElement} part */
const placeOf = ({ dataset }) => provinceOf(dataset.unit ?? dataset.province ?? "");

/** @param {Element} part */
const placeAround = (part) => {
  const place = around(SVGElement, PLACES, part);
  return place && placeOf(place);
};

/** The places there, the topmost first, down to the ground: what lies beneath that is the edge of another.
 *  @param {MouseEvent} event */
function placesAt({ clientX, clientY }) {
  const parts = document.elementsFromPoint(clientX, clientY);
  const ground = parts.findIndex((part) => part.matches("[data-province]"));
  return parts.slice(0, ground + 1 || undefined).flatMap((part) => placeAround(part) ?? []);
}

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
   *  @param {() => Offer[]} offers @param {MapEntry} entry */
  constructor(location, label, select, offers, entry) {
    this.location = location;
    this.label = label;
    this.select = select;
    this.offers = offers;
    this.entry = entry;
    /** @type {Way[] | null} */
    this.known = null;
  }

  get ways() {
    this.known ??= waysOnMap(this.offers(), (province) => this.entry.scene.tokensAt(province).length > 0);
    return this.known;
  }

  /** A tap on a unit that may be removed says all. */
  get removal() {
    const [only] = this.select?.value === "" ? this.ways : [];
    return only?.value.startsWith("DISBAND ") ? only : undefined;
  }
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
    this.marks = svg(["g", { class: "marks" }]);
    this.under = svg(["g", { class: "is-over" }]);
    this.lit = svg(["g", { class: "is-target" }]);
    this.told = make("p", { className: "small", role: "status" });
    this.undoing = button(said("Undo"), () => this.undo(), "button--quiet");
    this.tools = make("div", { className: "entry-bar__tools" }, this.undoing);
    this.choices = make("div", { className: "entry-choices", role: "group", hidden: true });
    this.bar = make("div", { className: "entry-bar" }, this.told, this.tools, this.choices);
    this.build();
    this.listen();
    if ("unsaved" in sheet.form.dataset) this.follow();
  }

  /** @param {MapEntry} old of the form that this one replaces */
  resume({ chosen, now, past, path }) {
    Object.assign(this, { now, past, path, chosen: chosen && this.subjects.get(provinceOf(chosen.location)) });
    this.follow();
    if (this.chosen) this.ask();
  }

  listen() {
    const { view, sheet } = this;
    const { signal } = this.ended;
    view.addEventListener("click", (event) => this.tapped(event), { signal });
    view.addEventListener("pointerover", (event) => this.pointed(event), { signal });
    view.addEventListener("pointerleave", () => this.under.replaceChildren(), { signal });
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.select(null), { signal });
    for (const sign of ["given", "written"]) sheet.form.addEventListener(sign, () => this.isBehind && this.follow(), { signal });
    view.classList.add("takes-orders");
  }

  stop() {
    this.ended.abort();
    for (const part of [this.bar, this.marks, this.lit, this.under]) part.remove();
  }

  build() {
    this.map.append(this.marks);
    const ground = the(SVGElement, ".ground", this.map);
    for (const layer of [this.under, this.lit]) layer.setAttribute("transform", ground.getAttribute("transform") ?? "");
    ground.after(this.lit, this.under);
    this.undoing.disabled = true;
    this.putBar();
    this.tell("");
    this.mark();
  }

  /** Beside the button that saves or shows the result. */
  putBar() {
    const dock = find(HTMLElement, "[data-dock]");
    if (dock) dock.prepend(this.bar);
    else this.view.closest(".plate")?.after(this.bar);
  }

  /** @param {string} words */
  tell(words) {
    this.told.textContent = words || (this.sheet.form.dataset.tap ?? "");
  }

  /** All that can be tapped; its own units come before the minors. */
  allSubjects() {
    const own = this.sheet.selects.map((select) => this.ownSubject(select));
    const minors = Object.entries(this.sheet.minorOrders).map(([location, listed]) => {
      const offers = () => listed.map(([value, label, heading]) => ({ value, label, heading }));
      return new Subject(location, this.minorLabel(location), null, offers, this);
    });
    return [...own, ...minors].filter((subject) => this.scene.places.has(subject.location));
  }

  /** @param {HTMLSelectElement} select */
  ownSubject(select) {
    const label = this.sheet.form.querySelector(`label[for="${select.id}"], label[for="${select.id}-pick"]`);
    const offers = () => offersOf(select).filter(({ heading }) => heading || "oneList" in select.dataset);
    return new Subject(select.name.replace(/^.*order-/, ""), label?.textContent ?? "", select, offers, this);
  }

  /** @param {string} location */
  minorLabel(location) {
    return find(HTMLOptionElement, `[data-minor] option[value="${location}"]`, this.sheet.form)?.label ?? location;
  }

  // -- taps

  /** @param {MouseEvent} event */
  tapped(event) {
    const { chosen, path } = this;
    if (this.sheet.form.closest("details:not([open])")) return;
    const province = this.provinceAt(event, this.wanted());
    if (chosen && this.targets.has(province)) this.take(chosen, stepTo(province));
    else if (chosen && path.length && this.targets.size) this.refuse(chosen, province);
    else this.tappedElse(province);
  }

  /** @param {string} province */
  tappedElse(province) {
    const subject = this.subjects.get(province);
    if (subject && subject === this.chosen) this.tappedAgain(subject);
    else if (subject) this.choose(subject);
    else this.explain(province);
  }

  /** Another unit; of a minor where the chosen one cannot go, that is said first.
   *  @param {Subject} subject */
  choose(subject) {
    const { chosen } = this;
    if (subject.removal && (this.needed === 1 || !this.isFull)) {
      this.give(subject, subject.removal);
      return;
    }
    this.select(subject);
    if (chosen?.select && !subject.select) this.tell([said("{unit} can’t go there.", { unit: chosen.label }), this.told.textContent].join(" "));
  }

  /** A unit of one's own without an order holds; any other is let go.
   *  @param {Subject} chosen */
  tappedAgain(chosen) {
    const hold = chosen.select && !chosen.select.value && chosen.ways.find(isHold);
    if (hold) this.give(chosen, hold);
    else this.select(null);
  }

  /** Nothing is made of a place that was not asked for.
   *  @param {Subject} chosen @param {string} province */
  refuse(chosen, province) {
    const place = this.nameOf(province);
    if (place) this.tell([said("{place} can’t be chosen.", { place }), this.question(chosen)].join(" "));
  }

  /** Where the chosen unit cannot go: the name of the place, and why.
   *  @param {string} province */
  async explain(province) {
    const { chosen } = this;
    const name = this.nameOf(province);
    if (!name) return;
    if (chosen?.ways.some(({ value }) => ADJUSTED.test(value))) {
      this.refuse(chosen, province);
      return;
    }
    this.tell(`${name}.`);
    const why = chosen && await this.whyNotTo(chosen, province);
    if (why && this.chosen === chosen) this.tell(why.includes(name) ? why : `${name}: ${why}`);
  }

  /** @param {Subject} chosen @param {string} province */
  whyNotTo(chosen, province) {
    const form = this.path.length ? "" : read(chosen.ways[0]?.value ?? "")?.form;
    return form ? this.sheet.whyNot(`${form} - ${province}`, chosen.select === null) : "";
  }

  /** @param {string} province */
  nameOf(province) {
    return find(SVGElement, `.ground [data-province="${province}"] title`, this.map)?.textContent ?? "";
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

  /** A unit that is tapped itself is meant.
   *  @param {MouseEvent} event @param {string[]} wanted */
  provinceAt(event, wanted) {
    const target = targetOf(event);
    const top = placeAround(target);
    const isMeant = target.closest(".unit") && (this.chosen || (top && this.subjects.has(top)));
    if (top && (isMeant || wanted.includes(top))) return top;
    return this.placeNear(event, wanted);
  }

  /** @param {MouseEvent} event @param {string[]} wanted */
  placeNear(event, wanted) {
    const hit = placesAt(event);
    return hit.find((province) => wanted.includes(province)) ?? this.nearest(event, wanted) ?? hit[0] ?? "";
  }

  /** A finger is thicker than many a province.
   *  @param {MouseEvent} event @param {string[]} wanted */
  nearest(event, wanted) {
    const zoom = zoomOf(this.view);
    const { x, y } = zoom.onMap(event);
    const near = wanted.filter((province) => this.scene.places.has(province)).map((province) => {
      const place = this.scene.place(province);
      return { province, away: Math.hypot(place.x - x, place.y - y) * zoom.drawn.pixels };
    });
    const [first] = near.sort((one, other) => one.away - other.away);
    return first && first.away <= NEAR ? first.province : undefined;
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
    const steps = [...this.path, step];
    const orderIn = (/** @type {string} */ province) => this.orderIn(province);
    this.path = complete(subject.ways, steps);
    const left = fitting(subject.ways, this.path);
    const helped = placesIn(this.path).length ? helping(left, orderIn) : undefined;
    const meant = left.length === 1 ? left[0] : helped;
    if (meant && meant.path.length > steps.length && contradicts(meant, orderIn)) {
      this.path = steps;
      this.ask(undefined, said("{order}? That unit has another order.", { order: meant.label }));
    } else if (meant) this.give(subject, meant);
    else this.ask();
  }

  /** The order that the unit there has on this sheet.
   *  @param {string} province */
  orderIn(province) {
    const subject = this.subjects.get(province);
    return (subject && this.controlOf(subject)?.value) ?? "";
  }

  /** The control that holds its order; a minor has none before there is a bid.
   *  @param {Subject} subject */
  controlOf({ location, select }) {
    return select ?? this.sheet.bidOn(location)?.order;
  }

  /** @param {Subject} subject @param {Way} way */
  give(subject, { value, label }) {
    this.choices.replaceChildren();
    if (subject.select) {
      this.sheet.order(subject.select, value);
      this.select(null, `${label}.`);
      if (value.endsWith(VIA)) this.offerFleets(value, label);
    } else if (this.sheet.bid(subject.location, value)) this.select(subject, this.bidNow(subject));
    else this.select(null, said("There is no room for another bid. Remove one first."));
  }

  /** The player's own fleets that could convoy this move and have other orders.
   *  @param {string} move @param {string} label */
  offerFleets(move, label) {
    const offers = [...this.subjects.values()].flatMap((fleet) => {
      const way = fleet.select && convoying(fleet.ways, move);
      if (!way || fleet.select?.value === way.value) return [];
      return button(way.label, () => {
        this.give(fleet, way);
        this.offerFleets(move, label);
      });
    });
    if (!offers.length) return;
    this.tell(said("{order}: which fleets convoy it?", { order: label }));
    this.choices.replaceChildren(...offers);
    this.choices.hidden = false;
    this.bar.classList.add("is-asking");
  }

  /** The bid for a minor, and how many points are left.
   *  @param {Subject} subject */
  bidNow(subject) {
    const points = Number(this.sheet.bidOn(subject.location)?.points.value) || 0;
    const bid = counted("Bid of {n} point: {order}.", "Bid of {n} points: {order}.", points, { order: this.given(subject) });
    return [bid, this.leftNow()].join(" ");
  }

  leftNow() {
    const left = this.sheet.left();
    if (left < 0) return counted("That is {n} point too many.", "That is {n} points too many.", -left);
    return left ? counted("{n} point left.", "{n} points left.", left) : said("No points left.");
  }

  /** @param {Subject} subject */
  takeBack({ label, location, select }) {
    this.choices.replaceChildren();
    const bid = this.sheet.bidOn(location);
    if (select) this.sheet.order(select, "");
    else if (bid) this.sheet.clear(bid);
    this.select(null, select ? said("{unit}: order removed.", { unit: label }) : said("{unit}: bid removed.", { unit: label }));
  }

  /** The order that is chosen now, in words.
   *  @param {Subject} subject */
  given(subject) {
    const now = this.controlOf(subject);
    return now ? labelOf(now) : "";
  }

  /** What to choose next: buttons, places, or whatever still distinguishes the remaining orders. A button that goes
   *  while it has the focus lets the whole page be laid out, so the old ones go first.
   *  @param {string} [words] said of what has just been given, in place of a question @param {string} [before] it */
  ask(words, before = "") {
    const { choices, chosen, path } = this;
    choices.replaceChildren();
    choices.hidden = !chosen;
    this.tools.replaceChildren(...(chosen ? this.waysBack(chosen) : [this.undoing]));
    this.bar.classList.toggle("is-asking", chosen !== null);
    const next = chosen && !words ? nextSteps(chosen.ways, path) : [];
    this.targets = new Set(placesIn(next));
    if (chosen) this.fillChoices(chosen, wordsIn(next));
    this.tell(words ?? [before, chosen ? this.question(chosen) : ""].join(" ").trim());
    this.mark();
  }

  /** @param {Subject} chosen @param {string[]} words */
  fillChoices(chosen, words) {
    const { ends, isCoast } = endsOf(chosen.ways, this.path);
    const choices = [
      ...words.map((text) => button(text, () => this.take(chosen, text))),
      ...ends.map((way) => button(isCoast ? coastOf(way.label) : way.label, () => this.give(chosen, way))),
    ];
    for (const each of choices) each.dataset.choice = each.textContent ?? "";
    this.choices.ariaLabel = chosen.label;
    this.choices.append(...(this.path.length ? [] : this.pointButtons(chosen)), ...choices);
  }

  /** @param {Subject} chosen */
  question(chosen) {
    if (this.path.length) return question(chosen.ways, this.path, chosen.label);
    const given = this.given(chosen);
    return given ? `${chosen.label}: ${given}.` : this.beginning(chosen);
  }

  /** @param {Subject} chosen */
  beginning({ label, select, ways }) {
    const unit = { unit: label };
    if (!this.targets.size) return select ? label : said("{unit}: which order do you bid for?", unit);
    const goes = said("{unit}: choose where it goes.", unit);
    if (!select) return said("{unit}: bid for a move by choosing its goal, or for another order.", unit);
    const begins = ways.some(isHold) ? said("{unit}: choose where it goes, or the unit again to hold.", unit) : goes;
    const isDotted = [...this.targets].some((target) => this.isBySea(target));
    return isDotted ? [begins, said("Where the ring is dotted it needs a convoy.")].join(" ") : begins;
  }

  /** @param {Subject} chosen */
  waysBack(chosen) {
    const close = button("×", () => this.select(null), "button--quiet button--square", said("Close"));
    if (this.path.length) return [button(said("Back"), () => this.select(chosen), "button--quiet"), close];
    const remove = button(said("Remove"), () => this.takeBack(chosen), "button--danger", chosen.select ? said("Remove order") : said("Remove bid"));
    return this.given(chosen) ? [remove, close] : [close];
  }

  /** The points, with + and −, once there is a bid.
   *  @param {Subject} subject */
  pointButtons(subject) {
    const bid = subject.select ? null : this.sheet.bidOn(subject.location);
    if (!bid) return [];
    /** @param {number} by */
    const change = (by) => () => {
      this.choices.replaceChildren();
      this.sheet.addPoints(bid, by);
      this.ask(this.bidNow(subject));
    };
    const left = this.sheet.left();
    const less = button("−", change(-1), "", said("One point less"));
    const more = button("+", change(1), "", said("One point more"));
    less.disabled = Number(bid.points.value) < 1;
    more.disabled = left < 1;
    const count = make("b", {}, bid.points.value || "0");
    return [make("span", { className: "entry-choices__points" }, less, count, more, make("small", {}, counted("{n} left", "{n} left", left)))];
  }

  // -- what the map shows

  /** To paint the ground again takes longer than a tap may. */
  mark() {
    const targets = [...this.targets];
    this.lit.replaceChildren(...targets.flatMap((province) => this.copies(province, this.isBySea(province) ? "by-sea" : "")));
    this.under.replaceChildren();
    const { open, idle } = this.withoutOrders();
    const asked = this.chosen ? [this.chosen.location, ...this.taken] : [];
    this.marks.replaceChildren(
      ...[...targets, ...open].map((place) => this.ring(this.isBySea(place) ? "target by-sea" : "target", this.scene.place(place), 12)),
      ...idle.map((location) => this.ring("idle", this.scene.start(location, true), 18)),
      ...asked.map((location) => this.ring("asked", this.scene.start(location, true), 21)),
    );
  }

  /** Until one is chosen, as long as more orders can be given: of the player's own places without one, those where another
   *  unit may come, and those where one stands. */
  withoutOrders() {
    const asks = !this.chosen && !this.isFull;
    const own = [...this.subjects.values()].filter(({ select }) => asks && select && !select.value).map(({ location }) => location);
    /** @param {string} location */
    const isEmpty = (location) => !this.scene.tokensAt(location).length;
    return { open: own.filter(isEmpty), idle: this.needed ? own.filter((location) => !isEmpty(location)) : [] };
  }

  get needed() {
    return Number(find(HTMLElement, "[data-count]")?.dataset.needed);
  }

  get isFull() {
    return this.sheet.selects.filter(({ value }) => value).length >= this.needed;
  }

  /** Whether the chosen unit comes there by convoy only.
   *  @param {string} place */
  isBySea(place) {
    return this.chosen !== null && this.targets.has(place) && needsConvoy(this.chosen.ways, this.path, stepTo(place));
  }

  /** @param {string} province @param {string} style */
  copies(province, style = "") {
    const shapes = all(SVGElement, `.ground [data-province="${province}"]`, this.map);
    return shapes.map((shape) => svg(["path", { class: style, d: shape.getAttribute("d") ?? "" }]));
  }

  /** @param {string} style @param {Point} place @param {number} r */
  ring(style, { x, y }, r) {
    return svg(["circle", { class: style, cx: x, cy: y, r }]);
  }

  /** The places that were tapped on the way to an order. */
  get taken() {
    return placesIn(this.path).filter((place) => this.scene.places.has(place));
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
    this.select(null, said("Undone."));
  }
}
