// What was refused, or sent from this page without a session, goes back into the form it came from. The order sheet has
// its own draft, which says so.

import { all, find, the } from "./dom.js";
import { said } from "./words.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

const BACK = said("What was not done is back in its form: check it, then send it again.");
const SIGNS = ["csrfmiddlewaretoken", "whose"];
const CHOSEN = ["checkbox", "radio"];
const UNTOUCHED = ["file", "submit"];

/** @param {HTMLFormElement} form */
const controlsOf = (form) => [...form.elements].filter((part) => {
  const isControl = part instanceof HTMLInputElement || part instanceof HTMLSelectElement || part instanceof HTMLTextAreaElement;
  return isControl && part.name && !SIGNS.includes(part.name) && !UNTOUCHED.includes(part.type);
}).map((part) => /** @type {Control} */ (part));

/** What was changed since the page was opened stays.
 *  @param {Control} part */
const isAsOpened = (part) => part instanceof HTMLSelectElement || part.value === part.defaultValue;

/** @param {Control} part @param {string[]} values */
function give(part, values) {
  if (part instanceof HTMLInputElement && CHOSEN.includes(part.type)) part.checked = values.includes(part.value);
  else if (values.length > 0 && isAsOpened(part)) part.value = values[0] ?? "";
  if (part.type === "hidden") return;
  for (const sign of ["input", "change"]) part.dispatchEvent(new Event(sign, { bubbles: true }));
}

/** Of several forms with one address it is the one whose hidden fields are the same.
 *  @param {string | undefined} address @param {FormData} sent */
function formFor(address, sent) {
  const here = location.pathname;
  const forms = all(HTMLFormElement, "main form[method=post]")
    .filter((form) => new URL(form.getAttribute("action") || here, location.href).pathname === new URL(address ?? here, location.href).pathname);
  const isSame = (/** @type {Control} */ { type, name, value }) => type !== "hidden" || !sent.has(name) || sent.getAll(name).includes(value);
  return forms.length < 2 ? forms[0] : forms.find((form) => controlsOf(form).every(isSame));
}

/** Whether there is a form for it.
 *  @param {string | undefined} address @param {FormData} sent */
function fill(address, sent) {
  const form = formFor(address, sent);
  const parts = form ? controlsOf(form) : [];
  if (!form || parts.every(({ type }) => type === "hidden")) return false;
  for (const part of parts) give(part, sent.getAll(part.name).map(String));
  form.closest("details")?.setAttribute("open", "");
  return true;
}

/** @param {HTMLFormElement} kept */
function giveBack(kept) {
  const sheet = find(HTMLFormElement, "#sheet");
  const { typed } = kept.dataset;
  if (sheet && [sheet.getAttribute("action"), sheet.dataset.read].includes(typed)) {
    kept.remove();
    return;
  }
  if (!fill(typed, new FormData(kept))) return;
  kept.closest("section")?.removeAttribute("hidden");
  for (const part of kept.querySelectorAll("textarea, .button--main")) part.remove();
  the(HTMLElement, "[data-typed-words]", kept).textContent = BACK;
}

all(HTMLFormElement, "[data-typed]").forEach(giveBack);
