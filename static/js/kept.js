// What this device keeps for its reader: drafts of orders and of messages, which results it has shown, and how maps lie.
// Signing out deletes them.

import { all, around, targetOf } from "./dom.js";

const OURS = ["sheet ", "talk ", "seen ", "map ", "waved "];
const SIGNING_OUT = "/accounts/logout/";
const LEFT = "signed-out";

/** @param {Storage} storage @param {string} key
 *  @returns {any} */
export function read(storage, key) {
  try {
    return JSON.parse(storage.getItem(key) ?? "null");
  } catch {
    return null; // storage may be switched off, or hold something that other code wrote
  }
}

/** @param {Storage} storage @param {string} key @param {unknown} value */
export function write(storage, key, value) {
  try {
    if (value === null) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify(value));
  } catch {
    // without storage nothing is kept
  }
}

/** @param {(name: string) => boolean} isOld */
export function forgetAll(isOld) {
  try {
    for (const name of Object.keys(localStorage).filter(isOld)) localStorage.removeItem(name);
  } catch {
    // without storage there is nothing
  }
}

/** A page that says that a phase is over names the draft that ends with it. So does a form in which its reader chooses
 *  between the draft and what is saved. */
export function forgetWhatIsOver() {
  document.addEventListener("submit", (event) => {
    const draft = around(HTMLFormElement, "[data-forgets]", targetOf(event))?.dataset.forgets;
    if (draft) write(localStorage, draft, null);
  });
  for (const { dataset } of all(HTMLElement, "[data-over]")) write(localStorage, dataset.over ?? "", null);
}

const forget = () => forgetAll((name) => OURS.some((prefix) => name.startsWith(prefix)));

/** On the page after signing out: also clears other tabs, which would otherwise keep their drafts again. */
function sendOthersAway() {
  const left = read(sessionStorage, LEFT);
  write(sessionStorage, LEFT, null);
  if (!left || document.querySelector(`form[action="${SIGNING_OUT}"]`)) return;
  forget();
  write(localStorage, LEFT, Date.now());
  write(localStorage, LEFT, null);
}

function goAway() {
  for (const form of all(HTMLFormElement, "[data-unsaved]")) delete form.dataset.unsaved; // the reader is not asked whether to stay
  location.replace(location.pathname + location.search);
}

export function forgetOnSigningOut() {
  document.addEventListener("submit", (event) => {
    if ((targetOf(event).getAttribute("action") || location.pathname) !== SIGNING_OUT) return;
    forget();
    write(sessionStorage, LEFT, true);
  });
  window.addEventListener("storage", ({ key, newValue }) => key === LEFT && newValue && goAway());
  sendOthersAway();
}
