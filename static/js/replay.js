// The replay: phase after phase, automatically, at the reader's pace. Each phase is the page at its own address.

import { find, targetOf, the } from "./dom.js";

/** @type {ReturnType<typeof setTimeout> | null} */
let waiting = null;

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
    the(HTMLElement, "span", button).textContent = playing ? "Pause" : "Play";
  };
  const pause = () => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = null;
    show(false);
  };
  const wait = () => {
    if (waiting !== null) clearTimeout(waiting);
    waiting = setTimeout(step, Number(pace.value));
  };
  const step = async () => {
    const address = nextPhase();
    if (!address) return pause();
    await /** @type {any} */ (window).htmx.ajax("GET", address, { target: "#replay", select: "#replay", swap: "outerHTML show:none" });
    if (waiting === null) return undefined;
    history.replaceState(history.state, "", address);
    return nextPhase() ? wait() : pause();
  };
  const play = () => {
    if (!nextPhase()) return;
    show(true);
    wait();
  };

  button.addEventListener("click", () => (waiting === null ? play() : pause()));
  pace.addEventListener("change", () => {
    if (waiting !== null) wait();
  });
  // Readers who step by hand do not want to be moved on.
  document.addEventListener("click", (event) => {
    if (waiting !== null && targetOf(event).closest("#replay a[href]")) pause();
  });
  if (location.hash === "#play") play();
}

const bar = find(HTMLElement, "[data-replay]:has(button)");
if (bar) watch(bar);
