// On every page: the theme, the part of the map that is seen, times in the reader's own zone, the countdown, what is new,
// copying, the arrow keys of the history.

import { watchBoards } from "./board.js";
import { showClocks } from "./clock.js";
import { forgetOnSigningOut } from "./kept.js";
import { watchForNews } from "./live.js";
import { keepTalk } from "./talk.js";
import { watchTheme } from "./theme.js";

watchTheme();
watchBoards();
showClocks();
document.addEventListener("htmx:load", showClocks);
watchForNews();
forgetOnSigningOut();
document.querySelectorAll("[data-talk]").forEach(keepTalk);

// What went wrong is read first.
const focusMistakes = (fresh) => fresh.querySelector("[data-focus]")?.focus();
focusMistakes(document);
document.addEventListener("htmx:load", (event) => focusMistakes(event.target));

function scrollsByKeys(element) {
  const view = element.closest(".board-view");
  return view && view.scrollWidth > view.clientWidth;
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea, [contenteditable]") || scrollsByKeys(event.target)) return;
  const link = document.querySelector(`a[data-key="${event.key}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
  button.textContent = "Copied";
});
