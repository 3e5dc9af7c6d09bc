// Times in the reader's own zone, and countdowns. What the server wrote stays readable without this.

const timeZone = document.documentElement.dataset.zone || undefined;
const local = new Intl.DateTimeFormat("en-GB", {
  timeZone, weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short",
});
const full = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "full", timeStyle: "long" });

let ticking = null;

function localise(time) {
  const moment = new Date(time.dateTime);
  time.textContent = local.format(moment);
  time.title = full.format(moment);
  time.removeAttribute("data-local");
}

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
  for (const place of document.querySelectorAll("[data-countdown]")) {
    const seconds = (new Date(place.dataset.countdown) - Date.now()) / 1000;
    const text = words(seconds);
    if (place.textContent !== text) place.textContent = text;
    place.classList.toggle("is-near", seconds < 300);
  }
}

export function showClocks() {
  document.querySelectorAll("time[data-local]").forEach(localise);
  tick();
  ticking ??= setInterval(tick, 1000);
}
