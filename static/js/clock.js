// Times in the reader's own zone, and countdowns. Without this the server's own text stays readable.

import { all } from "./dom.js";

/** @type {ReturnType<typeof setInterval> | null} */
let ticking = null;

/** As the server writes it: "Mon 2 Nov 2026, 19:00 CET".
 * @param {Intl.DateTimeFormatPart[]} parts */
function wordsOf(parts) {
  const it = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  return `${it.weekday} ${it.day} ${it.month?.slice(0, 3)} ${it.year}, ${it.hour}:${it.minute} ${it.timeZoneName}`;
}

function localise() {
  const timeZone = document.documentElement.dataset.zone || undefined;
  const local = new Intl.DateTimeFormat("en-GB", {
    timeZone, weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit",
    timeZoneName: "short",
  });
  const full = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "full", timeStyle: "long" });
  for (const time of all(HTMLTimeElement, "time[data-local]")) {
    const moment = new Date(time.dateTime);
    time.textContent = wordsOf(local.formatToParts(moment));
    time.title = full.format(moment);
    time.removeAttribute("data-local");
  }
}

/** @param {number} seconds */
export function words(seconds) {
  if (seconds <= 0) return "any moment now";
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor((seconds % 86400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  if (days) return `${days} d ${hours} h`;
  if (hours) return `${hours} h ${String(minutes).padStart(2, "0")} min`;
  return `${minutes}:${rest}`;
}

function tick() {
  for (const place of all(HTMLElement, "[data-countdown]")) {
    const seconds = (Date.parse(place.dataset.countdown ?? "") - Date.now()) / 1000;
    const text = words(seconds);
    if (place.textContent !== text) place.textContent = text;
    place.classList.toggle("is-near", seconds < 300);
  }
}

export function showClocks() {
  localise();
  tick();
  ticking ??= setInterval(tick, 1000);
}
