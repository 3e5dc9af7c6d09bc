// The steps that lead to an order: chosen in the form one select after the other, and tapped on the map.

import { provinceOf, read } from "./arrows.js";

/**
 * @typedef {{ value: string, label: string, heading: string }} Offer an order as a form lists it, under its heading
 * @typedef {{ value: string, label: string, path: string[] }} Way
 */

const SEPARATOR = "–";
const PLACE = "@";
const ASK = new Map([
  ["Move", ["Where to?"]],
  ["Retreat", ["Where to?"]],
  ["Support hold", ["Support which unit?"]],
  ["Support move", ["Support which unit?", "Into which province?"]],
  ["Convoy", ["Convoy which army?", "Where to?"]],
]);

/** @param {string} province */
export const stepTo = (province) => PLACE + province;

/** The provinces among these steps, which are tapped; the others are words.
 *  @param {string[]} steps */
export const placesIn = (steps) => steps.filter((step) => step.startsWith(PLACE)).map((step) => step.slice(PLACE.length));

/** @param {string[]} steps */
export const wordsIn = (steps) => steps.filter((step) => !step.startsWith(PLACE));

/** Whom and where, as the label of an order under this heading says.
 *  @param {Offer} offer */
function said({ heading, label }) {
  const object = label.match(/ [SC] (.*)$/)?.[1] ?? label;
  const [whom = "", where = ""] = object.split(SEPARATOR);
  /** @type {Record<string, string[]>} */
  const parts = { Move: [where], Retreat: [where], "Support hold": [object], "Support move": [whom, where], Convoy: [whom, where] };
  return parts[heading] ?? [label];
}

/** The unit as its order names it, as in "F Bul/ec".
 *  @param {string} label */
const unitIn = (label) => label.match(/^[A-Z]+ [^\s–]+/)?.[0] ?? "";

/** The ways in words. If one unit may take several forms, as `isOneUnit` tells, its order begins with the form.
 *  @param {Offer[]} offers @param {boolean} isOneUnit @returns {Way[]} */
export function waysInWords(offers, isOneUnit) {
  const hasForms = isOneUnit && new Set(offers.map(({ label }) => unitIn(label))).size > 1;
  return offers.map(({ value, label, heading }) => {
    const path = [heading, ...said({ value, label, heading })].filter((part) => part && part !== label);
    const rest = path.length > 1 || heading === "Hold" ? path : [label];
    return { value, label, path: hasForms ? [unitIn(label), ...rest] : rest };
  });
}

/** The ways on the map, where provinces are tapped and everything else is a button.
 *  @param {Offer[]} offers @returns {Way[]} */
export function waysOnMap(offers) {
  const forms = new Set(offers.map(({ value }) => read(value)?.form));
  return offers.map(({ value, label, heading }) => {
    const order = heading ? read(value) : null;
    if (!order || order.kind === "build") return { value, label, path: [label] };
    const places = [order.aux, order.target].filter(Boolean).map((place) => stepTo(provinceOf(place)));
    const rest = places.length ? [heading, ...places] : [heading === "Hold" ? heading : label];
    return { value, label, path: forms.size > 1 ? [order.form, ...rest] : rest };
  });
}

/** The ways that begin with these steps.
 *  @param {Way[]} ways @param {string[]} taken */
export const fitting = (ways, taken) => ways.filter(({ path }) => taken.every((step, index) => path[index] === step));

/** The steps that can come next.
 *  @param {Way[]} ways @param {string[]} taken */
export function nextSteps(ways, taken) {
  const next = fitting(ways, taken).flatMap(({ path }) => path.slice(taken.length, taken.length + 1));
  return [...new Set(next)];
}

/** The steps taken, followed by every step that is the only way on.
 *  @param {Way[]} ways @param {string[]} taken @returns {string[]} */
export function complete(ways, taken) {
  const [only, ...others] = nextSteps(ways, taken);
  const isEnd = fitting(ways, taken).some(({ path }) => path.length === taken.length);
  return taken.length && only && !others.length && !isEnd ? complete(ways, [...taken, only]) : taken;
}

/** The ways that end here, and whether only a coast is left to choose.
 *  @param {Way[]} ways @param {string[]} taken */
export function endsOf(ways, taken) {
  const ends = fitting(ways, taken).filter(({ path }) => path.length === taken.length);
  const isCoast = placesIn(taken).length > 0 && ends.length > 1 && ends.every(({ label }) => label.includes("/"));
  return { ends, isCoast };
}

/** The question that the map asks after these steps.
 *  @param {string[]} taken @param {string} unit @param {boolean} isTapped @param {boolean} isCoast */
export function question(taken, unit, isTapped, isCoast) {
  const heading = taken.find((step) => ASK.has(step));
  const asked = ASK.get(heading ?? "")?.[placesIn(taken).length];
  const words = (asked ?? (isCoast ? "To which coast?" : "Which?")).toLowerCase();
  return `${heading ?? unit}: ${words}${isTapped ? " Tap a highlighted province." : ""}`;
}
