// Unsaved choices are kept on this device, so that they survive a reload or a lost connection. They are kept for one
// phase, one seat and one reader, and forgotten once they are saved. Like a page, a draft is as old as the orders that
// were saved when it was begun.

import { button, make, the } from "./dom.js";
import { forgetAll, read, write } from "./kept.js";
import { said } from "./words.js";

const PREFIX = "sheet ";
const RESTORED = said("Your unsaved orders have been restored. They are kept on this device only.");
const NEWER = said("Other orders have been saved since you wrote these: if you save, you can compare both.");
const OLDER = said("Before these orders were saved, you wrote others on this device and didn’t save them.");
const AGAIN = said("The game master has reopened this phase since you wrote these orders. Check the map before you save.");
const [SHOW, DISCARD] = [said("Show them"), said("Discard them")];

/** @param {State} state */
const contentOf = ({ orders, bids, text }) => JSON.stringify([orders, bids, text]);

/** @param {State} one @param {State} other */
const isSame = (one, other) => contentOf(one) === contentOf(other);

/** What is kept while `state` is on the page, which the server sent as `shown`: nothing if the two are the same, unless
 *  `shown` came unsaved. `seen` names the opening of the phase and the saved orders that they are meant to follow.
 *  @param {State} state @param {State} shown @param {boolean} cameUnsaved @param {Seen} seen
 *  @returns {Draft | null} */
export const toKeep = (state, shown, cameUnsaved, seen) => (isSame(state, shown) && !cameUnsaved ? null : { ...state, ...seen });

/** Whether a draft on this device says more than its page, when that is opened again. What came unsaved is newer, unless it
 *  came before the draft was written: WebKit sends refused orders again when their page is loaded again.
 *  @param {any} draft @param {State} shown @param {boolean} cameUnsaved */
export const saysMore = (draft, shown, cameUnsaved) =>
  draft?.orders && Array.isArray(draft.bids) && !isSame(draft, shown) && (!cameUnsaved || draft.came === contentOf(shown));

/** @param {string} words @param {Record<string, () => void>} ways what its buttons do */
function banner(words, ways) {
  const buttons = Object.entries(ways).map(([name, act]) => button(name, () => {
    place.remove();
    act();
  }));
  const place = make("div", { className: "banner banner--plain", role: "status" }, make("p", {}, words), ...buttons);
  place.dataset.draft = "";
  return place;
}

let told = ""; // of a draft that is on the page, until it is saved: forms may be replaced meanwhile

/** @param {Sheet} sheet */
export function keepDraft(sheet) {
  const { form } = sheet;
  if ("practice" in form.dataset) return;
  const seen = sheet.after;
  const game = `${PREFIX}${form.getAttribute("action")} ${form.dataset.seat} `;
  const key = `${game}${the(HTMLInputElement, "[name=ordinal]", form).value}`;
  const mark = the(HTMLInputElement, "[name=mark]", form).value;
  const after = seen.value;
  let shown = sheet.state;
  let cameUnsaved = "unsaved" in form.dataset;
  const came = cameUnsaved ? contentOf(shown) : "";
  const apart = `${key} older`;
  forgetAll((name) => name.startsWith(game) && !name.startsWith(key)); // this reader's other phases of the game
  const keep = () => write(localStorage, key, toKeep(sheet.state, shown, cameUnsaved, { mark, after: seen.value, came }));
  const tell = () => told && form.prepend(banner(told, { [DISCARD]: discard }));
  const discard = () => {
    delete form.dataset.unsaved;
    write(localStorage, key, null);
    location.replace(form.action);
  };
  /** One that is older than what is saved waits, kept apart: what counts is seen first.
   *  @param {Draft} draft */
  const offer = (draft) => {
    const { mark: opening = mark, after: follows = after } = draft;
    const isOlder = follows !== after;
    const restore = () => {
      seen.value = follows;
      sheet.state = draft;
      told = [opening === mark ? "" : AGAIN, opening === mark && isOlder ? NEWER : "", RESTORED].join(" ").trim();
      tell();
    };
    const drop = () => write(localStorage, apart, null);
    const show = () => {
      drop();
      restore();
    };
    if (!isOlder) return restore();
    write(localStorage, apart, draft);
    keep();
    return form.prepend(banner(OLDER, { [SHOW]: show, [DISCARD]: drop }));
  };
  const draft = read(localStorage, key);
  const older = read(localStorage, apart);
  if (saysMore(older, shown, false)) offer(older);
  if (saysMore(draft, shown, cameUnsaved)) offer(draft);
  else {
    tell();
    keep();
  }
  for (const sign of ["written", "input"]) form.addEventListener(sign, keep);
  window.addEventListener("pagehide", () => form.isConnected && "unsaved" in form.dataset && keep()); // another tab may have forgotten it
  form.addEventListener("saved", () => {
    if (told) form.querySelector("[data-draft]")?.remove();
    told = "";
    shown = sheet.sent;
    cameUnsaved = false;
    keep();
  });
}
