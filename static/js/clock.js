// Times in the reader's own zone, and countdowns. Without this the server's own text stays readable.

import { all } from "./dom.js";
import { LANGUAGES, said } from "./words.js";

/** @type {number | null} */
let ticking = null;
/** Milliseconds by which the reader's clock is behind the site's. */
let behind = 0;
let isTold = false;
const SOON = 600;
const CLOSE_ENOUGH = 3_000; // an answer takes its time, and says whole seconds

const now = () => Date.now() + behind;

/** How far a clock that shows `here` is behind one that showed `there`; 0 if it is right enough.
 *  @param {string} there @param {number} here */
export function lag(there, here) {
  const found = Date.parse(there) - here;
  return Math.abs(found) > CLOSE_ENOUGH ? found : 0;
}

/** Every answer says what time it is on the site, and deadlines are the site's.
 *  @param {CustomEvent} event */
export function setClock({ detail }) {
  const told = detail.xhr?.getResponseHeader("date");
  if (told) setBy(told);
}

/** @param {string} told */
function setBy(told) {
  isTold = true;
  behind = lag(told, Date.now());
  tick();
}

/** A page that counts down and asks for nothing else asks once. */
async function askTheTime() {
  if (isTold || !document.querySelector("[data-countdown]")) return;
  const answer = await fetch("/healthz", { method: "HEAD" }).catch(() => null);
  const told = answer?.headers.get("date");
  if (told) setBy(told);
}

/** As the server writes it: "Mon 2 Nov 2026, 19:00 CET".
 * @param {Intl.DateTimeFormatPart[]} parts */
function wordsOf(parts) {
  const { month = "", timeZoneName: zone = "", ...it } = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return said("{weekday} {day} {month} {year}, {hour}:{minute} {zone}", { ...it, month: month.replace("Sept", "Sep"), zone });
}

function localise() {
  const timeZone = document.documentElement.dataset.zone || undefined;
  const local = new Intl.DateTimeFormat(LANGUAGES, {
    timeZone, weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit",
    timeZoneName: "short",
  });
  const full = new Intl.DateTimeFormat(LANGUAGES, { timeZone, dateStyle: "full", timeStyle: "long" });
  for (const time of all(HTMLTimeElement, "time[data-local]")) {
    const moment = new Date(time.dateTime);
    time.dataset.exact = wordsOf(local.formatToParts(moment));
    time.textContent = time.dataset.exact;
    time.title = full.format(moment);
    time.removeAttribute("data-local");
  }
}

const UNITS = { day: 86400, hour: 3600, minute: 60, second: 1 };
const AMOUNTS = Object.keys(UNITS).map((unit) => new Intl.NumberFormat(LANGUAGES, { style: "unit", unit, unitDisplay: "long" }));

/** As the server writes it: "1 hour 30 minutes left".
 * @param {number} seconds */
export function words(seconds) {
  let rest = Math.floor(seconds);
  if (rest <= 0) return said("due any moment now");
  const parts = [];
  for (const [index, size] of Object.values(UNITS).entries()) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count) parts.push(AMOUNTS[index]?.format(count));
  }
  return said("{time} left", { time: parts.slice(0, 2).join(" ") });
}

const relative = new Intl.RelativeTimeFormat(LANGUAGES, { numeric: "auto" });
const RECENT = 7 * UNITS.day;

/** "5 minutes ago"; null for what is not recent.
 * @param {number} seconds */
export function ago(seconds) {
  if (seconds >= RECENT) return null;
  const [unit, size] = Object.entries(UNITS).find(([, length]) => seconds >= length) ?? ["second", 1];
  return seconds < UNITS.minute ? said("just now") : relative.format(-Math.floor(seconds / size), /** @type {"day"} */ (unit));
}

/** A click on a relative time shows the exact one. */
function tellAges() {
  for (const time of all(HTMLTimeElement, "time[data-ago]")) {
    const text = time.dataset.ago === "exact" ? null : ago((now() - Date.parse(time.dateTime)) / 1000);
    const shown = text ?? time.dataset.exact ?? "";
    if (time.textContent !== shown) time.textContent = shown;
  }
}

/** @param {MouseEvent} event */
export function showExact({ target }) {
  const time = target instanceof HTMLTimeElement && "ago" in target.dataset ? target : null;
  if (!time) return;
  time.dataset.ago = time.dataset.ago === "exact" ? "" : "exact";
  tellAges();
}

function tick() {
  tellAges();
  for (const place of all(HTMLElement, "[data-countdown]")) {
    const seconds = (Date.parse(place.dataset.countdown ?? "") - now()) / 1000;
    const text = words(seconds);
    if (place.textContent !== text) place.textContent = text;
    place.classList.toggle("is-near", seconds < 300);
  }
}

export function showClocks() {
  localise();
  tick();
  if (ticking !== null) return;
  ticking = setInterval(tick, 1000);
  setTimeout(askTheTime, SOON);
}
