// Saving orders without leaving the page. While the site is away the page keeps them, says so, and sends them again by
// itself, just as they were when the button was pressed.

import { find, make, the } from "./dom.js";

/** What the page does about it: stay, with what has changed on it, or be left. `isSame`: the form still holds what was
 *  sent.
 *  @typedef {{ saved(fresh: Document, isSame: boolean): void, leave(isSame: boolean): void }} Page */

const AWAY = [502, 503, 504];
const PATIENCE = 20_000;
const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;
const SPREAD = 0.5;          // so that all pages don't send at once

/** How long to wait before the next try, in milliseconds.
 *  @param {number} tries @param {number} chance from 0 to 1 */
export const pauseAfter = (tries, chance) => Math.min(FIRST_PAUSE * 2 ** tries, LONGEST_PAUSE) * (1 + SPREAD * chance);

/** @param {HTMLFormElement} form @param {HTMLButtonElement} button */
function contentOf(form, button) {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return new URLSearchParams([...fields, [button.name, button.value]]).toString();
}

/** The answer of the site; null if it is away.
 *  @param {string} address @param {RequestInit} what */
async function ask(address, what) {
  try {
    const answer = await fetch(address, { ...what, redirect: "manual", signal: AbortSignal.timeout(PATIENCE) });
    return AWAY.includes(answer.status) ? null : answer;
  } catch {
    return null;
  }
}

/** The phase that a page is for, and the receipt of the orders that count in it.
 *  @param {Document} page */
const seenOn = (page) => ["#sheet [name=ordinal]", "#receipt-code"].map((part) => find(HTMLInputElement, part, page)?.value ?? "");

/** Whether other orders for the same phase count by now, saved elsewhere; null if the site is away.
 *  @param {string} address */
async function isOutdated(address) {
  const answer = await ask(address, {});
  const text = await answer?.text().catch(() => null);
  if (text === undefined || text === null) return null;
  const [phase, receipt] = seenOn(new DOMParser().parseFromString(text, "text/html"));
  const [phaseHere, receiptHere] = seenOn(document);
  return phase === phaseHere && receipt !== receiptHere;
}

export class Sender {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.content = "";
    this.isSending = false;
    this.tries = 0;
    /** @type {HTMLButtonElement | null} */
    this.button = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    window.addEventListener("online", () => this.timer !== undefined && this.send());
    window.addEventListener("pagehide", () => clearTimeout(this.timer)); // the draft stays, for when the page is opened again
    window.addEventListener("pageshow", ({ persisted }) => persisted && this.timer !== undefined && this.send());
  }

  /** Another may have taken its place since the button was pressed. */
  get form() {
    return the(HTMLFormElement, "#sheet");
  }

  /** @param {string} words */
  set hint(words) {
    the(HTMLElement, "[data-hint]").textContent = words;
  }

  /** @param {HTMLButtonElement} button */
  save(button) {
    this.button = button;
    this.content = contentOf(this.form, button);
    this.hint = "Saving…";
    this.send();
  }

  async send() {
    if (this.isSending) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isSending = true;
    const { content } = this;
    const address = this.form.action;
    const isOld = this.tries > 0 && await isOutdated(address);
    const answer = isOld === false && await ask(address, { method: "POST", body: new URLSearchParams(content), headers: { "HX-Target": "saved" } });
    this.isSending = false;
    if (content !== this.content) this.send(); // the button has been pressed again
    else if (answer) await this.show(answer);
    else if (isOld) this.open(false);
    else this.wait();
  }

  /** The page as it is now, with what is kept on this device if that is something else.
   *  @param {boolean} isSent */
  open(isSent) {
    this.page.leave(isSent);
    location.assign(this.form.action);
  }

  /** A refusal is asked for again, because only the browser itself can make a page of it.
   *  @param {Response} answer */
  async show(answer) {
    const isSame = this.button !== null && this.content === contentOf(this.form, this.button);
    if (answer.type === "opaqueredirect") {
      this.open(isSame);
      return;
    }
    if (answer.ok) {
      this.tries = 0;
      the(HTMLElement, "[data-away]", this.form).hidden = true;
      this.page.saved(new DOMParser().parseFromString(await answer.text(), "text/html"), isSame);
      return;
    }
    this.page.leave(false);
    const fields = [...new URLSearchParams(this.content)].map(([name, value]) => make("input", { type: "hidden", name, value }));
    const again = make("form", { method: "post", action: this.form.action, hidden: true }, ...fields);
    document.body.append(again);
    again.submit();
  }

  wait() {
    const banner = the(HTMLElement, "[data-away]", this.form);
    this.hint = "";
    if (banner.hidden) {
      banner.hidden = false;
      banner.scrollIntoView({ block: "center" });
    }
    this.timer = setTimeout(() => this.send(), pauseAfter(this.tries, Math.random()));
    this.tries += 1;
  }
}
