// Trying out orders: those of every power, and expected bids, are given as on the order page. The form works without this.

import { all, find, make, targetOf, the } from "./dom.js";
import { MapEntry } from "./entry.js";
import { bidIn, lineOf, OrderForm, readBid, spellings, spentOn } from "./form.js";
import { said } from "./words.js";

/** @param {Bid} bid */
const isGiven = ({ order }) => order.value !== "";

/** All powers' orders and bids, with what the map asks of a form. The rows of bids and their lines say the same. */
class Guesses extends OrderForm {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    super(form);
    this.use = find(HTMLElement, "[data-use]");
    this.sides = all(HTMLDetailsElement, "[data-side]", form);
    this.bidders = this.sides.filter((side) => Number(side.dataset.budget) && side.querySelector("[data-bids]"));
    this.bidder = this.bidders[0];
    if (!this.bidder) this.minorOrders = {};
    this.known = spellings(this.minorOrders);
    for (const side of this.bidders) this.readBids(side);
    form.addEventListener("change", (event) => this.chosen(targetOf(event)));
    form.addEventListener("input", (event) => this.typed(targetOf(event)));
    form.addEventListener("click", (event) => this.clicked(targetOf(event)));
  }

  /** @param {Element} control */
  chosen(control) {
    const row = control.closest("[data-bid]");
    if (row && control.matches("[data-minor]")) this.listOrders(bidIn(row));
    if (row) this.writeBids(this.sideOf(row));
    else if (control.matches("[data-row] select")) this.changed();
  }

  /** @param {Element} control */
  typed(control) {
    const side = this.sideOf(control);
    if (control.matches("[data-bid-points]")) this.writeBids(side);
    if (!side || !control.matches("[data-bids]")) return;
    this.readBids(side);
    this.changed();
  }

  /** @param {Element} target */
  clicked(target) {
    const [button, side] = [target.closest("button"), this.sideOf(target)];
    if (!button || !side) return;
    const row = button.closest("[data-bid]");
    if (button.dataset.step && row) this.addPoints(bidIn(row), Number(button.dataset.step));
    else if (row) {
      this.clear(bidIn(row));
      the(HTMLElement, "[data-add-bid] button", side).focus();
    } else this.addBid(side, { points: "1", minor: "", order: "" }).minor.focus();
  }

  /** @param {Element} part */
  sideOf(part) {
    return this.sides.find((side) => side.contains(part));
  }

  /** @param {HTMLElement} side */
  bidsOf(side) {
    return this.bids.filter(({ row }) => side.contains(row));
  }

  /** @param {HTMLElement} side */
  textOf(side) {
    return the(HTMLTextAreaElement, "[data-bids]", side);
  }

  /** The bids of the power that is bidding now. */
  get myBids() {
    return this.bidder ? this.bidsOf(this.bidder) : [];
  }

  /** Chooses for a unit, a place or a minor; "" removes the order.
   *  @param {HTMLSelectElement} select @param {string} value */
  order(select, value) {
    select.value = value;
    const side = this.sideOf(select);
    if (!side) return;
    side.open = true;
    if (select.closest("[data-bid]")) this.writeBids(side);
    else this.changed();
  }

  /** The bid for this minor by the power that is bidding now.
   *  @param {string} minor */
  bidOn(minor) {
    return this.myBids.find((bid) => bid.minor.value === minor);
  }

  /** @param {string} minor @param {string} order */
  bid(minor, order) {
    const bid = this.bidOn(minor) ?? (this.bidder && this.addBid(this.bidder, { points: "1", minor, order: "" }));
    if (bid) this.order(bid.order, order);
    return Boolean(bid);
  }

  /** @param {HTMLElement} side @param {{ points: string, minor: string, order: string }} meant */
  addBid(side, { points, minor, order }) {
    const row = the(HTMLElement, "[data-bid]", the(HTMLTemplateElement, "#bid-row").content).cloneNode(true);
    the(HTMLElement, "[data-add-bid]", side).before(row);
    const bid = bidIn(/** @type {HTMLElement} */ (row));
    bid.minor.value = minor;
    this.listOrders(bid);
    bid.order.value = order;
    bid.points.value = points;
    return bid;
  }

  /** @param {Bid} bid @param {number} more */
  addPoints({ row, points }, more) {
    points.value = String(Math.max(1, Number(points.value) + more));
    this.writeBids(this.sideOf(row));
  }

  /** @param {Bid} bid */
  clear({ row }) {
    const side = this.sideOf(row);
    row.remove();
    this.writeBids(side);
  }

  left() {
    return Number(this.bidder?.dataset.budget) - spentOn(this.myBids);
  }

  /** The lines of a side that perhaps only the server understands.
   *  @param {HTMLElement} side */
  otherLines(side) {
    const text = find(HTMLTextAreaElement, "[data-bids]", side)?.value ?? "";
    return text.split("\n").filter((line) => line.trim() && !readBid(line, this.known));
  }

  /** @param {HTMLElement} side */
  readBids(side) {
    for (const { row } of this.bidsOf(side)) row.remove();
    for (const line of this.textOf(side).value.split("\n")) {
      const meant = readBid(line, this.known);
      if (meant) this.addBid(side, meant);
    }
  }

  /** @param {HTMLElement | undefined} side */
  writeBids(side) {
    if (side) this.textOf(side).value = [...this.bidsOf(side).filter(isGiven).map(lineOf), ...this.otherLines(side)].join("\n");
    this.changed();
  }

  changed() {
    const mine = find(HTMLElement, "[data-mine]", this.form);
    if (this.use && mine) this.fillUse(this.use, mine);
    this.form.dispatchEvent(new Event("written"));
  }

  /** What "Use these orders" sends; a line that is not understood here has to go through "Show result" first.
   *  @param {HTMLElement} use @param {HTMLElement} mine */
  fillUse(use, mine) {
    for (const old of use.querySelectorAll('[name^="order-"], [name^="bid-"]')) old.remove();
    const chosen = this.selects.filter((select) => select.value && mine.contains(select));
    const fields = chosen.map(({ name, value }) => [name.replace(/^.*:/, ""), value]);
    for (const [number, { minor, order, points }] of this.bidsOf(mine).filter(isGiven).entries()) {
      for (const [what, { value }] of Object.entries({ minor, order, points })) fields.push([`bid-${number}-${what}`, value]);
    }
    use.append(...fields.map(([name, value]) => make("input", { type: "hidden", name, value })));
    use.hidden = this.otherLines(mine).length > 0;
  }

  /** Everything chosen and typed, to be restored later.
   *  @returns {Record<string, string>} */
  get state() {
    return Object.fromEntries([...this.selects, ...this.bidders.map((side) => this.textOf(side))].map(({ name, value }) => [name, value]));
  }

  set state(before) {
    for (const control of [...this.selects, ...this.bidders.map((side) => this.textOf(side))]) control.value = before[control.name] ?? "";
    for (const side of this.bidders) this.readBids(side);
    this.changed();
  }
}

/** Chooses the power whose points a tap on a minor power bids.
 *  @param {Guesses} guesses @param {MapEntry} entry */
function chooseBidder(guesses, entry) {
  const select = make("select", { className: "input", autocomplete: "off" }, ...guesses.bidders.map((side) => new Option(side.dataset.side)));
  select.addEventListener("change", () => {
    guesses.bidder = guesses.bidders[select.selectedIndex];
    entry.select(null);
  });
  return make("label", { className: "small" }, said("Bid as"), " ", select);
}

function start() {
  const form = find(HTMLFormElement, "#guesses");
  const view = find(HTMLElement, "#board .board-view:has([data-places])");
  if (!form || !view) return;
  const guesses = new Guesses(form);
  const entry = new MapEntry(guesses, view);
  if (guesses.bidders.length > 1) entry.bar.append(chooseBidder(guesses, entry));
  if (!view.querySelector(".order")) entry.follow(); // a result is already drawn
}

start();
