// Trying orders: those of every power, and bids that one thinks of, are given on the map as on the order page. The form
// works without this; the choices on the map and the lists and lines of the form stay in step.

import { MapEntry } from "./entry.js";

const BID = /^\s*(\d+)\s*:(.*)$/;
const plain = (order) => order.toLowerCase().replace(/\s*[-–—]\s*/g, "-").replace(/\s+/g, " ").trim();

/** Everybody's orders and bids, with what the map asks of a sheet. A typed bid has a hidden row that says the same. */
class Guesses {
  constructor(form) {
    this.form = form;
    this.use = document.querySelector("[data-use]");
    this.bidders = [...form.querySelectorAll("[data-side]")].filter((side) => Number(side.dataset.budget) && side.querySelector("[data-bids]"));
    [this.bidder] = this.bidders;
    const block = document.getElementById("minor-orders");
    this.minorOrders = block && this.bidder ? JSON.parse(block.textContent) : {};
    this.known = new Map();
    for (const [minor, options] of Object.entries(this.minorOrders)) {
      for (const [value, label] of options) for (const spelt of [value, label]) this.known.set(plain(spelt), [minor, value]);
    }
    for (const side of this.bidders) this.readBids(side);
    form.addEventListener("change", (event) => event.target.matches("[data-row] select") && this.changed());
    form.addEventListener("input", (event) => event.target.matches("[data-bids]") && this.typed(event.target));
  }

  get selects() {
    return [...this.form.querySelectorAll("[data-row] select[data-orders]")];
  }

  get bids() {
    return this.bidders.flatMap((side) => this.bidsOf(side));
  }

  bidsOf(side) {
    return [...side.querySelectorAll("[data-bid]")];
  }

  /** Chooses for a unit, a place or a minor; "" takes the order back. */
  order(select, value) {
    select.value = value;
    const side = select.closest("[data-side]");
    side.open = true;
    if (select.closest("[data-bid]")) this.writeBids(side);
    else this.changed();
  }

  /** The row of the bid for this minor by the power whose bids are given now. */
  bidOn(minor) {
    return this.bidsOf(this.bidder).find((each) => each.querySelector("[data-minor]").value === minor);
  }

  bid(minor, order) {
    const row = this.bidOn(minor) ?? this.addBid(this.bidder, minor, 1);
    this.order(row.querySelector("select[data-orders]"), order);
    return true;
  }

  addBid(side, minor, points, value = "") {
    side.append(document.getElementById("bid-row").content.cloneNode(true));
    const row = side.lastElementChild;
    const orders = row.querySelector("select[data-orders]");
    orders.append(new Option("", ""), ...this.minorOrders[minor].map(([order, label]) => new Option(label, order)));
    orders.value = value;
    row.querySelector("[data-minor]").value = minor;
    row.querySelector("[data-bid-points]").value = points;
    return row;
  }

  addPoints(row, more) {
    const points = row.querySelector("[data-bid-points]");
    points.value = Math.max(1, Number(points.value) + more);
    this.writeBids(row.closest("[data-side]"));
  }

  clear(row) {
    const side = row.closest("[data-side]");
    row.remove();
    this.writeBids(side);
  }

  left() {
    return this.bidsOf(this.bidder).reduce((left, row) => left - Number(row.querySelector("[data-bid-points]").value), Number(this.bidder.dataset.budget));
  }

  /** [points, minor, order] of a line that says a bid; undefined for any other. */
  bidIn(line) {
    const [, points, order] = line.match(BID) ?? [];
    const found = order && this.known.get(plain(order));
    return found ? [points, ...found] : undefined;
  }

  /** The lines of a side that only the server may understand. */
  otherLines(side) {
    return (side?.querySelector("[data-bids]")?.value ?? "").split("\n").filter((line) => line.trim() && !this.bidIn(line));
  }

  readBids(side) {
    for (const row of this.bidsOf(side)) row.remove();
    for (const line of side.querySelector("[data-bids]").value.split("\n")) {
      const [points, minor, order] = this.bidIn(line) ?? [];
      if (order) this.addBid(side, minor, points, order);
    }
  }

  writeBids(side) {
    const lines = this.bidsOf(side).map((row) => {
      const [label] = row.querySelector("select[data-orders]").selectedOptions;
      return `${row.querySelector("[data-bid-points]").value}: ${label.label}`;
    });
    const text = side.querySelector("[data-bids]");
    text.value = [...lines, ...this.otherLines(side)].join("\n");
    this.changed();
  }

  typed(text) {
    this.readBids(text.closest("[data-side]"));
    this.changed();
  }

  changed() {
    if (this.use) this.fillUse(this.form.querySelector("[data-mine]"));
    this.form.dispatchEvent(new Event("written"));
  }

  /** What "Use these" takes along; a line that is not understood here has to be judged first. */
  fillUse(mine) {
    if (!mine) return;
    for (const old of this.use.querySelectorAll('[name^="order-"], [name^="bid-"]')) old.remove();
    const chosen = [...mine.querySelectorAll("[data-row] select[data-orders]")].filter((select) => select.value);
    const fields = chosen.map((select) => [select.name.split(":")[1], select.value]);
    for (const [number, row] of this.bidsOf(mine).entries()) {
      const value = (control) => row.querySelector(control).value;
      fields.push([`bid-${number}-minor`, value("[data-minor]")], [`bid-${number}-order`, value("select[data-orders]")], [`bid-${number}-points`, value("[data-bid-points]")]);
    }
    for (const [name, value] of fields) this.use.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    this.use.hidden = this.otherLines(mine).length > 0;
  }

  /** Everything that is chosen and typed, to be put back later. */
  get state() {
    const texts = this.bidders.map((side) => side.querySelector("[data-bids]"));
    return Object.fromEntries([...this.selects, ...texts].map((control) => [control.name, control.value]));
  }

  set state(before) {
    for (const [name, value] of Object.entries(before)) this.form.elements[name].value = value;
    for (const side of this.bidders) this.readBids(side);
    this.changed();
  }
}

/** Whose points a tap on a minor power bids. */
function chooseBidder(guesses, entry) {
  const select = Object.assign(document.createElement("select"), { className: "input", autocomplete: "off" });
  for (const side of guesses.bidders) select.append(new Option(side.dataset.side));
  select.addEventListener("change", () => {
    guesses.bidder = guesses.bidders[select.selectedIndex];
    entry.select(null);
  });
  const label = Object.assign(document.createElement("label"), { className: "small", textContent: "Points of " });
  label.append(select);
  return label;
}

function start() {
  const form = document.getElementById("guesses");
  const view = document.querySelector("#board .board-view");
  if (!form || !view?.querySelector("[data-places]")) return;
  const guesses = new Guesses(form);
  const entry = new MapEntry(guesses, view);
  if (guesses.bidders.length > 1) entry.undoing.before(chooseBidder(guesses, entry));
  const judge = form.querySelector("[name=act]").cloneNode(true);
  judge.setAttribute("form", form.id);
  entry.bar.append(judge);
  if (!view.querySelector(".order")) entry.follow(); // what was judged is drawn already, with what came of it
}

start();
