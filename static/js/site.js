// On every page: the theme, moving and enlarging maps, times in the reader's own zone, the countdown, what is new,
// copying, and the arrow keys of the history.

import { watchBoards } from "./board.js";
import { showClocks } from "./clock.js";
import { all, around, find, targetOf, the } from "./dom.js";
import { forgetOnSigningOut, forgetWhatIsOver } from "./kept.js";
import { watchForNews } from "./live.js";
import { keepTalk } from "./talk.js";
import { watchTheme } from "./theme.js";

watchTheme();
watchBoards();
showClocks();
document.addEventListener("htmx:load", showClocks);
watchForNews();
forgetOnSigningOut();
forgetWhatIsOver();
all(HTMLFormElement, "[data-talk]").forEach(keepTalk);

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

/** The text of the field with this id.
 *  @param {string | undefined} id */
const written = (id) => (find(HTMLTextAreaElement, `#${id}`) ?? the(HTMLInputElement, `#${id}`)).value;

document.addEventListener("click", async (event) => {
  const button = around(HTMLElement, "[data-copy]", targetOf(event));
  if (!button) return;
  await navigator.clipboard.writeText(written(button.dataset.copy));
  button.textContent = "Copied";
});

/** Buttons that share a link, where the browser can. */
function offerToShare() {
  if ("share" in navigator) for (const button of all(HTMLElement, "[data-share]")) button.hidden = false;
}
offerToShare();
document.addEventListener("htmx:load", offerToShare);

document.addEventListener("click", (event) => {
  const button = around(HTMLElement, "[data-share]", targetOf(event));
  // Closing the list of apps without choosing one is no mistake.
  if (button) navigator.share({ title: button.dataset.title, url: written(button.dataset.share) }).catch(() => {});
});
