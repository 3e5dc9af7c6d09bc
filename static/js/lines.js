// Lines of orders as they are typed and kept, read without the page they were written on.

/**
 * @import { Listed } from "./form.js"
 * @typedef {Map<string, { minor: string, order: string }>} Spellings
 */

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
