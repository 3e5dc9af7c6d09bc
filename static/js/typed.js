// What was sent from this page without a session goes back into the form it came from. The order sheet has its own draft.

import { all, find } from "./dom.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Control */

const BACK = "What you sent was not done, because you weren’t signed in. It is back in its form: check it, then send it again.";
const SHEET = "What you sent was not done, because you weren’t signed in. Check your orders, then save them.";
const SIGNS = ["csrfmiddlewaretoken", "whose"];

/** @param {HTMLFormElement} form @returns {Control[]} */
const controlsOf = (form) => [...form.elements].flatMap((part) =>
  (part instanceof HTMLInputElement || part instanceof HTMLSelectElement || part instanceof HTMLTextAreaElement) && part.name ? [part] : []);

/** @param {Control} part */
const isHidden = (part) => part.type === "hidden" && !SIGNS.includes(part.name);

/** @param {Control} part @param {string[]} values */
function isUntouched(part, values) {
  if (part instanceof HTMLSelectElement) return values.length > 0;
  return part.value === part.defaultValue && values.length > 0;
}

/** @param {Control} part @param {string[]} values */
function give(part, values) {
  if (part instanceof HTMLInputElement && ["checkbox", "radio"].includes(part.type)) part.checked = values.includes(part.value);
  else if (part.type !== "file" && part.type !== "submit" && isUntouched(part, values)) part.value = values[0] ?? "";
  for (const sign of ["input", "change"]) if (part.type !== "hidden") part.dispatchEvent(new Event(sign, { bubbles: true }));
}

/** Of several forms with one address it is the one whose hidden fields are the same.
 *  @param {string} address @param {FormData} sent */
function formFor(address, sent) {
  const forms = all(HTMLFormElement, "main form[method=post]").filter((form) => new URL(form.getAttribute("action") || location.href, location.href).pathname === address);
  if (forms.length < 2) return forms[0];
  return forms.find((form) => controlsOf(form).filter(isHidden).every(({ name, value }) => sent.getAll(name).includes(value)));
}

/** @param {HTMLElement} kept */
function giveBack(kept) {
  const own = find(HTMLFormElement, "form", kept);
  if (!own) return;
  const sent = new FormData(own);
  const form = formFor(kept.dataset.typed ?? "", sent);
  const isSheet = find(HTMLFormElement, "#sheet") !== null;
  const parts = form && !isSheet ? controlsOf(form).filter(({ name }) => !SIGNS.includes(name)) : [];
  if (!isSheet && !parts.some(({ type }) => type !== "hidden")) return;
  for (const part of parts) give(part, sent.getAll(part.name).map(String));
  form?.closest("details")?.setAttribute("open", "");
  for (const part of all(HTMLElement, "textarea, .button--main", own)) part.remove();
  const words = find(HTMLElement, "[data-typed-words]", own);
  if (words) words.textContent = isSheet ? SHEET : BACK;
}

all(HTMLElement, "[data-typed]").forEach(giveBack);
