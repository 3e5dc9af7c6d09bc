// On every page: the theme, maps, times in the reader’s own zone, what is new,
// copying, and the arrow keys of the history.

import { watchBoards } from "./board.js";
import { showClocks, showExact } from "./clock.js";
import { all, around, find, targetOf, the } from "./dom.js";
import { forgetOnSigningOut, forgetWhatIsOver } from "./kept.js";
import { watchForNews } from "./live.js";
import { watchMoves } from "./moves.js";
import { keepTalk, showDrafts } from "./talk.js";

const bell = () => find(HTMLElement, "[data-pulse]");
if (bell()) navigator.serviceWorker?.register("/worker.js");

/** The number beside the bell, on the icon of the app too. */
const showBadge = () => navigator.setAppBadge?.(parseInt(bell()?.textContent ?? "") || 0);

const PLAIN = "text/plain";
const YEAR = 365 * 24 * 60 * 60;

watchBoards();
showClocks();
document.addEventListener("htmx:load", showClocks);
document.addEventListener("click", showExact);
watchForNews();
showBadge();
document.addEventListener("htmx:load", showBadge);
watchMoves();
forgetOnSigningOut();
forgetWhatIsOver();
all(HTMLFormElement, "[data-talk]").forEach(keepTalk);
all(HTMLElement, "[data-drafts]").forEach(showDrafts);

/** Mistakes get the focus, so that they are read first.
 *  @param {ParentNode} fresh */
const focusMistakes = (fresh) => find(HTMLElement, "[data-focus]", fresh)?.focus();
focusMistakes(document);
document.addEventListener("htmx:load", (event) => focusMistakes(targetOf(event)));

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
  if (button.dataset.copyFrom) {
    // A promise, as a browser may only write while it still remembers the click.
    const blob = fetch(button.dataset.copyFrom).then(async (file) => new Blob([await file.text()], { type: PLAIN }));
    await navigator.clipboard.write([new ClipboardItem({ [PLAIN]: blob })]);
    button.textContent = "Copied";
    return;
  }
  const url = the(HTMLInputElement, `#${button.dataset.copy}`).value;
  if ("share" in button.dataset) {
    await navigator.share({ url }).catch(() => {});
    return;
  }
  await navigator.clipboard.writeText(url);
  button.textContent = "Copied";
});

// Light or dark: a cookie, so that the next page comes in it.
document.addEventListener("submit", (event) => {
  if (!targetOf(event).matches("[data-theme-form]")) return;
  event.preventDefault();
  const { dataset } = document.documentElement;
  const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.theme = isDark ? "light" : "dark";
  document.cookie = `theme=${dataset.theme}; path=/; max-age=${YEAR}; samesite=lax`;
});
