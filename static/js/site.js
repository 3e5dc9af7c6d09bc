// On every page: the theme, maps, times in the reader’s own zone, what is new,
// copying, and the arrow keys of the history.

import { watchBoards } from "./board.js";
import { setClock, showClocks, showExact } from "./clock.js";
import { all, around, find, make, targetOf, the } from "./dom.js";
import { forgetOnSigningOut, forgetWhatIsOver } from "./kept.js";
import { watchForNews } from "./live.js";
import { watchMoves } from "./moves.js";
import { keepTalks, showDrafts } from "./talk.js";
import { said } from "./words.js";

const bell = () => find(HTMLElement, "[data-pulse]");
if (bell()) navigator.serviceWorker?.register("/worker.js");

/** The number beside the bell, on the icon of the app too. */
const showBadge = () => navigator.setAppBadge?.(parseInt(bell()?.textContent ?? "") || 0);

watchBoards();
showClocks();
document.addEventListener("htmx:load", showClocks);
document.addEventListener("htmx:afterRequest", setClock);
document.addEventListener("click", showExact);
watchForNews();
showBadge();
document.addEventListener("htmx:load", showBadge);
watchMoves();
forgetOnSigningOut();
forgetWhatIsOver();
keepTalks(document);
document.addEventListener("htmx:load", (event) => {
  const fresh = targetOf(event);
  if (fresh !== document.body) keepTalks(fresh);
});
all(HTMLElement, "[data-drafts]").forEach(showDrafts);

/** Mistakes get the focus, so that they are read first.
 *  @param {ParentNode} fresh */
const focusMistakes = (fresh) => find(HTMLElement, "[data-focus]", fresh)?.focus();
focusMistakes(document);
// Who listens to the page hears that another phase has come.
const heard = make("p", { className: "visually-hidden", role: "status" });
document.body.append(heard);
document.addEventListener("htmx:load", (event) => {
  const fresh = targetOf(event);
  focusMistakes(fresh);
  if (fresh.id === "main") heard.textContent = find(HTMLElement, ".game-head__turn")?.textContent ?? "";
});

/** @param {Element} element */
function scrollsByKeys(element) {
  const view = element.closest(".board-view");
  return view && view.scrollWidth > view.clientWidth;
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const target = targetOf(event);
  if (target.closest("input, select, textarea, [contenteditable]") || scrollsByKeys(target)) return;
  const link = find(HTMLElement, `a[data-key="${CSS.escape(event.key)}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

document.addEventListener("click", async (event) => {
  const button = around(HTMLElement, "[data-copy], [data-copy-from]", targetOf(event));
  if (!button) return;
  const { copy, copyFrom } = button.dataset;
  const url = copy && the(HTMLInputElement, `#${copy}`).value;
  if ("share" in button.dataset) await navigator.share({ url }).catch(() => {});
  else {
    // A promise, because browsers soon forget a click.
    const text = url ?? fetch(`${copyFrom}`).then((file) => file.text());
    if ("ClipboardItem" in window) await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
    else await navigator.clipboard.writeText(await text);
    button.textContent = said("Copied");
  }
});

// Light or dark: a cookie, so that the next page comes in it.
document.addEventListener("submit", (event) => {
  if (!targetOf(event).matches("[data-theme-form]")) return;
  event.preventDefault();
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "light" : "dark";
  document.cookie = `theme=${dataset.theme}; path=/; max-age=31536000; samesite=lax`;
});
