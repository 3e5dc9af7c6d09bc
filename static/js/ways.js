// The steps that lead to an order: chosen in the form one select after the other, and tapped on the map.

import { provinceOf, read as readOrder } from "./arrows.js";
import { said } from "./words.js";

const SEPARATOR = "–";
const PLACE = "@";
export const VIA = " VIA";
const FORMS = new Map([
  ["A", said("Army")], ["F", said("Fleet")],
  ["NC", said("north coast")], ["EC", said("east coast")], ["SC", said("south coast")], ["WC", said("west coast")],
]);
const BY_CONVOY = said("By convoy");
const UNIT_HELPED = / [SC] ([^–]+)/;
/** @param {string} chosen */
const where = (chosen) => said("{chosen}: choose where it goes.", { chosen });
/** What is asked for by the first tap and by the next, for each kind of order.
 *  @type {Map<string | undefined, ((chosen: string) => string)[]>} */
const ASK = new Map([
  ["move", [where]],
  ["support-hold", [(chosen) => said("{chosen}: choose the unit to support.", { chosen })]],
  ["support-move", [(chosen) => said("{chosen}: choose the unit to support, or where it goes.", { chosen }), where]],
  ["convoy", [(chosen) => said("{chosen}: choose the army to convoy, or where it goes.", { chosen }), where]],
]);

/** @param {string} province */
export const stepTo = (province) => PLACE + province;

/** The provinces among these steps, which are tapped; the others are words.
 *  @param {string[]} steps */
export const placesIn = (steps) => steps.filter((step) => step.startsWith(PLACE)).map((step) => step.slice(PLACE.length));

/** @param {string[]} steps */
export const wordsIn = (steps) => steps.filter((step) => !step.startsWith(PLACE));

/** @param {string} order */
const kindOf = (order) => readOrder(order)?.kind;

/** Whom and where, as the label of an order says.
 *  @param {Offer} offer */
function objectsOf({ value, label }) {
  const object = label.match(/ [SC] (.*)$/)?.[1] ?? label;
  const [whom = "", goal = ""] = object.split(SEPARATOR);
  /** @type {Record<string, string[]>} */
  const parts = { move: [goal], "support-hold": [object], "support-move": [whom, goal], convoy: [whom, goal] };
  return parts[kindOf(value) ?? ""] ?? [label];
}

/** @param {Offer} offer */
const built = ({ value, label, heading }) => (/^BUILD .A /.test(value) ? heading : label); // in words, if of a faction

/** What a unit is in its order: "F BUL/EC - CON" says "Fleet, east coast".
 *  @param {string} order */
function formIn(order) {
  const [, kind = "", coast = ""] = order.match(/^([A-Z]+) [^\s/]+(?:\/([A-Z]+))?/) ?? [];
  return [FORMS.get(kind) ?? kind, FORMS.get(coast)].filter(Boolean).join(", ");
}

/** The coast on which a move ends: "F Por–Spa/nc" says "Spa, north coast".
 *  @param {string} label */
export const coastOf = (label) =>
  label.replace(/^.*–/, "").replace(/\/(\w+)/, (_, coast) => `, ${FORMS.get(coast.toUpperCase()) ?? coast}`);

/** The ways in words. If one unit may take several forms, as `isOneUnit` tells, its order begins with the form.
 *  @param {Offer[]} offers @param {boolean} isOneUnit @returns {Way[]} */
export function waysInWords(offers, isOneUnit) {
  const hasForms = isOneUnit && new Set(offers.map(({ value }) => formIn(value))).size > 1;
  const marches = new Map(offers.map(({ value, label }) => [value + VIA, label]));
  return offers.map(({ value, label, heading }) => {
    const [, place] = marches.get(value)?.split(SEPARATOR) ?? [];
    const objects = place ? [said("{place} via convoy", { place })] : objectsOf({ value, label, heading });
    const path = [heading, ...objects].filter((part) => part && part !== label);
    const rest = path.length > 1 || kindOf(value) === "hold" ? path : [built({ value, label, heading })];
    return { value, label, path: hasForms ? [formIn(value), ...rest] : rest };
  });
}

/** The ways on the map, where provinces are tapped and everything else is a button. A move is one tap on its goal; the
 *  form of the unit may be chosen before it or after it.
 *  @param {Offer[]} offers @param {(province: string) => boolean} isTaken a unit stands there @returns {Way[]} */
export function waysOnMap(offers, isTaken = () => false) {
  const values = new Set(offers.map(({ value }) => value));
  const isSaid = offers.some(({ value }) => values.has(value + VIA));
  const read = offers.map((offer) => ({ ...offer, order: offer.heading ? readOrder(offer.value) : null }));
  const hasForms = new Set(read.map(({ order }) => order?.form)).size > 1;
  const helped = new Set(read.map(({ heading, order }) => `${heading} ${provinceOf(order?.aux ?? "")}`));
  /** @param {string} heading @param {Order} order */
  const isApart = (heading, { aux, target }) => aux !== "" && !isTaken(provinceOf(target)) && !helped.has(`${heading} ${provinceOf(target)}`);
  return read.flatMap(({ value, label, heading, order }) => {
    if (!order || order.kind === "build") return [{ value, label, path: [built({ value, label, heading })] }];
    const form = hasForms ? [formIn(value)] : [];
    const goal = stepTo(provinceOf(order.target));
    const isMove = order.kind === "move";
    const paths = isMove ? pathsOfMove(value, goal, values, isSaid) : pathsOf(order, { value, label, heading }, isApart(heading, order));
    const late = isMove && hasForms ? paths.map((path) => [...path, ...form]) : [];
    return [...late, ...paths.map((path) => [...form, ...path])].map((path) => ({ value, label, path }));
  });
}

/** An army that can march is convoyed only if that is said, which may then be said of every convoy.
 *  @param {string} value @param {string} goal @param {Set<string>} values @param {boolean} isSaid */
function pathsOfMove(value, goal, values, isSaid) {
  if (!isSaid || !value.endsWith(VIA)) return [[goal]];
  const spoken = [BY_CONVOY, goal];
  return values.has(value.slice(0, -VIA.length)) ? [spoken] : [[goal], spoken];
}

/** The steps to an order that is no move. A helped move is named by unit and goal, or by its goal first if that is
 *  apart from all units: a tap on a unit means the unit.
 *  @param {Order} order @param {Offer} offer @param {boolean} isApart */
function pathsOf({ kind, aux, target }, { label, heading }, isApart) {
  if (!target) return [[kind === "hold" ? heading : label]];
  const goal = stepTo(provinceOf(target));
  if (!aux) return [[heading, goal]];
  const path = [heading, stepTo(provinceOf(aux)), goal];
  return isApart ? [path, [heading, goal, label.match(UNIT_HELPED)?.[1] ?? label]] : [path];
}

/** What a way helps, and the order of that unit.
 *  @param {Way} way @param {(province: string) => string} orderIn the order of the unit there, "" for none */
function helpAndOrder({ value }, orderIn) {
  const help = readOrder(value);
  const unit = help?.aux || (help?.kind === "support-hold" ? help.target : "");
  return { help, order: unit ? readOrder(orderIn(provinceOf(unit))) : null };
}

/** The only way that helps an order which another unit already has.
 *  @param {Way[]} ways @param {(province: string) => string} orderIn */
export function helping(ways, orderIn) {
  const found = ways.filter((way) => {
    const { help, order } = helpAndOrder(way, orderIn);
    return help?.aux && order?.kind === "move" && provinceOf(order.target) === provinceOf(help.target);
  });
  return new Set(found.map(({ value }) => value)).size === 1 ? found[0] : undefined;
}

/** Whether this way helps a unit to something else than its order.
 *  @param {Way} way @param {(province: string) => string} orderIn */
export function contradicts(way, orderIn) {
  const { help, order } = helpAndOrder(way, orderIn);
  return order !== null && (order.kind === "move" ? provinceOf(order.target) !== provinceOf(help?.aux ? help.target : "") : Boolean(help?.aux));
}

/** Whether this step leads to moves by convoy only.
 *  @param {Way[]} ways @param {string[]} taken @param {string} step */
export const needsConvoy = (ways, taken, step) => fitting(ways, [...taken, step]).every(({ value }) => value.endsWith(VIA));

/** The way that convoys this move.
 *  @param {Way[]} ways @param {string} move */
export function convoying(ways, move) {
  const moved = readOrder(move);
  return ways.find(({ value }) => {
    const convoy = readOrder(value);
    return convoy?.kind === "convoy" && convoy.aux === moved?.unit && provinceOf(convoy.target) === provinceOf(moved.target);
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

/** What the map asks for after these steps of a unit.
 *  @param {Way[]} ways @param {string[]} taken @param {string} unit */
export function question(ways, taken, unit) {
  const chosen = wordsIn(taken)[0] ?? unit;
  const [kind, ...others] = new Set(fitting(ways, taken).map(({ value }) => kindOf(value)));
  const isTapped = placesIn(nextSteps(ways, taken)).length > 0;
  const asked = isTapped && !others.length && ASK.get(kind)?.[placesIn(taken).length];
  if (asked) return asked(chosen);
  return endsOf(ways, taken).isCoast ? said("{chosen}: which coast?", { chosen }) : said("{chosen}: which one?", { chosen });
}
