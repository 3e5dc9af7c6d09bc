// The replay: phase after phase, automatically, at the reader's pace. Each phase is the page at its own address.

import { find, targetOf, the } from "./dom.js";
import { said } from "./words.js";

let waiting = 0;

/** The next phase, as far as there is one. */
function nextPhase() {
  const link = find(HTMLAnchorElement, '#replay a[data-key="ArrowRight"]');
  return link?.pathname.includes("/phases/") ? link.href : null;
}

/** @param {HTMLElement} bar */
function watch(bar) {
  const button = the(HTMLButtonElement, "button", bar);
  const pace = the(HTMLSelectElement, "select", bar);

  /** @param {boolean} playing */
  const show = (playing) => {
    button.ariaPressed = String(playing);
    the(HTMLElement, "span", button).textContent = playing ? said("Pause") : said("Play");
  };
  const pause = () => {
    clearTimeout(waiting);
    waiting = 0;
    show(false);
  };
  const wait = () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(step, Number(pace.value));
  };
  const step = async () => {
    const address = nextPhase();
    if (!address) return pause();
    await window.htmx.ajax("GET", address, { target: "#replay", select: "#replay", swap: "outerHTML show:none" });
    if (!waiting) return undefined;
    history.replaceState(history.state, "", address);
    return nextPhase() ? wait() : pause();
  };
  const play = () => {
    if (!nextPhase()) return;
    show(true);
    wait();
  };

  button.addEventListener("click", () => (waiting ? pause() : play()));
  pace.addEventListener("change", () => {
    if (waiting) wait();
  });
  // Readers who step by hand do not want to be moved on.
  document.addEventListener("click", (event) => {
    if (waiting && targetOf(event).closest("#replay a[href]")) pause();
  });
  if (location.hash === "#play") play();
}

const bar = find(HTMLElement, "[data-replay]:has(button)");
if (bar) watch(bar);
