// What the order page and the page for trying orders out have in common: selects, rows of bids, and lines.

import { all, find, make, the } from "./dom.js";

/** The orders that a select offers, each with the heading of its group.
 *  @param {HTMLSelectElement} select @returns {Offer[]} */
export function offersOf(select) {
  const options = [...select.options].filter(({ value }) => value);
  return options.map(({ value, label, parentElement: group }) => ({
    value,
    label,
    heading: group instanceof HTMLOptGroupElement ? group.label : "",
  }));
}

/** @param {Element} row @returns {Bid} */
export const bidIn = (row) => ({
  row: /** @type {HTMLElement} */ (row),
  minor: the(HTMLSelectElement, "[data-minor]", row),
  points: the(HTMLInputElement, "[data-bid-points]", row),
  order: the(HTMLSelectElement, "select[data-orders]", row),
});

/** @param {HTMLSelectElement} select */
export const labelOf = (select) => (select.value ? select.selectedOptions[0]?.label ?? "" : "");

/** @param {Bid} bid */
export const lineOf = ({ points, order }) => `${points.value || 0}: ${labelOf(order)}`;

/** @param {Bid[]} bids */
export const spentOn = (bids) => bids.reduce((sum, { minor, points }) => sum + (minor.value ? Number(points.value) || 0 : 0), 0);

const BID = /^\s*(\d+)\s*:(.*)$/;

/** An order without the differences in spaces, dashes and capitals.
 *  @param {string} order */
const plain = (order) => order.toLowerCase().replace(/\s*[-–—]\s*/g, "-").replace(/\s+/g, " ").trim();

/** The orders that may be bid for, by all their spellings.
 *  @param {Record<string, Listed[]>} minorOrders @returns {Spellings} */
export function spellings(minorOrders) {
  const listed = Object.entries(minorOrders).flatMap(([minor, orders]) => orders.map(([order, label]) => ({ minor, order, label })));
  return new Map(listed.flatMap(({ minor, order, label }) => [order, label].map((spelt) => [plain(spelt), { minor, order }])));
}

/** The bid in a line; null if there is none.
 *  @param {string} line @param {Spellings} known */
export function readBid(line, known) {
  const [, points = "", order = ""] = line.match(BID) ?? [];
  const found = known.get(plain(order));
  return found ? { points, ...found } : null;
}

/** @param {string} text */
export const linesOf = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);

/** What a text says in the spelling of the lists: an order of each, bids, and what follows each of the `wishes`, by index.
 *  `rest`: its other lines.
 *  @param {string} text @param {Offer[][]} lists @param {string[]} wishes @param {Spellings} known @param {number} most bids */
export function readLines(text, lists, wishes, known, most) {
  const lines = linesOf(text);
  const left = lines.map(plain);
  /** @param {number} at */
  const take = (at) => (at < 0 ? undefined : left.splice(at, 1, "") && lines[at]);
  const orders = lists.map((offers) => offers.find(({ value, label }) => take(left.indexOf(plain(value))) ?? take(left.indexOf(plain(label)))));
  const wished = wishes.map((wish) => take(left.findIndex((line) => line.startsWith(plain(wish)))));
  /** @type {Map<string, { points: string, order: string }>} */
  const bids = new Map();
  lines.forEach((line, at) => {
    const bid = left[at] ? readBid(line, known) : null;
    if (bid && !bids.has(bid.minor) && bids.size < most && take(at)) bids.set(bid.minor, bid);
  });
  const values = [...orders.map((order) => order?.value), ...wished.map((line) => line?.replace(/^[^:]*:\s*/, ""))];
  return { values, bids, rest: lines.filter((_, at) => left[at]) };
}

export class OrderForm {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    const block = find(HTMLScriptElement, "#minor-orders");
    /** @type {Record<string, Listed[]>} */
    this.minorOrders = block ? JSON.parse(block.text) : {};
  }

  /** The selects of the player's own units and places. */
  get selects() {
    return all(HTMLSelectElement, "[data-row] select[data-orders]", this.form);
  }

  get bids() {
    return all(HTMLElement, "[data-bid]", this.form).map(bidIn);
  }

  /** The order select of a bid offers the lawful orders of its minor.
   *  @param {Bid} bid */
  listOrders({ minor, order }) {
    /** @type {Map<string, HTMLOptGroupElement>} */
    const groups = new Map();
    for (const [value, label, heading] of this.minorOrders[minor.value] ?? []) {
      const group = groups.get(heading) ?? make("optgroup", { label: heading });
      groups.set(heading, group);
      group.append(new Option(label, value));
    }
    order.replaceChildren(new Option(order.options[0]?.label, ""), ...groups.values());
  }

  /** Why an order is impossible, in the judge's words; "" where nobody can be asked.
   *  @param {string} order @param {boolean} isBid */
  async whyNot(order, isBid) {
    const { read } = this.form.dataset;
    if (!read) return "";
    const body = new URLSearchParams({ use: "text", text: isBid ? `0: ${order}` : order });
    for (const name of ["csrfmiddlewaretoken", "ordinal", "mark"]) body.set(name, the(HTMLInputElement, `[name=${name}]`, this.form).value);
    const answer = await fetch(read, { method: "POST", body, headers: { "HX-Target": "why" } }).catch(() => null);
    return answer?.ok ? answer.text() : "";
  }
}
