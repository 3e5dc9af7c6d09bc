// What was chosen and not saved yet is kept on this device, so that neither a reload nor a lost connection takes it away.
// It is kept for one phase, one seat and one reader, and forgotten once it is saved.

import { read, write } from "./kept.js";

const PREFIX = "sheet ";
const SENT = "sheet sent";

/** Drafts of this reader's other phases of the game are of no use any more. */
function forgetOthers(game, key) {
  try {
    const old = Object.keys(localStorage).filter((name) => name.startsWith(game) && name !== key);
    for (const name of old) localStorage.removeItem(name);
  } catch {
    // without storage there are none
  }
}

const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const wasSaved = (key) => read(sessionStorage, SENT) === key && document.querySelector(".messages .banner--success") !== null;

const RESTORED = "Restored what you had not saved. It is kept on this device only.";
const AGAIN = "The game master has opened this phase again since you wrote this. Look at the map before you save. ";

function banner(form, discard, meant) {
  const place = Object.assign(document.createElement("div"), { className: "banner banner--plain" });
  const words = Object.assign(document.createElement("p"), { textContent: (meant === form.elements.mark.value ? "" : AGAIN) + RESTORED });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "button", textContent: "Discard it" });
  place.setAttribute("role", "status");
  place.dataset.draft = "";
  place.append(words, button);
  button.addEventListener("click", () => {
    discard();
    place.remove();
  });
  form.prepend(place);
}

export function keepDraft(sheet) {
  const { form } = sheet;
  if ("practice" in form.dataset) return;
  const game = `${PREFIX}${form.getAttribute("action")} ${form.dataset.seat} `;
  const key = `${game}${form.elements.ordinal.value}`;
  const shown = sheet.state;
  const cameUnsaved = "unsaved" in form.dataset;
  forgetOthers(game, key);
  if (wasSaved(key)) write(localStorage, key, null);
  write(sessionStorage, SENT, null);
  const draft = read(localStorage, key);
  const meant = draft?.mark ?? form.elements.mark.value;
  delete draft?.mark;
  const keep = () => {
    const { state } = sheet;
    write(localStorage, key, isSame(state, shown) && !cameUnsaved ? null : { ...state, mark: form.elements.mark.value });
  };
  if (isSame(draft, shown)) write(localStorage, key, null);
  else if (draft?.orders && Array.isArray(draft.bids) && !cameUnsaved) restore(sheet, draft, shown, key, meant);
  form.addEventListener("written", keep);
  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    if (event.submitter?.getAttribute("formtarget") !== "_blank") write(sessionStorage, SENT, key);
  });
}

function restore(sheet, draft, shown, key, meant) {
  sheet.state = draft;
  banner(sheet.form, () => {
    sheet.state = shown;
    sheet.untouched();
    write(localStorage, key, null);
  }, meant);
}
